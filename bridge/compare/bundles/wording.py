"""What a video model is told to show, in words."""

from pysim.catalog import AnyLevel, family_of

__all__ = ["instruction"]

_RULES = (
    "Every piece is rigid: it keeps its shape, size and colour, and never bends, melts, grows "
    "or breaks.",
    "There are as many pieces at the end as at the start, and each stays the same piece.",
    "No two pieces are ever in the same place; nothing passes through anything else.",
    "Motion is continuous: nothing jumps, appears or disappears.",
    "Pieces slide straight along one axis of the puzzle at a time. None turns before it is free.",
    "The camera, the light and the ground stay as they are in the first picture.",
)


def instruction(level: AnyLevel) -> str:
    """The text for a level: what to do, and what must hold in every frame."""
    task = family_of(level).rules.instruction(level).strip()
    rules = "\n".join(f"- {rule}" for rule in _RULES)
    return f"{task}\n\nIn every frame:\n{rules}\n"

"""Instructions for video models, in words."""

import re
from collections.abc import Mapping

from pysim.catalog import AnyLevel, find_family

__all__ = ["instruction", "renamed"]

_ALWAYS = (
    "Every piece is rigid. It keeps its shape, its size and its colour; it never bends, melts, "
    "grows or breaks.",
    "There are as many pieces at the end as at the start, shaped as in the first picture, and each "
    "stays the piece that it is.",
    "No two pieces are ever in the same place. Nothing passes through anything else or is pressed "
    "into it.",
    "Every motion can be followed from frame to frame. Nothing jumps, appears or vanishes.",
    "Only what is free moves. Of interlocked pieces that is the key piece first, and then whatever "
    "it sets free.",
)
_SLIDING = (
    "Pieces slide straight, along one axis of the puzzle at a time, and none turns as long as "
    "others hold it."
)
_TURNING = "What turns does so about one axis of the puzzle at a time, and as one rigid body."
_STILL = "The camera stands still; light and ground stay as they are."
_FOR_AGENTS = r"gizmo|letter|named|within x|picture|budget|\[|Held pieces|: right is|^[a-z]|\w_\w"
"""Sentences with one of these are about what agents see and call."""


def instruction(
    level: AnyLevel, *, turning: bool, whole: bool = True, colours: Mapping[str, str] | None = None
) -> str:
    """The text for a level: what to do, and what must hold in every frame.

    Args:
        turning: whether anything turns that is not being carried.
        whole: whether the film shows the whole solution, not just its beginning.
        colours: what pieces look like, name -> colour; None if they look as they are called.
    """
    told = find_family(level).rules.instruction(level)
    sentences = re.split(r"(?<=[.!?]) +", told.strip())
    task = " ".join(part for part in sentences if not re.search(_FOR_AGENTS, part))
    if colours is not None:
        task = renamed(task, colours)
    end = "" if whole else " The video shows how that begins."
    rules = (*_ALWAYS, _TURNING if turning else _SLIDING, _STILL)
    listed = "\n".join(f"- {rule}" for rule in rules)
    return (
        "Continue the first picture as one video without a cut, filmed by one camera. "
        f"{task}{end}\n\nIn every frame:\n{listed}\n"
    )


def renamed(text: str, colours: Mapping[str, str]) -> str:
    """A text with other colours for pieces."""
    if not colours:
        return text
    names = "|".join(sorted(map(re.escape, colours), key=len, reverse=True))
    return re.sub(rf"\b({names})\b", lambda found: colours[found[0]], text)

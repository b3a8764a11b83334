"""Wording of questions by edition.

Edition 3 words three phrases of editions 1 and 2 anew. The former ones are kept here alone, so that
the items of those editions, and the digests in the logs of their runs, stay the same.
"""

__all__ = ["CLOSING", "LISTED", "ONE_MOVE", "apply_wording"]

LISTED = "Read by rows, the stickers of the front face are:"
ONE_MOVE = (
    "A single move is left to solve the cube, and exactly one of the four is that move: find it."
)
CLOSING = "All nine are checked."

_REWORDED = 3
"""The first edition with the phrases above."""
_FORMER = {
    LISTED: "These nine stickers, in this order, are the front face:",
    ONE_MOVE: (
        "The cube is exactly 1 move from solved, and exactly one of the four solves it: find that "
        "one."
    ),
    CLOSING: "Answer verified for correctness.",
}


def apply_wording(text: str, edition: int) -> str:
    """Return a text in the wording of an edition."""
    if edition < _REWORDED:
        for phrase, former in _FORMER.items():
            text = text.replace(phrase, former)
    return text

"""Labels of corrupted clips: each cause with its time, its pieces and the kinds that are right."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Cause", "any_of"]


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing that is wrong.

    Attributes:
        kinds: of violations that are right; empty if any is.
        pieces: a violation names one of these; empty if any is right.
        first, last: frames of the clip that are false, both included.
        reached: the frame by which it can be seen.
    """

    kinds: tuple[str, ...]
    pieces: tuple[str, ...]
    first: int
    last: int
    reached: int


def any_of(causes: Sequence[Cause]) -> int:
    """Return the first false frame of all causes."""
    return min(cause.first for cause in causes)

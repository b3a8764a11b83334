"""Cases of cubes and nets, each with its own random numbers, as those of locks."""

from collections.abc import Sequence
from enum import StrEnum

from perf.video.cases import Case

__all__ = ["CLEAN", "TURNED_CLEAN", "TurnedKind", "is_turned", "planned_turned", "what_of"]

_PREFIX = "turned-"
TURNED_CLEAN = "turned-clean"
"""The kind of a case of a cube or a net in which nothing is forged."""
CLEAN = ("compressed", "slow preset", "small", "letterboxed", "tinted", "drifting", "all at once")
"""What was done to clean clips."""


class TurnedKind(StrEnum):
    """The fault in a film of a cube or a net."""

    VANISH = "turned-vanish"
    """A piece is not there for a second."""
    TELEPORT = "turned-teleport"
    """A piece is elsewhere in the next frame."""
    DUPLICATE = "turned-duplicate"
    """A second piece like another one is there from some frame on."""
    SWAP = "turned-swap"
    """Two pieces are in each other's places from some frame on."""
    RECOLOUR = "turned-recolour"
    """What sticks on one side of a piece has another colour from some frame on."""
    SNAP = "turned-snap"
    """A layer, or what is folded, is turned at once."""
    ILLEGAL = "turned-illegal"
    """A layer turns, or a square is folded, as no rule allows."""


def is_turned(kind: str) -> bool:
    """Return whether a case is one of a cube or a net."""
    return kind.startswith(_PREFIX)


def what_of(case: Case) -> str:
    """Return the change made to a clean clip."""
    return CLEAN[case.number % len(CLEAN)]


def planned_turned(clips: int, forged: int, only: Sequence[str] = ()) -> list[Case]:
    """Return all cases, kind by kind in turn, so that it may be stopped anywhere.

    Args:
        clips: clean ones.
        forged: of each kind.
        only: kinds; none for all.
    """
    wanted = [TURNED_CLEAN, *TurnedKind]
    counts = {str(k): clips if k == TURNED_CLEAN else forged for k in wanted}
    chosen = {kind: count for kind, count in counts.items() if not only or kind in only}
    places = [
        ((number + 0.5) / count, order, Case(kind, 0.0 if kind == TURNED_CLEAN else 1.0, number))
        for order, (kind, count) in enumerate(chosen.items())
        for number in range(count)
    ]
    return [case for _, _, case in sorted(places, key=lambda place: place[:2])]

"""The plan that is read off a video: moves, whether the rules allow them, and where it leads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pysim.field_types import Json

__all__ = ["Deed", "ReadMove", "ReadPlan"]


@dataclass(frozen=True, slots=True)
class Deed:
    """An action that a tracker takes to have been done in a video.

    Attributes:
        tool: name of the action.
        arguments: of the action, as agents write them.
        first, last: frames in which it began and was over.
    """

    tool: str
    arguments: Mapping[str, Json]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ReadMove:
    """A move that was read off a video.

    Attributes:
        tool: name of the action.
        arguments: of the action, as agents write them.
        first, last: frames in which it was seen to begin and to end.
        legal: whether the rules allow it where it was made; None if that can't be decided.
        reason: why not, for instance ``BLOCKED by blue``; empty if it is legal.
    """

    tool: str
    arguments: Mapping[str, Json]
    first: int
    last: int
    legal: bool | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """All moves of a video.

    Attributes:
        moves: in order.
        prefix: how many of the first moves are legal, one after the other.
        solved: whether these alone solve the puzzle.
        unread: why moves can't be read off poses at all; empty if they can.
    """

    moves: Sequence[ReadMove] = ()
    prefix: int = 0
    solved: bool = False
    unread: str = ""

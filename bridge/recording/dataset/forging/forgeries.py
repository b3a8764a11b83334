"""Forgeries: impossible things that a film can be made to show, with their places."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError

__all__ = [
    "ExtraBody",
    "ForgedFilm",
    "Forgery",
    "ForgeryError",
    "ForgeryKind",
    "TrueFilm",
]

_Array = NDArray[np.float64]


class ForgeryError(InputError):
    """A film has no place for a forgery; the message says of which kind."""


class ForgeryKind(StrEnum):
    """Kind of a forgery. In brackets: the meaning of its strength."""

    TELEPORT = "teleport"
    """A piece is elsewhere in the next frame (units)."""
    PASS_THROUGH = "pass-through"
    """A piece goes straight into others, and back (units)."""
    DIAGONAL = "diagonal"
    """A piece leaves the line on which it slides, and comes back to it (units)."""
    ROTATION = "rotation"
    """A piece turns among others, and back (degrees)."""
    STRETCH = "stretch"
    """A piece grows along an axis, and shrinks again (share of its length)."""
    WRONG_ORDER = "wrong-order"
    """A motion is shown before the one that makes room for it (1)."""
    VANISH = "vanish"
    """A piece is not there for a while (seconds)."""
    DUPLICATE = "duplicate"
    """A second piece like another one is there from some frame on (units between the two)."""
    SPLIT = "split"
    """A piece comes apart into two (units between the two)."""
    SWAP = "swap"
    """Two pieces change colours, and keep them (1)."""
    MERGE = "merge"
    """A piece takes the colour of one that it touches, and keeps it (1)."""
    RECOLOUR = "recolour"
    """A piece takes a colour that no other has, and keeps it (1)."""


@dataclass(frozen=True, slots=True)
class Forgery:
    """A label.

    Attributes:
        kind: what is wrong.
        pieces: with which bodies; first the one that does it.
        first_frame, last_frame: in which the film is not as it should be, both included.
        reached: the first frame in which it is off by half a unit or more, or a motion in the wrong
            order is half a unit deep in something; the first frame at all for what is no matter of
            units, or stays below that.
        magnitude: the most that it is off, as the kind counts it.
    """

    kind: ForgeryKind
    pieces: tuple[str, ...]
    first_frame: int
    last_frame: int
    reached: int
    magnitude: float


@dataclass(frozen=True, slots=True, eq=False)
class TrueFilm:
    """Motion of the bodies of a film.

    Attributes:
        cells: name -> (m, 3) middles of a body's cells in its own coordinates, in the order of
            ``poses``.
        poses: (frames, bodies, 4, 4) from body to world; NaN where a body is not there.
        fps: frames a second.
        stickered: bodies that are told by what sticks on them: a colour of another one would
            hardly be seen.
        fixed: bodies that never move: nothing is wrong with them, but they may be in the way.
    """

    cells: Mapping[str, _Array]
    poses: _Array
    fps: int
    stickered: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The bodies, in the order of ``poses``."""
        return tuple(self.cells)

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.poses)

    def middles(self, frame: int, body: int) -> _Array:
        """Return the middles (m, 3) of a body's cells in the world."""
        pose = self.poses[frame, body]
        middles: _Array = self.cells[self.names[body]] @ pose[:3, :3].T + pose[:3, 3]
        return middles


@dataclass(frozen=True, slots=True, eq=False)
class ExtraBody:
    """A body that no true film has.

    Attributes:
        cells: (m, 3) whole numbers, in its own coordinates.
        paint: whose colour it has.
        poses: (frames, 4, 4); NaN where it is not there.
    """

    cells: NDArray[np.int64]
    paint: str
    poses: _Array


@dataclass(frozen=True, slots=True, eq=False)
class ForgedFilm:
    """Motion of the bodies of a film that is wrong, and its labels.

    Attributes:
        names: the bodies, in the order of ``poses``.
        poses: (frames, bodies, 4, 4) from body to world; NaN where a body is not there. Not rigid
            where one is stretched.
        paints: (frames, bodies) whose colour a body has, by its place among ``names``; behind the
            last one for a colour that no other has.
        forgeries: the labels.
        extras: what is there besides.
    """

    names: tuple[str, ...]
    poses: _Array
    paints: NDArray[np.int64]
    forgeries: tuple[Forgery, ...]
    extras: tuple[ExtraBody, ...] = ()

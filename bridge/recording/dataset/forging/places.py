"""Places for forgeries in a film."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.recording.dataset.forging.forgeries import ExtraBody, ForgedFilm, Forgery, TrueFilm

__all__ = [
    "AXES",
    "HOLD",
    "Occupied",
    "Span",
    "all_cells",
    "bump",
    "eased",
    "forged",
    "hit",
    "moved_cells",
    "movers",
    "order",
    "reached",
    "rests",
    "rise",
    "runs",
    "shift",
    "window",
]

_Array = NDArray[np.float64]
Occupied = frozenset[tuple[int, int, int]]

AXES = tuple(sign * axis for axis in np.eye(3) for sign in (1.0, -1.0))
"""Both ways along each axis."""
HOLD = 6
"""Frames for which a forgery stays at its worst."""
_STEP = 0.4
"""Units that a piece moves between two frames at most where it should not look like a leap."""
_MARGIN = 2
"""Frames at the start of a film that are always true."""


@dataclass(frozen=True, slots=True)
class Span:
    """Frames, the last one included."""

    first: int
    last: int

    @property
    def frames(self) -> int:
        return self.last - self.first + 1


def forged(
    film: TrueFilm,
    forgery: Forgery,
    *,
    poses: _Array | None = None,
    paints: NDArray[np.int64] | None = None,
    extras: tuple[ExtraBody, ...] = (),
) -> ForgedFilm:
    """A film that is as it was but for what is given."""
    whose = np.tile(np.arange(len(film.names)), (film.frames, 1))
    return ForgedFilm(
        names=film.names,
        poses=film.poses if poses is None else poses,
        paints=whose if paints is None else paints,
        forgeries=(forgery,),
        extras=extras,
    )


def rests(film: TrueFilm, body: int, least: int) -> list[Span]:
    """Stretches of frames, ``least`` or more, in which a body is there and stays where it is."""
    poses = film.poses[:, body]
    still = np.isfinite(poses[:, 0, 0])
    still[1:] &= (np.abs(poses[1:] - poses[:-1]) < 1e-6).all(axis=(1, 2))
    still[:_MARGIN] = False
    return [span for span in runs(still) if span.frames >= least]


def runs(flags: NDArray[np.bool_]) -> Iterator[Span]:
    """The stretches in which flags (frames,) are set."""
    turns = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    for first, after in zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True):
        yield Span(first, after - 1)


def _cells(film: TrueFilm, frame: int, body: int) -> Occupied | None:
    """The cells of a body that stands straight on whole numbers; None of another one."""
    if not np.isfinite(film.poses[frame, body, 0, 0]):
        return None
    middles = film.middles(frame, body)
    whole = middles.round()
    if np.abs(middles - whole).max() > 0.1:
        return None
    return frozenset((int(x), int(y), int(z)) for x, y, z in whole)


def moved_cells(cells: Occupied, by: _Array) -> Occupied:
    """Occupied after a translation by whole units."""
    x, y, z = (int(part) for part in by)
    return frozenset((a + x, b + y, c + z) for a, b, c in cells)


def all_cells(film: TrueFilm, frame: int) -> dict[int, Occupied]:
    """The cells of every body that stands straight on whole numbers in a frame."""
    found = ((body, _cells(film, frame, body)) for body in range(len(film.names)))
    return {body: cells for body, cells in found if cells is not None}


def hit(others: Mapping[int, Occupied], body: int, cells: Occupied) -> list[int]:
    """The other bodies that are in some cells."""
    return [other for other, own in others.items() if other != body and own & cells]


def window(span: Span, frames: int, chance: np.random.Generator) -> Span:
    """Some frames of a stretch that has as many."""
    first = int(chance.integers(span.first, span.last - frames + 2))
    return Span(first, first + frames - 1)


def bump(frames: int, length: float) -> _Array:
    """Shares from 0 to 1, a while there, and back to 0, never fast: (frames,)."""
    up = eased(np.arange(1, rise(length) + 1) / rise(length))
    return np.concatenate([up, np.ones(frames - 2 * len(up)), up[::-1]])


def eased(shares: _Array) -> _Array:
    """Shares from 0 to 1 that begin and end slowly."""
    smooth: _Array = shares * shares * (3.0 - 2.0 * shares)
    return smooth


def rise(length: float) -> int:
    """Frames in which a piece gets ``length`` units away without a leap."""
    return max(3, math.ceil(1.5 * length / _STEP))


def reached(window: Span, off: _Array) -> int:
    """The first frame that is off by half a unit; the first at all if none is."""
    far = np.flatnonzero(off >= 0.5)
    return window.first + (int(far[0]) if len(far) else 0)


def order(count: int, chance: np.random.Generator) -> list[int]:
    """The numbers below ``count`` in any order."""
    return [int(k) for k in chance.permutation(count)]


def movers(film: TrueFilm, chance: np.random.Generator) -> list[int]:
    """The bodies that may move, in any order."""
    everybody = order(len(film.names), chance)
    return [body for body in everybody if film.names[body] not in film.fixed]


def shift(by: _Array) -> _Array:
    """The 4x4 matrix of a translation."""
    matrix = np.eye(4)
    matrix[:3, 3] = by
    return matrix

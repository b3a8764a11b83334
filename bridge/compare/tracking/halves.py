"""Pieces that have come apart, with a gap between two halves; one of them may stay where it was."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.search import FEWEST, WORTH, Found, Sight, is_good, moved
from bridge.compare.tracking.zbuffer import PieceFaces, faces_of
from pysim.geometry import Voxels

__all__ = ["Halves", "come_apart", "still_apart"]

_Array = NDArray[np.float64]

_GAPS = np.arange(0.4, 3.61, 0.4)
"""Units between halves that are tried at first."""
_FURTHER = (0.0, 0.1, 0.25, 0.5, -0.1, -0.25, -0.5)
"""Units by which halves may be farther apart in the next frame, or nearer."""
_ODD = 0.02
"""Pixels of each that have to look better before a piece is said to be in two."""
_SEEN = 0.7
"""Share of the pixels of the whole that both have at least."""
_WHOLE = 0.2
"""Units between halves that are none."""


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """A piece in two.

    Attributes:
        near, far: the faces of both halves.
        way: (3,) from the first to the second, of length 1, in body coordinates.
        gap: units between them.
    """

    near: PieceFaces
    far: PieceFaces
    way: _Array
    gap: float = 0.0

    @property
    def faces(self) -> PieceFaces:
        """Those of both, the first where the piece has it."""
        corners = np.concatenate([self.near.corners, self.far.corners + self.gap * self.way])
        return PieceFaces(corners, np.concatenate([self.near.normals, self.far.normals]))


def come_apart(
    sight: Sight, shape: Voxels, home: _Array, best: Found, usual: float
) -> tuple[Found, Halves] | None:
    """A piece in two, if that explains more than all that is known of it whole.

    Args:
        home: (4, 4) where it was when it was whole; one of its halves is there still.
        best: the likeliest whole.
        usual: share of its pixels that look like it where it is.
    """
    worth = _worth(best)
    if best.seen < 2 * FEWEST or sight.least() > best.cost - worth:
        return None
    tries = (replace(cut, gap=float(gap)) for cut in _cuts(shape) for gap in _GAPS)
    found, halves = _likeliest(sight, tries, home)
    found, halves = _likeliest(sight, _nearby(halves), home)
    # Both halves have to be seen: who is gone is not in two parts that are hidden.
    seen = is_good(found, usual) and found.seen > _SEEN * best.seen
    return (found, halves) if seen and found.cost < best.cost - worth else None


def still_apart(
    sight: Sight, halves: Halves, pose: _Array, usual: float
) -> tuple[Found, Halves] | None:
    """The halves in the next frame; None if they are together again, or gone.

    Args:
        pose: (4, 4) where the piece was taken to be; one of the halves stays.
    """
    found, now = _likeliest(sight, _nearby(halves), pose)
    return (found, now) if now.gap >= _WHOLE and is_good(found, usual) else None


def _worth(found: Found) -> float:
    return WORTH + _ODD * found.seen


def _nearby(halves: Halves) -> Iterator[Halves]:
    for more in _FURTHER:
        yield replace(halves, gap=max(0.0, halves.gap + more))


def _likeliest(sight: Sight, tries: Iterator[Halves], pose: _Array) -> tuple[Found, Halves]:
    """Whichever half stays where it was in a pose."""
    return min(
        (
            (replace(sight, faces=halves.faces).weigh(place), halves)
            for halves in tries
            for place in (pose, moved(pose, -pose[:3, :3] @ (halves.gap * halves.way)))
        ),
        key=lambda pair: pair[0].cost,
    )


@lru_cache(maxsize=64)
def _cuts(shape: Voxels) -> tuple[Halves, ...]:
    """A piece in two between any two layers of cells."""
    cells = np.array(shape.cells)
    found = []
    for axis in range(3):
        for cut in range(int(cells[:, axis].min()), int(cells[:, axis].max())):
            low = cells[:, axis] <= cut
            near, far = (Voxels.of((x, y, z) for x, y, z in cells[k].tolist()) for k in (low, ~low))
            found.append(Halves(faces_of(near), faces_of(far), np.eye(3)[axis]))
    return tuple(found)

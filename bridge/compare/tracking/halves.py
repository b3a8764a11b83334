"""Pieces that have come apart, with a gap between two halves; one of them may stay where it was."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.doubles import together
from bridge.compare.tracking.posing import moved, rigid
from bridge.compare.tracking.search import (
    FEWEST,
    WORTH,
    Found,
    Sight,
    is_good,
    stretched_poses,
)
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
_BARRED = 0.005
"""The same of one that can't be whole where it is, as others are there."""
_SEEN = 0.7
"""Share of the pixels of the whole that both have at least."""
_WHOLE = 0.2
"""Units between halves that are none."""
_IN_SHADE = 0.75
"""Share of its usual fit that a piece in two has at least: nobody knows what light a cut is in."""
_STRAIGHT = 0.035
"""By how much axes may be turned, in radians, that follow the lattice."""
_AS_LONG = 0.05
"""By how much axes may be longer or shorter that are as long as they were, as a share."""


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
        return together(self.near, _shifted(self.far, self.gap * self.way))


def come_apart(
    sight: Sight, shape: Voxels, home: _Array, best: Found, usual: float, *, barred: bool = False
) -> tuple[Found, Halves] | None:
    """A piece in two, if that explains more than all that is known of it whole.

    Args:
        home: (4, 4) where it was when it was whole; one of its halves is there still.
        best: the likeliest whole.
        usual: share of its pixels that look like it where it is.
        barred: whether other pieces are where that is.
    """
    worth = _worth(sight, best, _BARRED if barred else _ODD)
    if best.seen < 2 * FEWEST or sight.least() > best.cost - worth:
        return None
    tries = (replace(cut, gap=float(gap)) for cut in _cuts(shape) for gap in _GAPS)
    found, halves = _likeliest(sight, tries, home)
    found, halves = _likeliest(sight, _nearby(halves), home)
    # Both halves have to be seen: who is gone is not in two parts that are hidden.
    seen = _looks_like(found, best, usual) and found.seen > _SEEN * best.seen
    if not seen or found.cost >= best.cost - worth or _is_double(sight, shape, found, halves):
        return None
    return found, halves


def still_apart(
    sight: Sight, shape: Voxels, halves: Halves, pose: _Array, usual: float
) -> tuple[Found, Halves] | None:
    """The halves in the next frame; None if they are together again, or gone, or one that grows.

    Args:
        pose: (4, 4) where the piece was taken to be; one of the halves stays.
    """
    found, now = _likeliest(sight, _nearby(halves), pose)
    if now.gap < _WHOLE or not is_good(found, usual) or _is_double(sight, shape, found, now):
        return None
    # A piece that grows looks at first as if it came apart where that is hidden.
    whole = replace(sight, faces=faces_of(shape))
    longer = min(whole.weigh(grown).cost for grown in stretched_poses(whole, pose))
    return None if longer < found.cost - WORTH - _ODD * found.seen else (found, now)


def _is_double(sight: Sight, shape: Voxels, found: Found, halves: Halves) -> bool:
    """Whether nothing of a piece is gone from where it was: then what is elsewhere is another."""
    whole, off = faces_of(shape), halves.gap * halves.way
    added = ((halves.near, 0.0 * off), (halves.far, off), (whole, 0.0 * off), (whole, off))
    both = (
        together(_shifted(whole, stays), _shifted(more, there))
        for stays in (0.0 * off, off)
        for more, there in added
    )
    costs = [replace(sight, faces=faces).weigh(found.pose).cost for faces in both]
    return min(costs) < found.cost - WORTH


def _shifted(faces: PieceFaces, by: _Array) -> PieceFaces:
    return PieceFaces(faces.corners + by, faces.normals)


def _looks_like(found: Found, best: Found, usual: float) -> bool:
    """Whether halves look like the piece, about as well as the likeliest whole."""
    return is_good(found, min(usual, best.fit)) and found.fit >= _IN_SHADE * usual


def _worth(sight: Sight, best: Found, share: float) -> float:
    """Pixels that have to look better before a piece is said to be in two, and not whole.

    Whatever is turned, longer one way and shorter another can be made to look like nearly
    anything: such a whole has to look better than two halves, and not they better than it.
    """
    worth = WORTH + share * best.seen
    sizes = np.linalg.norm(best.pose[:3, :3], axis=0)
    off = np.sort(np.abs(sizes - 1.0))
    straight = rigid(best.pose, sight.middle)[:3, :3]
    turned = np.abs(straight - np.round(straight)).max() > _STRAIGHT
    if off[1] > _AS_LONG or (turned and off[2] > _AS_LONG):
        return -worth
    return WORTH if turned else worth


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
            near, far = (
                Voxels.from_cells((x, y, z) for x, y, z in cells[k].tolist()) for k in (low, ~low)
            )
            found.append(Halves(faces_of(near), faces_of(far), np.eye(3)[axis]))
    return tuple(found)

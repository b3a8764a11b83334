"""Pieces that are turned or stretched: what no piece that is held does."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.search import (
    FEWEST,
    WORTH,
    Found,
    Sight,
    free_search,
    moved,
    rigid,
    stretched_poses,
    turned_poses,
)

__all__ = ["freely", "oddly"]

_Array = NDArray[np.float64]

_ODD = 0.05
"""Pixels of each that have to look better before a piece is said to be turned or stretched."""


def oddly(sight: Sight, was: Found, best: Found, home: _Array) -> Found:
    """A pose that is turned or stretched, if that explains much more than going straight.

    Args:
        was: where the piece was.
        best: where it may have gone straight.
        home: (4, 4) the last place of the lattice in which it was: who begins to turn or to grow
            looks at first as if it went from there.
    """
    if best.seen < 2 * FEWEST or sight.least() > best.cost - _worth(best):
        return best
    found = best
    for start in _different([was.pose, home]):
        spun = _likeliest(sight, turned_poses(sight, start))
        # What is tried first is coarse: it need not look better yet.
        if spun.cost < best.cost + _worth(best):
            turned = free_search(sight, [spun.pose])
            found = min(found, _better(best, turned), key=lambda tried: tried.cost)
    return _bent(sight, found, [was.pose, best.pose, home])


def freely(sight: Sight, was: Found, step: _Array) -> Found:
    """From where a piece was that is not bound to the lattice, on as it went."""
    straight = rigid(was.pose, sight.middle)
    turned = free_search(sight, [straight, moved(straight, step)])
    if np.abs(was.pose - straight).max() < 0.02:
        return _bent(sight, turned, [straight])
    return _better(turned, free_search(sight, [was.pose], stretching=True))


def _bent(sight: Sight, found: Found, starts: list[_Array]) -> Found:
    """Longer or shorter, if that explains much more."""
    poses = (pose for start in _different(starts) for pose in stretched_poses(sight, start))
    longer = _likeliest(sight, poses)
    if longer.cost > found.cost - _worth(found) / 4.0:
        return found
    return _better(found, free_search(sight, [longer.pose, found.pose], stretching=True))


def _different(poses: Iterable[_Array]) -> list[_Array]:
    """Poses without those that come again: a piece that rests is where it was, and at home."""
    found: list[_Array] = []
    for pose in poses:
        if not any(np.array_equal(pose, other) for other in found):
            found.append(pose)
    return found


def _likeliest(sight: Sight, poses: Iterable[_Array]) -> Found:
    return min(map(sight.weigh, poses), key=lambda found: found.cost)


def _better(one: Found, odd: Found) -> Found:
    return odd if odd.cost < one.cost - _worth(one) else one


def _worth(found: Found) -> float:
    """Pixels that have to look better before a piece is said to be turned or stretched."""
    return 2.0 * WORTH + _ODD * found.seen

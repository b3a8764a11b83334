"""Pieces that are turned or stretched: what no piece that is held does."""

from collections.abc import Iterable
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.doubts import is_bent, is_weak
from bridge.compare.tracking.posing import moved, rigid, stretched
from bridge.compare.tracking.search import (
    FEWEST,
    TIMES,
    WORTH,
    Found,
    Sight,
    ends_of,
    free_search,
    on_axes,
    turned_poses,
)

__all__ = ["freely", "landed", "oddly"]

_Array = NDArray[np.float64]

_ODD = 0.05
"""Pixels of each that have to look better before a piece is said to be turned or stretched."""
_BARRED = 0.025
"""The same of one that can't have gone straight, as others are in its way."""
_AT_HOME = 0.02
"""The same of one that is but longer than it was at home, and else would have to be turned."""
_SHORTEST = 0.2
"""Times as long that a piece still is."""
_FINER = (0.2, 0.1, 0.05, 0.025)
"""Times as long by which it is narrowed down."""


def oddly(sight: Sight, was: Found, best: Found, home: _Array, *, barred: bool = False) -> Found:
    """A pose that is turned or stretched, if that explains much more than going straight.

    Args:
        was: where the piece was.
        best: where it may have gone straight.
        home: (4, 4) the last place of the lattice in which it was: who begins to turn or to grow
            looks at first as if it went from there.
        barred: whether other pieces are in its way there.
    """
    share = _BARRED if barred else _ODD
    if best.seen < 2 * FEWEST or sight.least() > best.cost - _worth(best, share):
        return best
    found = _spun(sight, best, [was.pose, home])
    share = share if found is best else _ODD
    return _bent(sight, found, [was.pose, best.pose, home], share)


def _spun(sight: Sight, best: Found, starts: list[_Array]) -> Found:
    """Turned from where it may have been, if that explains much more."""
    found = best
    for start in _different(starts):
        spun = _likeliest(sight, turned_poses(sight, start))
        # What is tried first is coarse: it need not look better yet.
        if spun.cost < best.cost + _worth(best):
            turned = free_search(sight, [spun.pose])
            found = min(found, _better(best, turned), key=lambda tried: tried.cost)
    return found


def freely(sight: Sight, was: Found, step: _Array, home: _Array, *, barred: bool = False) -> Found:
    """From where a piece was that is not bound to the lattice, on as it went.

    Args:
        home: (4, 4) the last place of the lattice in which it was; if it may as well have gone
            straight from there, it has.
        barred: whether other pieces are in its way where it would have gone straight.
    """
    share = _BARRED if barred else _ODD
    odd = _freely(sight, was, step, home, share)
    middle = odd.pose[:3, :3] @ sight.middle + odd.pose[:3, 3]
    straight = on_axes(sight, home, middle)
    return _better(straight, odd, share if is_bent(odd.pose) else _ODD)


def landed(sight: Sight, found: Found, places: Iterable[_Array]) -> Found:
    """In one of the places in which the rules may put it, if that looks about as good.

    One that is hardly seen may be hidden in one of them.
    """
    there = min(map(sight.weigh, places), key=lambda tried: tried.cost, default=found)
    hidden = is_weak(found) and there.seen < FEWEST
    return there if hidden or there.cost < found.cost + WORTH else found


def _freely(sight: Sight, was: Found, step: _Array, home: _Array, share: float) -> Found:
    straight = rigid(was.pose, sight.middle)
    turned = free_search(sight, [straight, moved(straight, step)])
    if np.abs(was.pose - straight).max() < 0.02:
        longer = _better(turned, _grown(sight, [home]), _AT_HOME)
        return longer if longer is not turned else _bent(sight, turned, [straight], _ODD)
    odd = free_search(sight, [was.pose], stretching=True)
    return _better(turned, _better(_grown(sight, [home]), odd, _AT_HOME), share)


def _bent(sight: Sight, found: Found, starts: list[_Array], share: float) -> Found:
    """Longer or shorter, if that explains much more."""
    longer = _grown(sight, _different(starts))
    if longer.cost > found.cost - _worth(found, share) / 4.0:
        return found
    odd = free_search(sight, [longer.pose, found.pose], stretching=True)
    return _better(found, _better(longer, odd, _AT_HOME), share)


def _grown(sight: Sight, starts: list[_Array]) -> Found:
    """The likeliest of poses that are but longer or shorter than some others."""
    ways = product(starts, (*ends_of(sight), sight.middle), range(3))
    tried = [(sight.weigh(stretched(*way, times)), way, times) for way in ways for times in TIMES]
    best, way, times = min(tried, key=lambda growth: growth[0].cost)
    for step in _FINER:
        better = True
        while better:
            nearby = [t for t in (times - step, times + step) if t > _SHORTEST]
            weighed = [(sight.weigh(stretched(*way, there)), there) for there in nearby]
            found, there = min(weighed, key=lambda growth: growth[0].cost)
            if better := found.cost < best.cost:
                best, times = found, there
    return best


def _different(poses: Iterable[_Array]) -> list[_Array]:
    """Poses without those that come again: a piece that rests is where it was, and at home."""
    found: list[_Array] = []
    for pose in poses:
        if not any(np.array_equal(pose, other) for other in found):
            found.append(pose)
    return found


def _likeliest(sight: Sight, poses: Iterable[_Array]) -> Found:
    return min(map(sight.weigh, poses), key=lambda found: found.cost)


def _better(one: Found, odd: Found, share: float = _ODD) -> Found:
    return odd if odd.cost < one.cost - _worth(one, share) else one


def _worth(found: Found, share: float = _ODD) -> float:
    """Pixels that have to look better before a piece is said to be turned or stretched."""
    return 2.0 * WORTH + share * found.seen

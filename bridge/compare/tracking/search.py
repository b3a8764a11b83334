"""Where a piece is in a frame: hypotheses, drawn and weighed.

Legal ways come first: along the axes of the lattice, from where the piece was. Only where none of
them explains what is seen, any place and any turn is tried.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.bounds import least_cost
from bridge.compare.tracking.posing import moved, stretched, turned
from bridge.compare.tracking.zbuffer import PieceFaces, Scratch, weigh_piece

__all__ = [
    "FEWEST",
    "TIMES",
    "WORTH",
    "DepthDoubt",
    "Found",
    "Sight",
    "around",
    "axis_search",
    "ends_of",
    "free_search",
    "is_good",
    "on_axes",
    "on_lines",
    "stretched_poses",
    "turned_poses",
]

_Array = NDArray[np.float64]

_AXES = np.eye(3)

FEWEST = 40
"""Pixels of a piece below which nothing is said of it."""
WORTH = 4.0
"""Pixels that have to look better before anything is said to have moved."""
_STEPS = (0.08, 0.2, 0.45, 0.8, 1.2, 1.8, 2.6)
TIMES = (0.8, 1.15, 1.4)
"""As many times as long a piece may be, as is tried at first."""
"""How many times as long a piece may have become."""
_FINEST = 0.012
_GOOD_FIT = 0.88
"""Share of its usual fit that a piece has where it really is."""
_LEAVE = 0.04
"""Pixels that have to look better, as a share of all, before a place on the lattice is left."""
_FAST = 0.2
"""Units from one frame to the next."""
_TURN = 0.02
"""Pixels that have to look better, as a share of all, before a piece is said to turn a corner."""
_DEPTH_PULL = 1.5
"""What a unit along the line of sight costs, squared: depth is hardly seen, and drifts else."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A piece in a pose.

    Attributes:
        pose: 4x4.
        cost: of the pixels, less what they cost without the piece; below 0 if it is likely there.
        seen: pixels in which it would be seen.
        good: those that look like it.
        covered: pixels that it would have if nothing were in front of it.
    """

    pose: _Array
    cost: float
    seen: int
    good: int
    covered: int

    @property
    def fit(self) -> float:
        """Share of its pixels that look like it; 1 where it is not seen."""
        return self.good / self.seen if self.seen else 1.0


@dataclass(frozen=True, slots=True)
class DepthDoubt:
    """How well it is known how far away a piece is.

    Attributes:
        far: units along the line of sight by which it may be elsewhere.
        pull: pixels that a unit from where it should be costs, squared.
    """

    far: float
    pull: float


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What one piece is weighed against: a frame, and all others where they are.

    Attributes:
        faces: of the piece.
        middle: (3,) middle of its block, in body coordinates.
        view: (4, 4) from world to camera.
        lens: (3,) focal length, column and row of the middle.
        costs, behind, cost_behind: as in :func:`~bridge.compare.tracking.zbuffer.weigh_piece`.
        scratch: buffers.
    """

    faces: PieceFaces
    middle: _Array
    view: _Array
    lens: _Array
    costs: NDArray[np.float32]
    behind: NDArray[np.float32]
    cost_behind: NDArray[np.float32]
    scratch: Scratch

    def weigh(self, pose: _Array) -> Found:
        """Put the piece there."""
        total, seen, good, covered = weigh_piece(
            self.faces.corners,
            self.faces.normals,
            pose,
            self.view,
            self.lens,
            self.costs,
            self.behind,
            self.cost_behind,
            self.scratch.depth,
            self.scratch.cost,
        )
        return Found(pose, total, seen, good, covered)

    def least(self) -> float:
        """What the piece costs at least, wherever it is put."""
        return least_cost(self.costs, self.cost_behind)


def axis_search(sight: Sight, start: Found, last_step: _Array) -> Found:
    """The best place along one axis, then along another from there.

    Args:
        start: where the piece was.
        last_step: (3,) how it moved in the frame before; tried first.
    """
    best, stay = start, 0.0
    if np.abs(last_step).max() > 0.01:
        on = _better(best, sight.weigh(moved(start.pose, last_step)), 0.0)
        if on is not best:
            # Who goes on goes on as before, unless another way looks a good deal better.
            best, stay = _narrowed(sight, best, on), _TURN * start.seen
    elif np.abs(start.pose[:3, 3] - np.round(start.pose[:3, 3])).max() < 1e-6:
        stay = _LEAVE * start.seen
        if sight.least() > start.cost - WORTH - stay:
            return start
    for worth in (WORTH + stay, 2.0 * WORTH):
        found = min(_along_axes(sight, best), key=lambda f: f.cost)
        # What is tried first is coarse: it need not look so much better yet.
        if found.cost < best.cost:
            found = _narrowed(sight, best, found)
        if found.cost > best.cost - worth:
            break
        best = found
    # Who goes fast does not stop at once, though it passes places of the lattice.
    stops = best is not start and np.abs(last_step).max() < _FAST
    return _snapped(sight, best) if stops else best


def on_axes(sight: Sight, home: _Array, place: _Array) -> Found:
    """The likeliest place on the three lines through where a piece was, near another place.

    Args:
        home: (4, 4) where the piece was.
        place: (3,) where the middle of the piece is now, in the world.
    """
    start = sight.weigh(home)
    away = place - (home[:3, :3] @ sight.middle + home[:3, 3])
    there = [moved(home, away[axis] * _AXES[axis]) for axis in range(3) if abs(away[axis]) > 0.1]
    found = [_narrowed(sight, start, sight.weigh(pose)) for pose in there]
    return min([start, *found], key=lambda f: f.cost)


def _along_axes(sight: Sight, start: Found) -> Iterator[Found]:
    for axis, step, sign in product(range(3), _STEPS, (1.0, -1.0)):
        yield sight.weigh(moved(start.pose, sign * step * _AXES[axis]))


def _narrowed(sight: Sight, start: Found, found: Found) -> Found:
    """The best place on the line through two places, near the second."""
    way = found.pose[:3, 3] - start.pose[:3, 3]
    length = float(np.linalg.norm(way))
    step, way = length / 2.0, way / length
    while step > _FINEST:
        tried = [sight.weigh(moved(found.pose, sign * step * way)) for sign in (1.0, -1.0)]
        nearer = min(tried, key=lambda f: f.cost)
        found = _better(found, nearer, 0.0)
        step /= 2.0
    return found


def _snapped(sight: Sight, found: Found) -> Found:
    """The place on the lattice next to it, if that looks as good."""
    near = np.round(found.pose[:3, 3])
    if np.abs(near - found.pose[:3, 3]).max() > 0.13:
        return found
    there = found.pose.copy()
    there[:3, 3] = near
    return _better(found, sight.weigh(there), -WORTH - _LEAVE * found.seen / 2.0)


def _better(one: Found, other: Found, worth: float) -> Found:
    return other if other.cost < one.cost - worth else one


def turned_poses(sight: Sight, pose: _Array) -> Iterator[_Array]:
    """A piece turned a little where it is."""
    for axis, sign, degrees in product(range(3), (1.0, -1.0), (8.0, 20.0)):
        yield turned(pose, sight.middle, sign * np.radians(degrees) * _AXES[axis])


def stretched_poses(sight: Sight, pose: _Array) -> Iterator[_Array]:
    """A piece longer or shorter, with its middle or one of its ends where it is."""
    for axis, fixed, times in product(range(3), (*ends_of(sight), sight.middle), TIMES):
        yield stretched(pose, fixed, axis, times)


def ends_of(sight: Sight) -> tuple[_Array, _Array]:
    """Two corners of the block of a piece, in body coordinates."""
    corners = sight.faces.corners.reshape(-1, 3)
    return corners.min(axis=0), corners.max(axis=0)


def on_lines(sight: Sight, found: Found, was: _Array, going: _Array, doubt: DepthDoubt) -> Found:
    """A piece that is turned as on the lattice is on a line of it, if that looks as good.

    Depth is hardly seen: of the lines that the line of sight comes near, the likeliest is taken,
    one that is near to where it should be rather than one that is far, and the one that it was on
    rather than another one.

    Args:
        was: (3,) where it was.
        going: (3,) where it would be if it went on as before.
    """
    way = sight.view[2, :3]
    here = found.pose[:3, 3]
    places = [
        line
        for off in np.arange(-doubt.far, doubt.far + 0.01, 0.25)
        for line in _lines_near(here, here + off * way, sight.view)
    ]
    best = found
    score = found.cost + WORTH + _LEAVE * found.seen
    for place in places:
        pose = found.pose.copy()
        pose[:3, 3] = place
        tried = sight.weigh(pose)
        value = tried.cost + doubt.pull * float(((place - going) ** 2).sum())
        if not _same_line(was, place):
            value += WORTH + _TURN * found.seen
        if value < score:
            best, score = tried, value
    return best


def _same_line(one: _Array, other: _Array) -> bool:
    """Whether two of the coordinates are the same."""
    return bool(np.sort(np.abs(one - other))[1] < 0.02)


def _lines_near(here: _Array, place: _Array, view: _Array) -> Iterator[_Array]:
    """Points on lines of the lattice that are seen where a point is seen, more or less."""
    for axis in range(3):
        on_line = np.round(place)
        on_line[axis] = place[axis]
        # Go along the line to where it is nearest to the line of sight through here.
        off = view[:2, :3] @ (here - on_line)
        way = view[:2, axis]
        on_line[axis] += float(off @ way) / max(1e-6, float(way @ way))
        if np.abs(on_line - place).max() < 0.8:
            yield on_line


def free_search(
    sight: Sight, starts: list[_Array], rounds: int = 12, *, stretching: bool = False
) -> Found:
    """The best pose near some others, whichever way it is turned.

    Args:
        stretching: whether the piece may be longer or shorter, too.
    """
    found = [sight.weigh(start) for start in starts]
    best = min(found, key=lambda f: f.cost)
    home = starts[0]
    middle = np.append(sight.middle, 1.0)
    score = _pulled(sight, best, home, middle)
    shift, angle = 0.35, np.radians(8.0)
    axes = sight.view[:3, :3]
    for _ in range(rounds):
        before = score
        nearby = list(_nearby(best.pose, sight.middle, axes, shift, angle))
        if stretching:
            nearby += _longer(sight, best.pose, angle)
        for pose in nearby:
            tried = sight.weigh(pose)
            value = _pulled(sight, tried, home, middle)
            if value < score - 0.25:
                best, score = tried, value
        if score > before - WORTH / 2.0:
            shift, angle = shift / 2.0, angle / 2.0
        if shift < 0.03:
            break
    return _straightened(sight, best)


def _pulled(sight: Sight, found: Found, home: _Array, middle: _Array) -> float:
    """What it costs, nearer or farther than home; the middle (4,) of the piece ends with a one."""
    off = float(sight.view[2, :3] @ ((found.pose - home) @ middle)[:3])
    return found.cost + _DEPTH_PULL * off * off


def _nearby(
    pose: _Array, middle: _Array, axes: _Array, shift: float, angle: float
) -> Iterator[_Array]:
    for axis, sign in product(range(3), (1.0, -1.0)):
        far = 2.5 if axis == 2 else 1.0  # Along the line of sight less is seen of a step.
        yield moved(pose, sign * shift * far * axes[axis])
        yield turned(pose, middle, sign * angle * _AXES[axis])


def _straightened(sight: Sight, found: Found) -> Found:
    """Turned onto the lattice, if that looks as good."""
    near = np.round(found.pose[:3, :3])
    if np.abs(near - found.pose[:3, :3]).max() > 0.2 or abs(np.linalg.det(near) - 1.0) > 0.01:
        return found
    there = found.pose.copy()
    there[:3, :3] = near
    there[:3, 3] += (found.pose[:3, :3] - near) @ sight.middle
    return _better(found, sight.weigh(there), -2.0 * WORTH)


def _longer(sight: Sight, pose: _Array, share: float) -> Iterator[_Array]:
    for axis, fixed, sign in product(range(3), ends_of(sight), (1.0, -1.0)):
        yield stretched(pose, fixed, axis, 1.0 + sign * share)


def around(sight: Sight, pose: _Array, spot: _Array) -> list[_Array]:
    """Poses in which the middle of a piece is seen at a pixel: straight there, or along an axis.

    Args:
        spot: (2,) column and row.
    """
    focal, x, y = sight.lens
    middle = pose[:3, :3] @ sight.middle + pose[:3, 3]
    seen = sight.view[:3, :3] @ middle + sight.view[:3, 3]
    ray = np.array([(spot[0] - x) / focal, (spot[1] - y) / focal, 1.0])
    turn = sight.view[:3, :3].T
    poses = [moved(pose, turn @ (ray * seen[2] - seen))]
    for axis in range(3):
        # The step t along the axis after which the middle is nearest to the ray.
        way = sight.view[:3, axis]
        normal = np.cross(ray, np.cross(way, ray))
        if abs(float(normal @ way)) > 1e-9:
            step = -float(normal @ seen) / float(normal @ way)
            if abs(step) < 40.0:
                poses.append(moved(pose, step * np.eye(3)[axis]))
    return poses


def is_good(found: Found, usual: float) -> bool:
    """Whether what is seen is explained about as well as usual."""
    return found.fit >= _GOOD_FIT * usual and found.cost < 0.0

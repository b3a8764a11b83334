"""Whether what a film shows is possible: nothing in anything else, nothing too low, no jump.

Shares no code with what makes motions or carries them out: bodies are sets of unit cubes, frames
are 4x4 matrices, and two cubes overlap unless one of the fifteen axes of the separating-axis test
(Gottschalk, Lin and Manocha, SIGGRAPH 1996) keeps them apart. Where no cube is turned three axes
are enough. Lengths are edges of a cube.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

__all__ = ["Overlap", "Verdict", "find_deepest_overlap", "judge"]

Array = NDArray[np.float64]

_BATCH = 256
"""Frames that are looked at together."""
_MOST = 2_000_000
"""Numbers in the largest array that is made on the way, roughly."""
_TURNED = 1e-9
"""How far the entries of a matrix may be from whole numbers for its cubes to count as unturned."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two bodies in one place.

    Attributes:
        names: of both.
        depth: of the two cubes that are deepest in each other: how far one of them would have to be
            moved to be free of the other one.
        frame: number of the frame, from 0.
    """

    names: tuple[str, str]
    depth: float
    frame: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict about a film.

    Attributes:
        overlap: the deepest one; None if none is deeper than what is tolerated.
        lowest: height of the lowest point of any cube in any frame.
        step: the most that any cube's corner moves from one frame to the next.
        fastest: number of the frame after that.
        frames: how many there were.
    """

    overlap: Overlap | None
    lowest: float
    step: float
    fastest: int
    frames: int


def find_deepest_overlap(
    bodies: Mapping[str, Array], frames: Iterable[Mapping[str, Array]], tolerance: float
) -> Overlap | None:
    """Return the deepest overlap of any two bodies; None if none is deeper than ``tolerance``.

    See :func:`judge` for the arguments.
    """
    return judge(bodies, frames, tolerance).overlap


def judge(
    bodies: Mapping[str, Array], frames: Iterable[Mapping[str, Array]], tolerance: float
) -> Verdict:
    """Look at every frame of a film.

    Args:
        bodies: name -> (m, 3) centres of its cubes, in body coordinates.
        frames: name -> 4x4 matrix from body to world coordinates. The first frame has every body;
            one that a later frame leaves out stays as it was.
        tolerance: overlaps up to this depth don't count.

    Raises:
        ValueError: there are no frames, or the first one lacks a body.
    """
    names = tuple(bodies)
    cubes = [np.asarray(bodies[name], np.float64) for name in names]
    worst: Overlap | None = None
    lowest, step, fastest, count = np.inf, 0.0, 0, 0
    last: Array | None = None
    for batch in _batches(names, frames):
        # The last frame before is looked at again, so that steps between batches count.
        block = batch if last is None else np.concatenate([last[None], batch])
        lowest = min(lowest, _lowest(cubes, batch))
        far, where = _farthest_step(cubes, block)
        if far > step:
            step, fastest = far, count + where + (last is None)
        for (one, other), depth, frame in _overlaps(cubes, block, last is None, tolerance):
            if worst is None or depth > worst.depth:
                number = count + frame - (last is not None)
                worst = Overlap((names[one], names[other]), depth, number)
        count += len(batch)
        last = batch[-1]
    if last is None:
        raise ValueError("a film without frames can't be judged")
    return Verdict(worst, float(lowest), step, fastest, count)


def _batches(names: tuple[str, ...], frames: Iterable[Mapping[str, Array]]) -> Iterator[Array]:
    """(t, n, 4, 4): where every body is in each frame, some frames at a time."""
    source = iter(frames)
    current: Array | None = None
    while some := list(islice(source, _BATCH)):
        batch = np.empty((len(some), len(names), 4, 4))
        for t, frame in enumerate(some):
            if current is None:
                missing = [name for name in names if name not in frame]
                if missing:
                    raise ValueError(f"the first frame lacks {', '.join(missing)}")
                current = np.empty((len(names), 4, 4))
            for i, name in enumerate(names):
                if name in frame:
                    current[i] = frame[name]
            batch[t] = current
        yield batch


def _centres(cubes: Array, places: Array) -> Array:
    """(t, m, 3): where cubes are in the world, for (t, 4, 4) places of their body."""
    centres: Array = cubes @ places[:, :3, :3].transpose(0, 2, 1) + places[:, None, :3, 3]
    return centres


def _boxes(cubes: list[Array], places: Array) -> tuple[Array, Array]:
    """(t, n, 3) low and high corners of the axis-aligned box around each body."""
    low, high = np.empty(places.shape[:2] + (3,)), np.empty(places.shape[:2] + (3,))
    for i, mine in enumerate(cubes):
        corner, opposite = mine.min(axis=0) - 0.5, mine.max(axis=0) + 0.5
        rotation = places[:, i, :3, :3]
        middle = rotation @ ((corner + opposite) / 2.0) + places[:, i, :3, 3]
        half = np.abs(rotation) @ ((opposite - corner) / 2.0)
        low[:, i], high[:, i] = middle - half, middle + half
    return low, high


def _lowest(cubes: list[Array], places: Array) -> float:
    """Height of the lowest corner of any cube."""
    found = np.inf
    for i, mine in enumerate(cubes):
        row = places[:, i, 2]
        heights = mine @ row[:, :3].T + row[:, 3] - np.abs(row[:, :3]).sum(axis=1) / 2.0
        found = min(found, float(heights.min()))
    return found


def _farthest_step(cubes: list[Array], places: Array) -> tuple[float, int]:
    """The most that a corner of the box around a body moves between frames, and after which."""
    found, where = 0.0, 0
    for i, mine in enumerate(cubes):
        corners = _corners(mine.min(axis=0) - 0.5, mine.max(axis=0) + 0.5)
        steps = np.linalg.norm(np.diff(_centres(corners, places[:, i]), axis=0), axis=2)
        if steps.size and steps.max() > found:
            found, where = float(steps.max()), int(steps.max(axis=1).argmax())
    return found, where


def _corners(low: Array, high: Array) -> Array:
    pick = np.indices((2, 2, 2)).reshape(3, 8).T
    return np.where(pick == 0, low, high)


DeepestOverlap = tuple[tuple[int, int], float, int]


def _overlaps(
    cubes: list[Array], places: Array, first: bool, tolerance: float
) -> Iterator[DeepestOverlap]:
    """Yield the deepest overlap of each pair of bodies, and its frame."""
    moved = np.zeros(places.shape[:2], bool)
    moved[0] = first
    moved[1:] = (places[1:] != places[:-1]).any(axis=(2, 3))
    low, high = _boxes(cubes, places)
    for one in range(len(cubes)):
        for other in range(one):
            looked = moved[:, one] | moved[:, other]
            if not looked.any():
                continue
            gap = np.maximum(low[:, one] - high[:, other], low[:, other] - high[:, one])
            frames = np.flatnonzero(looked & (gap.max(axis=1) < -tolerance))
            if len(frames):
                pair = places[frames][:, (one, other)]
                depths = _depths(cubes[one], cubes[other], pair)
                deepest = int(depths.argmax())
                if depths[deepest] > tolerance:
                    yield (one, other), float(depths[deepest]), int(frames[deepest])


def _depths(one: Array, other: Array, places: Array) -> Array:
    """(t,) depth of the deepest overlap of two bodies' cubes; negative if they are apart.

    Args:
        one, other: (m, 3) and (k, 3) cubes.
        places: (t, 2, 4, 4) of both.
    """
    turned = np.abs(places[..., :3, :3] - places[..., :3, :3].round()).max(axis=(1, 2, 3))
    depths = np.empty(len(places))
    for chosen in (turned <= _TURNED, turned > _TURNED):
        frames = np.flatnonzero(chosen)
        axes = 3 if chosen is not None and not (turned[frames] > _TURNED).any() else 15
        room = max(1, _MOST // (axes * len(one) * len(other)))
        for begin in range(0, len(frames), room):
            part = frames[begin : begin + room]
            depths[part] = _deepest(one, other, places[part], turned=axes == 15)
    return depths


def _deepest(one: Array, other: Array, places: Array, *, turned: bool) -> Array:
    a, b = places[:, 0], places[:, 1]
    axes = _axes(a[:, :3, :3], b[:, :3, :3]) if turned else np.tile(np.eye(3), (len(places), 1, 1))
    # Half of what each cube covers on each axis: (t, axes).
    half = (np.abs(axes @ a[:, :3, :3]).sum(axis=2) + np.abs(axes @ b[:, :3, :3]).sum(axis=2)) / 2.0
    mine = axes @ _centres(one, a).transpose(0, 2, 1)
    theirs = axes @ _centres(other, b).transpose(0, 2, 1)
    # The least overlap on any axis, axis by axis to keep arrays small: (t, m, k).
    least = np.full((len(places), len(one), len(other)), np.inf)
    for k in range(axes.shape[1]):
        apart = np.abs(mine[:, k, :, None] - theirs[:, k, None, :])
        np.minimum(least, half[:, k, None, None] - apart, out=least)
    deepest: Array = least.max(axis=(1, 2))
    return deepest


def _axes(a: Array, b: Array) -> Array:
    """(t, 15, 3): the axes of both cubes, and what is square to one of each; unit vectors.

    Where two axes are parallel there is nothing to be found between them: one of them stands in.
    """
    mine, theirs = a.transpose(0, 2, 1), b.transpose(0, 2, 1)
    crossed = np.cross(mine[:, :, None], theirs[:, None]).reshape(-1, 9, 3)
    size = np.linalg.norm(crossed, axis=2, keepdims=True)
    spare = np.repeat(mine, 3, axis=1)
    crossed = np.where(size > 1e-6, crossed / np.maximum(size, 1e-12), spare)
    return np.concatenate([mine, theirs, crossed], axis=1)

"""Nets lie on the table: how high each is, and how far it is lifted to be folded or turned.

Faces go down when they are folded away from the print, and a net that is turned needs room. So it
is lifted as far as it has to be, bent or turned there, and put down again. Exact: corners have
doubled coordinates, in which a cell reaches 1 to each side of its middle.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from math import isqrt

from pysim.families.nets.joints import Bends, Tree, compose_poses, compute_poses
from pysim.families.nets.plates import HALF
from pysim.geometry import HOME, Axis, Direction, Pose, Rotation, add
from pysim.motion import Carry, Motion, Turn
from pysim.path import Path, Shift

__all__ = ["TABLE", "lift", "measure_height"]

TABLE = 0
"""Height of the cells that lie on the table."""

_Spot = tuple[int, int]

_SIZE = (2 * HALF + 1, 2 * HALF + 1, 1)
"""Of a plate, which is how far its doubled corners are from its doubled middle."""


@cache
def measure_height(tree: Tree, bends: Bends, rotation: Rotation) -> int:
    """Height of the middle of the face by which a net is held, when it lies on the table."""
    held = Pose(rotation, HOME.offset)
    places = (compose_poses(held, pose) for pose in compute_poses(tree, bends))
    return TABLE - min(p.offset[2] - abs(p.rotation.apply(_SIZE)[2]) // 2 for p in places)


def lift(turn: Turn, whole: frozenset[str], moving: Iterable[Pose], fall: int) -> list[Motion]:
    """Return a turn, and how the net is lifted before it and put down after it.

    Args:
        turn: as it would be where the net lies.
        whole: all faces of the net.
        moving: where those are that turn.
        fall: how much lower the face that is held is to lie after it; less than 0: higher.
    """
    up = _lift(turn, moving)
    centre = add(turn.centre, (0, 0, up))
    bent = Turn(turn.bodies, turn.axis, centre, turn.quarters, turn.hinged)
    ways = [(Direction.PLUS_Z, up), (Direction.MINUS_Z, up + fall)]
    before, behind = (
        [Carry(whole, Path((Shift(*way),)), loose=False)] if way[1] else [] for way in ways
    )
    return [*before, bent, *behind]


def _lift(turn: Turn, moving: Iterable[Pose]) -> int:
    """Return units by which the block around all that turns keeps above the table on its way."""
    if turn.axis is Axis.Z:
        return 0
    lowest = min(_lowest(turn, spot) for spot in _corners(turn, moving)) + 2 * turn.centre[2]
    return max(0, -((lowest - (2 * TABLE - 1)) // 2))


def _corners(turn: Turn, moving: Iterable[Pose]) -> Iterator[_Spot]:
    """Corners of that block in the plane across the axis: such that u turns to v."""
    side = 1 - turn.axis.number
    ends: tuple[list[int], list[int]] = ([], [])
    for pose in moving:
        size = pose.rotation.apply(_SIZE)
        for found, i in zip(ends, (side, 2), strict=True):
            middle = 2 * (pose.offset[i] - turn.centre[i])
            found += [middle - abs(size[i]), middle + abs(size[i])]
    sign = 1 if turn.axis is Axis.X else -1  # About x, y turns to z; about y, -x does.
    us, vs = ({min(found), max(found)} for found in ends)
    return ((sign * u, v) for u, v in product(us, vs))


def _lowest(turn: Turn, spot: _Spot) -> int:
    """Return the lowest point of a corner's way, from the axis; rounded down."""
    u, v = spot
    found = [v]
    for _ in range(2 if turn.quarters == 2 else 1):
        there = (-v, u) if turn.quarters < 3 else (v, -u)
        if v < 0 and there[1] < 0:  # In between it is straight below the axis.
            found.append(-isqrt(u * u + v * v - 1) - 1)
        u, v = there
        found.append(v)
    return min(found)

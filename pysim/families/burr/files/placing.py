"""Stored placements of shapes: the ``x y z t`` of BurrTools files, and poses.

``x y z`` is where a shape's hotspot lands, ``t`` how the shape is turned about it. Turns 0 to 23
are rotations: 0 to 3 quarter turns about x, then a turn that carries x to +x, +z, -x, -z, +y or -y.
Turns 24 to 47 are the same after mirroring x to -x. The format says none of this; it is what makes
the stored assemblies of designers' files fill their goals.
"""

from functools import cache

from pysim.families.burr.files.design import DrawnShape
from pysim.geometry import (
    Axis,
    Cell,
    Pose,
    Rotation,
    Voxels,
    add,
    list_rotations,
    make_quarter_turn,
    subtract,
)

__all__ = ["Placement", "find_placement", "find_pose", "fit_pose", "list_numbered_rotations"]

Placement = tuple[int, int, int, int]
"""``(x, y, z, t)``, see above."""


@cache
def list_numbered_rotations() -> tuple[Rotation, ...]:
    """Return the rotations in the order of their numbers in the file."""
    carrying = (
        *(make_quarter_turn(Axis.Y, count) for count in (0, 3, 2, 1)),
        *(make_quarter_turn(Axis.Z, count) for count in (1, 3)),
    )
    return tuple(turn.compose(make_quarter_turn(Axis.X, n)) for turn in carrying for n in range(4))


def find_pose(shape: DrawnShape, placement: Placement) -> Pose | None:
    """Return the pose in which the shape, moved to the origin, fills the cells of a placement.

    None if the placement mirrors the shape and no rotation does the same.

    Raises:
        InputError: the shape has no filled cell.
    """
    x, y, z, turn = placement
    if turn >= 24:
        return fit_pose(shape.voxels.move_to_origin(), _placed_cells(shape, placement))
    rotation = list_numbered_rotations()[turn]
    corner = subtract(shape.voxels.bounds.low, shape.hotspot)
    return Pose(rotation, add(rotation.apply(corner), (x, y, z)))


def _placed_cells(shape: DrawnShape, placement: Placement) -> Voxels:
    """Return the cells that a shape fills when placed, in the frame of the goal's drawing."""
    x, y, z, turn = placement
    rotation, side = list_numbered_rotations()[turn % 24], -1 if turn >= 24 else 1

    def image(cell: Cell) -> Cell:
        dx, dy, dz = subtract(cell, shape.hotspot)
        return add(rotation.apply((side * dx, dy, dz)), (x, y, z))

    return Voxels.from_cells(map(image, shape.filled))


def fit_pose(shape: Voxels, cells: Voxels) -> Pose | None:
    """The first pose, in the order of the rotations, in which a shape fills exactly these cells."""
    wanted = cells.move_to_origin()
    for rotation in list_rotations():
        if shape.rotate(rotation).move_to_origin() == wanted:
            return Pose.place_corner(shape, rotation, cells.bounds.low)
    return None


def find_placement(pose: Pose) -> Placement:
    """Return the placement that says a pose, for a shape whose hotspot is the origin."""
    return (*pose.offset, list_numbered_rotations().index(pose.rotation))

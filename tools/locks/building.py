"""Locks from the cells of their pieces."""

from collections.abc import Sequence

from pysim.families.burr.generator.carving import Bar
from pysim.families.burr.lock import Goal, Lock, Piece
from pysim.geometry import IDENTITY, Bounds, Pose, Rotation, Voxels, list_rotations
from pysim.geometry.resting import is_stable
from pysim.render.palette import PALETTE
from pysim.scene import Colour

__all__ = ["lock_of"]


def lock_of(pieces: Sequence[Bar], goal: Goal = Goal.DISASSEMBLE) -> Lock:
    """Return a lock of pieces as they stand when assembled, coloured in the palette's order.

    The low corner of the whole is moved to the origin. Each piece is drawn lying down, along x if
    it is long.

    Raises:
        ValueError: see :class:`pysim.families.burr.Lock`; or there are too few colours.
    """
    if len(pieces) > len(PALETTE):
        raise ValueError(f"there are {len(PALETTE)} colours for {len(pieces)} pieces")
    shapes = [Voxels.from_cells(piece) for piece in pieces]
    low = Bounds.cover(shape.bounds for shape in shapes).low
    moved = [shape.translate((-low[0], -low[1], -low[2])) for shape in shapes]
    return Lock(
        tuple(_piece(Colour(name), shape) for name, shape in zip(PALETTE, moved, strict=False)),
        goal,
    )


def _piece(colour: Colour, placed: Voxels) -> Piece:
    drawn, home = min(
        (
            (placed.rotate(rotation).move_to_origin(), rotation.inverse)
            for rotation in list_rotations()
        ),
        key=lambda way: _order(*way),
    )
    return Piece(colour, drawn, Pose.place_corner(drawn, home, placed.bounds.low))


def _order(drawn: Voxels, home: Rotation) -> tuple[object, ...]:
    """Drawings that rest on a table come first, then flat and long ones, then unturned ones.

    Of equally long ones that with its weight low, far back and to the left: notches and openings
    then show on a picture, which is taken from above, in front and to the right.
    """
    _, y, z = drawn.bounds.size
    weight = [sum(cell[axis] for cell in drawn.cells) for axis in range(3)]
    return not is_stable(drawn, IDENTITY), z, y, weight[2], -weight[1], weight[0], home.index

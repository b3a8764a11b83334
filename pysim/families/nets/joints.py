"""Joints of plates: hinges, and the pose of each plate when some of them are bent.

All of it is in the frame of the plate by which the net is held: it lies at the origin, its printed
side looks along +z, and what is right and up in the drawing is +x and +y.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from pysim.families.nets.faces import Heading
from pysim.families.nets.plates import PITCH, PLATE
from pysim.families.nets.shapes import Square
from pysim.geometry import HOME, Axis, Cell, Pose, Sectors, add, make_quarter_turn, subtract

__all__ = [
    "FLAT",
    "MOUNTAIN",
    "VALLEY",
    "Bends",
    "Hinge",
    "Tree",
    "build_tree",
    "compose_poses",
    "compute_poses",
    "find_hinge_turn",
    "find_obstacles",
    "list_free_bends",
    "list_hanging",
]

VALLEY, FLAT, MOUNTAIN = -1, 0, 1
Bends = tuple[int, ...]
"""(6,) how the hinge of each plate is bent; 0 for the one that is held."""


@dataclass(frozen=True, slots=True)
class Hinge:
    """Hinge of a plate.

    Attributes:
        parent: the number of that plate; its own for the one that is held.
        way: on which side of it, in its own frame.
    """

    parent: int
    way: Heading

    @property
    def axis(self) -> Axis:
        """About which it turns, in the parent's frame."""
        return Axis.X if self.way in (Heading.UP, Heading.DOWN) else Axis.Y

    @property
    def sign(self) -> int:
        """Right-handed quarter turns about the axis that make a mountain fold: 1 or -1."""
        return 1 if self.way in (Heading.RIGHT, Heading.DOWN) else -1

    @property
    def place(self) -> Cell:
        """The middle of the hinge in the parent's frame."""
        x, y = self.way.step
        return x * PITCH // 2, y * PITCH // 2, 0


Tree = tuple[Hinge, ...]
"""The hinge of each plate; the first is held and has none of its own."""


@cache
def build_tree(squares: tuple[Square, ...]) -> Tree:
    """The hinges of a net that is held by its first square; fewer if not all hang together."""
    hinges = {squares[0]: Hinge(0, Heading.UP)}
    queue = [squares[0]]
    for square in queue:  # It grows while it is gone through.
        for way in Heading:
            there = (square[0] + way.step[0], square[1] + way.step[1])
            if there in squares and there not in hinges:
                hinges[there] = Hinge(squares.index(square), way)
                queue.append(there)
    return tuple(hinges[square] for square in squares if square in hinges)


@cache
def list_hanging(tree: Tree, plate: int) -> frozenset[int]:
    """Return a plate and all that hang on it."""
    found = {plate}
    while more := {k for k in range(1, len(tree)) if tree[k].parent in found} - found:
        found |= more
    return frozenset(found)


@cache
def compute_poses(tree: Tree, bends: Bends) -> tuple[Pose, ...]:
    """Compute the pose of each plate."""
    found = {0: HOME}
    while len(found) < len(tree):
        for plate, hinge in enumerate(tree):
            if plate not in found and hinge.parent in found:
                found[plate] = compose_poses(found[hinge.parent], _bent(hinge, bends[plate]))
    return tuple(found[plate] for plate in range(len(tree)))


def compose_poses(outer: Pose, inner: Pose) -> Pose:
    """The pose of what has the pose ``inner`` in the frame of what has the pose ``outer``."""
    offset = add(outer.rotation.apply(inner.offset), outer.offset)
    return Pose(outer.rotation.compose(inner.rotation), offset)


def _bent(hinge: Hinge, bend: int) -> Pose:
    """Return the pose of a plate in its parent's frame."""
    rotation = make_quarter_turn(hinge.axis, bend * hinge.sign)
    return Pose(rotation, add(hinge.place, rotation.apply(hinge.place)))


@cache
def find_obstacles(tree: Tree, bends: Bends, plate: int, by: int) -> tuple[int, ...]:
    """Return the plates that one gets into when its hinge is turned, with all that hang on it.

    Args:
        by: 1 for a quarter turn in the sense of a mountain fold, -1 for one back.
    """
    there, moving, hinge = compute_poses(tree, bends), list_hanging(tree, plate), tree[plate]
    parent = there[hinge.parent]
    axis, sense = find_hinge_turn(parent, hinge)
    centre = add(parent.offset, parent.rotation.apply(hinge.place))
    plates = [_Plate(subtract(pose.offset, centre), _find_normal(pose)) for pose in there]
    turning, quarters = [plates[k] for k in moving], (by * sense) % 4
    return tuple(
        k
        for k in range(len(tree))
        if k not in moving and any(_is_hit(axis, quarters, one, plates[k]) for one in turning)
    )


@cache
def list_free_bends(tree: Tree, bends: Bends) -> tuple[tuple[int, int], ...]:
    """Return the plates whose hinges can be bent otherwise by a quarter turn, and their bends then.

    Folds are flat before, mountain folds come first; what is folded gets flat.
    """
    found = [
        (plate, after)
        for plate in range(1, len(tree))
        for after in ((MOUNTAIN, VALLEY) if bends[plate] == FLAT else (FLAT,))
    ]
    return tuple(
        (plate, after)
        for plate, after in found
        if not find_obstacles(tree, bends, plate, after - bends[plate])
    )


class _Plate(NamedTuple):
    """A plate as a set of cells: its middle and the axis across it."""

    middle: Cell
    normal: int


def _find_normal(pose: Pose) -> int:
    across = pose.rotation.apply((0, 0, 1))
    return next(i for i in range(3) if across[i])


@cache
def _is_hit(axis: Axis, quarters: int, plate: _Plate, other: _Plate) -> bool:
    """Return whether a plate that turns about an axis through the origin gets into another one."""
    passed = Sectors(axis, HOME.offset, _list_cells(plate), quarters)
    return any(map(passed.overlaps, _list_cells(other)))


def _list_cells(plate: _Plate) -> list[Cell]:
    return [add(cell, plate.middle) for cell in _LYING[plate.normal]]


def find_hinge_turn(parent: Pose, hinge: Hinge) -> tuple[Axis, int]:
    """Return the axis of a hinge as its parent lies, and the sense of a mountain fold about it."""
    vector = [0, 0, 0]
    vector[hinge.axis.number] = hinge.sign
    found = parent.rotation.apply((vector[0], vector[1], vector[2]))
    axis = next(axis for axis in Axis if found[axis.number])
    return axis, found[axis.number]


_LYING: tuple[list[Cell], list[Cell], list[Cell]] = (
    [(c, a, b) for a, b, c in PLATE.cells],
    [(b, c, a) for a, b, c in PLATE.cells],
    [(a, b, c) for a, b, c in PLATE.cells],
)
"""Cells of a plate in the middle of the frame, by the axis across it."""

"""Shapes made of unit cells: how they are drawn, and the 24 ways to turn them."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import permutations, product

from bridge.referee.documents import read_text
from bridge.referee.vectors import compute_cross, scale

__all__ = [
    "Cell",
    "RotationMatrix",
    "Shape",
    "enumerate_orientations",
    "find_low_corner",
    "is_same_shape",
    "list_rotations",
    "make_block",
    "move_to_origin",
    "parse_layers",
    "parse_turn",
    "rotate",
    "translate",
]

Cell = tuple[int, int, int]
Shape = frozenset[Cell]
RotationMatrix = tuple[Cell, Cell, Cell]
"""Where the x, y and z axes point after a rotation."""


def parse_layers(layers: Sequence[object], what: str) -> Shape:
    """The cells of a drawing: one text for each z, lowest first, rows along y, ``#`` is filled.

    Raises:
        ValueError: another sign, layers of unlike size, or no cell at all.
    """
    rows = [read_text(layer, f"{what}: a layer").split("/") for layer in layers]
    if len({(len(layer), *map(len, layer)) for layer in rows}) > 1:
        raise ValueError(f"{what}: the layers are of unlike size")
    if any(set(row) - {"#", "."} or len(row) != len(layer[0]) for layer in rows for row in layer):
        raise ValueError(f"{what}: a layer is made of rows of '#' and '.' of one length")
    cells = frozenset(
        (x, y, z)
        for z, layer in enumerate(rows)
        for y, row in enumerate(layer)
        for x, sign in enumerate(row)
        if sign == "#"
    )
    if not cells:
        raise ValueError(f"{what}: no cell is filled")
    return move_to_origin(cells)


@cache
def make_block(size: Cell) -> Shape:
    """Return all cells of a box whose lowest cell is the origin."""
    a, b, c = map(range, size)
    return frozenset((x, y, z) for x in a for y in b for z in c)


def find_low_corner(cells: Iterable[Cell]) -> Cell:
    """Return the least x, y and z."""
    x, y, z = (min(axis) for axis in zip(*cells, strict=True))
    return x, y, z


def translate(cells: Iterable[Cell], by: Cell, times: int = 1) -> Shape:
    """Return the cells after a translation by so many times a vector."""
    dx, dy, dz = (times * step for step in by)
    return frozenset((x + dx, y + dy, z + dz) for x, y, z in cells)


def move_to_origin(cells: Iterable[Cell]) -> Shape:
    """Return the cells, translated so that the low corner is the origin."""
    own = tuple(cells)
    return translate(own, find_low_corner(own), -1)


@cache
def list_rotations() -> tuple[RotationMatrix, ...]:
    """Return all 24 rotations: signed permutations of the axes that keep right hands right."""
    units = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    found = []
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        x, y, z = (scale(units[axis], sign) for axis, sign in zip(order, signs, strict=True))
        if compute_cross(x, y) == z:
            found.append((x, y, z))
    return tuple(found)


def parse_turn(name: object) -> RotationMatrix:
    """Return a rotation by the name that ``docs/actions.md`` gives it: ``+Y-X+Z``."""
    word = read_text(name, "a rotation")
    found = {_name(turn): turn for turn in list_rotations()}.get(word)
    if found is None:
        raise ValueError(f"{word!r:.40} is no rotation")
    return found


def rotate(cells: Iterable[Cell], turn: RotationMatrix) -> Shape:
    """Return the cells after a rotation about the origin."""
    return frozenset(_image(cell, turn) for cell in cells)


@cache
def enumerate_orientations(shape: Shape) -> frozenset[Shape]:
    """The shape in all the ways that it can be turned, each with the low corner at the origin."""
    return frozenset(move_to_origin(rotate(shape, turn)) for turn in list_rotations())


def is_same_shape(one: Shape, other: Shape) -> bool:
    """Return whether some rotation, not a mirror, and a translation take one into the other."""
    return move_to_origin(other) in enumerate_orientations(move_to_origin(one))


def _image(cell: Cell, turn: RotationMatrix) -> Cell:
    x, y, z = (sum(cell[own] * turn[own][axis] for own in range(3)) for axis in range(3))
    return x, y, z


def _name(turn: RotationMatrix) -> str:
    return "".join(
        f"{'+' if sum(axis) > 0 else '-'}{'XYZ'[[abs(part) for part in axis].index(1)]}"
        for axis in turn
    )

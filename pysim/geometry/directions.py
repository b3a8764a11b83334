"""Axes and axis-aligned directions of the integer lattice."""

from enum import StrEnum

__all__ = ["Axis", "Cell", "Direction", "add", "scale", "subtract"]

Cell = tuple[int, int, int]
"""An integer lattice point ``(x, y, z)``; the unit cube around it has its centre there."""


class Axis(StrEnum):
    """One of the three lattice axes."""

    X = "x"
    Y = "y"
    Z = "z"

    @property
    def number(self) -> int:
        """0, 1 or 2."""
        return _NUMBERS[self._value_]


class Direction(StrEnum):
    """One of the six axis-aligned directions, in the fixed order +x -x +y -y +z -z."""

    PLUS_X = "+x"
    MINUS_X = "-x"
    PLUS_Y = "+y"
    MINUS_Y = "-y"
    PLUS_Z = "+z"
    MINUS_Z = "-z"

    @property
    def axis(self) -> Axis:
        """The axis along which this direction runs."""
        return _AXES[self._value_]

    @property
    def sign(self) -> int:
        """+1 or -1."""
        return _SIGNS[self._value_]

    @property
    def vector(self) -> Cell:
        """The unit step, for example ``(0, -1, 0)`` for ``-y``."""
        return _VECTORS[self._value_]

    @property
    def opposite(self) -> "Direction":
        """The direction that undoes this one."""
        return _OPPOSITES[self._value_]


_NUMBERS = {axis.value: number for number, axis in enumerate(Axis)}
_AXES = {direction.value: Axis(direction.value[1]) for direction in Direction}
_SIGNS = {direction.value: 1 if direction.value[0] == "+" else -1 for direction in Direction}
_VECTORS: dict[str, Cell] = {
    "+x": (1, 0, 0),
    "-x": (-1, 0, 0),
    "+y": (0, 1, 0),
    "-y": (0, -1, 0),
    "+z": (0, 0, 1),
    "-z": (0, 0, -1),
}
_OPPOSITES: dict[str, Direction] = {
    way.value: Direction("+-"[way.sign > 0] + way.axis.value) for way in Direction
}


def add(a: Cell, b: Cell) -> Cell:
    """``a + b``, component by component."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def scale(a: Cell, k: int) -> Cell:
    """``k * a``, component by component."""
    return (a[0] * k, a[1] * k, a[2] * k)


def subtract(a: Cell, b: Cell) -> Cell:
    """``a - b``, component by component."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])

"""The 24 proper rotations of the cube, in one fixed order.

A rotation is named after what it does to a body's own axes: ``+Y-X+Z`` sends the body's x axis to
+Y, its y axis to -X and leaves its z axis at +Z. The names are public: agents use them.

Order: by the image of x, then by the image of y, each in the order +X +Y +Z -X -Y -Z. The image of
z follows, since only rotations (determinant +1) count. Index 0 is the identity ``+X+Y+Z``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from pysim.errors import InputError
from pysim.geometry.directions import Axis, Cell
from pysim.limits import quote

__all__ = ["IDENTITY", "Matrix", "Rotation", "list_rotations", "make_quarter_turn"]

Matrix = tuple[Cell, Cell, Cell]
"""Three rows of a 3x3 integer matrix; it maps column vectors."""

_AXIS_NAMES = ("+X", "+Y", "+Z", "-X", "-Y", "-Z")
_AXIS_VECTORS: tuple[Cell, ...] = (
    (1, 0, 0),
    (0, 1, 0),
    (0, 0, 1),
    (-1, 0, 0),
    (0, -1, 0),
    (0, 0, -1),
)


@dataclass(frozen=True, slots=True, order=True)
class Rotation:
    """One of the 24 rotations, by its index in the fixed order."""

    index: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < 24:
            raise ValueError(f"a rotation index runs from 0 to 23, not {self.index}")

    @staticmethod
    def parse(name: str) -> "Rotation":
        """Return the rotation called ``name``, for example ``+Y-X+Z``.

        Raises:
            InputError: no rotation has that name.
        """
        index = _index_by_name().get(name)
        if index is None:
            raise InputError(f"{quote(name)} is no rotation; one is written like +Y-X+Z")
        return Rotation(index)

    @property
    def name(self) -> str:
        """The images of the body's x, y and z axes, for example ``+Y-X+Z``."""
        return _names()[self.index]

    @property
    def matrix(self) -> Matrix:
        """Rows of the 3x3 integer matrix."""
        return _matrices()[self.index]

    def apply(self, cell: Cell) -> Cell:
        """Return the image of a lattice point under the turn about the origin."""
        x, y, z = cell
        a, b, c = _matrices()[self.index]
        return (
            a[0] * x + a[1] * y + a[2] * z,
            b[0] * x + b[1] * y + b[2] * z,
            c[0] * x + c[1] * y + c[2] * z,
        )

    def apply_each(self, cells: Iterable[Cell]) -> list[Cell]:
        """Return the images of lattice points, in order; as :meth:`apply`."""
        (a, b, c), (d, e, f), (g, h, i) = _matrices()[self.index]
        return [
            (a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z)
            for x, y, z in cells
        ]

    def compose(self, first: "Rotation") -> "Rotation":
        """Return the rotation that turns by ``first`` and then by this one."""
        return Rotation(_composition()[self.index][first.index])

    @property
    def inverse(self) -> "Rotation":
        """The rotation that undoes this one."""
        return Rotation(_composition()[self.index].index(0))


IDENTITY = Rotation(0)


def list_rotations() -> tuple[Rotation, ...]:
    """Return the 24 rotations in their fixed order."""
    return _all()


def make_quarter_turn(axis: Axis, count: int) -> Rotation:
    """``count`` right-handed quarter turns about a lattice axis."""
    return _quarter_turn(axis, count % 4)


@cache
def _quarter_turn(axis: Axis, count: int) -> Rotation:
    rotation = IDENTITY
    for _ in range(count):
        rotation = Rotation.parse(_QUARTER_TURNS[axis.value]).compose(rotation)
    return rotation


_QUARTER_TURNS = {"x": "+X+Z-Y", "y": "-Z+Y+X", "z": "+Y-X+Z"}


def _cross(a: Cell, b: Cell) -> Cell:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _frames() -> Iterator[tuple[Cell, Cell, Cell]]:
    """Images of x, y, z for each rotation in order."""
    for x in _AXIS_VECTORS:
        for y in _AXIS_VECTORS:
            if x[0] * y[0] + x[1] * y[1] + x[2] * y[2] == 0:
                yield x, y, _cross(x, y)


@cache
def _all() -> tuple[Rotation, ...]:
    return tuple(Rotation(i) for i in range(24))


@cache
def _matrices() -> tuple[Matrix, ...]:
    return tuple(
        (
            (x[0], y[0], z[0]),
            (x[1], y[1], z[1]),
            (x[2], y[2], z[2]),
        )
        for x, y, z in _frames()
    )


@cache
def _names() -> tuple[str, ...]:
    name_of = dict(zip(_AXIS_VECTORS, _AXIS_NAMES, strict=True))
    return tuple("".join(name_of[v] for v in frame) for frame in _frames())


@cache
def _index_by_name() -> dict[str, int]:
    return {name: index for index, name in enumerate(_names())}


@cache
def _composition() -> tuple[tuple[int, ...], ...]:
    """``table[second][first]`` = index of second after first."""
    index_of = {matrix: index for index, matrix in enumerate(_matrices())}

    def product(a: Matrix, b: Matrix) -> Matrix:
        rows = [tuple(sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)) for i in range(3)]
        return (_cell(rows[0]), _cell(rows[1]), _cell(rows[2]))

    return tuple(tuple(index_of[product(a, b)] for b in _matrices()) for a in _matrices())


def _cell(values: tuple[int, ...]) -> Cell:
    return (values[0], values[1], values[2])

"""Solids of voxel shapes as they are made of plastic: set back from their cells, and chamfered.

Every face of a shape is set back by a tolerance, so that pieces that touch as cells stand twice as
far apart. What is left of a shape S is its erosion by a cube: the points around which a cube with
half-edge t lies in S. Two neighbouring cells are left joined. Two cells that touch along an edge
only, or at a corner, are parted there, for a cube around a point of the edge lies partly outside.
So the surface is always a manifold, which that of the cells themselves is not.

The erosion is a union of blocks: a core for each cell, edge - 2 t wide, and between cores gaps,
2 t wide. A gap is filled if all cells around it are: both cells of a face, four around an edge,
eight around a corner. Around every point of the surface the filled blocks are therefore the core
and those gaps that it can be reached through, and these are connected, and so are the others.

A bevel takes a chamfer off every convex edge, as far as the edge reaches: a prism with legs b
along both faces. Where an edge ends at a wall the chamfer ends there, too. Concave edges stay
sharp.

The mesh is the boundary of a complex of small convex parts. Neighbouring parts share whole facets,
and a facet of two parts is inside. So the mesh is closed, and can't cut itself.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.geometry.directions import Cell, Direction, add, subtract
from pysim.geometry.voxels import Voxels

__all__ = ["Dimensions", "Solid", "build_solid", "compute_volume"]

MAX_EDGE = 1000.0
"""Millimetres of the longest edge of a cell."""
LEAST = 0.01
"""Millimetres of the shortest detail: files with 32-bit floats keep it apart up to a metre."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimensions:
    """Dimensions of pieces that are made, in millimetres.

    Attributes:
        edge: of a cell.
        tolerance: by which each face is set back; pieces that touch stand twice as far apart.
        bevel: legs of the chamfer of convex edges; 0 for sharp edges.

    Raises:
        InputError: they are no numbers, or leave nothing of a cell.
    """

    edge: float = 10.0
    tolerance: float = 0.15
    bevel: float = 0.5

    def __post_init__(self) -> None:
        if not 1.0 <= self.edge <= MAX_EDGE:
            raise InputError(f"the edge of a cell is 1 to {MAX_EDGE:g} mm, not {self.edge:g}")
        if not self.tolerance >= LEAST:
            raise InputError(
                f"the tolerance is at least {LEAST:g} mm, not {self.tolerance:g}: pieces that are "
                "not set back can't be put together"
            )
        if not self.tolerance <= (most := _round_share(self.edge)):
            raise InputError(
                f"a tolerance of {self.tolerance:g} mm leaves too little of cells of "
                f"{self.edge:g} mm; it is at most {most:g}"
            )
        most = _round_share(self.core)
        if self.bevel != 0.0 and not LEAST <= self.bevel <= most:
            raise InputError(
                f"the bevel is 0 or {LEAST:g} to {most:g} mm where {self.core:g} mm of a cell are "
                f"left, not {self.bevel:g}"
            )

    @property
    def core(self) -> float:
        """Width of what is left of a cell."""
        return self.edge - 2.0 * self.tolerance


def _round_share(width: float) -> float:
    """Return the most that may be taken off either side of a width, as it is written."""
    return float(f"{0.45 * width:g}")


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A closed surface of triangles, in millimetres and body coordinates.

    The middle of cell (x, y, z) is at edge * (x, y, z).

    Attributes:
        vertices: (n, 3).
        triangles: (m, 3) vertices, counter-clockwise seen from outside.
        cells: (m, 3) the cell of which each triangle is the surface; that of a gap between cells
            is the one with the lowest coordinates.
        sides: (m,) the side of the cell, in the order of ``Direction``; -1 for chamfers.
    """

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    cells: NDArray[np.int64]
    sides: NDArray[np.int64]

    @property
    def volume(self) -> float:
        """Volume that the surface encloses, in cubic millimetres."""
        a, b, c = np.moveaxis(self.vertices[self.triangles], 1, 0)
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def compute_volume(shape: Voxels, dimensions: Dimensions) -> float:
    """Return the volume of the solid of a shape in cubic millimetres, by counting.

    With the edge e, the tolerance t, the bevel b and c = e - 2 t it is::

        n c^3 + f 2t c^2 + q (2t)^2 c + k (2t)^3 - b^2/2 (m c + g 2t) + 3/4 b^3 v

    - n cells, f faces shared by two cells, q squares of four cells, k cubes of eight.
    - m convex edges of cells: both faces there are free. g convex edges of gaps: both cells of a
      shared face have free faces there on one side, and on another side at right angles.
    - v corners of cells at which three convex edges meet, so that chamfers overlap.
    """
    c, gap, b = dimensions.core, 2.0 * dimensions.tolerance, dimensions.bevel
    filled = _Filled(shape)
    blocks, convex = _count_blocks(filled)
    boxes = sum(count * c ** (3 - order) * gap**order for order, count in blocks.items())
    prisms = b * b / 2.0 * (convex[0] * c + convex[1] * gap)
    return boxes - prisms + 0.75 * b**3 * _count_corners(filled)


def _count_blocks(filled: "_Filled") -> tuple[Counter[int], Counter[int]]:
    """Return the numbers of blocks and of their convex edges, by the gaps that a block spans."""
    blocks: Counter[int] = Counter()
    convex: Counter[int] = Counter()
    for cell in filled.shape.cells:
        for way in _WAYS:
            if filled.has(cell, way):
                blocks[sum(way)] += 1
                convex[sum(way)] += len(filled.list_convex_edges(cell, way))
    return blocks, convex


def _count_corners(filled: "_Filled") -> int:
    """Return the number of corners of cells at which three convex edges meet."""
    corners = 0
    for cell in filled.shape.cells:
        for signs in _DIAGONALS:
            sides = (_signed(axis, signs[axis]) for axis in range(3))
            corners += not any(filled.has(cell, side) for side in sides)
    return corners


Corner = tuple[int, int, int]
"""A node of the complex: per axis twice the number of a plane, or between two for a middle."""
Polygon = tuple[Corner, ...]


class _Facet(NamedTuple):
    """A facet of a part.

    Attributes:
        corners: in order, either way round.
        outward: a direction that leaves the part there.
        cell, side: as in :class:`Solid`.
    """

    corners: Polygon
    outward: Cell
    cell: Cell
    side: int


_WAYS: tuple[Cell, ...] = tuple((i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1))
"""Ways from a core to the blocks that belong to its cell."""
_DIAGONALS: tuple[Cell, ...] = tuple((i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1))
_OUTWARDS = tuple(direction.vector for direction in Direction)
_OUTER = (0, 2)
"""Places in a core, of 0, 1 and 2, that chamfers take from."""


def build_solid(shape: Voxels, dimensions: Dimensions) -> Solid:
    """Return the surface of a shape that is set back and chamfered; see the module."""
    outside: dict[frozenset[Corner], _Facet] = {}
    for facet in _list_facets(_Filled(shape), is_bevelled=dimensions.bevel > 0.0):
        key = frozenset(facet.corners)
        if outside.pop(key, None) is None:
            outside[key] = facet
    corners = sorted({corner for facet in outside.values() for corner in facet.corners})
    numbers = {corner: number for number, corner in enumerate(corners)}
    triangles, cells, sides = [], [], []
    for facet in outside.values():
        loop = [numbers[corner] for corner in _orient(facet.corners, facet.outward)]
        for i in range(1, len(loop) - 1):
            triangles.append((loop[0], loop[i], loop[i + 1]))
            cells.append(facet.cell)
            sides.append(facet.side)
    return Solid(
        _place(np.array(corners), dimensions), np.array(triangles), np.array(cells), np.array(sides)
    )


def _place(corners: NDArray[np.int64], dimensions: Dimensions) -> NDArray[np.float64]:
    """Return the positions of nodes; those between two planes are in their middle."""
    low, high = corners // 2, (corners + 1) // 2
    return (_place_planes(low, dimensions) + _place_planes(high, dimensions)) / 2.0


def _place_planes(planes: NDArray[np.int64], dimensions: Dimensions) -> NDArray[np.float64]:
    cells, places = np.divmod(planes, 4)
    t, b, c = dimensions.tolerance, dimensions.bevel, dimensions.core
    within = np.array([t, t + b, t + c - b, t + c])
    positions: NDArray[np.float64] = (cells - 0.5) * dimensions.edge + within[places]
    return positions


def _signed(axis: int, sign: int) -> Cell:
    """Return the step along an axis."""
    step = [0, 0, 0]
    step[axis] = sign
    return (step[0], step[1], step[2])


_EDGES = tuple(
    (axis, _signed((axis + 1) % 3, one), _signed((axis + 2) % 3, other))
    for axis in range(3)
    for one in (-1, 1)
    for other in (-1, 1)
)
"""Edges of a block: axis, and the sides that meet there."""


class _Filled:
    """Blocks that are filled: by a cell and the way from its core, of -1, 0 or 1 along each axis.

    A way of zeros is the core itself, one of a single step the gap to a neighbour, and so on.
    """

    def __init__(self, shape: Voxels) -> None:
        self.shape = shape
        self._cells = shape.cell_set

    def has(self, cell: Cell, way: Cell) -> bool:
        """Return whether all cells around the block are there."""
        return all(add(cell, step) in self._cells for step in _list_parts(way))

    def list_convex_edges(self, cell: Cell, way: Cell) -> list[tuple[int, Cell, Cell]]:
        """Return the edges at which the surface of a block bends outwards: axis and both sides."""
        return [
            (axis, one, other)
            for axis, one, other in _EDGES
            if not (way[(axis + 1) % 3] or way[(axis + 2) % 3])
            and not self.has(cell, add(way, one))
            and not self.has(cell, add(way, other))
        ]


@cache
def _list_parts(way: Cell) -> tuple[Cell, ...]:
    """Return the steps to all cells around a block."""
    x, y, z = ({0, step} for step in way)
    return tuple((i, j, k) for i in x for j in y for k in z)


def _list_facets(filled: _Filled, *, is_bevelled: bool) -> Iterator[_Facet]:
    """Yield the facets of all parts; one between two parts is there twice."""
    core = (0, 1, 2) if is_bevelled else (-1,)
    for cell in filled.shape.cells:
        for way in _WAYS:
            if filled.has(cell, way):
                edges = filled.list_convex_edges(cell, way) if is_bevelled else []
                for places in product(*((3,) if step else core for step in way)):
                    yield from _Part(cell, places, edges).list_facets()


class _Part:
    """A box of the complex, or what chamfers have left of it.

    Args:
        cell: the cell.
        places: per axis 0, 1 or 2 in the core, 3 in the gap behind it; -1 for the whole core.
        edges: the convex edges of its block.
    """

    def __init__(
        self, cell: Cell, places: Sequence[int], edges: Sequence[tuple[int, Cell, Cell]]
    ) -> None:
        self._cell = cell
        starts = [4 * cell[a] + max(places[a], 0) for a in range(3)]
        self._low = [2 * start for start in starts]
        self._high = [2 * (starts[a] + (3 if places[a] < 0 else 1)) for a in range(3)]
        self._outward = [place - 1 if place in _OUTER else 0 for place in places]
        self._cut = [axis for axis in range(3) if self._is_cut(axis, edges)]

    def _is_cut(self, axis: int, edges: Sequence[tuple[int, Cell, Cell]]) -> bool:
        """Return whether the chamfer of an edge along an axis goes through."""
        p, q = (axis + 1) % 3, (axis + 2) % 3
        one, other = self._outward[p], self._outward[q]
        return bool(one and other) and (axis, _signed(p, one), _signed(q, other)) in edges

    def list_facets(self) -> Iterator[_Facet]:
        """Yield the facets."""
        for side, outward in enumerate(_OUTWARDS):
            axis = side // 2
            for polygon in self._list_faces(axis, outward[axis]):
                yield _Facet(polygon, outward, self._cell, side)
        for axis in self._cut:
            p, q = (axis + 1) % 3, (axis + 2) % 3
            outward = add(_signed(p, self._outward[p]), _signed(q, self._outward[q]))
            yield _Facet(self._find_chamfer(axis), outward, self._cell, -1)

    def _list_faces(self, axis: int, sign: int) -> Iterator[Polygon]:
        """Yield what is left of a face of the box.

        Where two outer places meet, a face is two triangles on both sides of a chamfer.
        """
        p, q = (axis + 1) % 3, (axis + 2) % 3
        at = {axis: (self._high if sign > 0 else self._low)[axis]}
        if any(cut != axis and self._outward[axis] == sign for cut in self._cut):
            return
        ends = [(self._low[p], self._low[q]), (self._high[p], self._low[q])]
        ends += [(self._high[p], self._high[q]), (self._low[p], self._high[q])]
        corners = [_corner(at | {p: u, q: v}) for u, v in ends]
        if not (self._outward[p] and self._outward[q]):
            yield tuple(corners)
            return
        outer = ends.index((self._find_outer(p), self._find_outer(q)))
        yield corners[outer - 3], corners[outer - 2], corners[outer - 1]
        if axis not in self._cut:
            yield corners[outer - 1], corners[outer], corners[outer - 3]

    def _find_outer(self, axis: int) -> int:
        return (self._high if self._outward[axis] > 0 else self._low)[axis]

    def _find_inner(self, axis: int) -> int:
        return (self._low if self._outward[axis] > 0 else self._high)[axis]

    def _find_chamfer(self, axis: int) -> Polygon:
        """Return the facet of a chamfer; where three meet, they meet in the middle of the part."""
        p, q = (axis + 1) % 3, (axis + 2) % 3
        one = {p: self._find_outer(p), q: self._find_inner(q)}
        other = {p: self._find_inner(p), q: self._find_outer(q)}
        if len(self._cut) > 1:
            end = {axis: self._find_inner(axis)}
            middle = {a: (self._low[a] + self._high[a]) // 2 for a in range(3)}
            return _corner(end | one), _corner(end | other), _corner(middle)
        low, high = {axis: self._low[axis]}, {axis: self._high[axis]}
        return (
            _corner(low | one),
            _corner(high | one),
            _corner(high | other),
            _corner(low | other),
        )


def _corner(at: dict[int, int]) -> Corner:
    return (at[0], at[1], at[2])


def _orient(polygon: Polygon, outward: Cell) -> Polygon:
    """Return a polygon with its corners counter-clockwise seen from outside."""
    (a, b, c), (d, e, f) = (subtract(corner, polygon[0]) for corner in polygon[1:3])
    x, y, z = outward
    return (
        polygon
        if x * (b * f - c * e) + y * (c * d - a * f) + z * (a * e - b * d) > 0
        else (polygon[::-1])
    )

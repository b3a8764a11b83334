"""A design's problem as rows of an exact cover: every way to lay every piece into the goal.

Parts that can stand for each other, as they are congruent, of one weight and in no group, are one
kind of piece. Rows are numbered as BurrTools compares placements: by kind, then by the number of
the turn (see :mod:`pysim.families.burr.files.placing`), of turns that look alike the first, then by
the place along x, y and z. Among the turned copies of an assembly the one with the lowest numbers
can so be told without looking at a cell.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import product
from math import prod

from pysim.families.burr.files.design import Design, DesignError, DrawnShape, Problem
from pysim.families.burr.files.placing import list_numbered_rotations
from pysim.families.burr.solver.limits import MAX_TRIES, check_drawing, check_rows
from pysim.geometry import Cell, Rotation

__all__ = ["Board", "PartClass", "Symmetry"]

PackedShape = tuple[int, ...]
"""The coloured cells of a shape that was turned, packed and sorted; see :class:`_Drawing`."""
Likeness = tuple[PackedShape, int, int]
"""A part's shape in any turn, its weight, and what tells it from all others."""
Isometry = tuple[Rotation, int]
"""A rotation, after the inversion through a point if the number is -1."""
NOT_A_COLUMN = -1
NO_ROW = -1
"""Stands for the image of a row whose mirror image no part is."""


@dataclass(frozen=True, slots=True)
class PartClass:
    """Parts that can stand for each other.

    Attributes:
        parts: their numbers, ascending.
        least, most: copies that are used in all.
        mirror: the kind of the mirror image, -1 if no part is that, or the goal is handed. As for
            BurrTools it is one of that shape, whatever its weight and its groups.
    """

    parts: tuple[int, ...]
    least: int
    most: int
    mirror: int = -1


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A turn or a mirror image that leaves the goal as it is.

    Attributes:
        columns: column -> column.
        mirrored: whether it is a mirror image.
    """

    columns: tuple[int, ...]
    mirrored: bool


@dataclass(frozen=True)
class Board:
    """Cells of the goal, placements of the pieces, and the symmetries of the goal.

    Attributes:
        cells: filled cells of the goal first, then the variable ones; a cell's column is its place.
        primary: number of filled cells.
        covered: cells that an assembly covers at least.
        pieces: the kinds of pieces, by their first parts.
        rows: for each placement the columns that it covers, sorted.
        kinds: for each placement the kind that it is of, ascending.
        shapes: for each placement the number of its turned shape; the cells of two placements of
            one shape differ by a translation.
        symmetries: the first is the identity.
        pivot: the kind that is compared first between copies of an assembly; -1 for none.
    """

    cells: tuple[Cell, ...]
    primary: int
    covered: int
    pieces: tuple[PartClass, ...]
    rows: list[tuple[int, ...]]
    kinds: list[int]
    shapes: list[int]
    symmetries: tuple[Symmetry, ...]
    pivot: int
    _colours: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    _images: dict[int, tuple[int, ...]] = field(default_factory=dict)

    @staticmethod
    def from_problem(design: Design, problem: Problem) -> "Board":
        """Return the board of a problem.

        Raises:
            DesignError: goal or piece is empty, or it has more placements than can be searched.
        """
        goal = design.shapes[problem.goal]
        if not goal.filled | goal.variable:
            raise DesignError(f"shape {problem.goal}, the goal, has no cells to fill")
        for part in problem.parts:
            if not design.shapes[part.shape].filled:
                raise DesignError(f"shape {part.shape}, a piece, has no filled cell")
            check_drawing(part.shape, design.shapes[part.shape].size)
        check_drawing(problem.goal, goal.size)
        cells = (*sorted(goal.filled), *sorted(goal.variable))
        drawings = [_drawing(design.shapes[part.shape]) for part in problem.parts]
        looks = [drawing.list_orientations() for drawing in drawings]
        leaving = _symmetries(goal, cells)
        pieces = _kinds(design, problem, looks)
        if any(symmetry.mirrored for symmetry in leaving.values()):
            pieces = _mirrored(pieces, looks, drawings)
        rows: list[tuple[int, ...]] = []
        kinds: list[int] = []
        shapes: list[int] = []
        colours: dict[int, tuple[int, ...]] = {}
        grid = _Grid(goal, cells, problem.allowed)
        laid = 0
        for number, kind in enumerate(pieces):
            for look in dict.fromkeys(looks[kind.parts[0]]):
                name = shapes[-1] + 1 if shapes else 0
                for row, tints in grid.list_placements(look):
                    if tints:
                        colours[len(rows)] = tints
                    rows.append(row)
                    kinds.append(number)
                    shapes.append(name)
                    laid += len(row)
                    check_rows(len(rows), len(cells), laid)
        return Board(
            cells, len(goal.filled), _covered(design, problem), pieces, rows, kinds, shapes,
            tuple(leaving.values()), _pivot(design, problem, pieces, list(leaving)), colours,
        )  # fmt: skip

    @property
    def least(self) -> list[int]:
        """For each kind the copies that are used at least."""
        return [kind.least for kind in self.pieces]

    @property
    def most(self) -> list[int]:
        """For each kind the copies that are used at most."""
        return [kind.most for kind in self.pieces]

    @cached_property
    def placed(self) -> "_Cells":
        """For each placement its cells; made when they are asked for."""
        return _Cells(self)

    def list_images(self, row: int) -> tuple[int, ...]:
        """For each symmetry the row that a row becomes; :data:`NO_ROW` if no part is so."""
        known = self._images.get(row)
        if known is None:
            known = tuple(self._image(row, symmetry) for symmetry in self.symmetries)
            self._images[row] = known
        return known

    def _image(self, row: int, symmetry: Symmetry) -> int:
        if symmetry is self.symmetries[0]:
            return row
        kind = self.kinds[row]
        if symmetry.mirrored:
            kind = self.pieces[kind].mirror
        if kind < 0:
            return NO_ROW
        moved = [symmetry.columns[column] for column in self.rows[row]]
        return self._index[kind, _dyed(moved, self._colours.get(row))]

    @cached_property
    def _index(self) -> dict[tuple[int, tuple[object, ...]], int]:
        """The row of a kind that covers columns with colours."""
        colours = self._colours
        return {
            (kind, _dyed(row, colours.get(i))): i
            for i, (kind, row) in enumerate(zip(self.kinds, self.rows, strict=True))
        }


class _Cells:
    """The cells of placements, each made once."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._known: dict[int, tuple[Cell, ...]] = {}

    def __getitem__(self, row: int) -> tuple[Cell, ...]:
        cells = self._known.get(row)
        if cells is None:
            cells = self._known[row] = tuple(self._board.cells[c] for c in self._board.rows[row])
        return cells


def _dyed(columns: Sequence[int], colours: tuple[int, ...] | None) -> tuple[object, ...]:
    """Return the properties that tell a placement from others of its kind."""
    if colours is None:
        return tuple(sorted(columns))
    return tuple(sorted(zip(columns, colours, strict=True)))


class _Grid:
    """A goal to lay shapes into."""

    def __init__(
        self, goal: DrawnShape, cells: tuple[Cell, ...], allowed: frozenset[tuple[int, int]]
    ) -> None:
        self._size = goal.size
        self._allowed = allowed
        self._tints = [goal.colours.get(cell, 0) for cell in cells]
        self._tries = MAX_TRIES
        self._columns = [NOT_A_COLUMN] * (goal.size[0] * goal.size[1] * goal.size[2])
        for column, cell in enumerate(cells):
            self._columns[self._place(cell)] = column

    def _place(self, cell: Cell) -> int:
        return (cell[0] * self._size[1] + cell[1]) * self._size[2] + cell[2]

    def list_placements(
        self, look: PackedShape
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The columns of every placement, sorted, and the colours laid on them; () for none."""
        turned = [_unpacked(code) for code in look]
        places = [self._place(cell) for cell, _ in turned]
        tints = [colour for _, colour in turned]
        corners = [range(self._size[a] - max(c[a] for c, _ in turned)) for a in range(3)]
        self._tries -= prod(map(len, corners))
        if self._tries < 0:
            raise DesignError(f"shapes would have to be tried at more than {MAX_TRIES:,} places")
        for x, y, z in product(*corners):
            row = self._row(places, self._place((x, y, z)))
            if row is None:
                continue
            if not any(tints):
                yield tuple(sorted(row)), ()
            elif all(map(self._fits, row, tints)):
                pairs = sorted(zip(row, tints, strict=True))
                yield tuple(column for column, _ in pairs), tuple(tint for _, tint in pairs)

    def _row(self, places: list[int], corner: int) -> list[int] | None:
        columns, row = self._columns, []
        for place in places:
            column = columns[place + corner]
            if column < 0:
                return None
            row.append(column)
        return row

    def _fits(self, column: int, tint: int) -> bool:
        goal = self._tints[column]
        return not tint or not goal or (tint, goal) in self._allowed


def _covered(design: Design, problem: Problem) -> int:
    """Cells that must be covered. How many holes there may be is no matter if it can't vary."""
    sizes = [len(design.shapes[part.shape].filled) for part in problem.parts]
    varies = any(
        size and part.minimum != part.maximum
        for size, part in zip(sizes, problem.parts, strict=True)
    )
    goal = design.shapes[problem.goal]
    if problem.max_holes is None or not varies:
        return len(goal.filled)
    return len(goal.filled) + len(goal.variable) - problem.max_holes


def _kinds(
    design: Design, problem: Problem, looks: Sequence[Sequence[PackedShape]]
) -> tuple[PartClass, ...]:
    alike: dict[Likeness, list[int]] = {}
    for number, part in enumerate(problem.parts):
        weight = design.shapes[part.shape].weight
        likeness = (min(looks[number]), weight, number if part.memberships else -1)
        alike.setdefault(likeness, []).append(number)
    return tuple(
        PartClass(
            tuple(parts),
            sum(problem.parts[part].minimum for part in parts),
            sum(problem.parts[part].maximum for part in parts),
        )
        for parts in alike.values()
    )


def _mirrored(
    kinds: tuple[PartClass, ...],
    looks: Sequence[Sequence[PackedShape]],
    drawings: Sequence["_Drawing"],
) -> tuple[PartClass, ...]:
    """Kinds with those of their mirror images: itself, or the first that no other one has."""
    ours = [min(looks[kind.parts[0]]) for kind in kinds]
    theirs = [min(drawings[kind.parts[0]].list_orientations(-1)) for kind in kinds]
    found = [i if ours[i] == theirs[i] else -1 for i in range(len(kinds))]
    for i, look in enumerate(theirs):
        if found[i] < 0:
            free = (j for j in range(i + 1, len(kinds)) if found[j] < 0 and ours[j] == look)
            if (other := next(free, -1)) >= 0:
                found[i], found[other] = other, i
    return tuple(replace(kind, mirror=to) for kind, to in zip(kinds, found, strict=True))


def _drawing(shape: DrawnShape) -> "_Drawing":
    return _Drawing({cell: shape.colours.get(cell, 0) for cell in shape.filled})


class _Drawing:
    """Coloured cells, ready to be turned: their distances from either end along each axis."""

    def __init__(self, coloured: Mapping[Cell, int]) -> None:
        self._ends = {}
        for axis in range(3):
            along = [cell[axis] for cell in coloured]
            low, high = min(along), max(along)
            self._ends[axis, 1] = [place - low for place in along]
            self._ends[axis, -1] = [high - place for place in along]
        self._colours = list(coloured.values())

    def rotate(self, isometry: Isometry) -> list[int]:
        """Each cell after a turn, packed: places along x, y, z from the low corner, and colour."""
        axes = (self._ends[_end(row, isometry[1])] for row in isometry[0].matrix)
        return [
            ((x << 16 | y) << 16 | z) << 16 | colour
            for x, y, z, colour in zip(*axes, self._colours, strict=True)
        ]

    def list_orientations(self, side: int = 1) -> list[PackedShape]:
        """List the shape in every turn, or its mirror image if the side is -1."""
        return [tuple(sorted(self.rotate((turn, side)))) for turn in list_numbered_rotations()]


def _end(row: Cell, side: int) -> tuple[int, int]:
    """Return the axis that a row of a rotation's matrix takes, and which way."""
    axis = next(a for a in range(3) if row[a])
    return axis, row[axis] * side


def _unpacked(code: int) -> tuple[Cell, int]:
    return (code >> 48, code >> 32 & 0xFFFF, code >> 16 & 0xFFFF), code & 0xFFFF


def _isometries() -> Iterator[Isometry]:
    """Rotations, then mirror images; the identity first."""
    return ((turn, side) for side in (1, -1) for turn in list_numbered_rotations())


def _symmetries(goal: DrawnShape, cells: tuple[Cell, ...]) -> dict[Isometry, Symmetry]:
    """Return turns and mirror images that leave a goal as it is."""
    drawing = _Drawing({c: goal.colours.get(c, 0) << 1 | (c in goal.filled) for c in cells})
    still = drawing.rotate((list_numbered_rotations()[0], 1))
    column, wanted = {code: i for i, code in enumerate(still)}, sorted(still)
    found: dict[Isometry, Symmetry] = {}
    for isometry in _isometries():
        moved = drawing.rotate(isometry)
        if sorted(moved) == wanted:
            found[isometry] = Symmetry(tuple(column[code] for code in moved), isometry[1] < 0)
    return found


def _pivot(
    design: Design, problem: Problem, pieces: tuple[PartClass, ...], leaving: list[Isometry]
) -> int:
    """The kind with the piece on which BurrTools breaks the symmetry of the goal; -1 for none.

    That is a part of one copy, if no part may be left out; among these the first that has the
    fewest symmetries which the goal, turned somehow, has as well.
    """
    parts = problem.parts
    single = [i for i, part in enumerate(parts) if part.maximum == 1]
    ranges = any(part.minimum != part.maximum for part in parts)
    if len(leaving) == 1 or ranges or not single:
        return -1
    sorts = {_sort(isometry) for isometry in leaving}
    part = min(single, key=lambda i: _shared(design.shapes[parts[i].shape], sorts))
    return next(number for number, kind in enumerate(pieces) if part in kind.parts)


def _shared(shape: DrawnShape, sorts: set[tuple[int, bool, int]]) -> int:
    """Count the symmetries of a shape that are of one of these sorts."""
    drawing = _drawing(shape)
    still = sorted(drawing.rotate((list_numbered_rotations()[0], 1)))
    return sum(
        _sort(isometry) in sorts and sorted(drawing.rotate(isometry)) == still
        for isometry in _isometries()
    )


@cache
def _sort(isometry: Isometry) -> tuple[int, bool, int]:
    """Return equal for isometries that are the same but for a turn of the frame."""
    matrix, side = isometry[0].matrix, isometry[1]
    trace = sum(matrix[a][a] for a in range(3))
    return trace, all(matrix[a][a] for a in range(3)), side

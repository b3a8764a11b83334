"""A design's problem as rows of an exact cover: every way to lay every piece into the goal."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.design import Design, DesignError, Problem, Shape
from pysim.geometry import Cell, all_rotations

__all__ = ["Board"]

Coloured = Mapping[Cell, int]
"""Cell -> colour constraint, 0 for none."""
Likeness = tuple[frozenset[tuple[Cell, int]], int, int]
"""A part's shape in any turn, its weight, and what tells it from all others."""
MAX_ROWS = 2_000_000


@dataclass(frozen=True)
class Board:
    """Cells of the goal, placements of the pieces, and the symmetries of the goal.

    Attributes:
        cells: filled cells of the goal first, then the variable ones; a cell's column is its place.
        primary: number of filled cells.
        rows: for each placement the columns that it covers, sorted.
        parts: for each placement the part that it is of.
        symmetries: (g, cells) int64; column -> column, for each turn and mirror image that leaves
            the goal as it is; the first is the identity.
        mirrored: for each symmetry whether it is a mirror image.
        classes: for each part a number; parts that can stand for each other share it: congruent
            ones of one weight, in no group.
        mirror_classes: the number of its mirror image, -1 if no part can stand for that.
    """

    cells: tuple[Cell, ...]
    primary: int
    rows: list[list[int]]
    parts: list[int]
    symmetries: NDArray[np.int64]
    mirrored: tuple[bool, ...]
    classes: tuple[int, ...]
    mirror_classes: tuple[int, ...]

    @staticmethod
    def of(design: Design, problem: Problem) -> "Board":
        """The board of a problem.

        Raises:
            DesignError: goal or piece is empty, or it has more placements than can be searched.
        """
        goal = design.shapes[problem.goal]
        if not goal.filled | goal.variable:
            raise DesignError(f"shape {problem.goal}, the goal, has no cells to fill")
        cells = (*sorted(goal.filled), *sorted(goal.variable))
        column = {cell: i for i, cell in enumerate(cells)}
        rows: list[list[int]] = []
        parts: list[int] = []
        for i, part in enumerate(problem.parts):
            if not design.shapes[part.shape].filled:
                raise DesignError(f"shape {part.shape}, a piece, has no filled cell")
            for row in _placements(design.shapes[part.shape], goal, column, problem.allowed):
                rows.append(row)
                parts.append(i)
                if len(rows) > MAX_ROWS:
                    raise DesignError(f"there are more than {MAX_ROWS:,} ways to lay the pieces")
        symmetries, mirrored = _symmetries(goal, cells, column)
        numbers: dict[Likeness, int] = {}
        alike = [_likeness(design, problem, i, False) for i in range(len(problem.parts))]
        classes = [numbers.setdefault(key, len(numbers)) for key in alike]
        mirrors = [
            numbers.get(_likeness(design, problem, i, True), -1) for i in range(len(problem.parts))
        ]
        return Board(
            cells, len(goal.filled), rows, parts, symmetries, mirrored, tuple(classes),
            tuple(mirrors),
        )  # fmt: skip


def _coloured(shape: Shape) -> Coloured:
    return {cell: shape.colours.get(cell, 0) for cell in shape.filled}


def _turned(coloured: Coloured, mirror: bool) -> Iterator[dict[Cell, int]]:
    """The 24 turns of a shape, or of its mirror image, low corner at the origin."""
    for rotation in all_rotations():
        cells = {
            rotation.apply((-x, y, z) if mirror else (x, y, z)): colour
            for (x, y, z), colour in coloured.items()
        }
        low = [min(cell[a] for cell in cells) for a in range(3)]
        yield {(x - low[0], y - low[1], z - low[2]): colour for (x, y, z), colour in cells.items()}


def _canonical(shape: Shape, mirror: bool) -> frozenset[tuple[Cell, int]]:
    """Equal for congruent shapes."""
    turned = (sorted(cells.items()) for cells in _turned(_coloured(shape), mirror))
    return frozenset(min(turned))


def _likeness(design: Design, problem: Problem, number: int, mirror: bool) -> Likeness:
    """Equal for parts that can stand for each other."""
    part = problem.parts[number]
    shape = design.shapes[part.shape]
    return _canonical(shape, mirror), shape.weight, number if part.memberships else -1


def _placements(
    shape: Shape, goal: Shape, column: Mapping[Cell, int], allowed: frozenset[tuple[int, int]]
) -> Iterator[list[int]]:
    """The columns of every placement of a shape in the goal, each once."""
    seen: set[frozenset[tuple[Cell, int]]] = set()
    for turned in _turned(_coloured(shape), False):
        key = frozenset(turned.items())
        if key in seen:
            continue
        seen.add(key)
        spans = [range(goal.size[a] - max(c[a] for c in turned)) for a in range(3)]
        for corner in product(*spans):
            row = _columns(turned, corner, goal, column, allowed)
            if row is not None:
                yield row


def _columns(
    turned: Coloured,
    corner: tuple[int, ...],
    goal: Shape,
    column: Mapping[Cell, int],
    allowed: frozenset[tuple[int, int]],
) -> list[int] | None:
    row = []
    for (x, y, z), colour in turned.items():
        cell = (x + corner[0], y + corner[1], z + corner[2])
        found = column.get(cell)
        if found is None or (colour and (colour, goal.colours.get(cell, 0)) not in allowed):
            return None
        row.append(found)
    return sorted(row)


def _symmetries(
    goal: Shape, cells: tuple[Cell, ...], column: Mapping[Cell, int]
) -> tuple[NDArray[np.int64], tuple[bool, ...]]:
    kinds = [(cell in goal.filled, goal.colours.get(cell, 0)) for cell in cells]
    low = [min(cell[a] for cell in cells) for a in range(3)]
    found: list[list[int]] = []
    mirrored: list[bool] = []
    for mirror in (False, True):
        for rotation in all_rotations():
            images = [rotation.apply((-x, y, z) if mirror else (x, y, z)) for x, y, z in cells]
            shift = [low[a] - min(cell[a] for cell in images) for a in range(3)]
            moved = [(x + shift[0], y + shift[1], z + shift[2]) for x, y, z in images]
            columns = [column.get(cell, -1) for cell in moved]
            if all(c >= 0 and kinds[c] == kinds[i] for i, c in enumerate(columns)):
                found.append(columns)
                mirrored.append(mirror)
    return np.array(found, np.int64), tuple(mirrored)

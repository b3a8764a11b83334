"""Static equilibrium under gravity: a linear programme, and an exact proof of its answer.

The forces are those of ``docs/packing.md``: vertical, pushing, at the corners of the horizontal
unit faces in which a piece touches the floor or a piece below it. The programme minimises the
external forces that balance all weights and torques. HiGHS answers in floats, and each answer is
then proven in fractions. The proof is either forces that balance all loads without external ones,
or a motion (Farkas' lemma) that no contact resists and that lowers weights. So no tolerance is
needed, even for a centre of mass right above an edge.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from bridge.referee.polycubes import Cell, Shape

__all__ = ["StaticsError", "is_stable"]

_CELL, _HALF = 20, 10
"""Edge and half edge of a cell, in twentieths of a cell."""
_MAX_DENOMINATORS = (60, 5_000, 1_000_000)
"""Limits of denominators, tried in order, for fractions near HiGHS's floats."""

SparseColumn = dict[int, int]
"""Coefficients of one force in the equations, by the equation's index."""


class StaticsError(Exception):
    """Neither forces nor a motion that prove the answer were found."""


def is_stable(pieces: Sequence[Iterable[Cell]], *, spare: bool = False) -> bool:
    """Return whether pieces on a floor below z = 0 are in static equilibrium.

    Args:
        pieces: the cells of each piece; pieces share none.
        spare: whether contacts end a twentieth of a cell before the edges of unit faces.

    Raises:
        StaticsError: no answer was proven.
    """
    return _is_stable(frozenset(map(frozenset, pieces)), spare)


@lru_cache(maxsize=1 << 12)
def _is_stable(pieces: frozenset[Shape], spare: bool) -> bool:
    bodies = [tuple(piece) for piece in pieces]
    columns, loads = _list_forces(bodies, _HALF - 1 if spare else _HALF), _compute_loads(bodies)
    if not bodies:
        return True
    forces, motion = _solve_programme(columns, loads)
    for limit in _MAX_DENOMINATORS:
        if _is_balanced(columns, loads, _to_fractions(forces, limit)):
            return True
        if _is_falling(columns, loads, _to_fractions(motion, limit)):
            return False
    if _is_balanced(columns, loads, _solve_exactly(columns, loads, forces)):
        return True
    raise StaticsError(f"no proof for {len(bodies)} pieces and {len(columns)} forces")


def _list_forces(bodies: Sequence[Sequence[Cell]], half: int) -> list[SparseColumn]:
    """Return a column for each corner of each contact: upward force, and torques about x and y.

    Args:
        half: half the edge of a contact face, in twentieths of a cell. Cells have their centres
            at multiples of 20, so that all coordinates are integers.
    """
    owner = {cell: body for body, cells in enumerate(bodies) for cell in cells}
    forces: set[tuple[int, int | None, int, int]] = set()
    for (x, y, z), upper in owner.items():
        lower = owner.get((x, y, z - 1))
        if z == 0 or (lower is not None and lower != upper):
            along_x, along_y = ((_CELL * i - half, _CELL * i + half) for i in (x, y))
            forces.update((upper, lower, a, b) for a, b in product(along_x, along_y))
    return [_make_column(*force) for force in sorted(forces, key=str)]


def _make_column(upper: int, lower: int | None, x: int, y: int) -> SparseColumn:
    column = {3 * upper: 1, 3 * upper + 1: x, 3 * upper + 2: y}
    if lower is not None:
        column |= {3 * lower: -1, 3 * lower + 1: -x, 3 * lower + 2: -y}
    return column


def _compute_loads(bodies: Sequence[Sequence[Cell]]) -> list[int]:
    """Return the required sums over each piece: its weight, and its torques about x and y."""
    return [
        load
        for cells in bodies
        for load in (len(cells), *(_CELL * sum(cell[axis] for cell in cells) for axis in (0, 1)))
    ]


def _solve_programme(
    columns: list[SparseColumn], loads: list[int]
) -> tuple[list[float], list[float]]:
    """Return the forces with the least external help, and the dual values of the equations."""
    rows = len(loads)
    matrix = np.zeros((rows, len(columns) + 2 * rows))
    for number, column in enumerate(columns):
        for row, value in column.items():
            matrix[row, number] = value
    matrix[:, len(columns) : len(columns) + rows] = np.eye(rows)
    matrix[:, len(columns) + rows :] = -np.eye(rows)
    costs = np.concatenate([np.zeros(len(columns)), np.ones(2 * rows)])
    result = linprog(costs, A_eq=matrix, b_eq=np.array(loads, float), method="highs-ds")
    if result.status != 0:
        raise StaticsError(result.message)
    return _to_floats(result.x[: len(columns)]), _to_floats(result.eqlin.marginals)


def _to_floats(values: NDArray[np.float64]) -> list[float]:
    return [float(value) for value in values]


def _to_fractions(values: list[float], max_denominator: int) -> list[Fraction]:
    return [Fraction(value).limit_denominator(max_denominator) for value in values]


def _is_balanced(columns: list[SparseColumn], loads: list[int], forces: list[Fraction]) -> bool:
    """Return whether forces are not negative and add up to the loads."""
    residuals = [Fraction(load) for load in loads]
    for column, force in zip(columns, forces, strict=True):
        for row, value in column.items():
            residuals[row] -= value * force
    return not any(residuals) and all(force >= 0 for force in forces)


def _is_falling(columns: list[SparseColumn], loads: list[int], motion: list[Fraction]) -> bool:
    """Return whether a motion closes no contact while the loads do positive work."""
    work = sum((load * speed for load, speed in zip(loads, motion, strict=True)), Fraction())
    return work > 0 and all(
        sum((value * motion[row] for row, value in column.items()), Fraction()) <= 0
        for column in columns
    )


def _solve_exactly(
    columns: list[SparseColumn], loads: list[int], forces: list[float]
) -> list[Fraction]:
    """Return the forces of the programme's basis, solved in fractions."""
    basis = [number for number, force in enumerate(forces) if force > 1e-9]
    table = [
        [Fraction(columns[number].get(row, 0)) for number in basis] + [Fraction(load)]
        for row, load in enumerate(loads)
    ]
    exact = [Fraction()] * len(columns)
    for pivot, row in _reduce_rows(table, len(basis)):
        exact[basis[pivot]] = row[-1]
    return exact


def _reduce_rows(table: list[list[Fraction]], width: int) -> list[tuple[int, list[Fraction]]]:
    """Return the pivot columns and their rows after Gauss-Jordan elimination."""
    pivots: list[tuple[int, list[Fraction]]] = []
    rest = list(table)
    for column in range(width):
        pivot = next((row for row in rest if row[column]), None)
        if pivot is None:
            continue
        rest.remove(pivot)
        scaled = [value / pivot[column] for value in pivot]
        rest = [_eliminate(row, scaled, column) for row in rest]
        pivots = [(other, _eliminate(row, scaled, column)) for other, row in pivots]
        pivots.append((column, scaled))
    return pivots


def _eliminate(row: list[Fraction], pivot: list[Fraction], column: int) -> list[Fraction]:
    """Return a row minus the multiple of the pivot row that clears a column."""
    factor = row[column]
    if not factor:
        return row
    return [a - factor * b for a, b in zip(row, pivot, strict=True)]

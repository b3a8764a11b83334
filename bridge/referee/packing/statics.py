"""Stability under gravity: a linear programme, and a proof of its answer.

The forces are those of ``docs/packing.md``: vertical, pushing, at the corners of the horizontal
unit faces in which a piece touches the floor or a piece below it. The programme asks how little
help from outside the balance of weights and torques needs. HiGHS answers in floats; each answer is
then made a proof in fractions, either forces that balance everything without help, or a motion
(Farkas' lemma) that no contact resists and in which weights fall. So a centre of mass above the
very edge is decided exactly, too, and no tolerance decides anything.
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
"""A cell and half a cell, in twentieths."""
_DENOMINATORS = (60, 5_000, 1_000_000)
"""Largest denominators that are tried for the fractions near HiGHS's floats."""

SparseColumn = dict[int, int]
"""What a unit of one force adds to each equation, by the equation's number."""


class StaticsError(Exception):
    """Neither forces nor a motion could be found that prove the answer."""


def is_stable(pieces: Sequence[Iterable[Cell]], *, spare: bool = False) -> bool:
    """Return whether pieces that stand in a box, the floor below z = 0, are in static equilibrium.

    Args:
        pieces: the cells of each; none is in two pieces.
        spare: whether every unit face carries only a twentieth of a cell away from its edges.

    Raises:
        StaticsError: the linear programme's answer could not be proven.
    """
    return _stays(frozenset(map(frozenset, pieces)), spare)


@lru_cache(maxsize=1 << 12)
def _stays(pieces: frozenset[Shape], spare: bool) -> bool:
    bodies = [tuple(piece) for piece in pieces]
    columns, loads = _forces(bodies, _HALF - 1 if spare else _HALF), _loads(bodies)
    if not bodies:
        return True
    forces, motion = _solve(columns, loads)
    for most in _DENOMINATORS:
        if _balances(columns, loads, _fractions(forces, most)):
            return True
        if _falls(columns, loads, _fractions(motion, most)):
            return False
    if _balances(columns, loads, _exactly(columns, loads, forces)):
        return True
    raise StaticsError(f"no proof for {len(bodies)} pieces and {len(columns)} forces")


def _forces(bodies: Sequence[Sequence[Cell]], half: int) -> list[SparseColumn]:
    """Return a column for each corner of each contact: upward force, and torques about x and y.

    Args:
        half: half the side of a unit face, in twentieths of a cell. Cells have their centres at
            multiples of 20, so that everything is a whole number.
    """
    owner = {cell: body for body, cells in enumerate(bodies) for cell in cells}
    found: set[tuple[int, int | None, int, int]] = set()
    for (x, y, z), upper in owner.items():
        lower = owner.get((x, y, z - 1))
        if z == 0 or (lower is not None and lower != upper):
            along_x, along_y = ((_CELL * at - half, _CELL * at + half) for at in (x, y))
            found.update((upper, lower, a, b) for a, b in product(along_x, along_y))
    return [_column(*force) for force in sorted(found, key=str)]


def _column(upper: int, lower: int | None, x: int, y: int) -> SparseColumn:
    parts = {3 * upper: 1, 3 * upper + 1: x, 3 * upper + 2: y}
    if lower is not None:
        parts |= {3 * lower: -1, 3 * lower + 1: -x, 3 * lower + 2: -y}
    return parts


def _loads(bodies: Sequence[Sequence[Cell]]) -> list[int]:
    """Return the sums that the forces on each piece must have: its weight, and its torques."""
    return [
        part
        for cells in bodies
        for part in (len(cells), *(_CELL * sum(cell[axis] for cell in cells) for axis in (0, 1)))
    ]


def _solve(columns: list[SparseColumn], loads: list[int]) -> tuple[list[float], list[float]]:
    """Return the forces that need the least help, and the dual prices of the equations."""
    rows = len(loads)
    matrix = np.zeros((rows, len(columns) + 2 * rows))
    for number, column in enumerate(columns):
        for row, value in column.items():
            matrix[row, number] = value
    matrix[:, len(columns) : len(columns) + rows] = np.eye(rows)
    matrix[:, len(columns) + rows :] = -np.eye(rows)
    costs = np.concatenate([np.zeros(len(columns)), np.ones(2 * rows)])
    found = linprog(costs, A_eq=matrix, b_eq=np.array(loads, float), method="highs-ds")
    if found.status != 0:
        raise StaticsError(found.message)
    return _floats(found.x[: len(columns)]), _floats(found.eqlin.marginals)


def _floats(values: NDArray[np.float64]) -> list[float]:
    return [float(value) for value in values]


def _fractions(values: list[float], most: int) -> list[Fraction]:
    return [Fraction(value).limit_denominator(most) for value in values]


def _balances(columns: list[SparseColumn], loads: list[int], forces: list[Fraction]) -> bool:
    """Return whether these forces push only and add up to the loads."""
    left = [Fraction(load) for load in loads]
    for column, force in zip(columns, forces, strict=True):
        for row, value in column.items():
            left[row] -= value * force
    return not any(left) and all(force >= 0 for force in forces)


def _falls(columns: list[SparseColumn], loads: list[int], motion: list[Fraction]) -> bool:
    """Return whether in this motion every contact opens or stays, and the loads do work."""
    work = sum((load * way for load, way in zip(loads, motion, strict=True)), Fraction())
    return work > 0 and all(
        sum((value * motion[row] for row, value in column.items()), Fraction()) <= 0
        for column in columns
    )


def _exactly(columns: list[SparseColumn], loads: list[int], forces: list[float]) -> list[Fraction]:
    """Return the forces of the programme's basis, solved for in fractions."""
    used = [number for number, force in enumerate(forces) if force > 1e-9]
    table = [
        [Fraction(columns[number].get(row, 0)) for number in used] + [Fraction(load)]
        for row, load in enumerate(loads)
    ]
    found = [Fraction()] * len(columns)
    for place, row in _reduced(table, len(used)):
        found[used[place]] = row[-1]
    return found


def _reduced(table: list[list[Fraction]], width: int) -> list[tuple[int, list[Fraction]]]:
    """Gauss and Jordan: the rows that have a pivot, with the column that it is in."""
    pivots: list[tuple[int, list[Fraction]]] = []
    left = list(table)
    for place in range(width):
        pivot = next((row for row in left if row[place]), None)
        if pivot is None:
            continue
        left.remove(pivot)
        scaled = [value / pivot[place] for value in pivot]
        left = [_less(row, scaled, place) for row in left]
        pivots = [(own, _less(row, scaled, place)) for own, row in pivots] + [(place, scaled)]
    return pivots


def _less(row: list[Fraction], pivot: list[Fraction], place: int) -> list[Fraction]:
    factor = row[place]
    if not factor:
        return row
    return [value - factor * own for value, own in zip(row, pivot, strict=True)]

"""Static equilibrium of a pile, compiled: the same question as in the module ``support``.

Only pieces that matter are looked at: those that lean, all that lie on such pieces, and all below
them that they touch above a gap. Whatever else they touch is as good as the floor, for there the
column is filled down to it and passes every force straight on.

The forces at the corners of all contacts are the unknowns of a linear program: the simplex method,
first phase, in floating point. The entries are small whole numbers, so that its least value is
either 0 or far above all rounding. Where it comes out in between, or a pivot is tiny, the answer is
in doubt, and the batch asks the rules.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.kernels import kernel

__all__ = ["Pile", "create_pile", "is_balanced"]

_CELLS = 128
_CONTACTS = 128
_MARGINS = (1e-9, 1e-2, 1e-3)
_MOST_PIVOTS = 1000


class Pile(NamedTuple):
    """Scratch of a pile.

    Attributes:
        owners: (cells,), piece in each cell; -1 for none.
        grounded: (cells,), whether a cell and all below it are filled.
        equations: (pieces,), number of the first of three equations of a piece; -1 if it does not
            matter.
        tableau: (equations + 1, 1 + unknowns), the cost last, the right side first.
        margins: (3,), a least value up to the first is 0, one from the second on is not, and pivots
            are from the third on.
        in_doubt: (1,), set where an answer is in doubt, and never cleared.
    """

    owners: NDArray[np.int64]
    grounded: NDArray[np.bool_]
    equations: NDArray[np.int64]
    tableau: NDArray[np.float64]
    margins: NDArray[np.float64]
    in_doubt: NDArray[np.bool_]


def create_pile(pieces: int) -> Pile:
    """Return scratch for a number of pieces."""
    return Pile(
        np.full(_CELLS, -1, np.int64),
        np.zeros(_CELLS, np.bool_),
        np.full(pieces, -1, np.int64),
        np.zeros((3 * pieces + 1, 4 * _CONTACTS + 1)),
        np.array(_MARGINS),
        np.zeros(1, np.bool_),
    )


@kernel(borrowing=True)
def is_balanced(pile: Pile, a: int, b: int, c: int, leaning: int) -> bool:
    """Return whether all pieces of a box of a x b x c cells stay.

    Args:
        pile: its ``owners`` are set.
        leaning: pieces that stand on no columns, as bits.
    """
    layer = a * b
    for cell in range(layer * c):
        below = cell < layer or pile.grounded[cell - layer]
        pile.grounded[cell] = below and pile.owners[cell] >= 0
    mattering = find_mattering(pile, layer, c, leaning)
    rows = 0
    for i in range(len(pile.equations)):
        pile.equations[i] = -1
        if mattering >> i & 1:
            pile.equations[i] = rows
            rows += 3
    columns = write_equations(pile, a, layer, c, rows)
    return is_feasible(pile, rows, columns)


@kernel(borrowing=True)
def find_mattering(pile: Pile, layer: int, c: int, leaning: int) -> int:
    """Return the pieces that matter, as bits."""
    found, before = leaning, 0
    while found != before:
        before = found
        for cell in range(layer, layer * c):
            upper, lower = pile.owners[cell], pile.owners[cell - layer]
            if upper < 0 or lower < 0 or upper == lower:
                continue
            if found >> lower & 1:
                found |= 1 << upper
            if found >> upper & 1 and not pile.grounded[cell - layer]:
                found |= 1 << lower
    return found


@kernel(borrowing=True)
def write_equations(pile: Pile, a: int, layer: int, c: int, rows: int) -> int:
    """Write weight and torques of each piece, and the forces; return the number of columns."""
    tableau, equations = pile.tableau, pile.equations
    for i in range(rows):
        tableau[i, 0] = 0
    columns = 1
    for cell in range(layer * c):
        upper = pile.owners[cell]
        if upper < 0 or equations[upper] < 0:
            continue
        first, x, y = equations[upper], 2 * (cell % layer % a), 2 * (cell % layer // a)
        tableau[first, 0] += 1
        tableau[first + 1, 0] += x + 1
        tableau[first + 2, 0] += y + 1
        lower = pile.owners[cell - layer] if cell >= layer else -1
        if lower == upper or (lower < 0 and cell >= layer):
            continue
        second = equations[lower] if lower >= 0 else -1
        for corner in range(4):
            dx, dy = x + 2 * (corner & 1), y + (corner & 2)
            for i in range(rows):
                tableau[i, columns] = 0
            tableau[first, columns], tableau[first + 1, columns] = 1, dx
            tableau[first + 2, columns] = dy
            if second >= 0:
                tableau[second, columns], tableau[second + 1, columns] = -1, -dx
                tableau[second + 2, columns] = -dy
            columns += 1
    return columns


@kernel(borrowing=True)
def is_feasible(pile: Pile, rows: int, columns: int) -> bool:
    """Return whether the equations have a solution without a negative unknown."""
    tableau, margins = pile.tableau, pile.margins
    for j in range(columns):
        total = 0.0
        for i in range(rows):
            total += tableau[i, j]
        tableau[rows, j] = total
    for tried in range(_MOST_PIVOTS):
        if tableau[rows, 0] <= margins[0]:
            return True
        column = find_entering(tableau, rows, columns, tried > 64)
        leaving = find_leaving(tableau, rows, column) if column >= 0 else -1
        if leaving < 0:
            pile.in_doubt[0] |= tableau[rows, 0] < margins[1]
            return False
        pile.in_doubt[0] |= tableau[leaving, column] < margins[2]
        pivot(tableau, rows, columns, leaving, column)
    pile.in_doubt[0] = True
    return False


@kernel(borrowing=True)
def find_entering(tableau: NDArray[np.float64], rows: int, columns: int, cautious: bool) -> int:
    """Return the unknown that lowers the cost fastest, or with caution the first; -1 for none."""
    found, best = -1, 1e-9
    for j in range(1, columns):
        if tableau[rows, j] > best:
            found, best = j, tableau[rows, j]
            if cautious:
                break
    return found


@kernel(borrowing=True)
def find_leaving(tableau: NDArray[np.float64], rows: int, column: int) -> int:
    """Return the equation that limits an unknown most; -1 if none does."""
    found, best = -1, 0.0
    for i in range(rows):
        if tableau[i, column] > 1e-9:
            ratio = tableau[i, 0] / tableau[i, column]
            if found < 0 or ratio < best:
                found, best = i, ratio
    return found


@kernel(borrowing=True)
def pivot(tableau: NDArray[np.float64], rows: int, columns: int, row: int, column: int) -> None:
    """Make an unknown a basic one."""
    factor = 1 / tableau[row, column]
    for j in range(columns):
        tableau[row, j] *= factor
    for i in range(rows + 1):
        by = tableau[i, column]
        if i == row or by == 0:
            continue
        for j in range(columns):
            tableau[i, j] -= by * tableau[row, j]

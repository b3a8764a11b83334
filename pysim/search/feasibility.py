"""Systems of linear equations in non-negative unknowns, decided exactly in whole numbers.

The simplex method, first phase only, over sparse rows of Python integers: a row stands for an
equation, so it may be multiplied by any positive number and is kept as small as it goes. Nothing is
rounded. Exponential in the worst case, in practice a few pivots for each equation.
"""

from collections.abc import Mapping, Sequence
from math import gcd

__all__ = ["find_farkas_certificate"]

SparseRow = dict[int, int]

_TARGET, _SCALE = -1, -2
"""Keys of the right side, and of the cost row's own factor; unknowns count from 0."""
_PATIENCE = 16
"""Pivots without progress after which Bland's rule takes over, which never goes in circles."""


def find_farkas_certificate(
    columns: Sequence[Mapping[int, int]], target: Sequence[int]
) -> tuple[int, ...] | None:
    """Return whether ``target`` is a sum of non-negative multiples of ``columns``.

    Args:
        columns: vectors as long as ``target``; each maps the indices of its entries to them.

    Returns:
        None if it is. Otherwise a vector y that proves that it is not (Farkas' lemma): the product
        of y with every column is 0 or less, that with ``target`` more than 0.
    """
    tableau = _Tableau(columns, target)
    tableau.solve()
    return tableau.find_certificate()


class _Tableau:
    """Equations with one artificial unknown each, of which the sum is to become least."""

    def __init__(self, columns: Sequence[Mapping[int, int]], target: Sequence[int]) -> None:
        self._count = len(columns)
        self._signs = [-1 if value < 0 else 1 for value in target]
        self._rows: list[SparseRow] = [
            {self._count + i: 1, _TARGET: abs(value)} if value else {self._count + i: 1}
            for i, value in enumerate(target)
        ]
        for j, column in enumerate(columns):
            for i, value in column.items():
                if value:
                    self._rows[i][j] = value * self._signs[i]
        self._basis = [self._count + i for i in range(len(target))]
        self._cost: SparseRow = {_SCALE: 1}
        for row in self._rows:
            for j, value in row.items():
                if j < self._count:
                    self._cost[j] = self._cost.get(j, 0) - value

    def solve(self) -> None:
        """Pivot until the artificial unknowns can't become less."""
        stalled = 0
        while (column := self._entering(cautious=stalled > _PATIENCE)) is not None:
            leaving = self._leaving(column)
            stalled = 0 if self._rows[leaving].get(_TARGET) else stalled + 1
            self._pivot(leaving, column)

    def find_certificate(self) -> tuple[int, ...] | None:
        """See :func:`find_farkas_certificate`."""
        if not self._cost.get(_TARGET):
            return None
        scale = self._cost[_SCALE]
        return tuple(
            sign * (scale - self._cost.get(self._count + i, 0))
            for i, sign in enumerate(self._signs)
        )

    def _entering(self, cautious: bool) -> int | None:
        """The unknown that lowers the cost fastest, or with caution the first that lowers it."""
        falling = [(v, j) for j, v in self._cost.items() if v < 0 and 0 <= j < self._count]
        if not falling:
            return None
        return min(j for _, j in falling) if cautious else min(falling)[1]

    def _leaving(self, column: int) -> int:
        """The row that limits ``column`` first; one does, since the cost can't fall for ever."""
        best, least, share = -1, 0, 1
        for i, row in enumerate(self._rows):
            pivot = row.get(column, 0)
            if pivot > 0:
                value = row.get(_TARGET, 0)
                order = value * share - least * pivot
                if best < 0 or order < 0 or (order == 0 and self._basis[i] < self._basis[best]):
                    best, least, share = i, value, pivot
        assert best >= 0
        return best

    def _pivot(self, leaving: int, column: int) -> None:
        source = self._rows[leaving]
        self._basis[leaving] = column
        for row in (*self._rows, self._cost):
            if row is not source and column in row:
                _eliminate(row, source, column)


def _eliminate(row: SparseRow, source: SparseRow, column: int) -> None:
    """Make the entry of ``row`` in ``column`` zero with a multiple of ``source``."""
    pivot, entry = source[column], row[column]
    if pivot != 1:
        for j in row:
            row[j] *= pivot
    for j, value in source.items():
        rest = row.get(j, 0) - entry * value
        if rest:
            row[j] = rest
        else:
            row.pop(j, None)
    shared = gcd(*row.values())
    if shared > 1:
        for j in row:
            row[j] //= shared

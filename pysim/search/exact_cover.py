"""Exact cover (Knuth's Algorithm X): sets of rows that cover every column once.

    matrix = CoverMatrix.of([[0, 2], [1], [1, 3]], primary=3, optional=1)
    solve(matrix).covers                      # array([[0, 1], [0, 2]]): two covers of two rows each
    solve(matrix, max_covers=1).first         # (0, 1), or None if there is none
    solve(matrix, keep=False).count           # 2, without keeping them
    solve(matrix, max_nodes=10).exhausted     # False if rows are left to be tried

Primary columns must be covered once, optional ones at most once. A ``CoverSearch`` can be stopped
and resumed; ``solve`` makes one and runs it once. The search goes depth first, always on the open
primary column with the fewest rows left, the lowest of them, and tries its rows in ascending order:
the covers come in the same order, however often the search is interrupted.
Exponential in the worst case; memory O(depth * rows).
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from pysim.search.cover_kernel import Stack, Status, search_until_limit
from pysim.search.live_rows import pack_rows

__all__ = [
    "CoverMatrix",
    "CoverResult",
    "CoverSearch",
    "StopReason",
    "enumerate_exact_covers",
    "solve",
]

# Rows looked at before ``stop`` is asked again: some hundredths of a second.
_ROWS_PER_CHUNK = 1 << 23
# Covers that the kernel hands over at once.
_COVERS_PER_CHUNK = 1024


class StopReason(Enum):
    """Why a search came back."""

    EXHAUSTED = "exhausted"
    """There are no more covers."""
    COVERS = "covers"
    """As many covers as asked for; there may be more."""
    NODES = "nodes"
    """As many nodes as allowed; there may be more covers."""
    STOPPED = "stopped"
    """``stop`` said so; there may be more covers."""


_ENDINGS = {
    Status.EXHAUSTED: StopReason.EXHAUSTED,
    Status.COVERS: StopReason.COVERS,
    Status.NODES: StopReason.NODES,
}


@dataclass(frozen=True, slots=True)
class CoverMatrix:
    """Columns that each row covers.

    Attributes:
        masks: (R, W) uint64; bit c % 64 of word c // 64 says that the row covers column c.
        primary: columns below this number must be covered.
        optional: how many columns follow that may be covered.
    """

    masks: NDArray[np.uint64]
    primary: int
    optional: int = 0

    @staticmethod
    def from_rows(rows: Iterable[Iterable[int]], primary: int, optional: int = 0) -> "CoverMatrix":
        """Return rows given by their columns. Equal rows stay different rows.

        Raises:
            ValueError: a negative number of columns, or a row with a column that does not exist or
                with the same column twice.
        """
        if primary < 0 or optional < 0:
            raise ValueError(f"{primary} primary and {optional} optional columns: use 0 or more")
        listed = [list(row) for row in rows]
        for i, row in enumerate(listed):
            _check_row(i, row, primary + optional)
        return CoverMatrix(pack_rows(listed, max(1, primary + optional)), primary, optional)


@dataclass(frozen=True, slots=True)
class CoverResult:
    """Result of one run of a search.

    Attributes:
        covers: (n, k) int32, the rows of each cover in the order in which they were chosen, then
            -1 up to the size of the largest. n is 0 if the covers were only counted.
        count: number of covers.
        nodes: number of rows that were tried, those of dead ends too.
        ending: why the run ended.
    """

    covers: NDArray[np.int32]
    count: int
    nodes: int
    ending: StopReason

    @property
    def exhausted(self) -> bool:
        """Whether there are no more covers."""
        return self.ending is StopReason.EXHAUSTED

    @property
    def first(self) -> tuple[int, ...] | None:
        """The first cover that was kept."""
        return next(iter(self), None)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        for cover in self.covers:
            yield tuple(int(row) for row in cover if row >= 0)


class CoverSearch:
    """A search through all covers of a matrix that can be interrupted.

    A row without primary columns is never chosen: no cover needs it. Without primary columns the
    empty cover is the only one.
    """

    def __init__(self, matrix: CoverMatrix) -> None:
        self._stack = Stack.create(matrix.masks, matrix.primary, matrix.optional)

    @property
    def exhausted(self) -> bool:
        """Whether there are no more covers."""
        return self._stack.exhausted

    def run(
        self,
        *,
        keep: bool = True,
        max_covers: int | None = None,
        max_nodes: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> CoverResult:
        """Go on from where the search is.

        Args:
            keep: whether to return the covers, not only their number.
            max_covers: most covers of this run.
            max_nodes: most nodes of this run.
            stop: asked every few hundredths of a second; the run ends when it says True. If it
                raises, what this run found is lost, but the search can be resumed.

        Raises:
            ValueError: a negative limit.
        """
        kept: list[NDArray[np.int32]] = []
        covers_left = _limit("max_covers", max_covers)
        nodes_left = _limit("max_nodes", max_nodes)
        count = nodes = 0
        ending = None
        while ending is None:
            if stop is not None and stop():
                ending = StopReason.STOPPED
                break
            step = search_until_limit(
                self._stack,
                max_covers=min(covers_left - count, _COVERS_PER_CHUNK if keep else sys.maxsize),
                max_nodes=nodes_left - nodes,
                max_rows=_ROWS_PER_CHUNK,
                keep=keep,
            )
            kept.append(step.covers)
            count += step.count
            nodes += step.nodes
            if step.status is not Status.COVERS or count == covers_left:
                ending = _ENDINGS.get(step.status)
        return CoverResult(_joined(kept), count, nodes, ending)


def solve(
    matrix: CoverMatrix,
    *,
    keep: bool = True,
    max_covers: int | None = None,
    max_nodes: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> CoverResult:
    """Search once, from the beginning. The arguments are those of ``CoverSearch.run``."""
    return CoverSearch(matrix).run(keep=keep, max_covers=max_covers, max_nodes=max_nodes, stop=stop)


def enumerate_exact_covers(matrix: CoverMatrix) -> Iterator[tuple[int, ...]]:
    """Yield the rows of one cover after the other, found as they are asked for."""
    search = CoverSearch(matrix)
    ahead = 1
    while not search.exhausted:
        yield from search.run(max_covers=ahead)
        ahead = min(2 * ahead, _COVERS_PER_CHUNK)


def _limit(name: str, limit: int | None) -> int:
    if limit is not None and limit < 0:
        raise ValueError(f"{name} is {limit}: use 0 or more, or None for no limit")
    return sys.maxsize if limit is None else limit


def _check_row(index: int, row: list[int], columns: int) -> None:
    for column in row:
        if not 0 <= column < columns:
            raise ValueError(f"row {index} covers column {column}: there are {columns}, from 0")
    if len(set(row)) != len(row):
        raise ValueError(f"row {index} covers a column twice: {row}")


def _joined(parts: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """Return one array of all covers, as wide as the largest of them."""
    if not parts:
        return np.empty((0, 0), np.int32)
    covers = np.concatenate(parts)
    return covers[:, : int((covers >= 0).any(axis=0).sum())]

"""Assemblies of a board's rows, and their levels.

Covers come in batches. Of each batch the copies are left out, and the rest is taken apart, in as
few calls as can be interrupted.
"""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.files.design import Design, DesignError, Problem
from pysim.families.burr.solver.board import NO_ROW, Board
from pysim.families.burr.solver.copies import AssembliesFound, Dealer, SearchRoot, list_starts
from pysim.families.burr.solver.gaps import Gaps, Stock, create_gaps
from pysim.families.burr.solver.limits import (
    MAX_ASSEMBLIES,
    MAX_CONFIGURATIONS,
    BurrLevel,
    SearchTooLarge,
    describe_too_many,
    describe_too_wide,
)
from pysim.families.burr.solver.separation import APART, TOGETHER, TOO_LARGE
from pysim.families.burr.solver.takedown import PartRules, take_down
from pysim.kernels import is_interpreting, kernel
from pysim.search.multicover import Rows, enumerate_covers

__all__ = ["enumerate_assemblies"]

_UNKNOWN = -2
"""Stands for images that were not asked for yet."""
_FIRST_CALL, _MOST_A_CALL = 16, 2048
"""Assemblies that are taken apart in one call."""
_INTERPRETED = 4000
"""Pairs of pieces in the configurations of an assembly that are looked at before it is compiled."""
_SECONDS_A_CALL = 0.2


class Kinds(NamedTuple):
    """The kinds of a board, as the compiled parts need them.

    Attributes:
        of: (R,) int32, for each row its kind.
        least, most: (K,) int64.
        sizes: (R,) int32, how many cells each row covers.
        mirrored: (g,) bool, for each symmetry.
        pivot: the kind that is compared first between the copies of an assembly.
        covered: cells that are covered at least.
    """

    of: NDArray[np.int32]
    least: NDArray[np.int64]
    most: NDArray[np.int64]
    sizes: NDArray[np.int32]
    mirrored: NDArray[np.bool_]
    pivot: int
    covered: int

    @staticmethod
    def from_board(board: Board) -> "Kinds":
        """Return the kinds of a board."""
        return Kinds(
            of=np.array(board.kinds, np.int32),
            least=np.array(board.least, np.int64),
            most=np.array(board.most, np.int64),
            sizes=np.array([len(row) for row in board.rows], np.int32),
            mirrored=np.array([symmetry.mirrored for symmetry in board.symmetries]),
            pivot=board.pivot,
            covered=board.covered,
        )


def enumerate_assemblies(
    design: Design, problem: Problem, board: Board, dealer: Dealer
) -> Iterator[AssembliesFound]:
    """Yield every assembly with its level, some at a time.

    Raises:
        DesignError: there are too many.
        SearchTooLarge: one can't be taken apart within the limits.
    """
    rows = Rows.from_rows(board.rows, board.kinds, len(board.cells))
    kinds = Kinds.from_board(board)
    images = _Images(board)
    takedown = _Takedown(design, problem, board, dealer)
    for start in list_starts(board):
        found = 0
        for batch in enumerate_covers(
            rows, start.live, start.row, kinds.least, kinds.most, board.primary
        ):
            found += len(batch)
            if found > MAX_ASSEMBLIES:
                raise DesignError(f"there are more than {MAX_ASSEMBLIES:,} assemblies")
            yield from takedown.compute_levels(*_sifted(batch, images, kinds, start))


class _Images:
    """Images of rows under the symmetries of a board, as far as they are known."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._known = np.full((len(board.rows), len(board.symmetries)), _UNKNOWN, np.int32)

    def find(self, batch: NDArray[np.int32]) -> NDArray[np.int32]:
        """(R, g) int32; the images of the rows of a batch, and theirs, are in it."""
        for row in set(batch.ravel().tolist()) - {-1}:
            if self._known[row, 0] != _UNKNOWN:
                continue
            for image in {row, *self._board.list_images(row)} - {NO_ROW}:
                self._known[image] = self._board.list_images(image)
        return self._known


def _sifted(
    batch: NDArray[np.int32], images: _Images, kinds: Kinds, start: SearchRoot
) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Return the assemblies of a batch that count, each as the copy that is taken apart.

    Returns:
        (n, depth) int32, the rows of each, ascending, followed by -1; and the symmetries that leave
        it as it is, as bits.
    """
    taken = np.full_like(batch, -1)
    same = np.zeros(len(batch), np.uint64)
    count = _sift.run(batch, images.find(batch), kinds, start.row, start.kind, taken, same)
    return taken[:count], same[:count]


@kernel
def _sift(
    batch: NDArray[np.int32],
    images: NDArray[np.int32],
    kinds: Kinds,
    start: int,
    first: int,
    taken: NDArray[np.int32],
    same: NDArray[np.uint64],
) -> int:
    """Write the assemblies that count, and the symmetries of each; how many.

    Copies are compared by their rows in order, those of kind ``first`` before all others. The
    lowest one counts, if its first row is ``start``; the one that is taken apart is the lowest
    where rows of the pivot come first. A mirror image is a copy if the problem has its pieces.
    """
    count = 0
    image = np.empty(batch.shape[1], np.int64)
    still = np.empty(batch.shape[1], np.int64)
    best = np.empty(batch.shape[1], np.int64)
    used = np.zeros(len(kinds.least), np.int64)
    total = len(kinds.of)
    for b in range(len(batch)):
        n, cells, lowest = 0, 0, total
        while n < batch.shape[1] and batch[b, n] >= 0:
            row = batch[b, n]
            cells += kinds.sizes[row]
            if first < 0 or kinds.of[row] == first:
                lowest = min(lowest, row)
            still[n] = row
            n += 1
        if lowest != start or cells < kinds.covered:
            continue
        _sort(still, n)
        for k in range(n):
            best[k] = still[k]
        counts = True
        for g in range(len(kinds.mirrored)):
            for k in range(n):
                image[k] = images[still[k], g]
            _sort(image, n)
            if image[0] == NO_ROW or (kinds.mirrored[g] and not _usable(image, n, kinds, used)):
                continue
            if _compared(image, still, n, kinds.of, first) < 0:
                counts = False
                break
            if _compared(image, best, n, kinds.of, kinds.pivot) < 0:
                for k in range(n):
                    best[k] = image[k]
        if counts:
            for k in range(n):
                taken[count, k] = best[k]
            for g in range(len(kinds.mirrored)):
                for k in range(n):
                    image[k] = images[best[k], g]
                _sort(image, n)
                if _compared(image, best, n, kinds.of, -1) == 0:
                    same[count] |= np.uint64(1) << np.uint64(g)
            count += 1
    return count


@kernel
def _sort(rows: NDArray[np.int64], n: int) -> None:
    """Sort the first few of some rows."""
    for k in range(1, n):
        row, place = rows[k], k
        while place and rows[place - 1] > row:
            rows[place] = rows[place - 1]
            place -= 1
        rows[place] = row


@kernel
def _usable(rows: NDArray[np.int64], n: int, kinds: Kinds, used: NDArray[np.int64]) -> bool:
    """Return whether the problem has the pieces of some rows."""
    used[:] = 0
    for k in range(n):
        used[kinds.of[rows[k]]] += 1
    for kind in range(len(used)):
        if used[kind] < kinds.least[kind] or used[kind] > kinds.most[kind]:
            return False
    return True


@kernel
def _compared(
    one: NDArray[np.int64], other: NDArray[np.int64], n: int, kinds: NDArray[np.int32], first: int
) -> int:
    """Below 0 if the first of two ascending sets of rows is lower, 0 if they are the same.

    The rows of a kind are compared before all others.
    """
    i, j = 0, 0
    while first >= 0:
        while i < n and kinds[one[i]] != first:
            i += 1
        while j < n and kinds[other[j]] != first:
            j += 1
        if i == n or j == n:
            if i < n:
                return -1
            if j < n:
                return 1
            break
        if one[i] != other[j]:
            return -1 if one[i] < other[j] else 1
        i += 1
        j += 1
    for k in range(n):
        if one[k] != other[k]:
            return -1 if one[k] < other[k] else 1
    return 0


class _Takedown:
    """Takes the assemblies of a problem apart."""

    def __init__(self, design: Design, problem: Problem, board: Board, dealer: Dealer) -> None:
        self._dealer = dealer
        self._lay = _Lay.from_board(board)
        self._rules = _rules(design, problem)
        self._gaps = create_gaps()
        self._most = _FIRST_CALL

    def compute_levels(
        self, rows: NDArray[np.int32], same: NDArray[np.uint64]
    ) -> Iterator[AssembliesFound]:
        """Yield the results of :func:`_sifted`, with levels."""
        done = 0
        while done < len(rows):
            chunk = slice(done, done + (1 if is_interpreting() else self._most))
            laid = self._dealer.assign_parts(rows[chunk])
            yield AssembliesFound(laid, same[chunk], self._levels(laid))
            done += len(laid)

    def _levels(self, laid: NDArray[np.int64]) -> list[BurrLevel | None]:
        """Return the levels of assemblies."""
        began = time.monotonic()
        # What became of each, the length of its level, and this level.
        results = np.zeros((len(laid), 2 + laid.shape[1]), np.int32)
        self._take_down(laid, results)
        # How many go into a call is no matter for the result, only for how soon one can be stopped.
        quick = time.monotonic() - began < _SECONDS_A_CALL
        self._most = min(2 * self._most, _MOST_A_CALL) if quick else max(self._most // 2, 1)
        lines = list(map(tuple, results.tolist()))
        levels = {line: _level(*line) for line in dict.fromkeys(lines)}
        return [levels[line] for line in lines]

    def _take_down(self, laid: NDArray[np.int64], results: NDArray[np.int32]) -> None:
        if is_interpreting():
            few = self._rules._replace(limit=_INTERPRETED // laid.shape[1] ** 2)
            self._gaps = _take_down.interpreted(self._lay, self._gaps, few, laid, results)
            if not (results[:, 0] == TOO_LARGE).any():
                return
        self._gaps = _take_down(self._lay, self._gaps, self._rules, laid, results)


class _Lay(NamedTuple):
    """Placements of pieces in the rows of a board.

    Attributes:
        stock: the shapes that they lay.
        shapes: (R,) int64, for each row its shape.
        corners: (R, 3) int32, the low corner of its cells.
    """

    stock: Stock
    shapes: NDArray[np.int64]
    corners: NDArray[np.int32]

    @staticmethod
    def from_board(board: Board) -> "_Lay":
        """Return the rows of a board."""
        cells = np.array(board.cells, np.int32)
        shapes = np.array(board.shapes, np.int64)
        firsts = {shape: row for row, shape in reversed(list(enumerate(board.shapes)))}
        stock = Stock.from_shapes(
            [cells[list(board.rows[firsts[shape]])] for shape in sorted(firsts)]
        )
        corners = np.array([cells[list(row)].min(axis=0) for row in board.rows], np.int32)
        return _Lay(stock, shapes, corners)


def _rules(design: Design, problem: Problem) -> PartRules:
    groups = sorted({group for part in problem.parts for group, _ in part.memberships if group})
    rooms = [[dict(part.memberships).get(group, 0) for group in groups] for part in problem.parts]
    return PartRules(
        np.array([design.shapes[part.shape].weight for part in problem.parts], np.int64),
        np.array(rooms, np.int64).reshape(len(rooms), len(groups)),
        np.array([len(part.memberships) == 1 for part in problem.parts]),
        MAX_CONFIGURATIONS,
    )


@kernel
def _take_down(
    lay: _Lay,
    gaps: Gaps,
    rules: PartRules,
    laid: NDArray[np.int64],
    results: NDArray[np.int32],
) -> Gaps:
    """Take assemblies apart, and write what became of each; the table to go on with."""
    for i in range(len(laid)):
        n = 0
        while n < laid.shape[1] and laid[i, n, 1] >= 0:
            n += 1
        rows = laid[i, :n, 1]
        results[i, 0], results[i, 1], gaps = take_down(
            lay.stock, gaps, rules, lay.shapes[rows], lay.corners[rows], laid[i, :n, 0].copy(),
            results[i, 2:],
        )  # fmt: skip
        results[i, 2 + results[i, 1] :] = 0
    return gaps


def _level(became: int, length: int, *written: int) -> BurrLevel | None:
    if became == APART:
        return written[:length]
    if became == TOGETHER:
        return None
    reason = describe_too_many(length) if became == TOO_LARGE else describe_too_wide(length)
    raise SearchTooLarge(reason)

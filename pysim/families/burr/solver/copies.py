"""Copies of an assembly, turned and mirrored: the one that is taken, and how often it counts.

Copies are compared by the numbers of their rows, in order (see
:mod:`pysim.families.burr.solver.board`). The search counts the lowest one. Which one is taken apart
is chosen as BurrTools does: the lowest one where the rows of the board's pivot are compared first.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.files.design import Problem
from pysim.families.burr.solver.board import Board
from pysim.families.burr.solver.limits import MAX_PIECES, BurrLevel

__all__ = ["AssembliesFound", "Dealer", "SearchRoot", "list_starts"]

_LAST = np.iinfo(np.int64).max
"""Sorts after every part."""


@dataclass(frozen=True, slots=True)
class AssembliesFound:
    """Assemblies that count.

    Attributes:
        laid: (n, d, 2) int64, of each the copy that is taken apart: for each piece its part and its
            row, in the order of the parts; then -1.
        same: (n,) uint64, the symmetries of the board that leave each as it is, as bits.
        levels: how each comes apart; None if it does not, though its pieces may not stay together.
    """

    laid: NDArray[np.int64]
    same: NDArray[np.uint64]
    levels: Sequence[BurrLevel | None]


@dataclass(frozen=True, slots=True)
class SearchRoot:
    """Root of a part of the search; all of them together lead to every assembly.

    Attributes:
        row: the row that is laid first; an assembly counts if that is the first to be compared.
        live: (n,) int32, rows that are laid beside it.
        kind: rows of this kind are compared first; -1 for none.
    """

    row: int
    live: NDArray[np.int32]
    kind: int


def list_starts(board: Board) -> Iterator[SearchRoot]:
    """First rows that between them lead to the lowest copy of every assembly.

    A piece that is used for sure is laid first, one of a single copy if there is such a piece, and
    the one with the fewest placements. Without one, the first kind that is used is.
    """
    places = Counter(board.kinds)
    certain = [kind for kind, piece in enumerate(board.pieces) if piece.least]
    single = [kind for kind in certain if board.pieces[kind].most == 1]
    first = min(single or certain, key=lambda kind: places[kind], default=None)
    if first is None:
        yield from _list_starts_of_any(board)
        return
    live = np.arange(len(board.rows), dtype=np.int32)
    for row, kind in enumerate(board.kinds):
        if kind == first and board.pieces[kind].most and row == min(_turned(board, row)):
            yield SearchRoot(row, live, kind)


def _list_starts_of_any(board: Board) -> Iterator[SearchRoot]:
    """First rows if no piece is used for sure.

    A row with an image below the first row is in no lowest copy.
    """
    mirrors = _are_mirror_images_copies(board)
    images = board.list_images if mirrors else lambda row: _turned(board, row)
    lowest = np.array([min(images(row)) for row in range(len(board.rows))], np.int32)
    for row, kind in enumerate(board.kinds):
        if lowest[row] == row and board.pieces[kind].most:
            yield SearchRoot(row, np.nonzero(lowest >= row)[0].astype(np.int32), -1)


def _are_mirror_images_copies(board: Board) -> bool:
    """Return whether the problem has the pieces of the mirror image of every assembly."""
    return all(
        piece.mirror >= 0
        and board.pieces[piece.mirror].least <= piece.least
        and board.pieces[piece.mirror].most >= piece.most
        for piece in board.pieces
    )


def _turned(board: Board, row: int) -> Iterator[int]:
    pairs = zip(board.symmetries, board.list_images(row), strict=True)
    return (image for symmetry, image in pairs if not symmetry.mirrored)


class Dealer:
    """Says which part each piece of an assembly is a copy of, and in how many ways it could be."""

    def __init__(self, board: Board, problem: Problem) -> None:
        self._board = board
        self._ranges = [
            [(problem.parts[part].minimum, problem.parts[part].maximum) for part in kind.parts]
            for kind in board.pieces
        ]
        self._kinds = np.array([*board.kinds, -1])  # The last one is of no row.

    def assign_parts(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """(n, d, 2) int64; assemblies with the part of each row, in the order of the parts.

        Low rows are copies of early parts.

        Args:
            rows: (n, depth), those of each assembly ascending, then -1.
        """
        used = rows[:, : int((rows >= 0).any(axis=0).sum())]
        kinds = self._kinds[used]
        alike = kinds[:, :, None] == kinds[:, None, :]
        copies, place = alike.sum(axis=2), np.tril(alike, -1).sum(axis=2)
        most = self._deals.shape[2]
        parts = self._deals[kinds, np.minimum(copies, most), np.minimum(place, most - 1)]
        order = np.argsort(np.where(used < 0, _LAST, parts), axis=1, kind="stable")
        return np.take_along_axis(np.stack([parts, used], axis=2), order[:, :, None], axis=1)

    @cached_property
    def _deals(self) -> NDArray[np.int64]:
        """(kinds + 1, c + 1, c) int64; the parts of 0 to c copies of each kind, then of no row.

        Kinds of one part may have more copies: all of these are of that part.
        """
        pieces = self._board.pieces
        most = max(
            (min(piece.most, MAX_PIECES) for piece in pieces if len(piece.parts) > 1), default=1
        )
        firsts = np.array([*(piece.parts[0] for piece in pieces), -1])
        deals = np.tile(firsts[:, None, None], (1, most + 1, most))
        for kind, piece in enumerate(pieces):
            if len(piece.parts) > 1:
                for copies in range(piece.least, min(piece.most, most) + 1):
                    deals[kind, copies, :copies] = list(self._deal(kind, copies))
        return deals

    def _deal(self, kind: int, copies: int) -> Iterator[int]:
        """The parts of the copies of a kind: each as often as it must, early ones as can be."""
        spare = copies - self._board.pieces[kind].least
        for part, (least, most) in zip(
            self._board.pieces[kind].parts, self._ranges[kind], strict=True
        ):
            extra = min(spare, most - least)
            spare -= extra
            yield from [part] * (least + extra)

    @cached_property
    def merges(self) -> bool:
        """Whether parts share a kind, so that an assembly may stand for several."""
        return any(len(kind.parts) > 1 for kind in self._board.pieces)

    def count_labellings(self, rows: Sequence[int], same: int) -> int:
        """Count the assemblies that there would be in place of one, were parts told apart.

        Args:
            rows: of the assembly.
            same: the symmetries that leave it as it is, as bits.
        """
        if not self.merges:
            return 1
        numbers = (number for number in range(same.bit_length()) if same >> number & 1)
        group = [number for number in numbers if self._keeps_parts(number)]
        # Burnside: what a group of changes makes of labellings, counted by what each leaves alone.
        return sum(self._left_alone(rows, number) for number in group) // len(group)

    def _keeps_parts(self, number: int) -> bool:
        """Return whether a symmetry makes a copy of a part of every copy of a part."""
        if not self._board.symmetries[number].mirrored:
            return True
        return all(
            kind.mirror < 0 or self._ranges[i] == self._ranges[kind.mirror]
            for i, kind in enumerate(self._board.pieces)
        )

    def _left_alone(self, rows: Sequence[int], number: int) -> int:
        """The ways to say which part each piece is a copy of that a symmetry leaves alone."""
        cycles = self._cycles(rows, number)
        # Kinds that are each other's mirror image are labelled together.
        joined = {frozenset(cycle) for cycle in cycles}
        return prod(
            self._ways(group, [cycle for cycle in cycles if frozenset(cycle) == group])
            for group in sorted(joined, key=sorted)
        )

    def _cycles(self, rows: Sequence[int], number: int) -> list[Counter[int]]:
        """Return the kinds of pieces that a symmetry carries into each other, cycle by cycle."""
        left = set(rows)
        cycles = []
        for row in rows:
            cycle: Counter[int] = Counter()
            while row in left:
                left.remove(row)
                cycle[self._board.kinds[row]] += 1
                row = self._board.list_images(row)[number]
            if cycle:
                cycles.append(cycle)
        return cycles

    def _ways(self, group: frozenset[int], cycles: Sequence[Counter[int]]) -> int:
        """The ways to give each cycle one of the parts, so that each is used as often as it may."""
        ranges = self._ranges[min(group)]
        sizes = Counter(cycle[min(group)] for cycle in cycles)
        totals = Counter({(0,) * len(ranges): 1})
        for size, count in sizes.items():
            grown: Counter[tuple[int, ...]] = Counter()
            for parts in combinations_with_replacement(range(len(ranges)), count):
                dealt = Counter(parts)
                ways = factorial(count) // prod(map(factorial, dealt.values()))
                for total, before in totals.items():
                    after = tuple(n + size * dealt[i] for i, n in enumerate(total))
                    grown[after] += before * ways
            totals = grown
        return sum(
            ways
            for total, ways in totals.items()
            if all(low <= n <= high for n, (low, high) in zip(total, ranges, strict=True))
        )

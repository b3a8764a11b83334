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
from pysim.families.burr.solver.limits import BurrLevel

__all__ = ["AssembliesFound", "Dealer", "SearchRoot", "list_starts"]


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
        lowest: rows from this one on are laid beside it.
        kind: rows of this kind are compared first; -1 for none.
    """

    row: int
    lowest: int
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
    for row, kind in enumerate(board.kinds):
        if first is not None and kind != first:
            continue
        if row == min(_turned(board, row)) and board.pieces[kind].most:
            yield (
                SearchRoot(row, board.kinds.index(kind), -1)
                if first is None
                else SearchRoot(row, 0, kind)
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
        self._kinds = np.array(board.kinds)
        self._known: dict[tuple[int, ...], tuple[NDArray[np.int64], NDArray[np.int64]]] = {}

    def assign_parts(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """(n, d, 2) int64; assemblies with the part of each row, in the order of the parts.

        Low rows are copies of early parts.

        Args:
            rows: (n, depth), those of each assembly ascending, then -1.
        """
        kinds = np.where(rows < 0, -1, self._kinds[rows])
        longest = int((rows >= 0).any(axis=0).sum())
        laid = np.full((len(rows), longest, 2), -1, np.int64)
        for used in set(map(tuple, kinds.tolist())):
            parts, order = self._find_parts(used)
            alike = (kinds == used).all(axis=1)
            laid[alike, : len(parts), 0] = parts
            laid[alike, : len(parts), 1] = rows[alike][:, order]
        return laid

    def _find_parts(self, kinds: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return parts in order, and the places of their rows among those of some kinds."""
        known = self._known.get(kinds)
        if known is None:
            used = Counter(kind for kind in kinds if kind >= 0)
            parts = np.array([part for kind in sorted(used) for part in self._deal(kind, used)])
            order = np.argsort(parts, kind="stable")
            known = self._known[kinds] = parts[order], order
        return known

    def _deal(self, kind: int, used: Counter[int]) -> Iterator[int]:
        """The parts of the copies of a kind: each as often as it must, early ones as can be."""
        spare = used[kind] - self._board.pieces[kind].least
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

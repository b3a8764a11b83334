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

from pysim.families.burr.files.design import Problem
from pysim.families.burr.solver.board import Board
from pysim.families.burr.solver.limits import BurrLevel

__all__ = ["AssemblyFound", "Dealer", "Laid", "SearchRoot", "list_starts"]

Laid = tuple[tuple[int, int], ...]
"""An assembly: for each piece its part and its row, in the order of the parts."""


@dataclass(frozen=True, slots=True)
class AssemblyFound:
    """An assembly that counts.

    Attributes:
        laid: the copy of it that is taken apart.
        same: the symmetries of the board that leave it as it is.
        level: how it comes apart; None if it does not, though its pieces may not stay together.
    """

    laid: Laid
    same: tuple[int, ...]
    level: BurrLevel | None


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
        self._known: dict[tuple[int, ...], list[int]] = {}

    def assign_parts(self, rows: Sequence[int]) -> Laid:
        """Return an assembly with the part of each row; low rows are copies of early parts.

        Args:
            rows: ascending.
        """
        kinds = tuple([self._board.kinds[row] for row in rows])
        parts = self._known.get(kinds)
        if parts is None:
            used = Counter(kinds)
            parts = [part for kind in sorted(used) for part in self._deal(kind, used)]
            self._known[kinds] = parts
        return tuple(sorted(zip(parts, rows, strict=True)))

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

    def count_labellings(self, found: AssemblyFound) -> int:
        """Count the assemblies that there would be in place of this one, were parts told apart."""
        if not self.merges:
            return 1
        rows = [row for _, row in found.laid]
        group = [number for number in found.same if self._keeps_parts(number)]
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

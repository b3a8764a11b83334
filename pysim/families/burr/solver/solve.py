"""Assemblies of a design's problem, and their levels.

Assemblies are found by exact cover. Copies are left out in two steps: the first piece is laid only
in one of the places that the goal's rotations carry into each other, and of what is found in
several turns, or mirrored, the lowest counts (see :mod:`pysim.families.burr.solver.copies`). A
mirror image counts as a copy if the problem's pieces can build it.

An assembly is a solution if it comes apart: groups are separated at the first possibility, and the
parts again (see :mod:`pysim.families.burr.solver.separation`). Its level is written as designers
do: moves to the first separation, then those of what stays and of what was taken away, parts that
need only single moves left out.

Small problems are solved before compiled code could be loaded (see :mod:`pysim.kernels`).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from pysim.families.burr.files.design import Design, DesignError, Problem
from pysim.families.burr.solver.assemblies import enumerate_assemblies
from pysim.families.burr.solver.board import Board
from pysim.families.burr.solver.copies import AssembliesFound, Dealer
from pysim.families.burr.solver.limits import MAX_PIECES, BurrLevel
from pysim.families.burr.solver.staying import may_stay_together
from pysim.geometry import Cell

__all__ = [
    "Assembly",
    "AssemblyBatch",
    "AssemblyTally",
    "BurrLevel",
    "format_level",
    "may_stay_together",
    "solve",
    "solve_in_batches",
]


@dataclass(frozen=True, slots=True)
class Assembly:
    """One way to fill the goal.

    Attributes:
        pieces: for each piece its part and its cells, in the order of the parts.
        level: how it comes apart; None if it does not, though its pieces share no group.
        labellings: how many assemblies it stands for where congruent shapes that are listed apart
            are told apart.
    """

    pieces: tuple[tuple[int, tuple[Cell, ...]], ...]
    level: BurrLevel | None
    labellings: int = 1


@dataclass(frozen=True, slots=True)
class AssemblyBatch:
    """Assemblies that were found together, each made when it is asked for."""

    found: AssembliesFound
    board: Board
    dealer: Dealer

    def __len__(self) -> int:
        return len(self.found.levels)

    def __iter__(self) -> Iterator[Assembly]:
        levels, labellings = self.found.levels, self.list_labellings()
        for laid, level, ways in zip(self.found.laid.tolist(), levels, labellings, strict=True):
            pieces = tuple([(part, self.board.placed[row]) for part, row in laid if row >= 0])
            yield Assembly(pieces, level, ways)

    def list_labellings(self) -> list[int]:
        """List how many assemblies each stands for, see :class:`Assembly`."""
        if not self.dealer.merges:
            return [1] * len(self)
        rows = self.found.laid[:, :, 1].tolist()
        return [
            self.dealer.count_labellings([row for row in each if row >= 0], same)
            for each, same in zip(rows, self.found.same.tolist(), strict=True)
        ]


@dataclass
class AssemblyTally:
    """Counts of assemblies, solutions and levels.

    Attributes:
        assemblies: congruent shapes are one, however often they are listed.
        labelled: assemblies where congruent shapes that are listed apart are told apart.
        levels: how many assemblies have a level.
    """

    assemblies: int = 0
    labelled: int = 0
    levels: Counter[str] = field(default_factory=Counter)

    def add(self, assembly: Assembly) -> None:
        """Count one more."""
        self.assemblies += 1
        self.labelled += assembly.labellings
        if assembly.level:
            self.levels[format_level(assembly.level)] += 1

    def add_batch(self, batch: AssemblyBatch) -> None:
        """Count some more."""
        self.assemblies += len(batch)
        self.labelled += sum(batch.list_labellings())
        for level, count in Counter(batch.found.levels).items():
            if level:
                self.levels[format_level(level)] += count

    @property
    def solutions(self) -> int:
        """Assemblies of several pieces that come apart."""
        return self.levels.total()


def format_level(level: BurrLevel) -> str:
    """As designers write it: ``9.3``."""
    return ".".join(map(str, level))


def solve(design: Design, problem: Problem, board: Board | None = None) -> Iterator[Assembly]:
    """Yield every assembly of a problem, turned and mirrored copies left out, each with its level.

    Args:
        design: holds the shapes.
        problem: what is to be built.
        board: of this problem, if it was made before.

    Raises:
        DesignError: it is too large for this solver; the message says in what.
    """
    for batch in solve_in_batches(design, problem, board):
        yield from batch


def solve_in_batches(
    design: Design, problem: Problem, board: Board | None = None
) -> Iterator[AssemblyBatch]:
    """Yield the assemblies of :func:`solve`, many at a time once they come fast.

    Raises:
        DesignError: see :func:`solve`.
    """
    least = sum(part.minimum for part in problem.parts)
    board = Board.from_problem(design, problem) if board is None else board
    if least > MAX_PIECES:
        raise DesignError(f"the solver takes up to {MAX_PIECES} pieces, not {least}")
    if not board.rows:
        return
    dealer = Dealer(board, problem)
    for found in enumerate_assemblies(design, problem, board, dealer):
        yield AssemblyBatch(found, board, dealer)

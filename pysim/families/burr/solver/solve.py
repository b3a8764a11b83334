"""Assemblies of a design's problem, and their levels.

Assemblies are found by exact cover. Copies are left out in two steps: the first piece is laid only
in one of the places that the goal's rotations carry into each other, and of what is found in
several turns, or mirrored, the lowest counts (see :mod:`pysim.families.burr.solver.copies`). A
mirror image counts as a copy if the problem's pieces can build it.

An assembly is a solution if it comes apart: groups are separated at the first possibility, and the
parts again (see :mod:`pysim.families.burr.solver.separation`). Its level is written as designers
do: moves to the first separation, then those of what stays and of what was taken away, parts that
need only single moves left out.

Small problems are solved in plain Python, before compiled code could be loaded; the others go over
to that when plain Python has done a set amount of work. Both give the same, in the same order.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from pysim.families.burr.files.design import Design, DesignError, Problem
from pysim.families.burr.solver.board import Board
from pysim.families.burr.solver.copies import AssemblyFound, Dealer, Laid, list_starts, select_copy
from pysim.families.burr.solver.limits import MAX_PIECES, BurrLevel
from pysim.families.burr.solver.python_takedown import PlainTakedown, StandingPart
from pysim.families.burr.solver.staying import may_stay_together
from pysim.geometry import Cell
from pysim.search.bit_cover import BitRows, enumerate_bit_covers
from pysim.search.work import OutOfWork, WorkBudget

__all__ = [
    "PLAIN_WORK",
    "Assembly",
    "AssemblyTally",
    "BurrLevel",
    "format_level",
    "may_stay_together",
    "solve",
]

PLAIN_WORK = 2_000_000
"""Work, in units of :class:`~pysim.search.work.WorkBudget`, before compiled code is loaded."""


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

    @property
    def solutions(self) -> int:
        """Assemblies of several pieces that come apart."""
        return self.levels.total()


def format_level(level: BurrLevel) -> str:
    """As designers write it: ``9.3``."""
    return ".".join(map(str, level))


def solve(design: Design, problem: Problem, plain_work: float = PLAIN_WORK) -> Iterator[Assembly]:
    """Yield every assembly of a problem, turned and mirrored copies left out, each with its level.

    Args:
        design: holds the shapes.
        problem: what is to be built.
        plain_work: how much is done before compiled code is loaded; the result is the same.

    Raises:
        DesignError: it is too large for this solver; the message says in what.
    """
    least = sum(part.minimum for part in problem.parts)
    board = Board.from_problem(design, problem)
    if least > MAX_PIECES:
        raise DesignError(f"the solver takes up to {MAX_PIECES} pieces, not {least}")
    if not board.rows:
        return
    dealer = Dealer(board, problem)
    for found in _found(design, problem, board, WorkBudget(plain_work)):
        pieces = tuple((part, board.placed[row]) for part, row in found.laid)
        yield Assembly(pieces, found.level, dealer.count_labellings(found))


def _found(
    design: Design, problem: Problem, board: Board, work: WorkBudget
) -> Iterator[AssemblyFound]:
    done = 0
    try:
        for found in _plain(design, problem, board, work):
            yield found
            done += 1
    except OutOfWork:
        from pysim.families.burr.solver.compiled import enumerate_assemblies

        yield from islice(enumerate_assemblies(design, problem, board), done, None)


def _plain(
    design: Design, problem: Problem, board: Board, work: WorkBudget
) -> Iterator[AssemblyFound]:
    """Yield every assembly with its level.

    Raises:
        OutOfWork: there are too many for plain Python.
    """
    work.use(10 * sum(map(len, board.rows)))
    rows = BitRows.from_rows(board.rows, board.kinds, len(board.cells), len(board.pieces))
    takedown = PlainTakedown(problem, work)
    dealer = Dealer(board, problem)
    for start in list_starts(board):
        for chosen in enumerate_bit_covers(
            rows, start.lowest, start.row, board.least, board.most, board.primary, work
        ):
            work.use(20 * len(chosen) * len(board.symmetries))
            if sum(len(board.rows[row]) for row in chosen) < board.covered:
                continue
            if (taken := select_copy(board, start, chosen)) is not None:
                laid = dealer.assign_parts(taken[0])
                level = takedown.compute_level(_bodies(design, problem, board, laid))
                yield AssemblyFound(laid, tuple(taken[1]), level)


def _bodies(design: Design, problem: Problem, board: Board, laid: Laid) -> list[StandingPart]:
    return [
        StandingPart(
            part,
            board.shapes[row],
            board.placed[row],
            tuple(map(min, zip(*board.placed[row], strict=True))),
            design.shapes[problem.parts[part].shape].weight,
        )
        for part, row in laid
    ]

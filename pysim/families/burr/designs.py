"""Designs of locks, as commands ask for them: files are read and solved, levels are written.

What needs rules is imported when it is asked for; see :mod:`pysim.designs`.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pysim.designs import Choice, Chosen, CountListener, Designs, Solved, Turned, Written
from pysim.families.burr.files.design import Design, Problem
from pysim.families.burr.files.puz import read_design
from pysim.families.burr.solver import (
    Assembly,
    AssemblyBatch,
    AssemblyTally,
    format_level,
    solve_in_batches,
)

if TYPE_CHECKING:
    from pysim.families.burr.lock import Lock
    from pysim.families.burr.solver.turning_takedown import TurningTally
    from pysim.puzzle import Level, Plan

__all__ = ["DESIGNS", "BurrDesign", "BurrDesigns", "BurrSearch"]


class BurrSearch:
    """A search for the assemblies of a problem that come apart."""

    def __init__(self, design: Design, problem: Problem, everything: bool, rotations: bool) -> None:
        self._design, self._problem, self._everything = design, problem, everything
        self._tally = AssemblyTally()
        self._turning = _turning_tally() if rotations else None
        self._first: Assembly | None = None

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for batch in solve_in_batches(self._design, self._problem):
            if self._everything and self._turning is None:
                self._tally.add_batch(batch)
                yield self._tally.assemblies, self._tally.solutions
            elif (yield from self._look_through(batch)):
                return

    def _look_through(self, batch: AssemblyBatch) -> Generator[tuple[int, int], None, bool]:
        """Count assemblies one by one; whether one of them is enough."""
        for assembly in batch:
            self._tally.add(assembly)
            yield self._tally.assemblies, self._tally.solutions
            if self._turning is not None:
                self._turning.add(self._problem, assembly)
            if assembly.level and not self._everything:
                self._first = assembly
                return True
        return False

    def found(self) -> Solved:
        tally, first, turning = self._tally, self._first, self._turning
        return Solved(
            assemblies=tally.assemblies,
            labelled=tally.labelled,
            solutions=tally.solutions,
            levels=tally.levels,
            first="" if first is None or not first.level else format_level(first.level),
            turned=None if turning is None else Turned(turning.found, turning.cut_off),
        )


def _turning_tally() -> "TurningTally":
    from pysim.families.burr.solver.turning_takedown import TurningTally

    return TurningTally()


@dataclass(frozen=True, slots=True)
class BurrDesign:
    """Contents of a file of either format, or a lock."""

    design: Design

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(problem.name for problem in self.design.problems)

    def search(self, problem: int, *, everything: bool, rotations: bool) -> BurrSearch:
        return BurrSearch(self.design, self.design.problems[problem], everything, rotations)

    def choose(self, choice: Choice, count: CountListener) -> Chosen:
        from pysim.families.burr.choosing import choose

        return choose(self.design, choice, count)


class BurrDesigns:
    """Designs of locks."""

    family = "burr"
    reads = (".puz", ".xmpuzzle")
    writes = ".xmpuzzle"

    @property
    def goals(self) -> tuple[str, ...]:
        from pysim.families.burr.lock import Goal

        return tuple(goal.value for goal in Goal)

    def read(self, path: Path) -> BurrDesign:
        return BurrDesign(read_design(path))

    def of(self, level: "Level[Lock]") -> BurrDesign:
        from pysim.families.burr.files.exporting import export_design

        return BurrDesign(export_design(level.puzzle))

    def write(self, level: "Level[Lock]") -> Written:
        from pysim.families.burr.files.exporting import export_design
        from pysim.families.burr.files.xmpuzzle import write_xmpuzzle

        source = level.source
        design = export_design(
            level.puzzle,
            name=level.name,
            comment=f"{level.name}\nDesigner: {source.designer}\nReference: {source.reference}\n"
            f"Made by Luban from the level {level.id}.",
        )
        # One of the shapes is the goal.
        return Written(write_xmpuzzle(design), len(level.puzzle.pieces), len(design.shapes) - 1)

    def budget(self, plan: "Plan | None") -> int:
        from pysim.families.burr.grading import compute_budget

        return compute_budget(plan)

    def graded(self, level: "Level[Any]") -> "Level[Any]":
        from pysim.families.burr.grading import add_grade

        return add_grade(level)


DESIGNS: Designs = BurrDesigns()
"""What :mod:`pysim.designs` describes."""

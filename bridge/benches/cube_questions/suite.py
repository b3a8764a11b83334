"""Cube Bench as a suite of items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridge.benches.cube_questions.scores import Scores, scores_of
from bridge.benches.cube_questions.tables import Row, tables_of
from bridge.items.suites import Ended, Part, ScoredRun
from bridge.report.parts import Table
from pysim.families.rubik.cube_bench import Condition, Task, conditions, make_trials
from pysim.items import Trial

__all__ = ["CubeBench"]


@dataclass(frozen=True, slots=True)
class CubeBench:
    """See :class:`~bridge.items.suites.ItemSuite`."""

    name: str = "cube-bench"
    version: str = "1"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The seven tasks, in the paper's order."""
        return tuple(Task)

    def parts(
        self, task: str, depths: Sequence[int], options: Mapping[str, str], count: int
    ) -> tuple[Part, ...]:
        """The conditions of a task's table, each with ``count`` trials."""
        found = conditions(Task(task), tuple(depths), options)
        return tuple(Part(condition.variant, condition.depth, count) for condition in found)

    def trials(self, part: Part) -> list[Trial[Any]]:
        """The trials of a condition."""
        return make_trials(_condition(part), range(part.count))

    def scores(self, part: Part, ended: Sequence[Ended]) -> Scores:
        """All metrics that the paper defines for the task; ``trials`` is how many there are."""
        return {"trials": len(ended), **scores_of(_condition(part), ended)}

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """The paper's Tables 3 to 8 and the figures behind its Figure 3, as far as was asked."""
        return tables_of(
            [
                Row(run.name, [(_condition(part), found) for part, found in run.scores])
                for run in runs
            ]
        )


def _condition(part: Part) -> Condition:
    return Condition.parse(part.variant, part.depth)

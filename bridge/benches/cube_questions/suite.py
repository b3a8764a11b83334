"""Cube Bench as a suite of items."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bridge.benches.cube_questions.charts import loop_charts, phase_table
from bridge.benches.cube_questions.options import CubeQuestionOptions
from bridge.benches.cube_questions.scores import QuestionScores, scores_of
from bridge.benches.cube_questions.tables import ConditionScores, tables_of
from bridge.items.suites import Ended, ScoredRun, Subset
from bridge.report.parts import Figure, Table
from pysim.errors import InputError
from pysim.families.rubik.cube_bench import Condition, Task, conditions, make_trials
from pysim.items import Trial

__all__ = ["CubeQuestionsSuite"]


@dataclass(frozen=True, slots=True)
class CubeQuestionsSuite:
    """See :class:`~bridge.items.suites.ItemSuite`."""

    name: str = "cube-bench"
    version: str = "1"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The seven tasks, in the paper's order."""
        return tuple(Task)

    def subsets(self, options: CubeQuestionOptions) -> tuple[Subset, ...]:
        """The conditions of the tables of some tasks."""
        return tuple(
            Subset(condition.variant, options.n, {"depth": condition.depth})
            for task in options.chosen(self.name, self.tasks)
            for condition in conditions(Task(task), options.depth, options.settings)
        )

    def trials(self, subset: Subset) -> list[Trial[Any]]:
        """The trials of a condition."""
        return make_trials(_condition(subset), range(subset.count))

    def scores(self, subset: Subset, ended: Sequence[Ended]) -> QuestionScores:
        """All metrics that the paper defines for the task; ``trials`` is how many there are."""
        return {"trials": len(ended), **scores_of(_condition(subset), ended)}

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """The paper's Tables 3 to 8 and the figures behind its Figure 3, as far as was asked."""
        return [*tables_of(_rows(runs)), *phase_table(runs)]

    def charts(self, runs: Sequence[ScoredRun]) -> list[Figure]:
        """The paper's Figure 3, as far as was asked."""
        return loop_charts(_rows(runs))


def _rows(runs: Sequence[ScoredRun]) -> list[ConditionScores]:
    return [
        ConditionScores(run.name, [(_condition(subset), found) for subset, found in run.scores])
        for run in runs
    ]


def _condition(subset: Subset) -> Condition:
    depth = subset.options.get("depth")
    if not isinstance(depth, int):
        raise InputError(f"the depth of {subset.variant[:60]!r} is a number, not {str(depth)[:60]}")
    return Condition.parse(subset.variant, depth)

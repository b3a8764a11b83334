"""Cube Bench as a suite of items."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bridge.benches.cube_bench.charts import make_loop_charts, make_phase_table
from bridge.benches.cube_bench.condition import DEEPEST, Condition, Task, list_conditions
from bridge.benches.cube_bench.given import GivenState, GivenStates, read_state
from bridge.benches.cube_bench.options import CubeBenchOptions
from bridge.benches.cube_bench.scores import QuestionScores, compute_scores
from bridge.benches.cube_bench.tables import ConditionScores, make_tables
from bridge.benches.cube_bench.trials import make_trials
from bridge.items.suite_files import GivenItems
from bridge.items.suites import EndedTrial, ScoredRun, Subset
from bridge.report.parts import Figure, Table
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.items import Trial

__all__ = ["CubeBenchSuite"]


@dataclass(frozen=True, slots=True)
class CubeBenchSuite:
    """See :class:`~bridge.items.suites.ItemSuite`."""

    name: str = "cube-bench"
    version: str = "1"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The seven tasks, in the paper's order."""
        return tuple(Task)

    def subsets(self, options: CubeBenchOptions) -> tuple[Subset, ...]:
        """Return the conditions of the tables of some tasks."""
        return tuple(
            Subset(condition.variant, options.n, {"depth": condition.depth})
            for task in options.choose_tasks(self.name, self.tasks)
            for condition in list_conditions(
                Task(task), options.depth, options.get_task_settings(Task(task))
            )
        )

    def subsets_of(self, given: GivenItems, options: CubeBenchOptions) -> tuple[Subset, ...]:
        """Return given cubes by task and depth; tasks that have no cube of theirs are left out."""
        states = [read_state(item) for item in given.items]
        tasks = options.choose_tasks(self.name, self.tasks)
        found = tuple(
            subset
            for task in map(Task, tasks)
            for depth in sorted({state.depth for state in states} & set(_depths(task, options)))
            for subset in _given_subsets(task, depth, given.name, states, options)
        )
        if not found:
            depths = ", ".join(map(str, sorted({state.depth for state in states})))
            raise InputError(f"{given.name} has cubes at depth {depths}, none for what is asked")
        return found

    def trials(self, subset: Subset) -> list[Trial[Any]]:
        """Return the trials of a condition."""
        return make_trials(_condition(subset), range(subset.count))

    def scores(self, subset: Subset, ended: Sequence[EndedTrial]) -> QuestionScores:
        """All metrics that the paper defines for the task; ``trials`` is how many there are."""
        return {"trials": len(ended), **compute_scores(_condition(subset), ended)}

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """The paper's Tables 3 to 8 and the figures behind its Figure 3, as far as was asked."""
        return [*make_tables(_rows(runs)), *make_phase_table(runs)]

    def charts(self, runs: Sequence[ScoredRun]) -> list[Figure]:
        """Return the paper's Figure 3, as far as was asked."""
        return make_loop_charts(_rows(runs))


def _depths(task: Task, options: CubeBenchOptions) -> tuple[int, ...]:
    """Return the depths that are asked: named ones, or all that the task can have."""
    most = 1 if task in (Task.MOVE, Task.REFLECTION) else DEEPEST
    return options.depth or tuple(range(1, most + 1))


def _given_subsets(
    task: Task, depth: int, name: str, states: Sequence[GivenState], options: CubeBenchOptions
) -> Iterator[Subset]:
    given = GivenStates(name, tuple(state for state in states if state.depth == depth))
    for condition in list_conditions(task, (depth,), options.get_task_settings(task)):
        named = replace(condition, given=given)
        told: dict[str, Json] = {"depth": depth, "given": given.to_document()}
        yield Subset(named.variant, len(given.entries), told)


def _rows(runs: Sequence[ScoredRun]) -> list[ConditionScores]:
    return [
        ConditionScores(run.name, [(_condition(subset), found) for subset, found in run.scores])
        for run in runs
    ]


def _condition(subset: Subset) -> Condition:
    depth = subset.options.get("depth")
    if not isinstance(depth, int):
        raise InputError(f"the depth of {subset.variant[:60]!r} is a number, not {str(depth)[:60]}")
    condition = Condition.parse(subset.variant, depth)
    given = subset.options.get("given")
    return (
        condition if given is None else replace(condition, given=GivenStates.from_document(given))
    )

"""The paper's figure 3 as bars, and what each phase of a reflection took (A.4.2)."""

from collections.abc import Iterator, Mapping, Sequence

from bridge.agents.journal import AnswerCost
from bridge.benches.cube_bench.condition import Task
from bridge.benches.cube_bench.reflection import ReflectionPhase
from bridge.benches.cube_bench.tables import ConditionScores
from bridge.items.suites import ScoredRun
from bridge.report.cells import NOTHING, format_number
from bridge.report.charts import draw_bars
from bridge.report.parts import Figure, Table

__all__ = ["make_loop_charts", "make_phase_table"]

_SHOWN = {
    "teacher_adherence": ("Figure 3: teacher adherence by depth", "TA%"),
    "perfect": ("Figure 3: perfect episodes by depth", "Perfect%"),
}


def make_loop_charts(rows: Sequence[ConditionScores]) -> list[Figure]:
    """Return a group of bars for each depth, and in it a bar for each run."""
    if not any(row.select(Task.LOOP) for row in rows):
        return []
    names = [row.name for row in rows if row.select(Task.LOOP)]
    return [
        Figure(title, draw_bars(_heights(rows, metric), names, label))
        for metric, (title, label) in _SHOWN.items()
    ]


def _heights(rows: Sequence[ConditionScores], metric: str) -> Mapping[str, Mapping[str, float]]:
    """Depth -> run -> per cent."""
    depths = sorted({condition.depth for row in rows for condition, _ in row.select(Task.LOOP)})
    return {
        f"d = {depth}": {
            row.name: 100.0 * value
            for row in rows
            for condition, found in row.select(Task.LOOP)
            if condition.depth == depth and isinstance(value := found[metric], float)
        }
        for depth in depths
    }


def make_phase_table(runs: Sequence[ScoredRun]) -> Iterator[Table]:
    """Tokens and seconds of an answer in each phase; nothing where no model was asked."""
    rows = [[run.name, *_cells(run.costs)] for run in runs if any(map(_phase, run.costs))]
    if rows:
        yield Table(
            "Reflection: tokens and latency by phase",
            "Means of one answer: tokens in and out as the provider counted them, and seconds.",
            ["Model", *(head for _ in ReflectionPhase for head in ("In", "Out", "s"))],
            rows,
            [("", 1), *((phase.value.capitalize(), 3) for phase in ReflectionPhase)],
        )


def _phase(cost: AnswerCost) -> ReflectionPhase | None:
    task, _, phase = cost.item.partition(",")[0], *cost.item.rpartition("/")[1:]
    is_one = task.partition("/")[0] == Task.REFLECTION and phase in list(ReflectionPhase)
    return ReflectionPhase(phase) if is_one else None


def _cells(costs: Sequence[AnswerCost]) -> Iterator[str]:
    for phase in ReflectionPhase:
        own = [cost for cost in costs if _phase(cost) is phase]
        totals = (
            sum(cost.usage.tokens_in for cost in own),
            sum(cost.usage.tokens_out for cost in own),
            sum(cost.seconds for cost in own),
        )
        yield from (format_number(total / len(own), 1) if own else NOTHING for total in totals)

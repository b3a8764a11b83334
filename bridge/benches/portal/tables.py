"""Tables of M-Portal, a row for each run and way of showing chambers, as MARBLE's table 2."""

from collections.abc import Sequence

from bridge.items.suites import ScoredRun
from bridge.report.cells import NOTHING, percent_cell
from bridge.report.parts import Table
from pysim.kinds import Json

__all__ = ["tables_of"]


def tables_of(runs: Sequence[ScoredRun]) -> list[Table]:
    """The tables of what was asked."""
    made = [
        _table(runs, "plans", "Plan correctness", "F1 (%)", "f1", "chance_f1"),
        _table(runs, "blanks", "Fill the blanks", "Acc. (%)", "accuracy", "chance"),
    ]
    return [table for table in made if table.rows]


def _table(
    runs: Sequence[ScoredRun], task: str, title: str, head: str, metric: str, chance: str
) -> Table:
    rows = [
        [run.name, subset.variant, str(scores["items"]), _cell(scores[metric])]
        + [_cell(scores[chance]), _cell(scores["parse_rate"])]
        for run in runs
        for subset, scores in run.scores
        if subset.variant.startswith(f"{task}/")
    ]
    note = "F1 is that of right plans, the minority class." if task == "plans" else "All in order."
    return Table(title, note, ["Run", "Subset", "Items", head, "Chance", "Parse (%)"], rows)


def _cell(value: Json) -> str:
    return percent_cell(float(value)) if isinstance(value, int | float) else NOTHING

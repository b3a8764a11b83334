"""Tables of M-Portal, a row for each run and way of showing chambers, as MARBLE's table 2."""

from collections.abc import Iterator, Mapping, Sequence

from bridge.agents.journal import AnswerCost
from bridge.items.suites import ScoredRun, Subset
from bridge.items.tables import range_cell, share_cell
from bridge.report.cells import number_cell
from bridge.report.parts import Table
from pysim.kinds import Json

__all__ = ["tables_of"]

_TOKENS = "Tokens (k): thousands of tokens that a model wrote for an answer, reasoning included."


def tables_of(runs: Sequence[ScoredRun]) -> list[Table]:
    """Return the tables of what was asked."""
    return [table for table in (_plans(runs), _blanks(runs)) if table.rows]


def _plans(runs: Sequence[ScoredRun]) -> Table:
    head = ["Run", "Subset", "Items", "F1 (%)", "Tokens (k)", "Chance", "Parse (%)"]
    note = f"F1 is that of right plans, the minority class. {_TOKENS}"
    rows = [
        [
            *_named(run, subset, scores),
            share_cell(scores["f1"]),
            _tokens(subset, run.costs),
            share_cell(scores["chance_f1"]),
            share_cell(scores["parse_rate"]),
        ]
        for run, subset, scores in _asked(runs, "plans")
    ]
    return Table("Plan correctness", note, head, rows)


def _blanks(runs: Sequence[ScoredRun]) -> Table:
    head = ["Run", "Subset", "Items", "Acc. (%)", "95% CI", "Tokens (k)", "Chance", "Parse (%)"]
    note = f"All in order, with Wilson's interval. {_TOKENS}"
    rows = [
        [
            *_named(run, subset, scores),
            share_cell(scores["accuracy"]),
            range_cell(scores["interval"]),
            _tokens(subset, run.costs),
            share_cell(scores["chance"]),
            share_cell(scores["parse_rate"]),
        ]
        for run, subset, scores in _asked(runs, "blanks")
    ]
    return Table("Fill the blanks", note, head, rows)


_Asked = tuple[ScoredRun, Subset, Mapping[str, Json]]


def _asked(runs: Sequence[ScoredRun], task: str) -> Iterator[_Asked]:
    """Give the scores of one task, with their run and subset."""
    for run in runs:
        for subset, scores in run.scores:
            if subset.variant.startswith(f"{task}/"):
                yield run, subset, scores


def _named(run: ScoredRun, subset: Subset, scores: Mapping[str, Json]) -> list[str]:
    return [run.name, subset.variant, str(scores["items"])]


def _tokens(subset: Subset, costs: Sequence[AnswerCost]) -> str:
    """Return thousands of tokens for an answer to the items of a subset, which bear its name."""
    written = [one.usage.tokens_out for one in costs if one.item.startswith(f"{subset.variant}/")]
    return number_cell(sum(written) / len(written) / 1000 if written else None, 1)

"""Tables of M-Portal, a row for each run and subset, as MARBLE's Tables 2 and 5 and Figure 4."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bridge.agents.journal import AnswerCost
from bridge.benches.portal.options import MOST_BLANKS
from bridge.items.suites import ScoredRun, Subset
from bridge.items.tables import format_range, format_share, format_small_share
from bridge.report.cells import NOTHING, format_number
from bridge.report.charts import draw_bars
from bridge.report.parts import Figure, Table
from pysim.field_types import Json

__all__ = ["make_charts", "make_tables"]

_TOKENS = "Tokens (k): thousands of tokens that a model wrote for an answer, reasoning included."
_COIN, _YES, _RANDOM = "Coin (computed)", "Always yes (computed)", "Random (computed)"


@dataclass(frozen=True, slots=True)
class _Row:
    """A run and one of its subsets.

    Attributes:
        run: its name.
        scores: of the subset.
        costs: of all answers of the run.
    """

    run: str
    subset: Subset
    scores: Mapping[str, Json]
    costs: Sequence[AnswerCost]

    @property
    def blanks(self) -> int:
        """Number of masked steps; 0 where none are."""
        number = self.subset.options.get("blanks", 0)
        return number if isinstance(number, int) else 0

    @property
    def name(self) -> str:
        """The beginning of its items' ids, as ``blanks/pictures/5``, and whether all differ."""
        task = self.subset.variant.partition("/")[0]
        where = f"{task}/{self.subset.options['shown']}"
        return f"{where}/{self.blanks}" if self.blanks else where

    @property
    def label(self) -> str:
        """Its name in tables."""
        return f"{self.name}, unique" if self.subset.options.get("unique") else self.name


def make_tables(runs: Sequence[ScoredRun]) -> list[Table]:
    """Return the tables of what was asked."""
    rows = [_Row(run.name, *scored, run.costs) for run in runs for scored in run.scores]
    plans = [row for row in rows if not row.blanks]
    blanks = [row for row in rows if row.blanks]
    made = (_plans(plans), _blanks(blanks), _by_number(blanks))
    return [table for table in made if table.rows]


def make_charts(runs: Sequence[ScoredRun]) -> list[Figure]:
    """Return accuracy by number of blanks as bars, one for each run and way to show chambers."""
    found = [_Row(run.name, *scored, run.costs) for run in runs for scored in run.scores]
    rows = [row for row in found if row.blanks]
    numbers = _numbers(rows)
    if len(numbers) < 2:
        return []
    heights: dict[str, dict[str, float]] = {}
    for number in numbers:
        for row in rows:
            accuracy = row.scores["accuracy"]
            if row.blanks == number and isinstance(accuracy, float):
                heights.setdefault(str(number), {})[_series(row)] = 100 * accuracy
    series = list(dict.fromkeys(map(_series, rows)))
    return [Figure(_FIGURE, draw_bars(heights, series, "accuracy by number of blanks, per cent"))]


_FIGURE = "Figure 4: accuracy by number of blanks"


def _plans(rows: Sequence[_Row]) -> Table:
    note = (
        "F1 is that of right plans, the minority class. Interval of 95 % and standard deviation by "
        f"bootstrapping, chambers drawn whole; none if all draws are alike. {_TOKENS}"
    )
    chance = {_YES: "always_yes_f1", _COIN: "chance_f1"}
    return _table("Plan correctness", note, "F1 (%)", ("f1", "f1_interval"), chance, rows)


def _blanks(rows: Sequence[_Row]) -> Table:
    note = (
        "All in order. Items that mask the same steps of a chamber are one question in several "
        "orders. Interval of 95 % and standard deviation by bootstrapping, questions drawn whole; "
        "where each is asked once, or all answers are right or all wrong, the interval is Wilson's "
        f"of the questions. {_TOKENS}"
    )
    return _table(
        "Fill the blanks", note, "Acc (%)", ("accuracy", "interval"), {_RANDOM: "chance"}, rows
    )


def _table(
    title: str,
    note: str,
    metric: str,
    names: tuple[str, str],
    chance: Mapping[str, str],
    rows: Sequence[_Row],
) -> Table:
    """Return rows of chance for each subset, then those of runs.

    Args:
        metric: head of its column.
        names: of the metric and of its interval among the scores.
        chance: name of a row -> its score.
    """
    head = ["Run", "Subset", metric, "Tokens (k)", "STD", "95% CI", "Parse (%)", "Items", "Groups"]
    first = {row.label: row for row in reversed(rows)}
    found = [
        [name, row.label, format_small_share(row.scores[score]), *[NOTHING] * 4, *_counts(row)]
        for row in reversed(first.values())
        for name, score in chance.items()
    ]
    return Table(title, note, head, found + [_cells(row, *names) for row in rows])


def _cells(row: _Row, metric: str, interval: str) -> list[str]:
    scores = row.scores
    return [
        row.run,
        row.label,
        format_share(scores[metric]),
        _tokens(row),
        format_share(scores["std"]),
        format_range(scores[interval]),
        format_share(scores["parse_rate"]),
        *_counts(row),
    ]


def _counts(row: _Row) -> list[str]:
    return [str(row.scores["items"]), str(row.scores.get("groups", NOTHING))]


def _tokens(row: _Row) -> str:
    """Return thousands of tokens for an answer to the items of a subset, which bear its name."""
    written = [one.usage.tokens_out for one in row.costs if one.item.startswith(f"{row.name}/")]
    return format_number(sum(written) / len(written) / 1000 if written else None, 1)


def _by_number(rows: Sequence[_Row]) -> Table:
    """Return a row for each run and way to show chambers, a column for each number of blanks."""
    numbers = _numbers(rows)
    found = [[name, *cells] for name, cells in _accuracies(rows, numbers)]
    note = "Accuracy in per cent by the number of masked steps."
    chance = [
        _RANDOM,
        *_row_of(rows, numbers, lambda row: format_small_share(row.scores["chance"])),
    ]
    shown = [chance, *found] if len(numbers) > 1 else []
    return Table(_FIGURE, note, ["Run", *map(str, numbers)], shown)


def _accuracies(rows: Sequence[_Row], numbers: Sequence[int]) -> Iterator[tuple[str, list[str]]]:
    for name in dict.fromkeys(map(_series, rows)):
        own = [row for row in rows if _series(row) == name]
        yield name, _row_of(own, numbers, lambda row: format_share(row.scores["accuracy"]))


def _row_of(rows: Sequence[_Row], numbers: Sequence[int], cell: Callable[[_Row], str]) -> list[str]:
    """Return a cell for each number of blanks, of the first row that has it."""
    first = {row.blanks: row for row in reversed(rows)}
    return [cell(first[number]) if number in first else NOTHING for number in numbers]


def _numbers(rows: Sequence[_Row]) -> list[int]:
    return sorted({row.blanks for row in rows if row.blanks <= MOST_BLANKS})


def _series(row: _Row) -> str:
    """Return what numbers of blanks are compared in: a run, and a way to show chambers."""
    return f"{row.run} {row.label.replace(f'/{row.blanks}', '')}"

"""MARBLE's tables 3 and 5 and the figures behind its figures 5, 7 and 8, a row for each run.

What chance gives stands above them, computed for the same items; the figures of the paper's own
models are in the docs.
"""

from collections.abc import Iterator, Sequence

from bridge.benches.mcube.condition import ROUNDS, CubeCondition, Feedback, Subtask
from bridge.items.suites import ScoredRun
from bridge.report.cells import NOTHING, percent_cell
from bridge.report.parts import Table
from pysim.kinds import Json

__all__ = ["tables_of"]

_Row = tuple[str, CubeCondition, "dict[str, Json]"]
"""A run's name, a condition and its scores."""

_CHANCE = "Random (computed)"


def tables_of(runs: Sequence[ScoredRun]) -> list[Table]:
    """The tables of what was asked."""
    rows = [
        (run.name, CubeCondition.of(subset.options), dict(scores))
        for run in runs
        for subset, scores in run.scores
    ]
    return [table for make in (_accuracy, _reading, _space, _rounds) for table in make(rows)]


def _accuracy(rows: Sequence[_Row]) -> Iterator[Table]:
    for task, name in ((Subtask.CUBE, "CUBE"), (Subtask.EASY, "CUBE-easy")):
        asked = [row for row in rows if row[1].task is task and row[1].rounds == 1]
        if asked:
            yield Table(
                f"Tables 3 and 5: {name}",
                "Accuracy, its standard deviation as by bootstrapping, and Wilson's interval; the "
                "share of answers that could be read. Random: the share of right ones among all.",
                ["Models", "Subset", "Acc (%)", "STD", "95% CI", "Parse (%)", "Items"],
                [*_by_chance(asked), *(_accuracy_row(row) for row in asked)],
            )


def _accuracy_row(row: _Row) -> list[str]:
    name, condition, scores = row
    return [
        name,
        condition.variant,
        _percent(scores["solve_rate"]),
        _percent(scores["std"]),
        _range(scores["solve_interval"]),
        _percent(scores["parse_rate"]),
        str(scores["trials"]),
    ]


def _by_chance(rows: Sequence[_Row]) -> Iterator[list[str]]:
    """A row for each condition; of several runs the first one's items stand for all."""
    seen: set[CubeCondition] = set()
    for _, condition, scores in rows:
        if condition not in seen:
            seen.add(condition)
            chance = _small(scores["chance"])
            yield [_CHANCE, condition.variant, chance, *[NOTHING] * 3, str(scores["trials"])]


def _reading(rows: Sequence[_Row]) -> Iterator[Table]:
    asked = [row for row in rows if row[1].task is Subtask.PERCEPTION]
    if asked:
        chance = asked[0][2]
        yield Table(
            "Figure 5: perception",
            "The share of cells that are right, the middle 3 x 3 of each piece included, and of "
            "pieces that are wholly right. Blind: the best without looking.",
            ["Models", "Subset", "Cells (%)", "Pieces (%)", "95% CI", "Parse (%)", "Items"],
            [
                [_CHANCE, NOTHING, _percent(chance["cell_chance"]), _small(chance["piece_chance"]),
                 NOTHING, NOTHING, NOTHING],
                ["Blind (computed)", NOTHING, _percent(chance["cell_blind"]), NOTHING, NOTHING,
                 NOTHING, NOTHING],
                *(_reading_row(row) for row in asked),
            ],
        )  # fmt: skip


def _reading_row(row: _Row) -> list[str]:
    name, condition, scores = row
    return [
        name,
        condition.variant,
        _percent(scores["cell_accuracy"]),
        _percent(scores["piece_accuracy"]),
        _range(scores["interval"]),
        _percent(scores["parse_rate"]),
        str(scores["trials"]),
    ]


def _space(rows: Sequence[_Row]) -> Iterator[Table]:
    """Only where more was asked than the usual two missing pieces."""
    asked = [row for row in rows if row[1].task is Subtask.EASY and row[1].rounds == 1]
    if len({(condition.missing, condition.flips) for _, condition, _ in asked}) > 1:
        yield Table(
            "Figure 7: the search space",
            "Accuracy by the number of missing pieces and whether pieces are turned over; the size "
            "of the space, all six pieces up to the 24 rotations.",
            ["Models", "Flips", "Missing", "Search space", "Acc (%)", "95% CI", "Chance (%)"],
            [
                [
                    name,
                    "yes" if condition.flips else "no",
                    str(condition.missing),
                    f"{scores['search_space']:,}",
                    _percent(scores["solve_rate"]),
                    _range(scores["solve_interval"]),
                    _small(scores["chance"]),
                ]
                for name, condition, scores in sorted(asked, key=_by_space)
            ],
        )


def _by_space(row: _Row) -> tuple[str, bool, int]:
    name, condition, _ = row
    return name, condition.flips, condition.missing


def _rounds(rows: Sequence[_Row]) -> Iterator[Table]:
    asked = [row for row in rows if row[1].feedback is not Feedback.NONE]
    if asked:
        yield Table(
            "Figure 8: rounds with the validator",
            "Cubes that were right after so many answers, in per cent.",
            ["Models", "Subset", "Feedback", *(f"Round {k}" for k in range(1, ROUNDS + 1))],
            [line for row in asked for line in _round_rows(row)],
        )


def _round_rows(row: _Row) -> Iterator[list[str]]:
    name, condition, scores = row
    head = [condition.variant, condition.feedback.value]
    yield [_CHANCE, *head, *map(_small, _list(scores["chance_within"]))]
    yield [name, *head, *map(_percent, _list(scores["solved_within"]))]


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else []


def _percent(value: Json) -> str:
    return percent_cell(float(value)) if isinstance(value, int | float) else NOTHING


def _small(value: Json) -> str:
    """A share in per cent with two digits that count, however small it is."""
    return f"{value * 100:.2g}" if isinstance(value, int | float) else NOTHING


def _range(value: Json) -> str:
    return f"{_percent(value[0])}–{_percent(value[1])}" if isinstance(value, list) else NOTHING

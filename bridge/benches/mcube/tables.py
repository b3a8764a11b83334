"""MARBLE's tables 3 and 5 and the figures behind its figures 5, 7 and 8, a row for each run.

What chance gives stands above them, computed for the same items; the figures of the paper's own
models are in the docs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bridge.agents.usage import Usage
from bridge.benches.mcube.condition import ROUNDS, CubeCondition, RoundFeedback, Subtask
from bridge.items.suites import ScoredRun
from bridge.items.tables import format_range, format_share
from bridge.report.cells import NOTHING, format_number
from bridge.report.parts import Table
from pysim.field_types import Json

__all__ = ["make_tables"]


@dataclass(frozen=True, slots=True)
class _Row:
    """A run and one of its conditions.

    Attributes:
        run: its name.
        condition: what was asked.
        scores: what came of it.
        usage: of the whole run.
    """

    run: str
    condition: CubeCondition
    scores: Mapping[str, Json]
    usage: Usage

    @property
    def space(self) -> tuple[bool, int]:
        """The settings that determine the size of the search space."""
        return self.condition.flips, self.condition.missing


_CHANCE = "Random (computed)"


def make_tables(runs: Sequence[ScoredRun]) -> list[Table]:
    """Return the tables of what was asked."""
    rows = [
        _Row(run.name, CubeCondition.of(subset.options), scores, run.usage)
        for run in runs
        for subset, scores in run.scores
    ]
    return [table for make in (_accuracy, _reading, _space, _rounds) for table in make(rows)]


def _accuracy(rows: Sequence[_Row]) -> Iterator[Table]:
    for task, name in ((Subtask.CUBE, "CUBE"), (Subtask.EASY, "CUBE-easy")):
        asked = [row for row in rows if _alone(row, task)]
        if asked:
            yield Table(
                f"Tables 3 and 5: {name}",
                "Accuracy, its standard deviation as by bootstrapping, and Wilson's interval; what "
                "a model wrote for each answer of its run; the share of answers that could be "
                "read. Random: the share of right ones among all.",
                [
                    "Models",
                    "Subset",
                    "Acc (%)",
                    "Tokens (k)",
                    "STD",
                    "95% CI",
                    "Parse (%)",
                    "Items",
                ],
                [*_by_chance(asked), *(_accuracy_row(row) for row in asked)],
            )


def _alone(row: _Row, task: Subtask) -> bool:
    """Return whether it is of a subtask without feedback."""
    return row.condition.task is task and row.condition.rounds == 1


def _accuracy_row(row: _Row) -> list[str]:
    scores = row.scores
    return [
        row.run,
        row.condition.variant,
        format_share(scores["solve_rate"]),
        _tokens(row.usage),
        format_share(scores["std"]),
        format_range(scores["solve_interval"]),
        format_share(scores["parse_rate"]),
        str(scores["trials"]),
    ]


def _tokens(usage: Usage) -> str:
    """Thousands of tokens for each answer."""
    return format_number(usage.tokens_out / usage.calls / 1000 if usage.calls else None, 1)


def _by_chance(rows: Sequence[_Row]) -> Iterator[list[str]]:
    """Yield a row for each condition; of several runs the first one's items stand for all."""
    first: dict[CubeCondition, _Row] = {}
    for row in rows:
        first.setdefault(row.condition, row)
    for row in first.values():
        chance, trials = _small(row.scores["chance"]), str(row.scores["trials"])
        yield [_CHANCE, row.condition.variant, chance, *[NOTHING] * 4, trials]


def _reading(rows: Sequence[_Row]) -> Iterator[Table]:
    asked = [row for row in rows if row.condition.task is Subtask.PERCEPTION]
    if asked:
        chance = asked[0].scores
        yield Table(
            "Figure 5: perception",
            "The share of cells that are right, the middle 3 x 3 of each piece included, and of "
            "pieces that are wholly right. Blind: the best without looking.",
            ["Models", "Subset", "Cells (%)", "Pieces (%)", "95% CI", "Parse (%)", "Items"],
            [
                [
                    _CHANCE,
                    NOTHING,
                    format_share(chance["cell_chance"]),
                    _small(chance["piece_chance"]),
                    *[NOTHING] * 3,
                ],
                ["Blind (computed)", NOTHING, format_share(chance["cell_blind"]), *[NOTHING] * 4],
                *(_reading_row(row) for row in asked),
            ],
        )  # fmt: skip


def _reading_row(row: _Row) -> list[str]:
    scores = row.scores
    return [
        row.run,
        row.condition.variant,
        format_share(scores["cell_accuracy"]),
        format_share(scores["piece_accuracy"]),
        format_range(scores["interval"]),
        format_share(scores["parse_rate"]),
        str(scores["trials"]),
    ]


def _space(rows: Sequence[_Row]) -> Iterator[Table]:
    """Only where something else was asked than the usual two missing pieces."""
    asked = [row for row in rows if _alone(row, Subtask.EASY)]
    if any(row.space != (False, 2) for row in asked):
        yield Table(
            "Figure 7: the search space",
            "Accuracy by the number of missing pieces and whether pieces are turned over; the size "
            "of the space, all six pieces up to the 24 rotations.",
            ["Models", "Flips", "Missing", "Search space", "Acc (%)", "95% CI", "Chance (%)"],
            [_space_row(row) for row in sorted(asked, key=lambda row: (row.run, row.space))],
        )


def _space_row(row: _Row) -> list[str]:
    return [
        row.run,
        "yes" if row.condition.flips else "no",
        str(row.condition.missing),
        f"{row.scores['search_space']:,}",
        format_share(row.scores["solve_rate"]),
        format_range(row.scores["solve_interval"]),
        _small(row.scores["chance"]),
    ]


def _rounds(rows: Sequence[_Row]) -> Iterator[Table]:
    asked = [row for row in rows if row.condition.feedback is not RoundFeedback.NONE]
    if asked:
        yield Table(
            "Figure 8: rounds with the validator",
            "Cubes that were right after so many answers, in per cent.",
            ["Models", "Subset", "Feedback", *(f"Round {k}" for k in range(1, ROUNDS + 1))],
            [line for row in asked for line in _round_rows(row)],
        )


def _round_rows(row: _Row) -> Iterator[list[str]]:
    head = [row.condition.variant, row.condition.feedback.value]
    yield [_CHANCE, *head, *map(_small, _list(row.scores["chance_within"]))]
    yield [row.run, *head, *map(format_share, _list(row.scores["solved_within"]))]


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else []


def _small(value: Json) -> str:
    """Return a share in per cent with two digits that count, however small it is."""
    return f"{value * 100:.2g}" if isinstance(value, int | float) else NOTHING

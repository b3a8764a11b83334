"""The paper's tables 3 to 8, and the figures behind its figure 3, with a row for each run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bridge.benches.cube_bench.condition import (
    Abstention,
    Condition,
    Counting,
    Modality,
    Reflection,
    Task,
)
from bridge.benches.cube_bench.scores import QuestionScores
from bridge.report.cells import NOTHING, format_number
from bridge.report.parts import Table

__all__ = ["ConditionScores", "make_tables"]


@dataclass(frozen=True, slots=True)
class ConditionScores:
    """The scores of a run by condition."""

    name: str
    scores: Sequence[tuple[Condition, QuestionScores]]

    def select(self, task: Task) -> list[tuple[Condition, QuestionScores]]:
        """Return the scores of a task, by condition."""
        return [(condition, found) for condition, found in self.scores if condition.task is task]


def make_tables(rows: Sequence[ConditionScores]) -> list[Table]:
    """Return the tables of the tasks that were asked, in the paper's order."""
    tasks = {condition.task for row in rows for condition, _ in row.scores}
    return [table for task in Task if task in tasks for table in _TABLES[task](rows, task)]


Pick = Callable[[Condition], bool]


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: what stands above it, and which figure of which condition is in it."""

    group: str
    head: str
    pick: Pick
    metric: str
    show: Callable[[object], str]

    def format_cell(self, scores: Sequence[tuple[Condition, QuestionScores]]) -> str:
        found = next((s for condition, s in scores if self.pick(condition)), None)
        return NOTHING if found is None else self.show(found[self.metric])


def _percent(value: object) -> str:
    return NOTHING if value is None else f"{100 * _number(value):.2f}"


def _signed(value: object) -> str:
    return NOTHING if value is None else f"{100 * _number(value):+.2f}"


def _decimal(value: object) -> str:
    return format_number(None if value is None else _number(value), 3)


def _interval(value: object) -> str:
    if not isinstance(value, Sequence):
        return NOTHING
    low, high = map(_percent, value)
    return f"[{low}, {high}]"


def _number(value: object) -> float:
    assert isinstance(value, int | float)
    return float(value)


def _table(
    title: str, note: str, rows: Sequence[ConditionScores], task: Task, columns: Sequence[_Column]
) -> Table:
    groups: list[tuple[str, int]] = [("", 1)]
    for column in columns:
        name, width = groups[-1]
        groups[-1:] = (
            [(name, width + 1)] if name == column.group else [(name, width), (column.group, 1)]
        )
    head = ["Model", *(column.head for column in columns)]
    cells = [
        [row.name, *(column.format_cell(row.select(task)) for column in columns)] for row in rows
    ]
    named = any(name for name, _ in groups)
    return Table(title, f"{note} {_how(rows, task)}", head, cells, groups if named else ())


def _how(rows: Sequence[ConditionScores], task: Task) -> str:
    """Describe the variants that were asked, with their depths and numbers of trials."""
    asked: dict[tuple[str, object], set[int]] = {}
    for row in rows:
        for condition, found in row.select(task):
            asked.setdefault((condition.variant, found["trials"]), set()).add(condition.depth)
    parts = [
        f"{trials} of {variant} at depth {', '.join(map(str, sorted(depths)))}"
        for (variant, trials), depths in asked.items()
    ]
    return f"Trials: {'; '.join(parts)}."


def _depths(rows: Sequence[ConditionScores], task: Task) -> list[int]:
    return sorted({condition.depth for row in rows for condition, _ in row.select(task)})


def _at(depth: int) -> Pick:
    return lambda condition: condition.depth == depth


def _by_depth(
    rows: Sequence[ConditionScores],
    task: Task,
    metrics: Sequence[tuple[str, str, Callable[[object], str]]],
) -> list[_Column]:
    """For each metric (title, name, how it is shown) a column for each depth."""
    return [
        _Column(title, f"d = {depth}", _at(depth), metric, show)
        for title, metric, show in metrics
        for depth in _depths(rows, task)
    ]


def _face(rows: Sequence[ConditionScores], task: Task) -> Iterator[Table]:
    metrics = [
        ("Element-wise Acc. (%)", "element_accuracy", _percent),
        ("Matrix Acc. (%)", "matrix_accuracy", _percent),
    ]
    yield _table(
        "Table 3, left: face reconstruction",
        "Accuracy by sticker and of the whole 3 x 3 face.",
        rows,
        task,
        _by_depth(rows, task, metrics),
    )


def _verification(rows: Sequence[ConditionScores], task: Task) -> Iterator[Table]:
    metrics = (("Bal.", "balanced_accuracy"), ("Parse", "parse_rate"), ("Bias", "yes_rate"))
    yield _table(
        "Table 3, right: cross-modal verification",
        "Balanced accuracy, answers that can be read, and the share of yes among them (50 is "
        "unbiased).",
        rows,
        task,
        [
            _Column(f"Verification (%) @ d = {depth}", head, _at(depth), metric, _percent)
            for depth in _depths(rows, task)
            for head, metric in metrics
        ],
    )
    templates = sorted(
        {t for row in rows for _, found in row.select(task) for t in _templates(found)}
    )
    if len(templates) > 1:
        yield Table(
            "Verification by template",
            "Accuracy in per cent at each depth.",
            ["Model", "d", *templates],
            [
                [row.name, str(condition.depth)]
                + [_percent(_templates(found).get(template)) for template in templates]
                for row in rows
                for condition, found in row.select(task)
            ],
        )


def _templates(scores: QuestionScores) -> Mapping[str, object]:
    found = scores["accuracy_by_template"]
    assert isinstance(found, Mapping)
    return found


_MODES = {Modality.BOTH: "Image + Text", Modality.IMAGE: "Image", Modality.TEXT: "Text"}


def _move(rows: Sequence[ConditionScores], task: Task) -> Iterator[Table]:
    asked = {condition.mode for row in rows for condition, _ in row.select(task)}
    yield _table(
        "Table 4: move prediction, 1 move from solved",
        "Top-1 accuracy, and answers that can be read.",
        rows,
        task,
        [
            _Column(title, head, _in_mode(mode), metric, _percent)
            for mode, title in _MODES.items()
            if mode in asked
            for head, metric in (("Acc. (%)", "accuracy"), ("Parse (%)", "parse_rate"))
        ],
    )


def _in_mode(mode: Modality) -> Pick:
    return lambda condition: condition.mode is mode


def _reflection(rows: Sequence[ConditionScores], task: Task) -> Iterator[Table]:
    asked = {condition.reflection for row in rows for condition, _ in row.select(task)}
    first = Reflection.REDACTED if Reflection.REDACTED in asked else Reflection.UNREDACTED
    metrics: tuple[tuple[str, str, Callable[[object], str]], ...] = (
        ("Final Acc. (%) ↑", "final_accuracy", _percent),
        ("Δ ↑", "gain", _signed),
        ("EFR (%) ↑", "error_fix_rate", _percent),
        ("OTR (%) ↓", "overthink_rate", _percent),
    )
    yield _table(
        "Table 5: reflection",
        "Accuracy before and after one reflection; EFR: the share of wrong answers put right, "
        "OTR: the share of right ones made wrong.",
        rows,
        task,
        [
            _Column("", "Initial Acc. (%)", _with(first), "initial_accuracy", _percent),
            *(
                _Column(f"Guided ({kind.value.capitalize()})", head, _with(kind), metric, show)
                for kind in (Reflection.UNREDACTED, Reflection.REDACTED)
                if kind in asked
                for head, metric, show in metrics
            ),
        ],
    )


def _with(kind: Reflection) -> Pick:
    return lambda condition: condition.reflection is kind


def _loop(rows: Sequence[ConditionScores], task: Task) -> Iterator[Table]:
    metrics = [("TA%", "teacher_adherence", _percent), ("Perfect%", "perfect", _percent)]
    yield _table(
        "Figure 3: closed loop, step by step",
        "Correct steps by all steps of the scramble, and episodes with all steps correct; steps "
        "that were not reached are wrong.",
        rows,
        task,
        _by_depth(rows, task, metrics),
    )
    if any(c.abstain is not Abstention.NONE for row in rows for c, _ in row.select(task)):
        yield _abstention(rows, task)


def _abstention(rows: Sequence[ConditionScores], task: Task) -> Table:
    weights = {c.idk_weight for row in rows for c, _ in row.select(task)}
    weight = weights.pop() if len(weights) == 1 else None
    apa = "APA" if weight is None else f"APA (λ={weight:g})"
    metrics = ("coverage", "selective_accuracy", "idk_rate")
    return Table(
        "Table 8: abstention",
        f"Means over depths {', '.join(map(str, _depths(rows, task)))}, each weighing the same.",
        ["Model", "Coverage %", "Sel. Acc %", "IDK %", apa],
        [
            [
                row.name,
                *(_percent(_mean(row, task, metric)) for metric in metrics),
                _decimal(_mean(row, task, "apa")),
            ]
            for row in rows
        ],
    )


def _mean(row: ConditionScores, task: Task, metric: str) -> float | None:
    """Return the mean over conditions in which the metric is defined."""
    values = [found[metric] for _, found in row.select(task) if found.get(metric) is not None]
    return sum(map(_number, values)) / len(values) if values else None


def _effect(rows: Sequence[ConditionScores], task: Task) -> Iterator[Table]:
    metrics = (
        ("Micro-Acc (%)", "micro_accuracy", _percent),
        ("Macro-F1", "macro_f1", _decimal),
        ("κ", "kappa", _decimal),
    )
    yield _table(
        "Table 6: causal move effect",
        "Accuracy over all labels, mean F1 of the classes, and Cohen's kappa with p_e = q · π.",
        rows,
        task,
        [
            _Column(f"d = {depth}", head, _at(depth), metric, show)
            for depth in _depths(rows, task)
            for head, metric, show in metrics
        ],
    )


def _curve(rows: Sequence[ConditionScores], task: Task) -> Iterator[Table]:
    columns: tuple[tuple[str, str, Callable[[object], str]], ...] = (
        ("SR", "solve_rate", _percent),
        ("95% CI", "interval", _interval),
        ("P(1)", "p_1", _decimal),
        ("P(≤3)", "p_3", _decimal),
        ("Med@Solved", "med_at_solved", _plain),
        ("Avg@All", "avg_at_all", _plain),
    )
    depths = _depths(rows, task)
    note = (
        "Solve rate in per cent with Wilson's interval, shares solved within 1 and 3 attempts, the "
        "median of attempts where solved, and their mean, failures counting all."
    )
    if any(c.counting is Counting.FIRST_ERROR for row in rows for c, _ in row.select(task)):
        columns = (("N", "episodes", _count), *columns)
        note += " N: episodes with an error, from which on attempts are counted."
    yield _table(
        "Table 7: learning curve",
        note,
        rows,
        task,
        [
            _Column(f"d = {depth}" if len(depths) > 1 else "", head, _at(depth), metric, show)
            for depth in depths
            for head, metric, show in columns
        ],
    )


def _count(value: object) -> str:
    return str(value)


def _plain(value: object) -> str:
    return format_number(None if value is None else _number(value), 2)


_TABLES: Mapping[Task, Callable[[Sequence[ConditionScores], Task], Iterator[Table]]] = {
    Task.FACE: _face,
    Task.VERIFICATION: _verification,
    Task.MOVE: _move,
    Task.REFLECTION: _reflection,
    Task.LOOP: _loop,
    Task.EFFECT: _effect,
    Task.CURVE: _curve,
}

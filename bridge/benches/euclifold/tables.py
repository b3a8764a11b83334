"""The paper's Tables 2 and 3, the figures behind its Figures 3 to 6, and appendix H."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from bridge.benches.euclifold.beliefs import compute_guess_scores
from bridge.benches.euclifold.condition import (
    EuclifoldCondition,
    EuclifoldTask,
    Evidence,
    Negatives,
    Prompting,
    SystemPrompt,
    Wording,
)
from bridge.report.cells import NOTHING
from bridge.report.charts import draw_bars
from bridge.report.parts import Figure, Table
from pysim.families.nets.faces import VISIBLE
from pysim.field_types import Json

__all__ = ["AskedScores", "make_charts", "make_tables"]

_Scores = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class AskedScores:
    """The scores of a run by condition."""

    name: str
    scores: Sequence[tuple[EuclifoldCondition, _Scores]]

    def find_scores(self, condition: EuclifoldCondition) -> _Scores | None:
        """Return the scores of a condition; None if it was not asked."""
        return next((scores for asked, scores in self.scores if asked == condition), None)


@dataclass(frozen=True, slots=True)
class _Column:
    group: str
    head: str
    condition: EuclifoldCondition
    path: tuple[str, ...] = ()
    """Where the scores of the column are; empty for the condition's own."""


def make_tables(runs: Sequence[AskedScores]) -> list[Table]:
    """Return a table for whatever was asked, in the paper's order."""
    made = [table for make in _MAKERS for table in make(runs)]
    return [table for table in made if table.rows]


def _main(runs: Sequence[AskedScores]) -> Iterator[Table]:
    """Table 2, for each way of asking that the runs have."""
    names = {
        "Perception": EuclifoldTask.ORIENTATION,
        "Operation": EuclifoldTask.OPERATION,
        "Folding": EuclifoldTask.FOLDING,
        "Matching": EuclifoldTask.MATCHING,
    }
    for base in _bases(runs):
        columns = [_Column("", name, replace(base, task=task)) for name, task in names.items()]
        note = (
            "WinoAcc = P[true belief] − P[false belief], with the paper's 95 % interval. "
            f"Perception is orientation; colour has a table of its own.{_how(base)}"
        )
        yield _table("Table 2: WinoAcc by task", note, columns, runs, chance=True)


def _colour(runs: Sequence[AskedScores]) -> Iterator[Table]:
    yield from _faces(runs, EuclifoldTask.COLOUR, "Figure 3: colour recognition by face")


def _orientation(runs: Sequence[AskedScores]) -> Iterator[Table]:
    yield from _faces(runs, EuclifoldTask.ORIENTATION, "Figure 4: orientation recognition by face")


def _operation(runs: Sequence[AskedScores]) -> Iterator[Table]:
    yield from _faces(runs, EuclifoldTask.OPERATION, "Operation by face")


def _faces(runs: Sequence[AskedScores], task: EuclifoldTask, title: str) -> Iterator[Table]:
    for base in _bases(runs):
        asked = replace(base, task=task)
        columns = [_Column("", "All", asked)]
        columns += [
            _Column("", face.capitalize(), asked, ("by_face", face.value)) for face in VISIBLE
        ]
        note = f"WinoAcc by the face whose arrow is asked about.{_how(base)}"
        yield _table(title, note, columns, runs, chance=True)


def _prompting(runs: Sequence[AskedScores]) -> Iterator[Table]:
    """Figures 5 and 6, if more than the usual way was asked."""
    for base in _evidence(runs):
        note = (
            "WinoAcc in natural wording (ori) and as axes of a space (Euc), with answers that "
            f"begin with reasons (CoT) or don't (direct).{_how(base)}"
        )
        if _asked(runs, lambda c: c.wording is Wording.EUCLIDEAN):
            yield _table(_FIGURE_5, note, _wordings(base), runs, chance=True)
    for base in _evidence(runs):
        note = (
            "WinoAcc of folding with proper false cubes, and with a colour that the net has not."
            f"{_how(base)}"
        )
        if _asked(runs, lambda c: c.negatives is Negatives.LEAKED):
            yield _table("Figure 6: folding, ablations", note, _leaked(base), runs, chance=True)


_FIGURE_5 = "Figure 5: wording and prompting"
_SHORT = {Prompting.STEPS: "CoT", Prompting.DIRECT: "direct"}


def _wordings(base: EuclifoldCondition) -> list[_Column]:
    """Return the columns of Figure 5, those of each system prompt together."""
    return [
        _Column(
            f"{task.capitalize()}, {_SHORT[how]}",
            name,
            replace(base, task=task, wording=words, prompting=how),
        )
        for task in (EuclifoldTask.ORIENTATION, EuclifoldTask.OPERATION)
        for how in _ways(base)
        for name, words in (("ori", Wording.NATURAL), ("Euc", Wording.EUCLIDEAN))
    ]


def _leaked(base: EuclifoldCondition) -> list[_Column]:
    """Return the columns of Figure 6."""
    return [
        _Column(
            kind.capitalize(),
            _SHORT[how],
            replace(base, task=EuclifoldTask.FOLDING, prompting=how, negatives=kind),
        )
        for kind in Negatives
        for how in _ways(base)
    ]


def _ways(base: EuclifoldCondition) -> Sequence[Prompting]:
    """Return how answers may be wanted: only a full system prompt can say."""
    return list(Prompting) if base.system is SystemPrompt.FULL else [Prompting.STEPS]


def _evidence(runs: Sequence[AskedScores]) -> list[EuclifoldCondition]:
    """Return the ways of asking that occur, apart from how answers are wanted."""
    usual = (replace(base, prompting=Prompting.STEPS) for base in _bases(runs))
    return list(dict.fromkeys(usual))


def make_charts(runs: Sequence[AskedScores]) -> list[Figure]:
    """Return Figure 5 as bars, a group for each question and wording, where both were asked."""
    if not _asked(runs, lambda c: c.wording is Wording.EUCLIDEAN):
        return []
    made = ((base, _heights(runs, _wordings(base))) for base in _evidence(runs))
    return [
        Figure(
            f"{_FIGURE_5}{_how(base)}",
            draw_bars(
                heights, list(dict.fromkeys(n for g in heights.values() for n in g)), "WinoAcc"
            ),
        )
        for base, heights in made
        if heights
    ]


def _heights(
    runs: Sequence[AskedScores], columns: Sequence[_Column]
) -> dict[str, dict[str, float]]:
    """Return column -> run -> WinoAcc."""
    found: dict[str, dict[str, float]] = {}
    for column in columns:
        for run in runs:
            scores = _of(run, column)
            value = None if scores is None else _number(scores, "wino_accuracy")
            if value is not None:
                found.setdefault(f"{column.group}, {column.head}", {})[run.name] = value
    return found


def _halves(runs: Sequence[AskedScores]) -> Iterator[Table]:
    """Table 3's columns, which the paper has for people."""
    head = ["Model", "question (pos+neg)", "Positive Acc", "Negative Acc", "WinoAcc"]
    yield Table(
        "Table 3: accuracy on true and on false statements",
        "In per cent; where every answer can be read, WinoAcc is the sum of both less 100 %.",
        head,
        [_half(run.name, c, found) for run in runs for c, found in run.scores],
    )


def _half(name: str, condition: EuclifoldCondition, found: _Scores) -> list[str]:
    counts = cast(Mapping[str, Sequence[int]], found.get("counts", {}))
    true, false = counts.get("true", ()), counts.get("false", ())
    both = f" ({true[1]}+{false[1]})" if true and false else ""
    return [
        f"{name}: {condition.variant}",
        f"{found['items']}{both}",
        _percent(_number(found, "positive_accuracy")) + _counted(true),
        _percent(_number(found, "negative_accuracy")) + _counted(false),
        _decimal(_number(found, "wino_accuracy")),
    ]


def _counted(counts: Sequence[int]) -> str:
    """Return right answers and all, as the paper has them for people; nothing if unknown."""
    return f" ({counts[0]}/{counts[1]})" if counts else ""


def _bias(runs: Sequence[AskedScores]) -> Iterator[Table]:
    """Tabulate plain accuracy and the preference for one answer, as the paper warns; appendix H."""
    head = ["Model", "Acc. (%)", "True (%)", "Bias", "right", "wrong", "true", "false", "Read (%)"]
    chance = compute_guess_scores()
    rows = [
        ["Chance", _percent(chance["accuracy"]), _percent(chance["true_rate"]), _signed(0.0)]
        + [NOTHING] * 5
    ]
    rows += [_biased(run.name, c, found) for run in runs for c, found in run.scores]
    yield Table(
        "Accuracy, bias, and answers to pairs",
        "Plain accuracy, the share of True among answers that can be read, how far it is from the "
        "true share, and pairs of which both answers are right, wrong, True, False (appendix H).",
        head,
        rows if len(rows) > 1 else [],
        [("", 4), ("Both answers", 4), ("", 1)],
    )


def _biased(name: str, condition: EuclifoldCondition, found: _Scores) -> list[str]:
    both = found["both_answered"]
    assert isinstance(both, Mapping)
    return [
        f"{name}: {condition.variant}",
        _percent(_number(found, "accuracy")),
        _percent(_number(found, "true_rate")),
        _signed(_number(found, "true_bias")),
        *(str(both[key]) for key in ("right", "wrong", "true", "false")),
        _percent(_number(found, "parse_rate")),
    ]


def _straight(runs: Sequence[AskedScores]) -> Iterator[Table]:
    """Appendix H: nets in which the three faces stand as they are seen."""
    for base in _bases(runs):
        asked = replace(base, task=EuclifoldTask.FOLDING)
        columns = [
            _Column("", head, asked, ("by_straightness", key))
            for head, key in (("“L” shape", "straight"), ("non-“L” shape", "other"))
        ]
        note = (
            "WinoAcc of folding apart for nets in which top, front and right stand as the picture "
            f"of the cube shows them, an L that needs no folding.{_how(base)}"
        )
        yield _table("Appendix H: nets that show the answer", note, columns, runs, chance=True)


def _blind(runs: Sequence[AskedScores]) -> Iterator[Table]:
    """Tabulate the scores that remain without the pictures."""
    if not _asked(runs, lambda c: c.shown is not Evidence.PICTURE):
        return
    columns = [
        _Column(task.capitalize(), shown, EuclifoldCondition(task, shown=shown))
        for task in EuclifoldTask
        for shown in Evidence
    ]
    note = "WinoAcc with pictures, with words in their place, with nothing, with other pictures."
    yield _table("Arms: what is shown", note, columns, runs, chance=True)


_MAKERS: tuple[Callable[[Sequence[AskedScores]], Iterator[Table]], ...] = (
    _main,
    _colour,
    _orientation,
    _operation,
    _prompting,
    _halves,
    _bias,
    _straight,
    _blind,
)


def _table(
    title: str,
    note: str,
    columns: Sequence[_Column],
    runs: Sequence[AskedScores],
    *,
    chance: bool,
) -> Table:
    """Return a column for each condition, those that nobody was asked left out."""
    asked = [c for c in columns if any(_of(run, c) is not None for run in runs)]
    rows = [[run.name, *(_cell(_of(run, c)) for c in asked)] for run in runs]
    rows = [row for row in rows if any(cell != NOTHING for cell in row[1:])]
    if chance and rows:
        rows = [
            ["Chance", *[_decimal(compute_guess_scores()["wino_accuracy"])] * len(asked)],
            *rows,
        ]
    groups = [("", 1)]
    for column in asked:
        name, width = groups[-1]
        groups[-1:] = (
            [(name, width + 1)] if name == column.group else [(name, width), (column.group, 1)]
        )
    named = any(name for name, _ in groups)
    return Table(title, note, ["Model", *(c.head for c in asked)], rows, groups if named else ())


def _of(run: AskedScores, column: _Column) -> _Scores | None:
    found: Json = run.find_scores(column.condition)
    for key in column.path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else None


_NATURAL, _PROPER = Wording.NATURAL, Negatives.PROPER


def _bases(runs: Sequence[AskedScores]) -> list[EuclifoldCondition]:
    """Return the ways of asking that occur, told for a task that has no settings of its own."""
    found = (
        replace(c, task=EuclifoldTask.COLOUR, wording=_NATURAL, negatives=_PROPER)
        for run in runs
        for c, _ in run.scores
    )
    return list(dict.fromkeys(found))


def _how(base: EuclifoldCondition) -> str:
    """Describe what is unusual in a condition."""
    _, _, said = base.variant.partition(",")
    return f" Asked with {said.replace(',', ', ')}." if said else ""


def _asked(runs: Sequence[AskedScores], which: Callable[[EuclifoldCondition], bool]) -> bool:
    return any(which(condition) for run in runs for condition, _ in run.scores)


def _cell(found: _Scores | None) -> str:
    """``0.446 [0.416, 0.477]``."""
    value = None if found is None else _number(found, "wino_accuracy")
    if found is None or value is None:
        return NOTHING
    interval = found["wino_interval"]
    if interval is None:  # Of one person alone.
        return _decimal(value)
    assert isinstance(interval, Sequence)
    low, high = (_decimal(float(end)) for end in interval)  # type: ignore[arg-type]
    return f"{_decimal(value)} [{low}, {high}]"


def _number(found: _Scores, name: str) -> float | None:
    value = found[name]
    return float(value) if isinstance(value, int | float) else None


def _decimal(value: float | None) -> str:
    return NOTHING if value is None else f"{value + 0.0:.3f}"


def _percent(value: float | None) -> str:
    return NOTHING if value is None else f"{100 * value:.1f}"


def _signed(value: float | None) -> str:
    return NOTHING if value is None else f"{value + 0.0:+.3f}"

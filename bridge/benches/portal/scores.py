"""The metrics of M-Portal (MARBLE, 3.1): F1 of the minority class, and accuracy."""

from collections.abc import Iterable, Mapping, Sequence
from math import perm
from typing import Any, cast

from bridge.benches.portal.answer_formats import LETTERS, LettersForm
from bridge.items.suites import EndedTrial
from bridge.items.tables import compute_common_scores
from bridge.scoring.judged import Tally
from bridge.scoring.statistics import Bootstrap, bootstrap_clustered_ratio
from pysim.field_types import Json
from pysim.items import Single

__all__ = [
    "bootstrap_f1",
    "compute_always_yes_f1",
    "compute_blank_scores",
    "compute_chance_f1",
    "compute_minority_f1",
    "compute_plan_scores",
]

_Verdict = tuple[bool | None, bool]
"""An answer, None if it can't be read, and the gold one."""


def compute_plan_scores(ended: Sequence[EndedTrial]) -> Mapping[str, Json]:
    """Return the scores of yes and no: right plans are the minority class."""
    trials = [(cast(Single[bool], one.trial), one.state) for one in ended]
    grouped: dict[str, list[_Verdict]] = {}
    for trial, state in trials:
        pair = (trial.get_answer(state), trial.item.gold)
        grouped.setdefault(trial.item.group, []).append(pair)
    pairs = [pair for group in grouped.values() for pair in group]
    golds = [gold for _, gold in pairs]
    drawn = bootstrap_f1(grouped.values())
    return {
        **compute_common_scores(ended),
        "f1": compute_minority_f1(pairs),
        "f1_interval": _pair(drawn),
        "std": None if drawn is None else drawn.deviation,
        "chance_f1": compute_chance_f1(golds),
        "always_yes_f1": compute_always_yes_f1(golds),
    }


def _pair(drawn: Bootstrap | None) -> Json:
    """Return the interval; None where all draws are alike, for then it has no width."""
    if drawn is None or drawn.deviation == 0.0:
        return None
    return [drawn.interval.low, drawn.interval.high]


def compute_minority_f1(pairs: Sequence[_Verdict]) -> float | None:
    """F1 of yes, for answers with golds; None if nothing is yes. What can't be read is no."""
    above, below = _f1_parts(pairs)
    return above / below if below else None


def bootstrap_f1(groups: Iterable[Sequence[_Verdict]]) -> Bootstrap | None:
    """Bootstrap :func:`compute_minority_f1`, groups drawn whole; None if nothing is yes."""
    parts = [_f1_parts(group) for group in groups]
    return bootstrap_clustered_ratio(parts) if any(below for _, below in parts) else None


def _f1_parts(pairs: Sequence[_Verdict]) -> tuple[float, float]:
    """Return twice the hits, and how often yes is answered or right."""
    hits = sum(answer is True and gold for answer, gold in pairs)
    said = sum(answer is True for answer, _ in pairs)
    return 2.0 * hits, float(said + sum(gold for _, gold in pairs))


def compute_chance_f1(golds: Sequence[bool]) -> float | None:
    """F1 for a coin, hits and answers each at their mean: with 1 of 32 right it is 1/17."""
    true, count = sum(golds), len(golds)
    return true / (count / 2 + true) if count else None


def compute_always_yes_f1(golds: Sequence[bool]) -> float | None:
    """Return the F1 of yes, always: with 1 of 32 right it is 2/33, the paper's random row."""
    return compute_minority_f1([(True, gold) for gold in golds])


def compute_blank_scores(ended: Sequence[EndedTrial]) -> Mapping[str, Json]:
    """Return the scores of letters in order: all of them, or it is wrong."""
    forms = [cast(Single[Any], one.trial).item.form for one in ended]
    blanks = [form.blanks for form in forms if isinstance(form, LettersForm)]
    chance = sum(1 / perm(len(LETTERS), count) for count in blanks) / len(blanks) if blanks else 0
    tally = Tally([one for trial in ended for one in trial.judged])
    return {**compute_common_scores(ended), "std": tally.deviation, "chance": chance}

"""The metrics of M-Portal (MARBLE, 3.1): F1 of the minority class, and accuracy."""

from collections.abc import Mapping, Sequence
from math import perm
from typing import Any, cast

from bridge.benches.portal.forms import LETTERS, LettersForm
from bridge.items.suites import Ended
from bridge.items.tables import common_scores
from pysim.items import Single
from pysim.kinds import Json

__all__ = ["blanks_scores", "chance_f1", "minority_f1", "plans_scores"]


def plans_scores(ended: Sequence[Ended]) -> Mapping[str, Json]:
    """Of yes and no: right plans are the minority class."""
    trials = [(cast(Single[bool], one.trial), one.state) for one in ended]
    pairs = [(trial.answer(state), trial.item.gold) for trial, state in trials]
    return {
        **common_scores(ended),
        "f1": minority_f1(pairs),
        "chance_f1": chance_f1([gold for _, gold in pairs]),
    }


def minority_f1(pairs: Sequence[tuple[bool | None, bool]]) -> float | None:
    """F1 of yes, for answers with golds; None if nothing is yes. What can't be read is no."""
    hits = sum(answer is True and gold for answer, gold in pairs)
    said = sum(answer is True for answer, _ in pairs)
    true = sum(gold for _, gold in pairs)
    return 2 * hits / (said + true) if said + true else None


def chance_f1(golds: Sequence[bool]) -> float | None:
    """F1 for a coin, hits and answers each at their mean: with 1 of 32 right it is 1/17."""
    true, count = sum(golds), len(golds)
    return true / (count / 2 + true) if count else None


def blanks_scores(ended: Sequence[Ended]) -> Mapping[str, Json]:
    """Of letters in order: all of them, or it is wrong."""
    forms = [cast(Single[Any], one.trial).item.form for one in ended]
    blanks = [form.blanks for form in forms if isinstance(form, LettersForm)]
    chance = sum(1 / perm(len(LETTERS), count) for count in blanks) / len(blanks) if blanks else 0
    return {**common_scores(ended), "chance": chance}

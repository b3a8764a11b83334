"""The metrics of EucliFold, condition by condition."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from bridge.benches.euclifold.beliefs import AnswerPair, Beliefs, compute_guess_scores
from bridge.benches.euclifold.trials import Statement
from bridge.items.suites import EndedTrial
from bridge.items.tables import compute_common_scores
from bridge.scoring.answers import Binary, share
from bridge.scoring.statistics import Interval
from pysim.families.nets.faces import VISIBLE
from pysim.field_types import Json

__all__ = ["compute_scores"]


def compute_scores(ended: Sequence[EndedTrial]) -> Mapping[str, Json]:
    """Return all metrics of some statements; shares from 0 to 1, None is undefined.

    Pairs of which only one item was asked count for the accuracy alone.
    """
    pairs = _pairs(ended)
    answers = Binary([(_trial(one).get_answer(one.state), _trial(one).item.gold) for one in ended])
    beliefs = Beliefs([pair for _, pair in pairs])
    return {
        **compute_common_scores(ended),
        **_beliefs(beliefs),
        "joint_interval": _both(beliefs.joint_interval),
        "p_value": beliefs.p_value,
        "true_rate": answers.yes_rate,
        "true_bias": _less(answers.yes_rate, share(gold for _, gold in answers.answers)),
        "positive_accuracy": _right(answers, True),
        "negative_accuracy": _right(answers, False),
        "both_answered": {
            "right": sum(pair.belief > 0 for pair in beliefs.pairs),
            "wrong": sum(pair.belief < 0 for pair in beliefs.pairs),
            "true": beliefs.pairs.count(AnswerPair(True, True)),
            "false": beliefs.pairs.count(AnswerPair(False, False)),
        },
        "by_face": _by_face(pairs),
        "by_straightness": _by_straightness(pairs),
        "chance": dict(compute_guess_scores()),
    }


def _pairs(ended: Iterable[EndedTrial]) -> list[tuple[Statement, AnswerPair]]:
    """Whole pairs, each with one of its trials."""
    found: dict[str, dict[bool, EndedTrial]] = {}
    for one in ended:
        item = _trial(one).item
        found.setdefault(item.group, {})[item.gold] = one
    return [
        (
            _trial(both[True]),
            AnswerPair(*(_trial(both[g]).get_answer(both[g].state) for g in (True, False))),
        )
        for both in found.values()
        if len(both) == 2
    ]


def _trial(ended: EndedTrial) -> Statement:
    return cast(Statement, ended.trial)


def _beliefs(beliefs: Beliefs) -> dict[str, Json]:
    return {
        "pairs": len(beliefs.pairs),
        "wino_accuracy": beliefs.wino_accuracy,
        "wino_interval": _both(beliefs.interval),
        "true_belief": beliefs.true_belief,
        "false_belief": beliefs.false_belief,
    }


def _by_face(pairs: Sequence[tuple[Statement, AnswerPair]]) -> dict[str, Json]:
    """By the face whose arrow is asked about; nothing where none is."""
    return {
        face.value: _beliefs(Beliefs(chosen))
        for face in VISIBLE
        if (chosen := [pair for trial, pair in pairs if trial.asked.face is face])
    }


def _by_straightness(pairs: Sequence[tuple[Statement, AnswerPair]]) -> dict[str, Json]:
    """Apart for nets in which the faces stand as they are seen; nothing if there are none."""
    straight = [pair for trial, pair in pairs if trial.asked.straight]
    others = [pair for trial, pair in pairs if not trial.asked.straight]
    if not straight:
        return {}
    return {"straight": _beliefs(Beliefs(straight)), "other": _beliefs(Beliefs(others))}


def _right(answers: Binary, gold: bool) -> float | None:
    """Accuracy on true or on false statements; what can't be read is wrong."""
    return share(answer is truth for answer, truth in answers.answers if truth is gold)


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _both(interval: Interval | None) -> Json:
    return None if interval is None else [interval.low, interval.high]

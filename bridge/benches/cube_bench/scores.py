"""The metrics of Cube Bench's tasks."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from bridge.benches.cube_bench.closed_loop import Decision, LoopTrial
from bridge.benches.cube_bench.condition import Abstention, Condition, Task
from bridge.benches.cube_bench.forms import OPTIONS, Effect, Effects, OptionLetter
from bridge.benches.cube_bench.learning_curve import CurveTrial
from bridge.benches.cube_bench.questions import Claim, compute_effect_target
from bridge.benches.cube_bench.reflection import ReflectionTrial
from bridge.items.suites import EndedTrial
from bridge.scoring.answers import (
    Adherence,
    Attempts,
    Binary,
    Confusion,
    Grids,
    Revision,
    Selective,
    compute_js_divergence,
    share,
)
from pysim.field_types import Json
from pysim.items import Single

__all__ = ["QuestionScores", "compute_scores"]

QuestionScores = Mapping[str, Json]
"""Metrics by name: shares from 0 to 1, counts; None is undefined."""

T = TypeVar("T")


def compute_scores(condition: Condition, ended: Sequence[EndedTrial]) -> QuestionScores:
    """Return all metrics that the paper defines for the condition's task."""
    return _MAKERS[condition.task](condition, ended)


def _face(condition: Condition, ended: Sequence[EndedTrial]) -> QuestionScores:
    grids = Grids([(t.get_answer(state), t.item.gold) for t, state in _typed(ended, Single)])
    return {
        "element_accuracy": grids.element_accuracy,
        "matrix_accuracy": grids.matrix_accuracy,
        "parse_rate": grids.parse_rate,
        "gold_colours": dict(Counter(letter for _, gold in grids.pairs for letter in gold)),
    }


def _verification(condition: Condition, ended: Sequence[EndedTrial]) -> QuestionScores:
    by_template: dict[str, list[tuple[bool | None, bool]]] = {}
    for trial, state in _typed(ended, Claim):
        answer = trial.get_answer(state), trial.item.gold
        by_template.setdefault(trial.hypothesis.template.value, []).append(answer)
    found = Binary([answer for group in by_template.values() for answer in group])
    return {
        "balanced_accuracy": found.balanced_accuracy,
        "parse_rate": found.parse_rate,
        "yes_rate": found.yes_rate,
        "bias": found.bias,
        "accuracy_by_template": {
            template: Binary(group).accuracy for template, group in by_template.items()
        },
    }


def _move(condition: Condition, ended: Sequence[EndedTrial]) -> QuestionScores:
    answers = [(t.get_answer(state), t.item.gold) for t, state in _typed(ended, Single)]
    return {
        "accuracy": share(answer is gold for answer, gold in answers),
        "parse_rate": share(answer is not None for answer, _ in answers),
        "gold_slots": _slots([gold for _, gold in answers]),
    }


def _reflection(condition: Condition, ended: Sequence[EndedTrial]) -> QuestionScores:
    answers = [
        (t.read_draft(state), t.read_final(state), t.question.gold)
        for t, state in _typed(ended, ReflectionTrial)
    ]
    found = Revision([(draft is gold, final is gold) for draft, final, gold in answers])
    return {
        "initial_accuracy": found.initial,
        "final_accuracy": found.final,
        "gain": found.gain,
        "error_fix_rate": found.error_fix_rate,
        "overthink_rate": found.overthink_rate,
        "parse_rate_draft": share(draft is not None for draft, _, _ in answers),
        "parse_rate_final": share(final is not None for _, final, _ in answers),
    }


def _loop(condition: Condition, ended: Sequence[EndedTrial]) -> QuestionScores:
    episodes = [state.decisions for _, state in _typed(ended, LoopTrial)]
    adherence = Adherence([(condition.depth, [d.correct for d in ds]) for ds in episodes])
    found = _selective([decision for decisions in episodes for decision in decisions])
    scores: dict[str, Json] = {
        "teacher_adherence": adherence.teacher_adherence,
        "perfect": adherence.perfect,
        "decisions": found.total,
        "unread": found.unread,
    }
    if condition.abstain is Abstention.NONE:
        return scores
    return scores | {
        "coverage": found.coverage,
        "selective_accuracy": found.selective_accuracy,
        "idk_rate": found.idk_rate,
        "apa": found.compute_apa(condition.idk_weight),
        "correct": found.correct,
        "wrong": found.wrong,
        "idk": found.abstained,
        "coverage_by_step": [
            _selective([ds[step] for ds in episodes if len(ds) > step]).coverage
            for step in range(condition.depth)
        ],
    }


def _selective(decisions: Sequence[Decision]) -> Selective:
    answered = [d for d in decisions if d.choice not in (None, OptionLetter.IDK)]
    correct = sum(d.correct for d in answered)
    return Selective(
        correct,
        len(answered) - correct,
        sum(d.choice is OptionLetter.IDK for d in decisions),
        sum(d.choice is None for d in decisions),
    )


def _effect(condition: Condition, ended: Sequence[EndedTrial]) -> QuestionScores:
    labels = [
        (slot, gold, given)
        for t, state in _typed(ended, Single)
        for slot, gold, given in zip(OPTIONS, t.item.gold, _labels_of(t, state), strict=True)
    ]
    found = Confusion(list(Effect), Counter((gold, given) for _, gold, given in labels))
    return {
        "micro_accuracy": found.micro_accuracy,
        "macro_f1": found.macro_f1,
        "kappa": found.kappa,
        "expected_dot": found.expected_dot,
        "confusion": {
            gold: {
                given or "MISSING": found.counts.get((gold, given), 0) for given in (*Effect, None)
            }
            for gold in Effect
        },
        "class_divergence": _class_divergence(condition, [gold for _, gold, _ in labels]),
        "slot_divergence": {
            effect: _slot_divergence([slot for slot, gold, _ in labels if gold is effect])
            for effect in Effect
        },
    }


def _labels_of(trial: Single[Any], state: Any) -> Effects:
    return trial.get_answer(state) or (None,) * len(OPTIONS)


def _curve(condition: Condition, ended: Sequence[EndedTrial]) -> QuestionScores:
    curves = [one for one in _typed(ended, CurveTrial) if one[0].has_erred(one[1])]
    found = Attempts(
        [trial.count_attempts(state) for trial, state in curves], condition.max_attempts
    )
    interval = found.interval
    return {
        "episodes": len(curves),
        "solve_rate": found.solve_rate,
        "interval": None if interval is None else [interval.low, interval.high],
        "p_1": found.compute_share_within(1),
        "p_3": found.compute_share_within(3),
        "med_at_solved": found.median_at_solved,
        "avg_at_all": found.average_at_all,
        "solved_after": {str(k): found.solved_after.count(k) for k in range(1, found.most + 1)},
        "unread": sum(state.unread for _, state in curves),
    }


_MAKERS: Mapping[Task, Callable[[Condition, Sequence[EndedTrial]], QuestionScores]] = {
    Task.FACE: _face,
    Task.VERIFICATION: _verification,
    Task.MOVE: _move,
    Task.REFLECTION: _reflection,
    Task.LOOP: _loop,
    Task.EFFECT: _effect,
    Task.CURVE: _curve,
}


def _typed(ended: Sequence[EndedTrial], kind: type[T]) -> Iterator[tuple[T, Any]]:
    """Trials, which are all of one type, and their last states."""
    for one in ended:
        assert isinstance(one.trial, kind)
        yield one.trial, one.state


def _slots(letters: Sequence[OptionLetter]) -> dict[str, Json]:
    return {letter.value: letters.count(letter) for letter in OPTIONS}


def _class_divergence(condition: Condition, labels: Sequence[Effect]) -> float | None:
    """Measure how far the right labels are from the mix aimed at; as :func:`_slot_divergence`."""
    target = compute_effect_target(condition, len(labels) // len(OPTIONS))
    mix = [labels.count(effect) for effect in Effect]
    return compute_js_divergence(mix, [target[effect] for effect in Effect]) if labels else None


def _slot_divergence(letters: Sequence[OptionLetter]) -> float | None:
    """Measure how uneven the letters are: Jensen-Shannon divergence in bits; None without any."""
    counts = [letters.count(letter) for letter in OPTIONS]
    return compute_js_divergence(counts, [1] * len(OPTIONS)) if letters else None

"""Trials by condition and seed."""

from typing import Any

from bridge.benches.cube_bench.closed_loop import LoopTrial
from bridge.benches.cube_bench.condition import Condition, Task
from bridge.benches.cube_bench.learning_curve import CurveTrial
from bridge.benches.cube_bench.questions import (
    make_claim,
    make_effect_trials,
    make_face_trial,
    move_question,
)
from bridge.benches.cube_bench.reflection import ReflectionTrial
from pysim.items import Single, Trial

__all__ = ["make_trials"]


def make_trials(condition: Condition, seeds: range) -> list[Trial[Any]]:
    """Return the trials of some seeds, the same whichever others there are.

    Args:
        seeds: from 0 up, ascending.
    """
    match condition.task:
        case Task.FACE:
            return [make_face_trial(condition, seed) for seed in seeds]
        case Task.VERIFICATION:
            return [make_claim(condition, seed) for seed in seeds]
        case Task.MOVE:
            return [Single(move_question(condition, seed).make_item()) for seed in seeds]
        case Task.REFLECTION:
            return [ReflectionTrial(move_question(condition, seed)) for seed in seeds]
        case Task.LOOP:
            return [LoopTrial(condition, seed) for seed in seeds]
        case Task.EFFECT:
            return list(make_effect_trials(condition, seeds))
        case Task.CURVE:
            return [CurveTrial(condition, seed) for seed in seeds]

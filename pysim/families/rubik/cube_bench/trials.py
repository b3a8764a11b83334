"""Trials by condition and seed."""

from typing import Any

from pysim.families.rubik.cube_bench.closed_loop import LoopTrial
from pysim.families.rubik.cube_bench.condition import Condition, Task
from pysim.families.rubik.cube_bench.learning_curve import CurveTrial
from pysim.families.rubik.cube_bench.questions import claim, effects, face, move_question
from pysim.families.rubik.cube_bench.reflection import ReflectionTrial
from pysim.items import Single, Trial

__all__ = ["make_trials"]


def make_trials(condition: Condition, seeds: range) -> list[Trial[Any]]:
    """The trials of some seeds, the same whichever others there are.

    Args:
        seeds: from 0 up, ascending.
    """
    match condition.task:
        case Task.FACE:
            return [face(condition, seed) for seed in seeds]
        case Task.VERIFICATION:
            return [claim(condition, seed) for seed in seeds]
        case Task.MOVE:
            return [Single(move_question(condition, seed).item()) for seed in seeds]
        case Task.REFLECTION:
            return [ReflectionTrial(move_question(condition, seed)) for seed in seeds]
        case Task.LOOP:
            return [LoopTrial(condition, seed) for seed in seeds]
        case Task.EFFECT:
            return list(effects(condition, seeds))
        case Task.CURVE:
            return [CurveTrial(condition, seed) for seed in seeds]

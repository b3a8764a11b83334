"""Locks that `luban generate burr --kind cube --size 4 --pieces 3` makes anew.

Of forty that an earlier version made, seven said OPTIMAL and were one move too long.
"""

import json

import pytest

from bridge.generating import make_level
from bridge.referee.burr.judging import judge
from pysim.catalog import encode_level
from pysim.families.burr.generator import LockGenerator
from pysim.families.burr.generator.settings import LockKind, Settings
from pysim.generation import Draft
from pysim.puzzle import Proof
from pysim.render.palette import PALETTE
from pysim.scene import Colour

COLOURS = tuple(map(Colour, PALETTE))
SEEDS = [0, 1]
FORTY = range(40)


def judged(seed: int, numbers: range | list[int]) -> tuple[int, int]:
    """How many locks there are, and how many of them say that their plan is optimal."""
    generator = LockGenerator(Settings(LockKind.CUBE, seed=seed, pieces=3, size=(4,)), COLOURS)
    made = optimal = 0
    for number in numbers:
        draft = generator.attempt(number)
        if not isinstance(draft, Draft):
            continue
        level = make_level(generator, draft, number)
        assert level.plan is not None
        told = judge(json.loads(json.dumps(encode_level(level))))
        assert told.false == (), (level.id, told.false)
        assert {"plan", "proof", "lower_bound"} <= {*told.confirmed}, (level.id, told.undecided)
        made += 1
        optimal += level.plan.proof is Proof.OPTIMAL
    return made, optimal


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_some_fresh_cubes_are_as_optimal_as_they_say(seed: int) -> None:
    made, optimal = judged(seed, [0, 9, 18, 27])
    assert made >= 3 and optimal >= 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*SEEDS, 2, 3])
def test_forty_fresh_cubes_are_as_optimal_as_they_say(seed: int) -> None:
    made, optimal = judged(seed, FORTY)
    assert made >= 30 and optimal >= 20

"""CubeBench's rewards in Gymnasium."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

import bridge.adapters.gymnasium
from bridge.benches.cubebench.gymnasium import CubeReward
from pysim.catalog import find_level
from pysim.families.rubik.moves import Move
from pysim.families.rubik.rewards import Reward

LEVEL = "cubebench-d03-1-full-symbolic"
KINDS = {"sticker": 54, "face": 6, "heuristic": 7, "none": 0}


@pytest.fixture
def cube() -> Iterator[gymnasium.Env[Any, Any]]:
    env = gymnasium.make("Luban/Rubik-v0", level=LEVEL, observation="features")
    yield env
    env.close()


@pytest.mark.parametrize("kind", KINDS)
def test_the_rewards_of_a_solution_add_up_to_what_was_missing(
    kind: str, cube: gymnasium.Env[Any, Any]
) -> None:
    level = find_level(LEVEL)
    assert level.plan is not None
    actions = bridge.adapters.gymnasium.vocabulary_of(level).actions
    env = CubeReward(cube, kind)
    env.reset(seed=0)
    state = level.puzzle.start
    total = 0.0
    for action in level.plan.actions:
        _, reward, terminated, _, _ = env.step(np.int64(actions.index(action)))
        after = state.turn([Move.parse(str(action.move))])  # type: ignore[attr-defined]
        assert reward == Reward(kind).score(after) - Reward(kind).score(state)
        state, total = after, total + float(reward)
    assert terminated
    assert total == KINDS[kind] - Reward(kind).score(level.puzzle.start)


def test_each_episode_begins_with_its_own_score() -> None:
    env = gymnasium.make_vec(
        "Luban/Rubik-v0",
        num_envs=2,
        vectorization_mode="sync",
        wrappers=[partial(CubeReward, reward="sticker")],
        observation="features",
        scramble=2,
    )
    env.reset(seed=3)
    _, rewards, *_ = env.step(np.array([0, 1]))
    assert all(-48 <= reward <= 48 for reward in rewards)
    env.close()


def test_what_does_not_fit_is_told(cube: gymnasium.Env[Any, Any]) -> None:
    with pytest.raises(ValueError, match="there is no reward 'gold'"):
        CubeReward(cube, "gold")
    text = gymnasium.make("Luban/Rubik-v0", level=LEVEL, observation="text")
    with pytest.raises(ValueError, match='observation="features"'):
        CubeReward(text)
    text.close()

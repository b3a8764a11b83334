"""Checks of OpenEnv's RFC 008 that its tool lacks, on every shipped level.

By day a level of each family and tier is checked, by night all of them.
"""

import json
import random
from collections.abc import Iterator

import pytest
from luban_openenv.environment import SHIPPED, LubanEnvironment, Settings
from luban_openenv.models import LubanAction, LubanObservation

import luban
from bridge.episode.tools import ToolCall
from tests.adapters.secrets import always_secret, found_in

LEVELS = luban.levels()
PLAIN = Settings(observation="state")
BY_DAY = {(level.family, level.tier): level.id for level in reversed(LEVELS) if level.plan}
JUNK = ["", " ", "solved", "reset", "{}", "[]", "null", '{"reward": 1}', "\x00", "é" * 100]


def list_indexes() -> Iterator[object]:
    """Indexes of the levels that have a plan, all but a few marked as slow."""
    for index, level in enumerate(LEVELS):
        if level.plan:
            marks = () if BY_DAY[level.family, level.tier] == level.id else pytest.mark.slow
            yield pytest.param(index, id=level.id, marks=marks)


def plan(index: int) -> list[LubanAction]:
    steps = LEVELS[index].plan
    assert steps is not None
    calls = [ToolCall.of(action) for action in steps.actions]
    return [LubanAction(name=call.name, arguments=dict(call.arguments)) for call in calls]


def play(env: LubanEnvironment, actions: list[LubanAction]) -> list[tuple[str, LubanObservation]]:
    """Return the state hash and the observation after each action."""
    trace = []
    for action in actions:
        seen = env.step(action)
        trace.append((env.state.state_hash, seen))
    return trace


@pytest.mark.parametrize("index", list(list_indexes()))
def test_oracle_earns_one_again_and_again_beside_another_episode(index: int) -> None:
    actions = plan(index)
    env, other = LubanEnvironment(PLAIN), LubanEnvironment(PLAIN)
    first = env.reset(split=SHIPPED, index=index)
    trace = play(env, actions)
    assert sum(seen.reward for _, seen in trace) == env.state.total == 1
    assert [seen.done for _, seen in trace] == [False] * (len(trace) - 1) + [True]
    assert env.state.outcome == "SOLVED" and env.state.step_count == len(actions)
    assert env.reset(split=SHIPPED, index=index) == first
    other.reset(split=SHIPPED, index=index)
    again = []
    for action in actions:
        other.step(LubanAction(name="nothing"))
        again += play(env, [action])
    assert again == trace
    assert other.state.total == 0
    env.close()
    other.close()


@pytest.mark.parametrize("index", list(list_indexes()))
def test_nothing_and_strings_earn_nothing(index: int) -> None:
    env = LubanEnvironment(PLAIN)
    first = env.reset(split=SHIPPED, index=index)
    assert (first.reward, first.done, env.state.total) == (None, False, 0)
    rng, names = random.Random(index), [tool["function"]["name"] for tool in first.tools]
    before = env.state.state_hash
    for text in JUNK:
        action = LubanAction(name=rng.choice([text, *names]), arguments=text)
        seen = env.step(action)
        assert seen.refused and seen.reward == 0
        if seen.done:
            break
    assert env.state.state_hash == before and env.state.total == 0
    env.close()


@pytest.mark.parametrize("index", list(list_indexes()))
def test_observations_leak_nothing_of_the_level_and_its_plan(index: int) -> None:
    env, level = LubanEnvironment(PLAIN), LEVELS[index]
    told = [env.reset(split=SHIPPED, index=index)]
    told += [env.step(LubanAction(name="nothing")), env.step(LubanAction(name="", arguments=""))]
    texts = [seen.model_dump_json() for seen in told] + [seen.text for seen in told]
    texts.append(json.dumps(env.get_task(SHIPPED, index)))
    assert not found_in(texts, always_secret(level, []))
    env.close()

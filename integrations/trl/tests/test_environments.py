"""Environments as TRL's trainer uses them: schemas, prompts, results, rewards, parity, pictures."""

import inspect
import pickle
from typing import Any

import luban_trl
import pytest
from luban_trl import LubanEnv, make_dataset, make_environment, make_environments
from PIL import Image
from transformers.utils import get_json_schema

import luban
from bridge.episode.tools import ToolCall
from luban.testing.sight import Arrival, Route, check_sight, find_adapter
from tests.adapters.task_parity import FAMILIES, NIGHT, check_parity, list_tasks


def tools(env: LubanEnv) -> dict[str, object]:
    """The methods that the trainer takes for tools."""
    names = [name for name, _ in inspect.getmembers(type(env), predicate=inspect.isfunction)]
    hidden = ("reset", "get_reward")
    return {n: getattr(env, n) for n in names if n not in hidden and not n.startswith("_")}


@pytest.mark.parametrize("family", FAMILIES)
def test_schemas_are_those_of_the_family_and_hold_every_plan(family: str) -> None:
    env = make_environment(family)()
    typed = {tool.name: tool for tool in luban.list_typed_tools(family)}
    found = {name: get_json_schema(tool)["function"] for name, tool in tools(env).items()}
    assert found.keys() == typed.keys()
    for name, function in found.items():
        assert function["description"] == typed[name].description
        properties = function["parameters"]["properties"]
        assert {n: p["description"] for n, p in properties.items()} == typed[name].docs
        needed = [n for n, p in typed[name].signature.parameters.items() if p.default is p.empty]
        assert function["parameters"]["required"] == needed
    for level in list_tasks(family, 5):
        for call in map(ToolCall.of, level.plan.actions):
            properties = found[call.name]["parameters"]["properties"]
            assert call.arguments.keys() <= properties.keys()
            for name, value in call.arguments.items():
                choices = properties[name].get("enum")
                assert choices is None or value in choices


@pytest.mark.parametrize("family", FAMILIES)
def test_classes_have_names_and_can_be_pickled(family: str) -> None:
    found = getattr(luban_trl, f"{family.capitalize()}Env")
    assert found is make_environment(family) and found.family == family
    assert pickle.loads(pickle.dumps(found)) is found
    assert make_environments(family, image_size=64)[family].image_size == 64


def test_rows_begin_episodes_and_refusals_cost_steps() -> None:
    rows = make_dataset("nets:test:0-2")
    assert rows["task"] == [f"nets-test-{i}" for i in range(3)]
    env = make_environment("nets", observation="image", reward="progress", refusal_price=0.5)()
    first = env.reset(**rows[0])
    assert [block["type"] for block in first].count("image") >= 1
    assert all(isinstance(b["image"], Image.Image) for b in first if b["type"] == "image")
    assert env.get_reward() == 0 and env.outcome is None
    before = env.state_hash
    refused = env.fold("mauve", colour="red")
    assert env.state_hash == before and "steps left" in refused[0]["text"]
    for action in luban.load("nets:test:0").plan.actions:
        call = ToolCall.of(action)
        getattr(env, call.name)(**call.arguments)
    assert env.outcome is luban.Outcome.SOLVED
    assert env.get_reward() == 0.5
    assert "No more actions" in env.fold(face="red", way="valley")[0]["text"]
    assert env.get_reward() == 0.5
    assert env.reset(**rows[0])[0] == first[0] and env.get_reward() == 0


def test_wrong_rows_and_families_are_refused() -> None:
    env = make_environment("nets")()
    with pytest.raises(ValueError, match="column task"):
        env.reset(prompt="x")
    with pytest.raises(ValueError, match="of the family burr, not nets"):
        env.reset(task="burr:test:0")
    with pytest.raises(RuntimeError, match="reset the environment first"):
        env.fold("red", "valley")
    with pytest.raises(ValueError, match="no family"):
        make_environment("chess")
    with pytest.raises(AttributeError, match="ChessEnv"):
        luban_trl.ChessEnv  # noqa: B018


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"reward": "much"}, "sparse or progress"),
        ({"refusal_price": 2}, "price of refusals"),
        ({"observation": "picture"}, "picture"),
        ({"image_size": 3}, "16 to 2048 pixels"),
    ],
)
def test_settings_that_do_not_exist_are_refused_before_a_trainer_begins(
    settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        make_environment("nets", **settings)


def test_pictures_arrive_whole() -> None:
    with find_adapter("trl").open(Route()) as play:
        found = check_sight(play)
    assert found.passed and found.arrivals[Arrival.SAME_PIXELS] == found.drawn, found


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("count", [1, pytest.param(NIGHT, marks=pytest.mark.slow)])
def test_same_actions_give_the_hashes_and_rewards_of_python(family: str, count: int) -> None:
    assert check_parity("trl", list_tasks(family, count)) == count

"""Gymnasium's environments with one space for a family: grids, shared numbers and parts."""

import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="NOT TESTED: no gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import bridge.adapters.gymnasium  # noqa: E402, F401
from bridge.episode.episode import state_hash  # noqa: E402
from bridge.rpc.server import LubanServer  # noqa: E402
from pysim.catalog import discover_families, find_family  # noqa: E402
from pysim.catalog.spaces import find_space, list_spaces  # noqa: E402
from pysim.errors import InputError  # noqa: E402
from pysim.tasks import TaskSource  # noqa: E402
from tests.sampling import these_by_day  # noqa: E402

FAMILIES = [name for name in discover_families() if discover_families()[name].spaces]
ACTIONS = ("family", "parts", "level")


def make(family: str, **options: Any) -> Any:
    return gymnasium.make(f"Luban/{family.capitalize()}-v0", **{"observation": "grid", **options})


@pytest.mark.parametrize(
    "named",
    these_by_day(
        [(name, ACTIONS[k % 2]) for k, name in enumerate(FAMILIES)],
        product(FAMILIES, ACTIONS),
        name="-".join,
    ),
)
def test_gymnasium_finds_no_fault_in_grids(named: tuple[str, str]) -> None:
    family, actions = named
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = make(family, actions=actions).unwrapped
        check_env(env, skip_render_check=True)
        env.close()


def list_choices(family: str, count: int) -> list[dict[str, Any]]:
    """Return options of resets to so many different prepared tasks, of all difficulties."""
    choices = []
    for difficulty in TaskSource(family).difficulties:
        source = TaskSource(family, {"difficulties": (difficulty,)})
        for split in source.splits:
            some = range(source.count_prepared(split))
            choices += [{"split": split, "difficulty": difficulty, "task": k} for k in some]
    return choices[:: len(choices) // count][:count]


@pytest.mark.parametrize("count", [8, pytest.param(1000, marks=[pytest.mark.slow])])
@pytest.mark.parametrize("family", FAMILIES)
def test_all_tasks_have_the_same_spaces(family: str, count: int) -> None:
    env = make(family).unwrapped
    actions, seen_space, hashes = env.action_space, env.observation_space, set()
    actions.seed(0)
    for k, options in enumerate(list_choices(family, count)):
        seen, info = env.reset(options=options)
        assert env.action_space is actions and env.observation_space is seen_space
        assert seen in seen_space and info["action_mask"].shape == (actions.n,)
        hashes.add(info["level_hash"])
        if k % 10 == 0:
            seen, _, _, _, info = env.step(actions.sample(info["action_mask"]))
            assert seen in seen_space and info["reason"] == ""
    assert len(hashes) == count


@pytest.mark.by_day(7)
@pytest.mark.parametrize("actions", ["family", "parts"])
@pytest.mark.parametrize("family", FAMILIES)
def test_plans_by_numbers_solve_tasks_of_all_families(family: str, actions: str) -> None:
    env, space = make(family, actions=actions, reward="progress").unwrapped, find_space(family)
    for k in range(3):
        _, info = env.reset(options={"split": "test", "task": k})
        level, rules = env.level, find_family(env.level).rules
        state, earned = rules.initial(level), 0.0
        for action in level.plan.actions:
            for number in space.find_numbers(level, state, action):
                taken = space.make_action(level, state, number)
                state = rules.apply(level, state, taken).state
                choice: Any = np.int64(number)
                if actions == "parts":
                    choice = space.actions.to_parts(number)
                    masks = info["action_mask"]
                    assert all(mask[v] for mask, v in zip(masks, choice, strict=True))
                else:
                    assert info["action_mask"][number]
                _, reward, terminated, _, info = env.step(choice)
                earned += reward
                assert info["reason"] == ""
                assert info["state_hash"] == state_hash(level, state)
        assert terminated and info["success"] and earned == pytest.approx(1)


@pytest.mark.parametrize("family", FAMILIES)
def test_number_that_is_not_legal_costs_a_step_and_changes_nothing(family: str) -> None:
    env = make(family, split="train", budget=400, refusal_price=0.1).unwrapped
    _, info = env.reset(seed=2)
    rng = np.random.default_rng(2)
    refused = np.flatnonzero(info["action_mask"] == 0)
    before, left = info["state_hash"], 400
    for number in rng.choice(refused, min(60, len(refused)), replace=False):
        seen, reward, terminated, truncated, info = env.step(number)
        left -= 1
        assert (seen["budget"][0], reward, terminated, truncated) == (left, 0, False, False)
        assert info["reason"] and info["message"] and info["state_hash"] == before


def test_price_of_refusals_is_paid_at_the_end() -> None:
    env = make("nets", reward="sparse", refusal_price=0.5).unwrapped
    env.reset(options={"split": "train", "task": 0})
    space, level = find_space("nets"), env.level
    env.step(np.int64(space.actions.encode("unfold", 1)))
    rewards = []
    state, rules = find_family(level).rules.initial(level), find_family(level).rules
    for action in level.plan.actions:
        (number,) = space.find_numbers(level, state, action)
        state = rules.apply(level, state, action).state
        rewards.append(env.step(np.int64(number))[1])
    assert rewards == [0.0] * (len(rewards) - 1) + [0.5]


def test_masks_as_maskable_ppo_wants_them() -> None:
    for actions in ("family", "parts"):
        env = make("jigsaw", actions=actions).unwrapped
        _, info = env.reset(seed=0)
        mask = env.action_masks()
        assert mask.dtype == np.bool_
        told = info["action_mask"]
        assert (mask == (told if actions == "family" else np.concatenate(told))).all()
        size = env.action_space.n if actions == "family" else sum(env.action_space.nvec)
        assert mask.shape == (size,)


def test_without_feedback_every_number_seems_legal() -> None:
    for actions in ("family", "parts"):
        env = make("burr", actions=actions, feedback="none").unwrapped
        _, info = env.reset(seed=0)
        assert env.action_masks().all()
        seen, _, _, _, info = env.step(env.action_space.sample(info["action_mask"]))
        assert info["reason"] == "" and seen in env.observation_space


def test_grids_are_the_same_on_a_server(tmp_path: Path) -> None:
    with LubanServer(tmp_path) as server:
        here, there = make("burr").unwrapped, make("burr", address=server.address).unwrapped
        here.reset(seed=1, options={"split": "test"})
        there.reset(seed=1, options={"split": "test"})
        here.action_space.seed(1)
        mask = here.action_masks().astype(np.int8)
        for _ in range(6):
            number = here.action_space.sample(mask)
            mine, yours = here.step(number), there.step(number)
            assert all((mine[0][part] == yours[0][part]).all() for part in mine[0])
            assert mine[4]["state_hash"] == yours[4]["state_hash"] and mine[1:4] == yours[1:4]
            mask = mine[4]["action_mask"]
            if mine[2] or mine[3]:
                break
        there.close()


def test_vector_environment_holds_different_tasks() -> None:
    envs = gymnasium.make_vec(
        "Luban/Burr-v0", num_envs=4, vectorization_mode="sync", observation="grid", split="train"
    )
    seen, info = envs.reset(seed=5)
    assert len(set(info["level_hash"])) > 1
    assert seen["occupancy"].shape == (4, *find_space("burr").arrays["occupancy"].shape)
    numbers = [envs.single_action_space.sample(mask) for mask in info["action_mask"]]
    _, _, _, _, info = envs.step(np.array(numbers))
    assert not any(info["reason"])
    envs.close()


@pytest.mark.parametrize("name", list(list_spaces("burr")))
def test_every_class_has_a_level_of_its_own_by_default(name: str) -> None:
    env = make("burr", size_class=name).unwrapped
    assert env.action_space.n == find_space("burr", name).actions.count
    seen, _ = env.reset()
    assert seen in env.observation_space


def test_other_observations_can_have_shared_numbers_and_grids_the_levels_own() -> None:
    env = make("packing", observation="state", actions="family").unwrapped
    assert env.action_space.n == find_space("packing").actions.count
    env = make("packing", actions="level").unwrapped
    assert env.action_space.n < 2000 and "occupancy" in env.observation_space.spaces


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"actions": "words"}, "actions are level, family, parts, not 'words'"),
        ({"size_class": "huge"}, "no size class 'huge'; there are six"),
        ({"level": "burr-thirty-four-bars"}, "34 pieces, and the class takes 6"),
        ({"refusal_price": 2.0}, "from 0 to 1, not 2.0"),
        ({"refusal_price": 0.1, "feedback": "none"}, "tells of them"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        make("burr", **options)


def test_task_beyond_the_class_is_refused_at_reset() -> None:
    env = make("burr", split="train").unwrapped
    with pytest.raises(InputError, match="doesn't fit the size class six"):
        env.reset(options={"task": "burr-thirty-four-bars"})
    seen, _ = env.reset(options={"task": None})
    assert seen in env.observation_space


def test_step_names_the_range_of_numbers_and_parts() -> None:
    env = make("rubik").unwrapped
    env.reset()
    with pytest.raises(InputError, match="numbers from 0 to 15"):
        env.step(np.int64(16))
    env = make("rubik", actions="parts").unwrapped
    env.reset()
    with pytest.raises(InputError, match="each below that of 2, 12, 4"):
        env.step(np.array([2, 0, 0]))

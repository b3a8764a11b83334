"""Tasks at reset: drawn with the seed, from the split and the difficulty that are asked for."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="NOT TESTED: no gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import bridge.adapters.gymnasium  # noqa: E402, F401
from bridge.adapters.vocabulary import vocabulary_of  # noqa: E402
from bridge.rpc.client import connect  # noqa: E402
from bridge.rpc.errors import ServerError  # noqa: E402
from bridge.rpc.server import LubanServer  # noqa: E402
from luban.playing import start  # noqa: E402
from pysim.catalog import AnyLevel, discover_families  # noqa: E402
from pysim.errors import InputError  # noqa: E402
from pysim.tasks import Task, TaskSource  # noqa: E402
from pysim.tasks.recipe import TaskRecipe, has_tasks  # noqa: E402
from tests.tasks.test_pool import SECRET, seal  # noqa: E402

FAMILIES = [name for name in discover_families() if has_tasks(name)]


def make(family: str, **options: Any) -> Any:
    return gymnasium.make(f"Luban/{family.capitalize()}-v0", **options)


def draw(env: Any, count: int, options: dict[str, Any] | None = None) -> list[AnyLevel]:
    """The levels of the first resets, the first of which has a seed."""
    drawn = []
    for k in range(count):
        info = env.reset(seed=3 if k == 0 else None, options=options)[1]
        drawn.append(env.unwrapped.level)
        assert info["level_hash"] == drawn[-1].hash
    return drawn


def find_task(split: str, level: AnyLevel) -> Task:
    """The task of a split with a level's id, which ends with its place."""
    return TaskSource(level.family).get_task(split, int(level.id.rpartition("-")[2]))


@pytest.mark.by_day(1)
@pytest.mark.parametrize("family", FAMILIES)
def test_reset_draws_tasks_of_the_split_with_the_seed(family: str) -> None:
    env = make(family)
    easy = {"difficulty": 1}
    drawn = {split: draw(env, 6, {"split": split, **easy}) for split in ("train", "test")}
    assert min(len({level.hash for level in found}) for found in drawn.values()) > 3
    assert not {level.hash for level in drawn["train"]} & {level.hash for level in drawn["test"]}
    assert draw(env, 6, {"split": "train", **easy}) == drawn["train"]
    for split, found in drawn.items():
        for level in found:
            task = find_task(split, level)
            assert task.level == level and task.difficulty == 1
    env.close()


@pytest.mark.parametrize("family", FAMILIES)
def test_plan_of_a_drawn_task_is_played_by_numbers(family: str) -> None:
    env = make(family, split="val", difficulty=1)
    observation, info = env.reset(seed=5)
    assert env.observation_space.contains(observation)
    level = env.unwrapped.level
    for action in level.plan.actions:
        number = vocabulary_of(level).number(action)
        assert number is not None and info["action_mask"][number]
        observation, reward, terminated, _, info = env.step(np.int64(number))
        assert env.observation_space.contains(observation)
    assert terminated and reward == 1 and info["success"]
    env.close()


@pytest.mark.slow
def test_choice_of_tasks_holds_until_another_one() -> None:
    env = make("nets", split="train", difficulty=2)
    for level in draw(env, 10):
        task = find_task("train", level)
        assert task.level == level and task.difficulty == 2
    env.reset(options={"difficulty": 4})
    assert env.unwrapped.level.facts["task_difficulty"] == 4
    env.reset()
    assert env.unwrapped.level.facts["task_difficulty"] == 4
    env.reset(options={"difficulty": None, "split": "test"})
    assert env.unwrapped.level.id.startswith("nets-test-")
    env.close()


@pytest.mark.slow
def test_task_is_named_by_index_or_by_name_for_one_episode() -> None:
    env = make("nets")
    own = env.reset()[1]["level_hash"]
    assert env.reset()[1]["level_hash"] == own, "an environment without a choice keeps its level"
    for task in (7, np.int64(7), "nets:test:7", "nets-test-7"):
        info = env.reset(options={"split": "test", "task": task})[1]
        assert info["level_hash"] == TaskSource("nets").get_task("test", 7).level.hash
    assert len({level.hash for level in draw(env, 5)}) > 1, "later resets draw from the split"
    env.close()


def test_vector_environment_draws_a_new_task_after_each_episode() -> None:
    envs = gymnasium.make_vec(
        "Luban/Rubik-v0", 2, vectorization_mode="sync", split="train", difficulty=3, budget=1
    )
    envs.reset(seed=1)
    seen = set()
    for _ in range(6):
        _, _, _, _, info = envs.step(envs.action_space.sample())
        seen |= set(info["level_hash"])
    assert len(seen) > 4
    envs.close()


@pytest.mark.slow
def test_private_pool_is_drawn_from(tmp_path: Path) -> None:
    path = tmp_path / "mine.pool"
    seal(path, TaskRecipe("nets", SECRET), attempts=40)
    env = make("nets", pool=str(path))
    known = [task.level.hash for task in (TaskSource("nets", pool=path).get_task("private", 0),)]
    assert env.reset(options={"task": 0})[1]["level_hash"] == known[0]
    _, info = env.reset(seed=1)
    assert "private" not in str(info) and "nets-" not in str(info), "nothing names the task"
    env.close()


@pytest.mark.by_day(1)
@pytest.mark.parametrize("family", FAMILIES)
def test_environment_of_tasks_passes_the_checker(family: str) -> None:
    check_env(make(family, split="train", difficulty=1).unwrapped, skip_render_check=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "tset"}, "no split 'tset' of these tasks; they have train, val, test"),
        ({"split": "private"}, "no split 'private'"),
        ({"difficulty": 9}, "nets has difficulties from 1 to 5, not 9"),
        ({"difficulty": "2"}, "difficulty is a whole number from 1, or None for all, not '2'"),
        ({"difficulty": float("nan")}, "difficulty is a whole number from 1, .*, not nan"),
        ({"split": 3}, "split is the name of a split, or None, not 3"),
        ({"task": True}, "task is an index in the split, a name such as .*, not True"),
        ({"task": 10**30}, "would have to be made before this one: take one of the"),
        ({"task": -1}, "tasks are counted from 0"),
        ({"task": "rubik:test:1"}, "rubik-test-1 is of the family rubik, not nets"),
        ({"tier": "easy"}, "has no option 'tier'; there are split, difficulty, task"),
    ],
)
def test_option_that_does_not_fit_is_refused(options: dict[str, Any], message: str) -> None:
    env = make("nets")
    with pytest.raises(InputError, match=message):
        env.reset(options=options)
    env.close()


@pytest.mark.parametrize("options", ["train", ["split"], 7])
def test_options_that_are_no_dictionary_are_refused(options: Any) -> None:
    env = make("nets")
    with pytest.raises(InputError, match=r"options of reset\(\) are as in {'split': 'test'}, not"):
        env.unwrapped.reset(options=options)
    env.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"difficulty": 0}, "nets has difficulties from 1 to 5, not 0"),
        ({"difficulty": 2.5}, "difficulty is a whole number from 1, or None for all, not 2.5"),
        ({"difficulty": float("nan")}, "difficulty is a whole number from 1, .*, not nan"),
        ({"split": ""}, "no split ''"),
        ({"pool": ""}, "Is a directory"),
        ({"pool": 3}, "pool is the file of a pool of tasks, not 3"),
        ({"level": 3}, "a level is named by its id, file or task, not 3"),
        ({"observation": 3}, "an observation is made of .*, not 3"),
        ({"budget": 2.5}, "a budget is a whole number from 1 to .*, not 2.5"),
        ({"budget": "5"}, "a budget is a whole number from 1 to .*, not .5."),
        (
            {"observation": "rgb", "image_size": 64.5},
            "the width of a view in pixels is a whole number .*, not 64.5",
        ),
    ],
)
def test_environment_of_tasks_that_there_are_not_is_not_made(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        make("nets", **options)


def test_reset_that_is_refused_leaves_the_choice_and_the_episode() -> None:
    env = make("nets", split="train", difficulty=2).unwrapped
    _, info = env.reset(seed=1)
    wrong: list[dict[str, Any]] = [
        {"split": "tset"},
        {"difficulty": 9},
        {"split": "val", "task": -1},
    ]
    for options in wrong:
        with pytest.raises(InputError):
            env.reset(options=options)
        number = int(np.flatnonzero(info["action_mask"])[0])
        assert env.step(number)[-1]["level_hash"] == info["level_hash"], "it goes on"
        _, info = env.reset()
        assert env.level.id.startswith("nets-train-")
        assert env.level.facts["task_difficulty"] == 2
    env.close()


def test_tasks_and_a_level_or_a_scramble_exclude_each_other() -> None:
    for options in ({"level": "nets-easy-01"}, {"scramble": 3}):
        with pytest.raises(InputError, match="without a level and without a scramble"):
            make("nets", split="train", **options)
    env = make("rubik", scramble=3)
    with pytest.raises(InputError, match="with a scramble draws no tasks"):
        env.reset(options={"split": "train"})


@pytest.mark.parametrize("family", FAMILIES)
def test_task_has_the_same_hashes_here_and_on_a_server(family: str, tmp_path: Path) -> None:
    name = f"{family}:test:3"
    level = TaskSource(family).get_task("test", 3).level
    assert level.plan is not None
    with (
        LubanServer(tmp_path) as server,
        connect(server.address) as client,
        client.start(name, observation="state") as there,
        start(name, observation="state") as here,
    ):
        assert here.state_hash == there.state_hash
        for action in level.plan.actions:
            assert here.step(action).state_hash == there.step(action).state_hash
        assert here.outcome == there.outcome == "SOLVED"


def test_server_lists_tasks_and_refuses_those_that_there_are_not(tmp_path: Path) -> None:
    with LubanServer(tmp_path) as server, connect(server.address) as client:
        listed = client.levels("nets:train")
        source = TaskSource("nets")
        assert len(listed) == source.count_prepared("train")
        assert listed[9].hash == source.get_task("train", 9).level.hash
        with client.start(listed[9], observation="state") as episode:
            assert episode.level.hash == listed[9].hash
        for name in ("nets:test:99999", "nets:test", "mine.pool:test:1", "chess:test:1"):
            with pytest.raises(ServerError):
                client.start(name)

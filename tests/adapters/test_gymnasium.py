"""The Gymnasium environments, by Gymnasium's own checker and against the rules."""

import warnings
from collections.abc import Iterator
from itertools import cycle, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="NOT TESTED: no gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import bridge.adapters.gymnasium  # noqa: E402, F401
from bridge.adapters.vocabulary import ACTIONS, vocabulary_of  # noqa: E402
from bridge.episode.episode import state_hash  # noqa: E402
from bridge.rpc.server import LubanServer  # noqa: E402
from pysim.catalog import (  # noqa: E402
    decode_level,
    discover_families,
    encode_level,
    find_family,
    find_level,
    list_shipped_levels,
)
from pysim.families.rubik.family import FAMILY  # noqa: E402
from pysim.families.rubik.moves import Metric  # noqa: E402
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle  # noqa: E402
from pysim.families.rubik.strings import Letters, Order, format_cube  # noqa: E402
from pysim.manifests import list_family_manifests  # noqa: E402
from tests.sampling import by_day, levels_by_day, these_by_day  # noqa: E402

LEVELS = ["burr-chinese-cross", "burr-piston-key", "packing-soma", "cubebench-d02-1-face-view"]


def env_id(level: str) -> str:
    return f"Luban/{find_level(level).family.capitalize()}-v0"


def make(level: str, **options: Any) -> Any:
    return gymnasium.make(env_id(level), level=level, **options)


def play_plan(env: Any) -> list[tuple[float, bool, bool, dict[str, Any]]]:
    """Play the level's plan by numbers."""
    level = env.unwrapped.level
    _, info = env.reset(seed=1)
    results = []
    for action in level.plan.actions:
        number = vocabulary_of(level).number(action)
        assert number is not None
        assert info["action_mask"][number] == 1
        _, reward, terminated, truncated, info = env.step(np.int64(number))
        results.append((reward, terminated, truncated, info))
    return results


def test_every_family_has_an_environment() -> None:
    ids = {name for name in gymnasium.registry if name.startswith("Luban/")}
    names = [name.capitalize() for name in discover_families()]
    batches = {name.capitalize() for name, one in list_family_manifests().items() if one.batches}
    assert "Rubik" in batches
    assert ids == {f"Luban/{n}-v0" for n in names} | {f"Luban/{n}Batch-v0" for n in batches}


OBSERVATIONS = ["state", "rgb+state", "text", "rgb"]
NAMES = [name.capitalize() for name in discover_families()]
FEW = list(zip(NAMES, cycle(OBSERVATIONS), strict=False))
"""By day each family, and each observation, once or more."""


@pytest.mark.by_day(1)
@pytest.mark.parametrize("named", these_by_day(FEW, product(NAMES, OBSERVATIONS), name="-".join))
def test_gymnasium_finds_no_fault(named: tuple[str, str]) -> None:
    name, obs = named
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(
            f"Luban/{name}-v0", observation=obs, image_size=32, render_mode="rgb_array"
        ).unwrapped
        check_env(env, skip_render_check=obs != "rgb")
        env.close()


@pytest.mark.by_day(5)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("reward", ["sparse", "progress"])
def test_the_plan_earns_one(level: str, reward: str) -> None:
    env = make(level, reward=reward)
    results = play_plan(env)
    rewards = [reward for reward, *_ in results]
    assert sum(rewards) == pytest.approx(1)
    assert all(r == 0 for r in rewards[:-1]) if reward == "sparse" else min(rewards) > 0
    assert [terminated for _, terminated, _, _ in results] == [False] * (len(results) - 1) + [True]
    assert results[-1][3]["success"]
    assert not any(truncated for _, _, truncated, _ in results)


def test_the_budget_truncates() -> None:
    env = make("burr-piston-key", budget=3)
    _, info = env.reset()
    for left in (2, 1, 0):
        legal = int(np.flatnonzero(info["action_mask"])[0])
        seen, reward, terminated, truncated, info = env.step(np.int64(legal))
        assert (seen["budget"][0], reward, terminated, truncated) == (left, 0, False, left == 0)


@pytest.mark.parametrize("level", LEVELS)
def test_what_the_mask_allows_is_legal(level: str) -> None:
    env = make(level)
    _, info = env.reset(seed=3)
    env.action_space.seed(3)
    for _ in range(12):
        action = env.action_space.sample(info["action_mask"])
        _, _, terminated, truncated, info = env.step(action)
        assert info["reason"] == ""
        if terminated or truncated:
            break


def test_a_refused_action_costs_a_step_and_says_why() -> None:
    env = make("burr-chinese-cross")
    _, info = env.reset()
    hash_before = info["state_hash"]
    level = env.unwrapped.level
    rules = find_family(level).rules
    legal = set(rules.legal(level, rules.initial(level)))
    number = next(i for i, a in enumerate(vocabulary_of(level).actions) if a not in legal)
    seen, reward, _, _, info = env.step(np.int64(number))
    assert (info["state_hash"], reward) == (hash_before, 0)
    assert info["reason"]
    assert seen["budget"][0] == level.budget - 1


@pytest.mark.parametrize("level", LEVELS)
def test_numbers_mean_the_same_each_time_and_tell_nothing(level: str) -> None:
    first = vocabulary_of(find_level(level))
    vocabulary_of.cache_clear()
    second = vocabulary_of(find_level(level))
    assert first is not second
    assert first.actions == second.actions
    assert len(set(first.actions)) == len(first)
    assert all(first.number(action) == i for i, action in enumerate(first.actions))


@pytest.mark.by_day(6)
@pytest.mark.parametrize(
    "level", levels_by_day([one for one in list_shipped_levels() if one.tier != "hard"])
)
def test_every_plan_can_be_said_in_numbers(level: Any) -> None:
    if level.id.endswith("-assemble"):
        pytest.skip("its tens of thousands of first moves take long to list")
    vocabulary = vocabulary_of(level)
    assert all(vocabulary.number(action) is not None for action in level.plan.actions)
    assert len(vocabulary) < 8 * ACTIONS


def test_pictures_are_there_and_black_where_there_is_nothing_to_see() -> None:
    env = make("burr-chinese-cross", observation="rgb", image_size=48)
    seen, _ = env.reset()
    assert set(seen) == {"rgb", "budget"}
    assert seen["rgb"].shape == (5, 48, 48, 3)
    lit = [bool(picture.any()) for picture in seen["rgb"]]
    assert lit == [True] * 4 + [False]
    env.close()


def test_the_state_says_where_every_piece_is() -> None:
    env = make("burr-chinese-cross")
    level = env.unwrapped.level
    seen, _ = env.reset()
    assert seen["state"].shape == (len(level.colours), 5)
    assert not seen["state"][:, 4].any()
    play_plan(env)
    seen = env.unwrapped._observe()
    assert seen["state"][:, 4].any()
    assert env.observation_space.contains(seen)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors_play_side_by_side(mode: str) -> None:
    level = find_level("burr-three-bars")
    assert level.plan is not None
    envs = gymnasium.make_vec(
        "Luban/Burr-v0",
        num_envs=2,
        vectorization_mode=mode,
        level=level.id,
        observation="state+text",
    )
    try:
        seen, infos = envs.reset(seed=[1, 2])
        assert seen["state"].shape == (2, len(level.colours), 5)
        assert infos["action_mask"].shape == (2, len(vocabulary_of(level)))
        for action in level.plan.actions:
            number = vocabulary_of(level).number(action)
            _, rewards, terminated, _, _ = envs.step(np.array([number, number]))
        assert rewards.tolist() == [1, 1]
        assert terminated.all()
    finally:
        envs.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LubanServer]:
    with LubanServer(tmp_path_factory.mktemp("runs")) as server:
        yield server


@pytest.mark.by_day(2)
@pytest.mark.parametrize("level", ["burr-piston-key", "packing-soma", "cubebench-d02-1-face-view"])
@pytest.mark.parametrize("obs", ["state", "rgb+state"])
def test_a_server_plays_the_same(server: LubanServer, obs: str, level: str) -> None:
    here = make(level, observation=obs, image_size=32)
    there = make(level, observation=obs, image_size=32, address=server.address)
    hashes = [[info["state_hash"] for *_, info in play_plan(env)] for env in (here, there)]
    assert hashes[0] == hashes[1]
    first, second = (env.reset()[0] for env in (here, there))
    for part in first:
        assert np.array_equal(first[part], second[part])
    here.close()
    there.close()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"level": "burr-nothing"}, "no level"),
        ({"level": "packing-soma"}, "of the family packing"),
        ({"observation": "smell"}, "an observation is made of"),
        ({"observation": "rgb+rgb"}, "an observation is made of"),
        ({"reward": "much"}, "sparse or progress"),
        ({"budget": 0}, "budget"),
        ({"image_size": 1}, "pixels"),
        ({"world": "mars"}, "no world"),
    ],
)
def test_what_does_not_exist_is_said(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        gymnasium.make("Luban/Burr-v0", **options).reset()


def test_a_number_that_does_not_exist_is_said() -> None:
    env = make("burr-chinese-cross").unwrapped
    with pytest.raises(RuntimeError, match="reset"):
        env.step(np.int64(0))
    env.reset()
    with pytest.raises(ValueError, match="numbers from 0"):
        env.step(np.int64(10**6))


def test_a_recorded_video_has_the_same_size_throughout(tmp_path: Path) -> None:
    env = make("burr-three-bars", render_mode="rgb_array")
    env.reset()
    shapes = [env.render().shape]
    for action in env.unwrapped.level.plan.actions:
        env.step(np.int64(vocabulary_of(env.unwrapped.level).number(action)))
        shapes.append(env.render().shape)
    assert set(shapes) == {(512, 512, 3)}
    env.close()


CUBE = "cubebench-d01-1-full-symbolic"


@pytest.mark.parametrize(
    "options", [{"observation": "features"}, {"observation": "features+state", "scramble": 3}]
)
def test_gymnasium_finds_no_fault_with_cubes_for_policies(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("Luban/Rubik-v0", level=CUBE, **options).unwrapped
        check_env(env, skip_render_check=True)
        env.close()


def test_features_are_the_colours_of_the_facelets() -> None:
    env = make(CUBE, observation="features")
    seen, _ = env.reset()
    text = format_cube(env.unwrapped.level.puzzle.start, Order.ENVIRONMENT, Letters.FACES)
    assert ["URFDLB"[number] for number in seen["features"]] == list(text)
    assert env.observation_space["features"].shape == (54,)


def scrambles(seed: int | None, count: int, **options: Any) -> list[Any]:
    env = make(CUBE, observation="features", scramble=3, **options)
    found = [env.reset(seed=seed if k == 0 else None)[0]["features"].tolist() for k in range(count)]
    env.close()
    return found


def test_scrambles_follow_the_seed_and_are_new_at_each_reset() -> None:
    first = scrambles(5, 20)
    assert first == scrambles(5, 20) != scrambles(6, 20)
    assert len({tuple(seen) for seen in first}) > 15


@pytest.mark.slow
def test_scrambles_are_as_deep_as_asked_and_have_hashes_of_their_own() -> None:
    for depth in (1, 2, 3):
        env = make(CUBE, scramble=depth)
        hashes = set()
        for seed in range(30):
            _, info = env.reset(seed=seed)
            level = env.unwrapped.level
            distance = create_meet_in_middle(Metric.HTM, 2).find_distance(level.puzzle.start)
            assert distance is not None and 1 <= distance <= depth
            assert level.plan is None and level.facts == {}
            assert decode_level(encode_level(level)).hash == level.hash
            assert info["state_hash"] == state_hash(level, FAMILY.rules.initial(level))
            hashes.add(level.hash)
        assert len(hashes) > 8 * depth


def test_a_scramble_undone_is_rewarded_and_other_moves_are_not() -> None:
    env = make(CUBE, observation="features", scramble=1, budget=2)
    vocabulary = vocabulary_of(find_level(CUBE))
    for seed in range(12):
        env.reset(seed=seed)
        plan = FAMILY.rules.plan(env.unwrapped.level).actions
        rewards = [env.step(np.int64(vocabulary.number(action)))[1] for action in plan]
        assert rewards == [0] * (len(plan) - 1) + [1]
    env.close()


@pytest.mark.parametrize("mode", by_day(["sync", "async"]))
def test_vectors_of_scrambles_are_seeded_one_by_one(mode: str) -> None:
    envs = gymnasium.make_vec(
        "Luban/Rubik-v0",
        num_envs=3,
        vectorization_mode=mode,
        level=CUBE,
        observation="features",
        scramble=3,
        budget=1,
    )
    try:
        seen, infos = envs.reset(seed=[5, 6, 5])
        assert seen["features"].shape == (3, 54) and infos["action_mask"].shape == (3, 12)
        assert seen["features"][0].tolist() == scrambles(5, 1)[0] == seen["features"][2].tolist()
        assert seen["features"][1].tolist() == scrambles(6, 1)[0]
        _, _, _, truncated, _ = envs.step(np.zeros(3, dtype=np.int64))
        assert truncated.all()
        seen, _, _, _, _ = envs.step(np.zeros(3, dtype=np.int64))
        assert seen["features"][0].tolist() == scrambles(5, 2)[1]
    finally:
        envs.close()


def test_a_server_plays_the_same_scrambles(server: LubanServer) -> None:
    assert scrambles(3, 3) == scrambles(3, 3, address=server.address)


@pytest.mark.parametrize("mode", by_day(["sync", "async"]))
@pytest.mark.parametrize("name", NAMES)
def test_every_family_plays_side_by_side_by_its_masks(name: str, mode: str) -> None:
    envs = gymnasium.make_vec(
        f"Luban/{name}-v0", num_envs=2, vectorization_mode=mode, observation="state"
    )
    try:
        seen, infos = envs.reset(seed=3)
        assert envs.observation_space.contains(seen)
        for _ in range(3):
            masks = infos["action_mask"]
            actions = np.array([np.flatnonzero(mask)[0] for mask in masks])
            seen, rewards, terminated, _, infos = envs.step(actions)
            assert envs.observation_space.contains(seen) and not any(infos["reason"])
            assert ((rewards == 1) == terminated).all()
            if terminated.any():
                break
    finally:
        envs.close()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scramble": 0}, "1 to 100"),
        ({"scramble": 101}, "1 to 100"),
        ({"scramble": 2, "reward": "progress"}, "no plan"),
    ],
)
def test_scrambles_that_can_not_be_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        gymnasium.make("Luban/Rubik-v0", level=CUBE, **options)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"scramble": 2}, "can't scramble"), ({"observation": "features"}, "no features")],
)
def test_families_without_scrambles_or_features_say_so(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make("burr-three-bars", **options)


def test_plain_finish_is_named_in_info_and_changes_pictures_alone() -> None:
    full, plain = (
        make("burr-piston", observation="rgb+state", image_size=64, finish=finish)
        for finish in ("full", "plain")
    )
    (seen, told), (plainly, named) = full.reset(), plain.reset()
    assert named["finish"] == "plain" and "finish" not in told
    assert np.array_equal(seen["state"], plainly["state"])
    difference = np.abs(seen["rgb"].astype(int) - plainly["rgb"])
    assert 0 < difference.mean() < 12
    full.close()
    plain.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"finish": "shiny"}, "finish is one of full, plain"),
        ({"finish": "plain", "address": "localhost:1"}, "a server's pictures have the full finish"),
    ],
)
def test_finish_that_can_not_be_had_is_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make("burr-piston", observation="rgb", **options)

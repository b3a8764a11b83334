"""Cubes in batches: equal to the rules, step by step, and as Gymnasium wants its vectors."""

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="NOT TESTED: no gymnasium")

import bridge.adapters.gymnasium  # noqa: E402, F401
from bridge.adapters.vectors import BatchEnv  # noqa: E402
from bridge.adapters.vocabulary import vocabulary_of  # noqa: E402
from bridge.referee.rubik.stickers import HOME, apply_turns, format_letters  # noqa: E402
from pysim.catalog import find_level  # noqa: E402
from pysim.families.rubik.family import FAMILY  # noqa: E402
from pysim.families.rubik.learning.batch import create_batch  # noqa: E402
from pysim.families.rubik.learning.training import FACELET_COLOURS  # noqa: E402
from pysim.families.rubik.moves import Metric, list_moves  # noqa: E402
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle  # noqa: E402
from pysim.families.rubik.state import CubeState  # noqa: E402
from pysim.families.rubik.strings import Letters, Order, parse_cube  # noqa: E402
from pysim.puzzle import Outcome  # noqa: E402

LEVEL = find_level("cubebench-d04-2-full-symbolic")
SAME_STEP = gymnasium.vector.AutoresetMode.SAME_STEP


def make(count: int, **options: Any) -> Any:
    return gymnasium.make_vec("Luban/Rubik-v0", num_envs=count, level=LEVEL.id, **options)


def state_of(row: Any) -> CubeState:
    text = "".join("URFDLB"[value] for value in row)
    return CubeState(parse_cube(text, Order.ENVIRONMENT, Letters.FACES))


def follow(count: int, steps: int, seed: int, depth: int, budget: int) -> tuple[int, int]:
    """Hold random steps against the rules; how many there were, and how many episodes ended."""
    envs = make(count, scramble=depth, budget=budget, autoreset_mode=SAME_STEP)
    seen, _ = envs.reset(seed=seed)
    rng, actions = np.random.default_rng(seed), vocabulary_of(LEVEL).actions
    rules, vocabulary = FAMILY.rules, vocabulary_of(LEVEL)
    states, left = [state_of(row) for row in seen["features"]], [budget] * count
    made = ended = 0
    for _ in range(steps):
        chosen = rng.integers(len(actions), size=count)
        seen, rewards, terminated, truncated, info = envs.step(chosen)
        for k in range(count):
            states[k] = rules.apply(LEVEL, states[k], actions[chosen[k]]).state
            left[k] -= 1
            solved = rules.outcome(LEVEL, states[k]) is Outcome.SOLVED
            over = solved or left[k] == 0
            assert (terminated[k], truncated[k]) == (solved, over and not solved)
            assert rewards[k] == solved == info["success"][k]
            shown = info["final_obs"][k] if over else {name: seen[name][k] for name in seen}
            assert tuple(shown["features"].tolist()) == FACELET_COLOURS.of(states[k])
            assert shown["budget"].tolist() == [left[k]]
            assert info["action_mask"][k].tolist() == vocabulary.mask(states[k]).tolist()
            made += 1
            if over:
                ended += 1
                states[k], left[k] = state_of(seen["features"][k]), budget
                assert not states[k].cube.solved
    return made, ended


@pytest.mark.parametrize(("depth", "budget"), [(1, 2), (2, 7), (20, 30)])
def test_random_steps_are_those_of_the_rules(depth: int, budget: int) -> None:
    made, ended = follow(32, 40, depth, depth, budget)
    assert made == 32 * 40
    assert ended >= 32


@pytest.mark.slow
def test_a_million_random_steps_are_those_of_the_rules() -> None:
    runs = [follow(100, 1250, 10 * depth, depth, 2 * depth + 3) for depth in range(1, 9)]
    assert sum(made for made, _ in runs) == 1_000_000


def test_every_turn_moves_the_stickers_as_the_referee_has_them() -> None:
    """The referee's turns are made of coordinates of its own."""
    cubes = create_batch()
    rng = np.random.default_rng(3)
    labels, row = HOME, cubes.row_of(CubeState(parse_cube(format_letters(HOME))))[None]
    for number in rng.integers(len(cubes.actions), size=300).tolist():
        labels = apply_turns(labels, [str(cubes.actions[number].move.value)])  # type: ignore[attr-defined]
        row = cubes.stepped(row, np.array([number]))
        assert format_letters(labels) == "".join("WRGYOB"[value] for value in row[0])


def test_scrambles_are_drawn_evenly_and_are_as_far_as_they_can_be() -> None:
    cubes, rng = create_batch(), np.random.default_rng(5)
    one = cubes.scrambled(3600, 1, rng)
    seen = {tuple(row) for row in one.tolist()}
    assert len(seen) == len(list_moves())
    counts = [int((one == row).all(axis=1).sum()) for row in np.unique(one, axis=0)]
    assert min(counts) > 140 and max(counts) < 260  # 200 are expected, 14 the deviation.
    table = create_meet_in_middle(Metric.HTM, 3)
    far = [table.find_distance(state_of(row).cube) for row in cubes.scrambled(400, 3, rng)]
    assert set(far) <= {1, 2, 3} and far.count(3) > 350
    assert not cubes.solved(cubes.scrambled(5000, 4, rng)).any()


def test_the_same_seed_gives_the_same_episodes_and_another_one_others() -> None:
    def played(seed: int) -> list[list[int]]:
        envs = make(8, scramble=3, budget=4)
        rows = [envs.reset(seed=seed)[0]["features"]]
        rows += [envs.step(np.full(8, k % 12))[0]["features"] for k in range(12)]
        return np.concatenate(rows).tolist()  # type: ignore[no-any-return]

    assert played(1) == played(1) != played(2)


def test_without_a_scramble_every_episode_is_the_level() -> None:
    envs, one = make(3), gymnasium.make("Luban/Rubik-v0", level=LEVEL.id, observation="features")
    seen, info = envs.reset(seed=0)
    first, _ = one.reset(seed=0)
    assert (seen["features"] == first["features"]).all()
    assert seen["budget"].tolist() == [[LEVEL.budget]] * 3
    assert LEVEL.plan is not None
    for action in LEVEL.plan.actions:
        number = vocabulary_of(LEVEL).number(action)
        seen, rewards, terminated, _, info = envs.step(np.full(3, number))
    assert terminated.all() and rewards.tolist() == [1.0] * 3 and info["success"].all()
    again, rewards, terminated, truncated, _ = envs.step(np.zeros(3, dtype=np.int64))
    assert (again["features"] == first["features"]).all()  # The next step begins them anew.
    assert not (rewards.any() or terminated.any() or truncated.any())


def test_what_is_given_is_never_changed() -> None:
    envs = make(4, scramble=1, budget=1, autoreset_mode=SAME_STEP)
    before, _ = envs.reset(seed=3)
    kept = before["features"].copy()
    for action in range(12):
        after, *_ = envs.step(np.full(4, action))
        assert (before["features"] == kept).all()
        before, kept = after, after["features"].copy()


def test_observations_and_actions_are_of_their_spaces() -> None:
    envs = make(5, scramble=2, budget=3)
    seen, _ = envs.reset(seed=1)
    assert envs.observation_space.contains(seen)
    for _ in range(8):
        seen, *_ = envs.step(envs.action_space.sample())
        assert envs.observation_space.contains(seen)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("Rubik", {"level": "cubebench-d01-1-face-view"}, "apply_view_transformation"),
        ("Rubik", {"scramble": 0}, "1 to 100 turns"),
        ("Rubik", {"budget": 0}, "1 to"),
    ],
)
def test_what_makes_no_sense_is_said(name: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        gymnasium.make_vec(f"Luban/{name}-v0", num_envs=2, **options)


def test_make_every_registered_id_succeeds() -> None:
    ids = [name for name in gymnasium.registry if name.startswith("Luban/")]
    assert len(ids) >= 7
    for name in ids:
        spec = gymnasium.spec(name)
        assert spec.entry_point or spec.vector_entry_point
        if spec.entry_point:
            gymnasium.make(name).close()
        if spec.vector_entry_point:
            gymnasium.make_vec(name, num_envs=2).close()


def test_make_vec_former_id_makes_the_same_environment() -> None:
    former = gymnasium.make_vec("Luban/RubikBatch-v0", num_envs=2, level=LEVEL.id)
    assert type(former) is type(make(2)) and former.action_space == make(2).action_space


def test_batch_env_family_without_batches_is_refused() -> None:
    with pytest.raises(ValueError, match="the family burr has no batches"):
        BatchEnv("burr", 2)


def test_actions_that_are_none_are_refused() -> None:
    envs = make(2, scramble=1)
    with pytest.raises(RuntimeError, match="reset"):
        envs.step(np.zeros(2, dtype=np.int64))
    envs.reset(seed=0)
    for wrong in (np.array([0, 12]), np.array([-1, 0]), np.zeros(3, dtype=np.int64)):
        with pytest.raises(ValueError, match="2 numbers from 0 to 11"):
            envs.step(wrong)
    with pytest.raises(ValueError, match="share one seed"):
        envs.reset(seed=[1, 2])

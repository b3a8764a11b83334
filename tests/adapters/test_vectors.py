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
from pysim.errors import InputError  # noqa: E402
from pysim.families.rubik.family import FAMILY  # noqa: E402
from pysim.families.rubik.learning.batch import CubeBatch, create_batch  # noqa: E402
from pysim.families.rubik.learning.training import FACELET_COLOURS  # noqa: E402
from pysim.families.rubik.moves import Metric, list_moves  # noqa: E402
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle  # noqa: E402
from pysim.families.rubik.space import create_spaces  # noqa: E402
from pysim.families.rubik.state import CubeState  # noqa: E402
from pysim.families.rubik.strings import Letters, Order, parse_cube  # noqa: E402
from pysim.manifests import list_family_manifests  # noqa: E402
from pysim.puzzle import Outcome  # noqa: E402

LEVEL = find_level("cubebench-d04-2-full-symbolic")
SAME_STEP = gymnasium.vector.AutoresetMode.SAME_STEP
BATCHED = [name for name, one in list_family_manifests().items() if one.batches]


def make(count: int, **options: Any) -> Any:
    return gymnasium.make_vec("Luban/Rubik-v0", num_envs=count, level=LEVEL.id, **options)


def make_cubes(count: int) -> CubeBatch:
    """Return cubes that are solved."""
    cubes = create_batch(create_spaces()[0], count)
    cubes.begin(np.arange(count), np.full(count, cubes.load(LEVEL)))
    return cubes


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
    cubes, rng = make_cubes(1), np.random.default_rng(3)
    home = FACELET_COLOURS.of(CubeState(parse_cube(format_letters(HOME))))
    labels = HOME
    cubes.place(np.arange(1), np.array([home], np.uint8))
    for number in rng.integers(len(cubes.actions), size=300).tolist():
        labels = apply_turns(labels, [str(cubes.actions[number].move.value)])  # type: ignore[attr-defined]
        cubes.step(np.array([number]))
        shown = "".join("WRGYOB"[value] for value in cubes.observe()[0])
        assert format_letters(labels) == shown


def test_scrambles_are_drawn_evenly_and_are_as_far_as_they_can_be() -> None:
    cubes, rng = make_cubes(1), np.random.default_rng(5)
    one = cubes.draw_scrambles(3600, 1, rng)
    seen = {tuple(row) for row in one.tolist()}
    assert len(seen) == len(list_moves())
    counts = [int((one == row).all(axis=1).sum()) for row in np.unique(one, axis=0)]
    assert min(counts) > 140 and max(counts) < 260  # 200 are expected, 14 the deviation.
    table = create_meet_in_middle(Metric.HTM, 3)
    far = [table.find_distance(state_of(row).cube) for row in cubes.draw_scrambles(400, 3, rng)]
    assert set(far) <= {1, 2, 3} and far.count(3) > 350
    home = np.array(FACELET_COLOURS.of(CubeState(parse_cube(format_letters(HOME)))))
    assert not (cubes.draw_scrambles(5000, 4, rng) == home).all(axis=1).any()


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
        ("Rubik", {"scramble": 0}, "from 1 to 100"),
        ("Rubik", {"scramble": 2.5}, "from 1 to 100"),
        ("Rubik", {"scramble": float("nan")}, "from 1 to 100"),
        ("Rubik", {"budget": 0}, "1 to"),
    ],
)
def test_what_makes_no_sense_is_said(name: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        gymnasium.make_vec(f"Luban/{name}-v0", num_envs=2, **options)


@pytest.mark.slow
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


def test_actions_that_are_none_are_refused() -> None:
    envs = make(2, scramble=1)
    with pytest.raises(RuntimeError, match="reset"):
        envs.step(np.zeros(2, dtype=np.int64))
    envs.reset(seed=0)
    odd: list[Any] = [np.array([0, 1.7]), np.array([0.0, np.nan]), "ab", None, [[0, 1]]]
    for wrong in (np.array([0, 12]), np.array([-1, 0]), np.zeros(3, dtype=np.int64), *odd):
        with pytest.raises(ValueError, match="2 whole numbers from 0 to 11"):
            envs.step(wrong)
    with pytest.raises(ValueError, match="share one seed"):
        envs.reset(seed=[1, 2])


def play(envs: Any, steps: int, seed: int) -> tuple[int, set[int]]:
    """Make random legal steps; return how many episodes ended, and the budgets that were seen."""
    rng, ended, budgets = np.random.default_rng(seed), 0, set()
    seen, info = envs.reset(seed=seed)
    for _ in range(steps):
        budgets |= set(seen["budget"][:, 0].tolist())
        numbers = envs.batch.draw(rng)
        stuck = numbers < 0  # A chamber may leave nothing to do.
        assert np.array_equal(info["action_mask"].any(axis=1), ~stuck)
        numbers[stuck] = 0
        assert np.array_equal(info["action_mask"][np.arange(envs.num_envs), numbers], ~stuck)
        seen, rewards, terminated, truncated, info = envs.step(numbers)
        assert envs.observation_space.contains(seen)
        assert rewards.tolist() == terminated.tolist() == info["success"].tolist()
        assert np.array_equal(info["refused"], stuck)
        ended += int((terminated | truncated).sum())
    return ended, budgets


@pytest.mark.by_day(4)
@pytest.mark.parametrize("family", BATCHED)
def test_batch_of_tasks_draws_new_ones_after_each_episode(family: str) -> None:
    envs = BatchEnv(family, 6, split="train", difficulty=1, budget=3, autoreset_mode=SAME_STEP)
    envs.reset(seed=1)
    played = {envs.batch.get_level(k).hash for k in range(6)}
    ended, budgets = play(envs, 12, seed=1)
    played |= {envs.batch.get_level(k).hash for k in range(6)}
    assert len(played) > 6 and ended >= 4 * 6 and budgets == {1, 2, 3}


@pytest.mark.parametrize("family", BATCHED)
def test_batch_plays_the_certified_plan_as_one_environment_does(family: str) -> None:
    envs = BatchEnv(family, 3, split="test", difficulty=2)
    one = gymnasium.make(f"Luban/{family.capitalize()}-v0", observation="grid", split="test")
    envs.reset(options={"task": 1})
    one.reset(options={"task": 1, "difficulty": 2})
    level, state = one.unwrapped.level, one.unwrapped._state
    assert envs.batch.get_level(2).hash == level.hash
    for action in level.plan.actions:
        for number in envs.batch.space.find_numbers(level, state, action):
            _, reward, over, _, info = one.step(np.int64(number))
            state = one.unwrapped._state
            _, rewards, terminated, truncated, infos = envs.step(np.full(3, number))
            assert (infos["action_mask"] == info["action_mask"]).all()
            assert rewards.tolist() == [reward] * 3 and terminated.tolist() == [over] * 3
    assert over and not truncated.any()


def test_batch_observes_the_grid_of_one_environment() -> None:
    envs = BatchEnv("burr", 2, level="burr-piston", observation="grid")
    one = gymnasium.make("Luban/Burr-v0", level="burr-piston", observation="grid")
    seen, alone = envs.reset()[0], one.reset()[0]
    assert all((seen[name] == alone[name]).all() for name in alone)
    assert envs.observation_space.contains(seen)


def test_refused_actions_cost_their_price() -> None:
    level = find_level("burr-piston")
    envs = BatchEnv("burr", 2, level=level.id, refusal_price=0.25)
    space = envs.batch.space
    envs.reset()
    refused = int(np.flatnonzero(envs.batch.legal.mask[0] == 0)[0])
    _, rewards, _, _, info = envs.step(np.full(2, refused))
    assert info["refused"].all() and not rewards.any()
    assert level.plan is not None
    for action in level.plan.actions:
        for number in space.find_numbers(level, envs.batch.read_state(0), action):
            _, rewards, over, _, _ = envs.step(np.full(2, number))
    assert over.all() and rewards.tolist() == [0.75, 0.75]


def test_arrays_reach_torch_without_a_copy() -> None:
    torch = pytest.importorskip("torch", reason="NOT TESTED: no torch")
    seen, info = BatchEnv("burr", 4, split="train").reset(seed=0)
    for array in (seen["features"], seen["budget"], info["action_mask"]):
        assert torch.from_dlpack(array).data_ptr() == array.ctypes.data


def test_arrays_are_given_by_dlpack_without_a_copy() -> None:
    seen, info = BatchEnv("burr", 4, split="train").reset(seed=0)
    for array in (seen["features"], seen["budget"], info["action_mask"]):
        assert np.shares_memory(np.from_dlpack(array), array)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"level": "burr-piston", "split": "train"}, "without a level"),
        ({"observation": "rgb"}, "vectorization_mode='sync'"),
        ({"actions": "parts"}, "level or family, not 'parts'"),
        ({"actions": "level"}, "no other numbers than actions='family'"),
        ({"size_class": "assembly"}, "assembly has no batches"),
        ({"scramble": 3}, "no scrambles"),
        ({"split": "nowhere"}, "no split 'nowhere'"),
        ({"level": "burr-thirty-four-bars"}, "34 pieces, and the class takes 6"),
        ({"difficulty": 0}, "burr has difficulties from 1 to 5, not 0"),
        ({"difficulty": float("nan")}, "difficulty is a whole number from 1, .*, not nan"),
        ({"split": ""}, "no split ''"),
        ({"pool": ""}, "Is a directory"),
        ({"pool": 3}, "pool is the file of a pool of tasks, not 3"),
        ({"budget": float("nan")}, "budget is a whole number from 1 to"),
        ({"budget": "5"}, "budget is a whole number from 1 to"),
        ({"refusal_price": "0.1"}, "a price of refusals is from 0 to 1"),
        ({"autoreset_mode": "Disabled"}, "autoreset_mode is NEXT_STEP or SAME_STEP"),
    ],
)
def test_batch_options_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        BatchEnv("burr", 2, **options)


@pytest.mark.parametrize("count", [0, -1, 1.5, float("nan"), "4", 1 << 40, True])
def test_number_of_rows_that_makes_no_sense_is_refused(count: Any) -> None:
    with pytest.raises(InputError, match="num_envs is a whole number from 1 to"):
        BatchEnv("rubik", count)


@pytest.mark.slow
def test_reset_that_is_refused_leaves_the_choice_of_tasks() -> None:
    envs = BatchEnv("nets", 3, split="train", difficulty=2)
    envs.reset(seed=1)
    wrong: list[dict[str, Any]] = [{"split": "tset"}, {"split": "val", "task": -1}]
    for options in wrong:
        with pytest.raises(InputError):
            envs.reset(options=options)
        envs.reset()
        levels = [envs.batch.get_level(row) for row in range(3)]
        assert {level.facts["task_difficulty"] for level in levels} == {2}
        assert all(level.id.startswith("nets-train-") for level in levels)

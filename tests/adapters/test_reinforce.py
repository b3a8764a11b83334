"""The policy-gradient baseline in examples/: its arithmetic, its environments; that it learns."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="NOT TESTED: no gymnasium")

EXAMPLE = Path(__file__).parents[2] / "examples" / "reinforce.py"


@pytest.fixture(scope="module")
def example() -> Any:
    """The example as a module; it needs torch only where a policy is made."""
    spec = importlib.util.spec_from_file_location("reinforce_example", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_returns_are_discounted_and_end_with_their_episode(example: Any) -> None:
    rewards = np.array([[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    ends = np.array([[False, True], [False, False], [True, True], [False, True]])
    returns = example.discounted_returns(rewards, ends, 0.5)
    assert returns.tolist() == [[0.25, 1.0], [0.5, 0.0], [1.0, 0.0], [0.0, 1.0]]


def test_returns_are_sums_over_what_is_left_of_each_episode(example: Any) -> None:
    rng = np.random.default_rng(0)
    rewards, ends = rng.random((30, 5)), rng.random((30, 5)) < 0.2
    returns = example.discounted_returns(rewards, ends, 0.9)
    for column in range(5):
        for step in range(30):
            last = next((k for k in range(step, 30) if ends[k, column]), 29)
            total = sum(0.9 ** (k - step) * rewards[k, column] for k in range(step, last + 1))
            assert returns[step, column] == pytest.approx(total)


def test_episodes_that_go_on_are_left_out(example: Any) -> None:
    ends = np.array([[False, False], [True, False], [False, False], [False, False]])
    assert example.finished(ends).T.tolist() == [[True, True, False, False], [False] * 4]


def test_colours_are_told_apart_facelet_by_facelet(example: Any) -> None:
    seen = np.random.default_rng(0).integers(6, size=(3, 54), dtype=np.uint8)
    hot = example.one_hot(seen)
    assert hot.shape == (3, 324) and hot.dtype == np.float32
    assert (hot.reshape(3, 54, 6).argmax(axis=2) == seen).all() and (hot.sum(axis=1) == 54).all()


def test_environments_stand_side_by_side_and_start_again_by_themselves(example: Any) -> None:
    envs = example.make_environments(2, 5)
    try:
        found, info = envs.reset(seed=0)
        assert found["features"].shape == (5, 54) and (info["action_mask"] == 1).all()
        assert info["action_mask"].shape == (5, example.MOVES)
        for step in range(8):
            found, _, terminated, truncated, _ = envs.step(np.full(5, step))
            over = terminated | truncated
            assert (found["budget"][over] == 4).all() and (found["budget"][~over] < 4).all()
    finally:
        envs.close()


def test_the_tasks_are_the_short_ones_of_cubebench(example: Any) -> None:
    from pysim.suites import find_suite, load_levels

    short = {
        level.id
        for level in load_levels(find_suite("cubebench-160"))
        if level.facts["depth_htm"] <= 4 and level.puzzle.setting == "full-symbolic"
    }
    assert set(example.SHORT) == short and len(example.SHORT) == 20
    assert sum(example.Settings().steps) == 600_000


@pytest.mark.slow
def test_a_policy_learns_to_undo_one_turn_and_the_same_one_each_time(example: Any) -> None:
    torch = pytest.importorskip("torch", reason="NOT TESTED: no torch")
    small = example.Settings(steps=(40_000,), environments=64)
    shares: list[str] = []
    policy = example.train(small, shares.append)
    assert float(shares[-1].split(": ")[1].split()[0]) > 0.7
    solved = example.evaluate(policy, example.SHORT[:5], seed=0)
    assert sum(moves > 0 for moves in solved.values()) >= 4
    tiny = example.Settings(steps=(2_000,))
    one, other = (example.train(tiny, lambda line: None) for _ in range(2))
    for first, second in zip(one.parameters(), other.parameters(), strict=True):
        assert torch.equal(first, second)

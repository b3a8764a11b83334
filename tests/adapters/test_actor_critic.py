"""The learner in examples/: its arithmetic, what it is told of actions, and that it learns."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="NOT TESTED: no gymnasium")

import luban
from tests.sampling import more

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("actor_critic", "train_locks", "train_boxes")


@pytest.fixture(scope="module")
def examples() -> Iterator[dict[str, Any]]:
    """The modules, which import each other as they do when they are run."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        yield {name: importlib.import_module(name) for name in NAMES}
    finally:
        sys.path.remove(str(EXAMPLES))
        for name in NAMES:
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def learner(examples: dict[str, Any]) -> Any:
    return examples["actor_critic"]


def test_network_step_goes_down_the_slope_that_differences_show(learner: Any) -> None:
    """The first step of Adam goes by the sign of each slope, which is held against differences."""
    rng = np.random.default_rng(1)
    network = learner.Network(4, 5, rng)
    network._weights = [rng.normal(size=one.shape) for one in network._weights]
    described, wanted = rng.normal(size=(7, 4)), rng.normal(size=(7, 2))
    before = [one.copy() for one in network._weights]

    def measure() -> float:
        return float(((network.score(described) - wanted) ** 2).sum() / 2)

    slopes = []
    for one in network._weights:
        for place in np.ndindex(one.shape):
            kept, step = one[place], 1e-6
            one[place] = kept + step
            high = measure()
            one[place] = kept - step
            slopes.append((high - measure()) / (2 * step))
            one[place] = kept
    network.improve(described, lambda scores: scores - wanted, 1e-3)
    moved = np.concatenate([(b - a).ravel() for a, b in zip(before, network._weights, strict=True)])
    large = np.abs(slopes) > 1e-3 * np.abs(slopes).max()
    assert large.sum() > 40
    assert np.allclose(moved[large], -1e-3 * np.sign(np.array(slopes)[large]), rtol=1e-2)


def test_slope_of_the_loss_is_that_of_differences(learner: Any) -> None:
    rng, settings = np.random.default_rng(2), learner.Settings(entropy=0.1)
    counts = np.array([1, 4, 3, 5])
    starts = np.cumsum(counts) - counts
    chosen, scores = starts + [0, 2, 1, 4], rng.normal(size=(13, 2))
    odds = learner.find_probabilities(scores[:, 0], counts)[chosen]
    old = odds * np.array([1.0, 1.1, 0.5, 2.0])  # Two of them have changed too much.
    joined = learner.Joined(
        counts, chosen, old, np.array([1.0, -2.0, 1.0, -1.0]), rng.normal(size=4)
    )

    def measure() -> float:
        total = 0.0
        for k in range(4):
            part = slice(starts[k], starts[k] + counts[k])
            weights = np.exp(scores[part, 0])
            shares = weights / weights.sum()
            ratio = shares[chosen[k] - starts[k]] / old[k]
            bounded = np.clip(ratio, 1 - settings.clip, 1 + settings.clip)
            gain = min(ratio * joined.advantages[k], bounded * joined.advantages[k])
            total -= gain - settings.entropy * (shares * np.log(shares)).sum()
            total += (scores[chosen[k], 1] - joined.targets[k]) ** 2 / 2
        return float(total / 4)

    slope = learner.find_slope(scores, joined, settings)
    for place in np.ndindex(scores.shape):
        kept = scores[place]
        scores[place] = kept + 1e-6
        high = measure()
        scores[place] = kept - 1e-6
        assert slope[place] == pytest.approx((high - measure()) / 2e-6, abs=1e-5)
        scores[place] = kept


def test_advantages_are_sums_of_errors_until_the_end(learner: Any) -> None:
    rng, settings = np.random.default_rng(3), learner.Settings(discount=0.9, trace=0.8)
    none = np.zeros(0)
    values, rewards = rng.random((9, 3)), rng.random((8, 3))
    ends = rng.random((8, 3)) < 0.2
    moments = [
        learner.Moment(none, none, none, none, values[k], rewards[k], ends[k]) for k in range(8)
    ]
    found = learner.find_advantages(moments, values[8], settings)
    for row in range(3):
        for step in range(8):
            total = 0.0
            for k in range(step, 8):
                after = 0.0 if ends[k, row] else 0.9 * values[k + 1, row]
                total += (0.9 * 0.8) ** (k - step) * (rewards[k, row] + after - values[k, row])
                if ends[k, row]:
                    break
            assert found[step, row] == pytest.approx(total, abs=1e-5)


@pytest.mark.slow
def test_boxes_are_described_as_the_space_draws_them(examples: dict[str, Any]) -> None:
    """Cells of pieces, holes and lonely cells are those that slow loops find in the grid."""
    boxes, learner = examples["train_boxes"], examples["actor_critic"]
    rng, space = np.random.default_rng(4), luban.find_space("packing")
    levels = learner.list_levels("packing", "val", 2)
    batch = learner.make_environments("packing", len(levels)).unwrapped.batch
    batch.begin(np.arange(len(levels)), np.array([batch.load(level) for level in levels]))
    describer = boxes.BoxDescriber(len(levels))
    describer.begin(np.arange(len(levels)), batch.observe())
    names = {"holes": 17, "alone": 21, "ends": 22, "empty": 24}
    for _ in range(4):
        seen = batch.observe()
        legal = describer.narrow(seen, learner.list_legal(batch))
        described = describer.describe(seen, legal)
        starts = np.cumsum(legal.counts) - legal.counts
        chosen = starts + rng.integers(legal.counts)
        batch.step(legal.numbers[chosen])
        for row, level in enumerate(levels):
            grid = space.observe(level, batch.read_state(row))
            found = count_cells(grid["occupancy"], grid["goal"])
            one = described[chosen[row]]
            assert round(4 * one[names["holes"]]) == min(found[0], 4)
            assert round(4 * one[names["alone"]]) == min(found[1], 4)
            assert round(4 * one[names["ends"]]) == min(found[2], 4)
            assert one[names["empty"]] == pytest.approx(found[3] / (grid["goal"] > 0).sum())


def count_cells(occupancy: Any, goal: Any) -> tuple[int, int, int, int]:
    """Return empty cells under filled ones, with no and with one empty neighbour, and all."""
    empty = {tuple(cell) for cell in np.argwhere((goal > 0) & (occupancy == 0))}
    sides = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    beside = [sum(tuple(np.add(cell, side)) in empty for side in sides) for cell in sorted(empty)]
    holes = sum(bool(occupancy[x, y, z + 1 :].any()) for x, y, z in empty)
    return holes, beside.count(0), beside.count(1), len(empty)


def test_placements_that_are_left_out_do_what_others_do(examples: dict[str, Any]) -> None:
    boxes, learner = examples["train_boxes"], examples["actor_critic"]
    level = learner.list_levels("packing", "val", 2)[2]
    batch = learner.make_environments("packing", 1).unwrapped.batch
    batch.begin(np.zeros(1, np.int64), np.array([batch.load(level)]))
    describer = boxes.BoxDescriber(1)
    describer.begin(np.zeros(1, np.int64), batch.observe())
    everything = learner.list_legal(batch)
    fewer = describer.narrow(batch.observe(), everything)
    space = luban.find_space("packing")
    drawn = list[set[str]]()
    for legal in (everything, fewer):
        found = set[str]()
        for number in legal.numbers.tolist():
            batch.begin(np.zeros(1, np.int64), np.array([batch.load(level)]))
            batch.step(np.array([number]))
            filled = space.observe(level, batch.read_state(0))["occupancy"] > 0
            found.add(filled.tobytes().hex())
        drawn.append(found)
    assert drawn[0] == drawn[1] and len(fewer.numbers) < len(everything.numbers)


def test_policy_learns_in_seconds_and_beats_random_on_new_tasks(examples: dict[str, Any]) -> None:
    learner, locks = examples["actor_critic"], examples["train_locks"]
    rows, updates = more(32, night=64), more(12, night=24)
    settings = learner.Settings(seed=5, rows=rows, steps=16, updates=updates, evaluations=1)
    run = learner.train(settings, locks.LockDescriber, lambda line: None, each=1)
    levels = learner.list_levels("burr", "test", 40)[40:]
    shares = [
        learner.evaluate(locks.LockDescriber(len(levels)), policy, levels, seed=1).mean()
        for policy in (run.network, "random", "first legal")
    ]
    assert shares[0] > shares[1] + 0.08 and shares[1] > shares[2]

"""What a piece costs at least, held against hypotheses and against NumPy."""

import numpy as np
import pytest

from bridge.compare.tracking.bounds import least_cost
from bridge.compare.tracking.posing import moved, stretched, turned
from bridge.compare.tracking.search import (
    Sight,
)
from bridge.compare.tracking.zbuffer import Scratch, faces_of
from pysim.geometry import Voxels

SIZE = 60
SHAPE = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0)])


def sight_of(rng: np.random.Generator) -> Sight:
    """Anything at all, seen from the front with 10 pixels to a unit."""
    view = np.eye(4)
    view[2, 3] = 20.0
    lens = np.array([200.0, SIZE / 2.0, SIZE / 2.0])
    planes = rng.random((5, SIZE, SIZE), np.float32)
    behind = planes[3] / np.float32(10.0)
    return Sight(
        faces_of(SHAPE),
        np.array([1.0, 0.5, 0.0]),
        view,
        lens,
        planes[:3],
        behind,
        planes[4],
        Scratch.of(SIZE, SIZE),
    )


def test_the_bound_is_what_the_best_of_all_pixels_gain() -> None:
    sight = sight_of(np.random.default_rng(3))
    gains = np.maximum(0.0, sight.cost_behind.astype(np.float64) - sight.costs.min(axis=0))
    assert least_cost(sight.costs, sight.cost_behind) == pytest.approx(-gains.sum(), rel=1e-5)


def test_no_hypothesis_costs_less_than_the_bound() -> None:
    rng = np.random.default_rng(5)
    sight, seen = sight_of(rng), 0
    sight.cost_behind[:] += 0.5
    least = sight.least()
    for _ in range(200):
        pose = turned(np.eye(4), sight.middle, rng.normal(0.0, 1.0, 3))
        pose = stretched(pose, sight.middle, int(rng.integers(3)), rng.uniform(0.5, 4.0))
        found = sight.weigh(moved(pose, rng.uniform(-2.0, 2.0, 3)))
        assert found.cost >= least
        seen = max(seen, found.seen)
    assert seen > SIZE * SIZE / 20

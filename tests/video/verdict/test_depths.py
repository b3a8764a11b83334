"""Depths of bodies in each other, held against the referee of films."""

from random import Random

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bridge.referee.films import find_deepest_overlap
from bridge.video.verdict.depths import depth_between
from pysim.geometry import list_rotations
from tests.sampling import more


def turned(random: Random, quarter: bool) -> np.ndarray:
    pose = np.eye(4)
    spin = Rotation.random(random_state=random.randrange(10**6)).as_matrix()
    pose[:3, :3] = np.array(list_rotations()[random.randrange(24)].matrix) if quarter else spin
    pose[:3, 3] = [random.uniform(-2, 2) for _ in range(3)]
    return pose


@pytest.mark.parametrize("quarter", [True, False])
def test_depths_are_those_of_the_referee_of_films(quarter: bool) -> None:
    random = Random(3)
    cells = {n: np.array(b, float) for n, b in {"a": [(0, 0, 0), (1, 0, 0)], "b": CORNER}.items()}
    apart = 0
    for _ in range(more(60)):
        a, b = turned(random, quarter), turned(random, quarter)
        found = find_deepest_overlap(cells, [{"a": a, "b": b}], 0.0)
        depth = depth_between(cells["a"], a, cells["b"], b)
        assert depth == pytest.approx(0.0 if found is None else found.depth, abs=1e-9)
        apart += found is None
    assert 0.07 < apart / more(60) < 0.93


CORNER = [(0, 0, 0), (0, 1, 0), (0, 1, 1)]

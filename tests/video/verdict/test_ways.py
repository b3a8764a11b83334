"""Ways of bodies: how far they are turned and off."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from bridge.video.verdict.ways import Way

MIDDLE = np.array([2.0, -1.0, 0.5])


def turn_about_middle(degrees: float, way: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a pose that is turned about the middle, which goes a way (3,)."""
    pose = np.eye(4)
    pose[:3, :3] = Rotation.from_euler("z", degrees, degrees=True).as_matrix()
    pose[:3, 3] = MIDDLE + way - pose[:3, :3] @ MIDDLE
    return pose


@pytest.mark.parametrize("degrees", [0.0, 10.0, 90.0, 180.0])
def test_body_that_is_turned_about_its_middle_is_turned_and_goes_nowhere(degrees: float) -> None:
    poses = np.stack([turn_about_middle(degrees, np.zeros(3))])
    way = Way(0, (5,), poses, np.eye(4)[None], MIDDLE)
    np.testing.assert_allclose(way.measure_turns(), [degrees], atol=1e-4)
    np.testing.assert_allclose(way.measure_shifts(), np.zeros((1, 3)), atol=1e-9)


def test_body_that_is_unturned_goes_the_same_way() -> None:
    shifts = np.array([[1.0, 0.0, 0.0], [1.0, 2.0, -0.5]])
    poses = np.stack([turn_about_middle(30.0, shift) for shift in shifts])
    straight = Way(3, (1, 2), poses, np.tile(np.eye(4), (2, 1, 1)), MIDDLE).unturn()
    np.testing.assert_allclose(straight.measure_turns(), 0.0, atol=1e-6)
    np.testing.assert_allclose(straight.measure_shifts(), shifts, atol=1e-9)
    np.testing.assert_allclose(straight.poses[:, :3, 3], shifts, atol=1e-9)

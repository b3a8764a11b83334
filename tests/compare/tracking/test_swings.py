"""Who moves, the camera or a piece: pictures of boards, seen by cameras that are known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.compare.tracking.alignment import Drift, aligned
from bridge.compare.tracking.swings import SeenSlopes, on_course, speeded

Picture = NDArray[np.float32]

SIZE, FINER = 160, 4
LENS = np.array([700.0, 80.0, 80.0])
SPEED = np.radians([0.03, -0.02, 0.02, 0.0])
STAYS, GOES, THIRD = (20.0, 95.0), (100.0, 25.0), (105.0, 100.0)
EDGE = 36.0


def drawn(places: list[tuple[float, float]], values: NDArray[np.float64]) -> Picture:
    """Boards of nine fields with their upper left corners there, as a turned camera sees them.

    The ray of each of a pixel's parts is turned back by a product of matrices that is written out:
    small angles, to second order.
    """
    at = (np.arange(SIZE * FINER) + 0.5) / FINER
    x, y = np.meshgrid((at - LENS[1]) / LENS[0], (at - LENS[2]) / LENS[0])
    rays = np.stack([x / np.exp(values[3]), y / np.exp(values[3]), np.ones_like(x)])
    a, b, c = values[:3]
    cross = np.array([[0.0, -c, b], [c, 0.0, -a], [-b, a, 0.0]])
    there = np.tensordot((np.eye(3) + cross + cross @ cross / 2.0).T, rays, axes=1)
    column = LENS[0] * there[0] / there[2] + LENS[1]
    row = LENS[0] * there[1] / there[2] + LENS[2]
    grey = np.full(column.shape, 220.0)
    for left, top in places:
        over, under = column - left, row - top
        board = (over >= 0.0) & (under >= 0.0) & (over < EDGE) & (under < EDGE)
        fields = 50.0 + 70.0 * ((over // 12.0 + under // 12.0) % 2.0)
        grey[board] = fields[board]
    fine = grey.reshape(SIZE, FINER, SIZE, FINER).mean(axis=(1, 3))
    return np.repeat(fine[..., None], 3, axis=2).astype(np.float32)


def labelled(places: list[tuple[float, float]]) -> NDArray[np.int16]:
    labels = np.full((SIZE, SIZE), -1, np.int16)
    for piece, (left, top) in enumerate(places):
        labels[round(top) : round(top + EDGE), round(left) : round(left + EDGE)] = 4 * piece
    return labels


def found(
    places: list[tuple[float, float]], picture: Picture, speed: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    known = np.ones((SIZE, SIZE), bool)
    expected, start = drawn(places, np.zeros(4)), Drift.none()
    labels = labelled(places)
    return aligned(picture, expected, known, labels, LENS, start, rounds=3, speed=speed).values


def pixels_off(values: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """How far the middle of the board that stays is from where it is seen, in pixels."""
    x, y = (np.array(STAYS) + EDGE / 2.0 - LENS[1:]) / LENS[0]
    a, b, c, zoom = values - truth
    return float(LENS[0] * np.hypot(b - c * y + zoom * x, -a + c * x + zoom * y))


@pytest.mark.parametrize("step", [(1.5, 0.0), (0.0, -1.5), (2.0, 2.0), (-3.0, 1.0)])
def test_one_of_two_pieces_that_begins_to_move_does_not_swing_the_camera(
    step: tuple[float, float],
) -> None:
    gone = (GOES[0] + step[0], GOES[1] + step[1])
    values = found([STAYS, GOES], drawn([STAYS, gone], SPEED), SPEED)
    assert np.degrees(np.abs(values - SPEED)).max() < 0.03
    assert pixels_off(values, SPEED) < 0.15


def test_who_does_not_know_how_the_camera_swings_takes_one_for_the_other() -> None:
    gone = (GOES[0] + 2.0, GOES[1] + 2.0)
    values = found([STAYS, GOES], drawn([STAYS, gone], SPEED), None)
    assert np.degrees(np.abs(values - SPEED)).max() > 0.1


def test_a_jerk_that_all_pieces_share_is_the_cameras() -> None:
    places, jerk = [STAYS, GOES, THIRD], np.radians([0.2, -0.1, 0.0, 0.0])
    values = found(places, drawn(places, jerk), np.zeros(4))
    assert np.degrees(np.abs(values - jerk)).max() < 0.03


def test_the_speed_of_a_steady_swing_is_learnt() -> None:
    speed = np.zeros(4)
    for _ in range(40):
        speed = speeded(speed, SPEED)
    assert np.allclose(speed, SPEED, rtol=0.01)


def test_a_picture_that_fits_nowhere_leaves_the_camera_on_its_course() -> None:
    groups = np.zeros(200, np.int16)
    ways, slopes = np.full((200, 2), 5.0), np.full((200, 4), 100.0)
    nothing = SeenSlopes(groups, ways, slopes, np.full(200, 255.0), np.zeros(200))
    found = on_course(nothing)
    assert found is None or (np.isfinite(found[1]).all() and (found[1] > 0.0).all())

"""What looks like another piece: colours that are taken over, and what hides a piece."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.compare.tracking.colours import Looks, match_colours
from bridge.compare.tracking.halves import Halves, come_apart, still_apart
from bridge.compare.tracking.posing import moved, stretched, turned
from bridge.compare.tracking.search import (
    FEWEST,
    Found,
)
from bridge.compare.tracking.veils import behind_veil
from bridge.compare.tracking.wearing import once_more, other_colours
from bridge.compare.tracking.weighing import TrackedPieces, WeighedFrame, components
from bridge.compare.tracking.zbuffer import Scratch, faces_of
from pysim.geometry import Voxels

SIZE = 120
RED, BLUE, GREY = (220.0, 20.0, 40.0), (40.0, 90.0, 200.0), (225.0, 225.0, 220.0)
BOTH = np.ones(2, bool)
STEP = np.zeros((4, 4))
STEP[0, 3] = 1.0


@pytest.fixture(scope="module")
def board() -> TrackedPieces:
    """Two bars beside each other, seen from the front with 10 pixels to a unit."""
    bar = faces_of(Voxels.from_cells((x, 0, 0) for x in range(4)))
    view = np.eye(4)
    view[2, 3] = 20.0
    lens = np.array([200.0, SIZE / 2.0, SIZE / 2.0])
    middles = np.array([[1.5, 0.0, 0.0]] * 2)
    return TrackedPieces([bar, bar], middles, view, lens, (SIZE, SIZE), Scratch.of(SIZE, SIZE))


@pytest.fixture(scope="module")
def poses() -> NDArray[np.float64]:
    there = np.tile(np.eye(4), (2, 1, 1))
    there[:, :3, 3] = [[-2.0, -3.0, 0.0], [-2.0, 2.0, 0.0]]
    return there


@pytest.fixture(scope="module")
def looks() -> Looks:
    sides = np.array([[RED] * 3, [BLUE] * 3], np.float32)
    background = np.full((SIZE, SIZE, 3), GREY, np.float32)
    return Looks(sides, np.full(2, 14.0, np.float32), background)


def framed(
    board: TrackedPieces, looks: Looks, poses: NDArray[np.float64], wears: list[int]
) -> tuple[NDArray[np.float32], NDArray[np.int16]]:
    """A picture in which pieces have some colours, and who is where in it."""
    _, labels = board.draw(poses, BOTH)
    return looks.expected(labels, np.array(wears)), labels


def weighed(board: TrackedPieces, looks: Looks, picture: NDArray[np.float32]) -> WeighedFrame:
    return WeighedFrame(board, looks, picture, np.ones((SIZE, SIZE), bool), np.arange(2))


def test_a_piece_in_another_ones_colours_has_them_and_is_not_hidden(
    board: TrackedPieces, looks: Looks, poses: NDArray[np.float64]
) -> None:
    picture, _ = framed(board, looks, poses, [1, 1])
    frame = weighed(board, looks, picture)
    assert behind_veil(frame, 0, poses, BOTH, 1.0) is None
    assert other_colours(frame, 0, poses, BOTH, 1.0) == 1
    assert other_colours(frame, 1, poses, BOTH, 1.0) == 1


def test_a_piece_in_a_colour_of_nobody_has_nobodys(
    board: TrackedPieces, looks: Looks, poses: NDArray[np.float64]
) -> None:
    picture, labels = framed(board, looks, poses, [0, 1])
    picture[(labels >= 0) & (labels >> 2 == 0)] = (20.0, 200.0, 60.0)
    assert other_colours(weighed(board, looks, picture), 0, poses, BOTH, 1.0) == 0


def test_what_goes_beyond_a_piece_hides_it(
    board: TrackedPieces, looks: Looks, poses: NDArray[np.float64]
) -> None:
    picture, labels = framed(board, looks, poses, [0, 1])
    rows, columns = np.nonzero((labels >= 0) & (labels >> 2 == 0))
    middle = int(np.median(columns))
    picture[rows.min() - 15 : rows.max() + 5, middle - 12 : middle + 12] = BLUE
    sight = behind_veil(weighed(board, looks, picture), 0, poses, BOTH, 1.0)
    assert sight is not None
    left = sight.weigh(poses[0])
    assert FEWEST <= left.seen < len(rows) and left.fit > 0.95
    picture[rows.min() - 15 : rows.max() + 5, columns.min() - 5 : columns.max() + 5] = BLUE
    sight = behind_veil(weighed(board, looks, picture), 0, poses, BOTH, 1.0)
    assert sight is not None and sight.weigh(poses[0]).seen == 0


def test_what_a_veil_leaves_of_a_piece_speaks_for_it_though_the_rest_is_in_the_shade(
    board: TrackedPieces, looks: Looks, poses: NDArray[np.float64]
) -> None:
    picture, labels = framed(board, looks, poses, [0, 1])
    own = (labels >= 0) & (labels >> 2 == 0)
    rows, columns = np.nonzero(own)
    picture[rows.min() - 15 : rows.max() + 5, columns.min() - 5 : columns.min() + 18] = BLUE
    shade = own.copy()
    shade[:, : columns.min() + 18] = shade[:, columns.min() + 26 :] = False
    for colour, hidden in ((RED, True), (GREY, False)):
        picture[own] = np.where(shade[own][:, None], colour, picture[own])
        rest = own & ~shade
        rest[:, : columns.min() + 18] = False
        picture[rest] = np.multiply(BLUE, 0.3)
        sight = behind_veil(weighed(board, looks, picture), 0, poses, BOTH, 1.0)
        assert (sight is not None) is hidden


def test_who_is_in_front_of_one_in_other_colours_is_looked_at_once_more() -> None:
    found: dict[int, int] = {}
    looked = []
    for piece in once_more([0, 4, 5], found):
        looked.append(piece)
        if piece == 4:
            found[piece] = 0
    assert looked == [0, 4, 5, 0, 5]
    assert list(once_more([0, 4], {})) == [0, 4]


def test_lines_between_cells_are_part_of_what_is_too_much(
    board: TrackedPieces, looks: Looks, poses: NDArray[np.float64]
) -> None:
    picture, labels = framed(board, looks, poses, [0, 1])
    picture[90:119, 20:49] = BLUE
    for line in (9, 19):
        picture[90 + line : 92 + line, 20:49] = picture[90:119, 20 + line : 22 + line] = 0.0
    frame = weighed(board, looks, picture)
    parts = components(frame.unexplained(1, labels, frame.cost_of(labels)), 40.0)
    assert len(parts) == 1 and parts[0][0] > 0.9 * 29 * 29


def test_a_piece_in_two_is_no_piece_that_is_turned_and_bent_at_once(
    board: TrackedPieces, looks: Looks, poses: NDArray[np.float64]
) -> None:
    bar = Voxels.from_cells((x, 0, 0) for x in range(4))
    low, high = (faces_of(Voxels.from_cells((x, 0, 0) for x in some)) for some in ((0, 1), (2, 3)))
    apart = replace(board, faces=[low, high])
    picture, _ = framed(apart, looks, poses[[0, 0]] + [np.zeros((4, 4)), STEP], [0, 0])
    sight = weighed(board, looks, picture).sight(0, poses, np.array([True, False]))
    straight = stretched(poses[0], sight.middle, 0, 1.3)
    odd = turned(stretched(straight, sight.middle, 1, 0.8), sight.middle, np.array([0, 0, 0.1]))
    split = come_apart(sight, bar, poses[0], sight.weigh(poses[0]), 1.0)
    assert split is not None and abs(split[1].gap - 1.0) < 0.15
    cost = split[0].cost - 2.0
    for pose, is_split in ((odd, True), (straight, False), (moved(poses[0], np.eye(3)[0]), False)):
        best = Found(pose, cost, split[0].seen, split[0].good, split[0].covered)
        assert (come_apart(sight, bar, poses[0], best, 1.0) is not None) is is_split


def test_a_piece_that_grows_both_ways_is_not_in_two_for_long(
    board: TrackedPieces, looks: Looks, poses: NDArray[np.float64]
) -> None:
    bar = Voxels.from_cells((x, 0, 0) for x in range(4))
    low, high = (faces_of(Voxels.from_cells((x, 0, 0) for x in some)) for some in ((0, 1), (2, 3)))
    grown = np.stack([stretched(poses[0], board.middles[0], 0, 1.4), poses[1]])
    halves = Halves(low, high, np.eye(3)[0], 0.8)
    for away, there in ((poses[[0, 0]] + [np.zeros((4, 4)), STEP], 1.0), (grown, None)):
        drawn = board if there is None else replace(board, faces=[low, high])
        picture, _ = framed(drawn, looks, away, [0, 0] if there else [0, 1])
        sight = weighed(board, looks, picture).sight(0, poses, np.array([True, False]))
        now = still_apart(replace(sight, faces=halves.faces), bar, halves, poses[0], 0.5)
        assert (now[1].gap if now else None) == pytest.approx(there, abs=0.15)


def test_a_piece_that_is_gone_is_not_hidden(
    board: TrackedPieces, looks: Looks, poses: NDArray[np.float64]
) -> None:
    _, labels = board.draw(poses, np.array([False, True]))
    picture = looks.expected(labels, np.arange(2))
    assert behind_veil(weighed(board, looks, picture), 0, poses, BOTH, 1.0) is None


def test_the_light_does_not_change_all_at_once(
    board: TrackedPieces, looks: Looks, poses: NDArray[np.float64]
) -> None:
    expected, _ = framed(board, looks, poses, [0, 1])
    usual = np.vstack([np.eye(3), np.zeros(3)])
    dark = expected * np.float32(0.6)
    assert np.abs(match_colours(dark, expected) - usual).max() > 0.5
    assert match_colours(dark, expected, usual) is usual
    tinted = (expected * np.float32(0.9) + np.float32(6.0)).astype(np.float32)
    found = match_colours(tinted, expected, usual)
    back = np.concatenate([tinted, np.full((SIZE, SIZE, 1), 255.0)], axis=2)
    assert np.abs(back @ found - expected).max() < 3.0

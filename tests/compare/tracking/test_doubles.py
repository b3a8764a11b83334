"""A second piece like the first one is no leap, no growth and no half of it."""

from dataclasses import replace

import numpy as np
import pytest

from bridge.compare.tracking.doubles import has_double, together
from bridge.compare.tracking.oddness import freely
from bridge.compare.tracking.posing import moved, stretched, turned
from bridge.compare.tracking.search import (
    Sight,
    axis_search,
)
from bridge.compare.tracking.zbuffer import PieceFaces, Scratch, draw_piece, faces_of
from pysim.geometry import Voxels

SIZE = 120
BAR = Voxels.from_cells([(x, 0, 0) for x in range(4)])
FACES = faces_of(BAR)
MIDDLE = np.array([1.5, 0.0, 0.0])


def shown(*bodies: tuple[PieceFaces, np.ndarray]) -> Sight:
    """Bars of one colour before a wall, seen askew from above with 10 pixels to a unit."""
    view = turned(np.eye(4), np.zeros(3), np.array([0.5, 0.4, 0.0]))
    view[2, 3] = 20.0
    lens = np.array([200.0, SIZE / 2.0, SIZE / 2.0])
    depth, labels = np.zeros((SIZE, SIZE), np.float32), np.full((SIZE, SIZE), -1, np.int16)
    for faces, pose in bodies:
        draw_piece(faces.corners, faces.normals, pose, view, lens, 0, depth, labels)
    costs = np.stack([np.where(labels == side, 0.0, 1.0) for side in range(3)])
    behind = np.where(labels < 0, 0.0, 1.0).astype(np.float32)
    wall = np.zeros((SIZE, SIZE), np.float32)
    scratch = Scratch.of(SIZE, SIZE)
    return Sight(FACES, MIDDLE, view, lens, costs.astype(np.float32), wall, behind, scratch)


def test_two_bars_are_a_bar_and_its_double() -> None:
    here, there = np.eye(4), moved(np.eye(4), np.array([0.0, 2.0, 0.0]))
    sight = shown((FACES, here), (FACES, there))
    was = sight.weigh(here)
    assert has_double(sight, was, sight.weigh(there))
    longer = stretched(here, np.array([0.0, -0.5, 0.0]), 1, 3.0)
    assert has_double(sight, was, sight.weigh(longer))


def test_one_bar_that_leaps_or_grows_is_no_double() -> None:
    here, there = np.eye(4), moved(np.eye(4), np.array([0.0, 2.0, 0.0]))
    leapt = shown((FACES, there))
    assert not has_double(leapt, leapt.weigh(here), leapt.weigh(there))
    longer = stretched(here, np.array([-0.5, 0.0, 0.0]), 0, 1.5)
    grown = shown((FACES, longer))
    assert not has_double(grown, grown.weigh(here), grown.weigh(longer))
    assert not has_double(leapt, leapt.weigh(there), leapt.weigh(there))


def test_the_faces_of_two_are_those_of_both() -> None:
    sight = shown((FACES, np.eye(4)))
    apart = PieceFaces(FACES.corners + [0.0, 3.0, 0.0], FACES.normals)
    both = replace(sight, faces=together(FACES, apart)).weigh(np.eye(4))
    one, other = (replace(sight, faces=faces).weigh(np.eye(4)) for faces in (FACES, apart))
    assert both.cost == pytest.approx(one.cost + other.cost)
    assert both.seen == one.seen + other.seen


def test_who_sets_out_slowly_goes_straight() -> None:
    way = np.array([0.0, 0.1, 0.0])
    sight = shown((FACES, moved(np.eye(4), way)))
    found = axis_search(sight, sight.weigh(np.eye(4)), np.zeros(3))
    assert np.abs(found.pose[:3, 3] - way).max() < 0.04


def test_a_piece_that_was_taken_to_turn_may_have_gone_straight() -> None:
    way = np.array([0.0, 0.9, 0.0])
    sight = shown((FACES, moved(np.eye(4), way)))
    askew = turned(moved(np.eye(4), 0.9 * way), MIDDLE, np.array([0.0, 0.0, 0.1]))
    found = freely(sight, sight.weigh(askew), np.zeros(3), np.eye(4))
    assert np.array_equal(found.pose[:3, :3], np.eye(3))
    assert np.abs(found.pose[:3, 3] - way).max() < 0.04

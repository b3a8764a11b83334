"""What codecs and light do to pieces that are told by what sticks on them."""

from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.compare.tracking.colours import recoloured
from bridge.compare.turning.board import PaintedFrame, PaintedLooks, PaintedPieces
from bridge.compare.turning.outlines import Outlines, dark_lines, edge_pixels
from bridge.compare.turning.patches import ASKEW
from bridge.compare.turning.shades import shaded_costs
from bridge.compare.turning.tints import first_tint, later_tint
from pysim.catalog import find_family, find_level

Picture = NDArray[np.float32]

SIZE = (120, 160)
COLOURS = ((10, 150, 40), (130, 10, 150), (250, 230, 30), (40, 100, 200))


def sheet() -> Picture:
    """White and grey, with four small arrows in colours."""
    picture = np.full((*SIZE, 3), 222.0, np.float32)
    picture[30:90, 20:140] = 250.0
    picture[90:100, 20:140] = 196.0
    for k, colour in enumerate(COLOURS):
        picture[45:75, 30 + 28 * k : 44 + 28 * k] = colour
    return picture


def as_codecs_do(picture: Picture) -> Picture:
    """Colours, not brightness, are kept at half the size."""
    parts = cv2.cvtColor(np.clip(picture, 0, 255).astype(np.uint8), cv2.COLOR_RGB2YCrCb)
    for channel in (1, 2):
        small = cv2.resize(parts[..., channel], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        parts[..., channel] = cv2.resize(small, SIZE[::-1], interpolation=cv2.INTER_LINEAR)
    return cast("Picture", cv2.cvtColor(parts, cv2.COLOR_YCrCb2RGB).astype(np.float32))


def test_a_tint_is_learned_though_codecs_blur_colours() -> None:
    mix = np.eye(3) + np.array([[-0.05, 0.03, 0.0], [0.02, -0.04, 0.03], [0.0, 0.04, -0.06]])
    tinted = (sheet() @ mix.T + [4.0, -6.0, 2.0]).astype(np.float32)
    found = first_tint(as_codecs_do(tinted), sheet())
    for colour in (*COLOURS, (250, 250, 250)):
        shown = np.array(colour) @ mix.T + [4.0, -6.0, 2.0]
        back = shown @ found[:3] + 255.0 * found[3]
        assert np.abs(back - colour).max() < 12.0


def test_sheets_that_turn_into_the_shade_are_no_tint() -> None:
    last = first_tint(sheet(), sheet())
    shaded = sheet()
    shaded[30:90, 20:140] *= 0.72
    known = np.ones(SIZE, bool)
    known[25:105, 15:145] = False
    found = later_tint(shaded, sheet(), known, last)
    off = recoloured(sheet(), found) - recoloured(sheet(), last)
    assert np.abs(off).max() < 3.0


def test_light_that_fades_everywhere_is_a_tint() -> None:
    last = first_tint(sheet(), sheet())
    found = last
    for share in (0.97, 0.94, 0.91):
        dim = sheet() * np.float32(share)
        found = later_tint(dim, sheet(), np.ones(SIZE, bool), found)
    assert np.abs(recoloured(dim, found) - sheet()).mean() < 4.0


def test_sides_end_where_other_sides_or_farther_things_are() -> None:
    labels = np.full((6, 8), -1, np.int16)
    labels[1:5, 1:4], labels[1:5, 4:7] = 4 * 3, 4 * 3 + 1
    depth = np.where(labels >= 0, np.float32(0.5), np.float32(0.0))
    whole = edge_pixels(depth, labels, 3)
    assert set(zip(*map(list, np.nonzero(~whole & (labels >= 0))), strict=True)) == {
        (2, 2),
        (3, 2),
        (2, 5),
        (3, 5),
    }
    labels[2:4, 2:4] = 4 * 4  # The same side of the same piece in another paint: no end.
    same = edge_pixels(depth, labels, 3)
    assert (same == whole).all()
    depth[:, 4:7] *= 1.2
    nearer = edge_pixels(depth.astype(np.float32), labels, 3)
    assert not nearer[2, 3] and nearer[2, 4]


def test_a_film_without_lines_has_none_and_costs_nothing() -> None:
    edges = np.zeros(SIZE, bool)
    edges[30, 20:140] = edges[89, 20:140] = True
    there = np.zeros(SIZE, bool)
    there[30:90, 20:140] = True
    plain = Outlines.learned(dark_lines(sheet()), edges, there)
    assert plain == Outlines.none() and not plain.costs(sheet()).any()
    drawn = sheet()
    drawn[edges] = 60.0
    lined = Outlines.learned(dark_lines(drawn), edges, there)
    costs = lined.costs(drawn)
    assert costs[edges].max() < -0.3 and costs[50, 100] > 0.3


@pytest.fixture(scope="module")
def frame() -> tuple[PaintedFrame, NDArray[np.float64]]:
    """A cube drawn by its own board: what it looks like is known, and there are lines."""
    level = find_level("cubebench-d02-1-full-symbolic")
    rules = find_family(level).rules
    bodies = rules.scene(level, rules.initial(level)).bodies
    view = np.array(
        [[0.7, 0.7, 0, 0], [0.4, -0.4, -0.82, 0], [-0.58, 0.58, -0.58, 9.0], [0, 0, 0, 1]]
    )
    view[:3, :3] = np.linalg.svd(view[:3, :3])[0] @ np.linalg.svd(view[:3, :3])[2]
    board = PaintedPieces.of(bodies, view, np.array([160.0, 80.0, 60.0]), SIZE)
    poses = np.stack([body.pose.transform() for body in bodies])
    depth, labels = board.draw(poses, np.ones(len(poses), bool))
    picture = np.full((*SIZE, 3), 222.0, np.float32)
    picture[labels >= 0] = board.paints[(labels[labels >= 0] >> 2) % len(board.paints)]
    looks = PaintedLooks.learned(board, picture, labels)
    edges = edge_pixels(depth, labels, len(board.paints))
    picture[edges] *= 0.5
    outlines = Outlines(20.0, 20.0)
    return PaintedFrame(board, looks, picture, np.ones(SIZE, bool), outlines), poses


def test_what_a_group_costs_is_what_the_whole_picture_costs(
    frame: tuple[PaintedFrame, NDArray[np.float64]],
) -> None:
    shown, poses = frame
    everybody = np.ones(len(poses), bool)
    top = poses[:, 2, 3] > 0.9
    group = shown.group(top, poses, everybody)
    base = float(group.cost_behind.sum())
    for degrees in (0.0, 20.0, 45.0, 70.0):
        turn = np.eye(4)
        turn[:3, :3], _ = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(degrees)]))
        there = poses.copy()
        there[top] = turn @ poses[top]
        whole = shown.total(there, everybody)
        assert base + group.found(there, there[0]).cost == pytest.approx(whole, rel=0.02, abs=8.0)


def test_what_looks_along_no_axis_is_said_to(
    frame: tuple[PaintedFrame, NDArray[np.float64]],
) -> None:
    shown, poses = frame
    everybody = np.ones(len(poses), bool)
    for degrees, along in ((0.0, True), (20.0, True), (45.0, False), (80.0, True)):
        turn = np.eye(4)
        turn[:3, :3], _ = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(degrees)]))
        _, labels = shown.board.draw(turn @ poses, everybody)
        sides = (labels[labels >= 0] & 3) != ASKEW
        # The top does not turn away; all others do.
        assert sides.any() and bool(sides.all()) is along


def test_what_is_under_stickers_is_told_by_how_light_it_is() -> None:
    light, dark = np.random.default_rng(3).uniform(0, 1, (2, 2, 3, 4, 5)).astype(np.float32)
    grey = np.random.default_rng(4).uniform(100, 250, (4, 5)).astype(np.float32)
    usual = np.array([[250, 200, 230], [40, 50, 60]], np.float32)
    found = shaded_costs(light, dark, grey, usual, np.array([True, False]))
    plain = np.minimum(light, dark + 0.04)
    tone = np.minimum(np.abs(grey - usual[0][:, None, None]) / 25.0, 1.0) ** 2 * 0.12
    assert np.allclose(found[1, :3], plain[1], atol=1e-5)
    assert np.allclose(found[0, :3], plain[0] + tone, atol=1e-5)
    assert np.array_equal(found[:, 3], found[:, :3].min(axis=1))

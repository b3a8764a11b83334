"""Pictures show the piece, from where the paper looks at it."""

from math import atan2, degrees, hypot

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bridge.benches.mcube.condition import CubeCondition, Style
from bridge.benches.mcube.cubes import Viewpoint, sample_viewpoints
from bridge.benches.mcube.options import MCubeOptions
from bridge.benches.mcube.pictures import compute_view_direction, make_picture
from bridge.benches.mcube.plotting import VoxelPlot
from bridge.benches.mcube.suite import MCubeSuite
from bridge.items.pictures import draw
from pysim.families.jigsaw.cutting import Cut
from pysim.items import Drawing
from pysim.render.views import observe
from pysim.scene import Scene
from tests.families.jigsaw.cubes import cuts
from tests.needs import usable_renderer

Mask = NDArray[np.bool_]


def conditions(look: Style) -> CubeCondition:
    part = MCubeSuite("mcube").subsets(MCubeOptions(n=1, look=look))[0]
    return CubeCondition.of(part.options)


def test_viewpoints_fill_the_ranges_of_the_paper() -> None:
    seen = [
        view for seed in range(200) for view in sample_viewpoints(conditions(Style.LUBAN), seed)
    ]
    for values, low, high in (
        ([view.elevation for view in seen], -155, -115),
        ([view.azimuth for view in seen], -150, -90),
    ):
        assert low <= min(values) < low + 1 and high - 1 < max(values) <= high
        assert np.mean(values) == pytest.approx((low + high) / 2, abs=1.5)


@given(st.floats(-155, -115), st.floats(-150, -90))
def test_the_camera_is_above_the_near_side_between_bottom_and_right(
    elevation: float, azimuth: float
) -> None:
    x, y, z = compute_view_direction(Viewpoint(elevation, azimuth))
    above = degrees(atan2(z, hypot(x, y)))
    assert 25 - 1e-3 <= above <= 65 + 1e-3
    assert above == pytest.approx(180 + elevation, abs=1e-3)
    aside = degrees(atan2(x, -y))
    assert aside == pytest.approx(-90 - azimuth, abs=1e-3) and -1e-3 <= aside <= 60 + 1e-3


@given(cuts)
@settings(max_examples=20)
def test_a_plot_from_straight_above_is_the_array(cut: Cut) -> None:
    rows, size = cut.pieces[0], 250
    # Straight above in these coordinates; the azimuth of -90 puts the bottom row at the bottom.
    picture = VoxelPlot(rows, -90.001, -90.0).draw(size)
    cell = 0.62 * size / 5 * 10 * 2.5 / (10 * 2.5 - 0.5)
    for row in range(5):
        for column in range(5):
            at = (size / 2 + (row - 2) * cell, size / 2 + (column - 2) * cell)
            painted = bool((picture[round(at[0]), round(at[1])] < 250).any())
            assert painted == (rows[row][column] == "#"), (row, column)


@pytest.mark.parametrize("seed", range(4))
def test_both_looks_show_the_same_from_the_same_side(seed: int) -> None:
    condition = conditions(Style.LUBAN)
    view = sample_viewpoints(condition, seed)[0]
    cube = MCubeSuite("mcube").trials(MCubeSuite("mcube").subsets(MCubeOptions(n=5))[0])[seed].cube
    ours = make_picture(0, cube.pieces[0], view, Style.LUBAN).of
    plot = make_picture(0, cube.pieces[0], view, Style.PAPER).of
    assert isinstance(ours, Scene) and isinstance(plot, Drawing)
    with usable_renderer() as renderer:
        mask = observe(renderer, ours, 128)[0].ids > 0
    other = (plot.draw(128) < 250).any(axis=2)
    best = max(_overlap(mask, _scaled(other, scale)) for scale in np.linspace(0.9, 1.3, 21))
    mirrored = max(
        _overlap(mask, _scaled(other[:, ::-1], scale)) for scale in np.linspace(0.9, 1.3, 21)
    )
    assert best > 0.85 > mirrored


def _scaled(mask: Mask, factor: float) -> Mask:
    """A silhouette, scaled about the middle and moved to the middle of its mass."""
    size = len(mask)
    rows, columns = np.nonzero(mask)
    centre = rows.mean(), columns.mean()
    grid = np.indices((size, size)) - (size - 1) / 2
    source = [np.rint(g / factor + c).astype(int) for g, c in zip(grid, centre, strict=True)]
    inside = np.all([(s >= 0) & (s < size) for s in source], axis=0)
    clipped = [np.clip(s, 0, size - 1) for s in source]
    shown: Mask = mask[clipped[0], clipped[1]] & inside
    return shown


def _overlap(one: Mask, other: Mask) -> float:
    """The share of two silhouettes that is in both, their middles laid on each other."""
    one = _scaled(one, 1.0)
    return float((one & other).sum() / (one | other).sum())


def test_pictures_of_items_can_be_drawn() -> None:
    with usable_renderer() as renderer:
        for look in Style:
            suite = MCubeSuite("mcube")
            trial = suite.trials(suite.subsets(MCubeOptions(n=1, look=look))[0])[0]
            item = trial.ask(())
            assert item is not None
            names = [view.name for p in item.pictures for view in draw(renderer, p, 64)]
            assert names == list("ABCDEF")

"""Plots by matplotlib: read back from their pixels, and held against drawings by OpenCV."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from bridge.benches.euclifold.drawings import CubeDrawing
from bridge.benches.euclifold.plots import CubePlot, NetPlot
from pysim.errors import MissingPackage
from pysim.families.nets.cube import Arrow, ArrowCube
from pysim.families.nets.faces import VISIBLE, CubeFace
from pysim.families.nets.folding import ArrowNet
from pysim.items import Drawing
from tests.benches.euclifold.test_pictures import PAPER, colours_seen, inked, read_net
from tests.commands import Luban
from tests.families.nets.strategies import CUBES, NETS
from tests.sampling import more

SIZE = 320
Ink = NDArray[np.int_]


@pytest.fixture(scope="module")
def matplotlib() -> None:
    pytest.importorskip("matplotlib", reason="NOT TESTED: the extra plots is not installed")


def shapes(drawing: Drawing) -> Ink:
    """The inked pixels of what is drawn, brought to one size; not those of thin lines."""
    picture = drawing.draw(SIZE)
    ink = inked(picture, PAPER, 8)
    beside = [np.roll(ink, by, axis) for axis in (0, 1) for by in (-2, 2)]
    ink = np.where(np.all([ink == other for other in beside], axis=0), ink, -1)
    drawn = picture.min(axis=2) < 128
    ends = [np.flatnonzero(drawn.any(axis=axis))[[0, -1]] for axis in (1, 0)]
    down, right = (np.rint(np.linspace(*both, 120)).astype(int) for both in ends)
    cut: Ink = ink[np.ix_(down, right)]
    return cut


def agreement(one: Drawing, other: Drawing) -> float:
    """The share of pixels with the same ink among those with any."""
    a, b = shapes(one), shapes(other)
    return float((a == b)[(a >= 0) | (b >= 0)].mean())


@pytest.mark.usefixtures("matplotlib")
@given(NETS)
@settings(max_examples=more(2, night=10))
def test_a_net_is_read_from_a_plot(net: ArrowNet) -> None:
    assert read_net(NetPlot(net).draw(SIZE), net, PAPER, 8, 1.0) == net


@pytest.mark.usefixtures("matplotlib")
@given(CUBES)
@settings(max_examples=more(2, night=10))
def test_a_cube_looks_on_matplotlibs_axes_as_our_own_projection_draws_it(cube: ArrowCube) -> None:
    picture = CubePlot(cube.view).draw(SIZE)
    seen = colours_seen(inked(picture, PAPER, 8), list(PAPER))
    assert seen == {face: cube.get_arrow(face).colour for face in VISIBLE}
    assert agreement(CubePlot(cube.view), CubeDrawing(cube.view)) > 0.8


@pytest.mark.slow
@pytest.mark.usefixtures("matplotlib")
@given(CUBES)
@settings(max_examples=more(2, night=10))
def test_a_cube_with_one_arrow_otherwise_looks_otherwise(cube: ArrowCube) -> None:
    top, *others = cube.view
    beside = CubeFace.TOP.beside
    there = beside[(beside.index(top.towards) + 2) % 4]
    other = CubeDrawing((Arrow(top.colour, there), others[0], others[1]))
    plot = CubePlot(cube.view)
    assert agreement(plot, other) < agreement(plot, CubeDrawing(cube.view)) - 0.05


def test_without_matplotlib_a_run_says_what_to_install(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPackage, match=r"pip install 'luban\[plots\]'"):
        NetPlot.draw(NetPlot.__new__(NetPlot), SIZE)
    told = luban("eval", "euclifold", "--agent", "oracle", "--look", "matplotlib", "--limit", 2)
    assert "luban[plots]" in told.complaint()

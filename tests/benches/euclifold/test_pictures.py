"""What pictures of items show is read back from their pixels, in the looks without matplotlib."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from bridge.benches.euclifold.condition import PictureLook
from bridge.benches.euclifold.drawings import CubeDrawing, NetDrawing
from bridge.benches.euclifold.pictures import make_cube_picture, make_net_picture
from bridge.items.pictures import draw
from pysim.families.nets.cube import ArrowColour, ArrowCube
from pysim.families.nets.faces import VISIBLE, CubeFace, Heading
from pysim.families.nets.folding import ArrowNet, FlatArrow
from pysim.render.palette import PALETTE
from pysim.render.renderer import Renderer
from tests.families.nets.strategies import CUBES, NETS
from tests.needs import usable_renderer
from tests.sampling import more

SIZE = 480
PAPER = {
    "grey": (87, 87, 87), "red": (173, 35, 35), "blue": (42, 75, 215), "green": (29, 105, 20),
    "brown": (129, 74, 25), "purple": (129, 38, 192), "cyan": (41, 208, 208),
    "yellow": (255, 238, 51),
}  # fmt: skip
"""CLEVR's colours, as its ``properties.json`` has them."""
LUBAN = {name: PALETTE[name] for name in PAPER}

Pixels = NDArray[np.uint8]


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with usable_renderer() as made:
        yield made


def inked(pixels: Pixels, paint: dict[str, tuple[int, int, int]], within: int) -> NDArray[np.int_]:
    """For each pixel the number of the colour that it is near to, or -1."""
    paints = np.array(list(paint.values()), float)
    far = np.abs(pixels[:, :, None].astype(float) - paints).max(axis=3)
    return np.where(far.min(axis=2) <= within, far.argmin(axis=2), -1)


def arrow_in(cell: NDArray[np.int_], names: list[str]) -> FlatArrow:
    """The arrow in a square of a picture: its head is where it is widest."""
    ink = Counter(cell[cell >= 0].tolist()).most_common(1)[0][0]
    rows, columns = np.nonzero(cell == ink)
    y = (rows.max() + rows.min()) / 2 - rows
    x = columns - (columns.max() + columns.min()) / 2
    spread = {
        Heading.UP: np.abs(x[y > 0]).mean() - np.abs(x[y < 0]).mean(),
        Heading.RIGHT: np.abs(y[x > 0]).mean() - np.abs(y[x < 0]).mean(),
    }
    spread |= {way.turn(2): -value for way, value in list(spread.items())}
    return FlatArrow(ArrowColour(names[ink]), max(spread, key=lambda way: spread[way]))


def read_net(
    pixels: Pixels, net: ArrowNet, paint: dict[str, tuple[int, int, int]], within: int, plate: float
) -> ArrowNet:
    """A net of this shape, each arrow read from the middle of its square.

    Args:
        plate: how wide a square is, in distances of two neighbours.
    """
    ink = inked(pixels, paint, within)
    drawn = np.abs(pixels.astype(int) - pixels[0, 0]).max(axis=2) > 8
    rows, columns = (np.flatnonzero(drawn.any(axis=axis)) for axis in (1, 0))
    width = max(x for x, _ in net.shape)
    pitch = np.ptp(columns) / (width + plate)
    arrows = []
    for x, y in net.shape:
        down = rows[-1] - (y + plate / 2) * pitch
        right = columns[0] + (x + plate / 2) * pitch
        top, left, half = round(down), round(right), round(pitch * 0.36)
        arrows.append(arrow_in(ink[top - half : top + half, left - half : left + half], [*paint]))
    return ArrowNet(net.shape, tuple(arrows))


@pytest.mark.slow
@given(NETS)
@settings(max_examples=more(4, night=40))
def test_a_net_is_read_from_a_plain_drawing(net: ArrowNet) -> None:
    assert read_net(NetDrawing(net).draw(SIZE), net, PAPER, 8, 1.0) == net


@pytest.mark.slow
@given(net=NETS)
@settings(max_examples=more(3, night=25))
def test_a_net_is_read_from_a_rendered_picture(renderer: Renderer, net: ArrowNet) -> None:
    (view,) = draw(renderer, make_net_picture("net", net, PictureLook.LUBAN), SIZE)
    assert read_net(view.rgb(), net, LUBAN, 12, 7 / 8) == net


def parts(ink: NDArray[np.int_]) -> dict[CubeFace, NDArray[np.int_]]:
    """Where top, front and right are seen: above, and below on the left and on the right."""
    high, wide = ink.shape
    return {
        CubeFace.TOP: ink[: int(high * 0.36), int(wide * 0.3) : int(wide * 0.7)],
        CubeFace.FRONT: ink[int(high * 0.48) :, : wide // 2],
        CubeFace.RIGHT: ink[int(high * 0.48) :, wide // 2 :],
    }


def colours_seen(ink: NDArray[np.int_], names: list[str]) -> dict[CubeFace, str]:
    found = {}
    for face, part in parts(ink).items():
        counts = Counter(part[part >= 0].tolist())
        found[face] = names[counts.most_common(1)[0][0]]
    return found


@pytest.mark.slow
@given(CUBES)
@settings(max_examples=more(4, night=40))
def test_colours_of_a_cube_are_read_from_a_plain_drawing(cube: ArrowCube) -> None:
    seen = colours_seen(inked(CubeDrawing(cube.view).draw(SIZE), PAPER, 8), list(PAPER))
    assert seen == {face: cube.get_arrow(face).colour for face in VISIBLE}


@given(cube=CUBES)
@settings(max_examples=more(3, night=25))
def test_colours_of_a_cube_are_read_from_a_rendered_picture(
    renderer: Renderer, cube: ArrowCube
) -> None:
    """Faces are darker the way they look: hues are compared, at the brightness of each pixel."""
    (view,) = draw(renderer, make_cube_picture("cube", cube, PictureLook.LUBAN), SIZE)
    pixels = view.rgb().astype(float)
    expected = {face: np.array(LUBAN[cube.get_arrow(face).colour], float) for face in VISIBLE}
    for face, part in parts(np.arange(SIZE * SIZE).reshape(SIZE, SIZE)).items():
        shown = pixels.reshape(-1, 3)[part.ravel()]
        scale = (shown @ expected[face]) / (expected[face] @ expected[face])
        near = np.abs(shown - scale[:, None] * expected[face]).max(axis=1) < 12
        assert ((scale > 0.6) & (scale < 1.05) & near).sum() > 300


@given(NETS)
@settings(max_examples=20)
def test_pictures_of_unlike_nets_have_unlike_keys(net: ArrowNet) -> None:
    first, *rest = net.arrows
    other = ArrowNet(net.shape, (FlatArrow(first.colour, first.way.turn(2)), *rest))
    keys = {make_net_picture("net", one, look).key for one in (net, other) for look in PictureLook}
    assert len(keys) == 2 * len(PictureLook)

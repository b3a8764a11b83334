"""The lines of a container in finished pictures."""

import numpy as np
import pytest

from pysim.geometry import Bounds, Direction, Voxels
from pysim.render.camera import list_cameras
from pysim.render.renderer import Pictures, Renderer
from pysim.scene import Body, Container, Scene
from tests.render.scenes import body

BOX = Bounds((0, 0, 0), (2, 2, 2))
TOP = frozenset({Direction.PLUS_Z})
SIZE = 200


def scene(*bodies: Body, sides: frozenset[Direction] | None = TOP) -> Scene:
    container = None if sides is None else Container(BOX, sides)
    return Scene(bodies, BOX, Bounds((5, 5, 0), (6, 6, 0)), container)


def drawn(renderer: Renderer, what: Scene) -> Pictures:
    return renderer.render(what, list_cameras(what), SIZE)


def test_lines_change_colours_only(renderer: Renderer) -> None:
    cube = body("red", Voxels.make_block((1, 1, 1)), (1, 1, 0))
    with_lines, without = drawn(renderer, scene(cube)), drawn(renderer, scene(cube, sides=None))
    assert np.array_equal(with_lines.ids, without.ids)
    assert np.array_equal(with_lines.depth, without.depth)
    changed = (with_lines.rgb != without.rgb).any(axis=-1)
    for share in changed.mean(axis=(1, 2)):
        assert 0.01 < share < 0.2, "lines are seen in every view, and are thin"


def test_a_body_hides_the_lines_behind_it_and_not_those_before_it(renderer: Renderer) -> None:
    full = body("red", Voxels.make_block((3, 3, 3)), (0, 0, 0))
    with_lines, without = drawn(renderer, scene(full)), drawn(renderer, scene(full, sides=None))
    changed = (with_lines.rgb != without.rgb).any(axis=-1)
    for view, camera in enumerate(list_cameras(scene(full))):
        corners = [(x, y, z) for x in (-0.5, 2.5) for y in (-0.5, 2.5) for z in (-0.5, 2.5)]
        seen = camera.project(np.array(corners), SIZE)
        nearest, farthest = seen[seen[:, 2].argmin()], seen[seen[:, 2].argmax()]
        around = [
            np.s_[int(r) - 3 : int(r) + 4, int(c) - 3 : int(c) + 4]
            for c, r, _ in (nearest, farthest)
        ]
        assert changed[view][around[0]].any()
        assert not changed[view][around[1]].any()


def test_an_open_side_has_no_grid(renderer: Renderer) -> None:
    closed = drawn(renderer, scene(sides=frozenset()))
    top = drawn(renderer, scene(sides=TOP))
    bottom = drawn(renderer, scene(sides=frozenset({Direction.MINUS_Z})))
    above, below = 0, 3
    assert np.array_equal(closed.rgb[above], top.rgb[above]), "the lid is seen from outside"
    assert not np.array_equal(closed.rgb[above], bottom.rgb[above])
    assert not np.array_equal(closed.rgb[below], top.rgb[below])


@pytest.mark.parametrize("size", [1, 16, 96])
def test_small_pictures_can_be_drawn_too(renderer: Renderer, size: int) -> None:
    what = scene()
    assert renderer.render(what, list_cameras(what), size).rgb.shape == (4, size, size, 3)

"""Pictures of a player against our own EGL renderer's: of the stand-in, and of the Unity build that
LUBAN_UNITY_DRAWS names. That one must draw: a missing device fails here, and is not passed over.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bridge.unity.link import Launch
from bridge.unity.pool import PlayerPool
from bridge.unity.renderer import UnityRenderer
from pysim.render.factory import create_renderer
from pysim.render.renderer import Pass, Pictures, Renderer, RendererUnavailable
from tests.unity.comparing import contact_sheet, differences, flipped
from tests.unity.sights import adorned, bare, cameras

BUILT = os.environ.get("LUBAN_UNITY_DRAWS")
SHEET = os.environ.get("LUBAN_CONTACT_SHEET")
SIZE = 192
SCENES = {"bare": bare, "adorned": adorned}


@pytest.fixture(scope="module")
def egl() -> Iterator[Renderer]:
    try:
        renderer, _ = create_renderer("egl")
    except RendererUnavailable as error:
        if BUILT:
            pytest.fail(f"there is nothing to compare with: {error}")
        pytest.skip(f"NOT TESTED: {error}")
    yield renderer
    renderer.close()


@pytest.fixture(scope="module", params=["stand-in", *([BUILT] if BUILT else [])])
def drawing(request: pytest.FixtureRequest, player: Path) -> Iterator[UnityRenderer]:
    name: str = request.param
    with PlayerPool(Launch(player if name == "stand-in" else Path(name))) as players:
        renderer = UnityRenderer(players)
        yield renderer
        renderer.close()


@pytest.mark.parametrize("name", SCENES)
def test_a_player_draws_what_our_own_renderer_draws(
    name: str, drawing: UnityRenderer, egl: Renderer
) -> None:
    scene = SCENES[name]()
    found = drawing.render(scene, cameras(scene), SIZE)
    expected = egl.render(scene, cameras(scene), SIZE)
    if SHEET:
        contact_sheet(Path(SHEET) / f"{name}-{drawing.version[:5]}.png", [found, expected])
    assert differences(found, expected) == []


def test_normals_look_where_our_own_renderer_has_them(
    drawing: UnityRenderer, egl: Renderer
) -> None:
    scene, passes = bare(), tuple(Pass)
    found = drawing.render(scene, cameras(scene), SIZE, None, passes)
    expected = egl.render(scene, cameras(scene), SIZE, None, passes)
    near = np.isclose(found.normals, expected.normals, atol=2e-3).all(axis=-1)
    assert np.mean(near) > 0.97


@pytest.mark.parametrize("axis", [1, 2], ids=["upside-down", "mirrored"])
@pytest.mark.parametrize("name", SCENES)
def test_a_picture_that_is_flipped_is_noticed_in_every_view(
    name: str, axis: int, egl: Renderer
) -> None:
    scene = SCENES[name]()
    expected = egl.render(scene, cameras(scene), SIZE)
    wrong = differences(flipped(expected, axis), expected)
    assert {words.split(":")[0] for words in wrong} == {f"view {i}" for i in range(4)}
    assert differences(expected, expected) == []


def test_each_kind_of_fault_is_noticed(egl: Renderer) -> None:
    scene = bare()
    good = egl.render(scene, cameras(scene)[:1], SIZE)

    def spoilt(kind: Pass, plane: np.ndarray) -> list[str]:
        return differences(Pictures({**good.planes, kind: plane}), good)

    assert "another body" in spoilt(Pass.IDS, np.where(good.ids == 1, 2, good.ids))[0]
    assert "units off" in spoilt(Pass.DEPTH, good.depth + np.float32(0.002))[0]
    assert "finite" in spoilt(Pass.DEPTH, np.where(good.ids == 0, 0.0, good.depth))[0]
    assert "colours" in spoilt(Pass.RGB, 255 - good.rgb)[0]

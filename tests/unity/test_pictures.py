"""What players draw is what our own renderers draw: they are told all that is to be seen."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from bridge.unity.pool import PlayerPool
from bridge.unity.renderer import UnityRenderer
from pysim.catalog import AnyLevel, find_family
from pysim.render.drawing import CheckedRenderer
from pysim.render.factory import create_renderer
from pysim.render.renderer import Pass, Pictures, Renderer
from pysim.render.views import observe
from pysim.scene import Scene
from tests.sampling import by_day
from tests.unity.sights import adorned, cameras
from tests.unity.standins import some_levels

SIZE = 96
SOME = some_levels(each=2)
ALL = tuple(Pass)


@pytest.fixture(scope="module")
def here() -> Iterator[Renderer]:
    renderer = create_renderer("auto")[0]
    yield renderer
    renderer.close()


@pytest.fixture(scope="module")
def there(players: PlayerPool) -> Iterator[UnityRenderer]:
    renderer = UnityRenderer(players)
    yield renderer
    renderer.close()


def passes_of(renderer: Renderer) -> tuple[Pass, ...]:
    """What the renderer that is also in the stand-in draws."""
    return tuple(kind for kind in ALL if kind is not Pass.NORMALS or renderer.name == "egl")


def scene_of(level: AnyLevel) -> Scene:
    rules = find_family(level).rules
    return rules.scene(level, rules.initial(level))


def agree(found: Pictures, expected: Pictures) -> None:
    """The same, but for what the last bits of cameras move across the middle of a pixel."""
    assert set(found.planes) == set(expected.planes)
    for kind, plane in expected.planes.items():
        other = found.planes[kind]
        assert other.dtype == plane.dtype and other.shape == plane.shape
        near = np.isclose(other.astype(float), plane.astype(float), atol=2.0, rtol=1e-3)
        if kind in (Pass.IDS, Pass.NORMALS):
            near = np.isclose(other, plane, atol=1e-3)
        assert np.mean(near) > 0.9995, kind


@pytest.mark.parametrize("level", by_day(SOME, lambda v: v.family, name=lambda v: v.id))
def test_a_level_of_any_family_is_seen_as_here(
    level: AnyLevel, here: CheckedRenderer, there: UnityRenderer
) -> None:
    scene = scene_of(level)
    for ours, theirs in zip(observe(here, scene, SIZE), observe(there, scene, SIZE), strict=True):
        assert ours.name == theirs.name
        agree(
            Pictures({Pass.RGB: theirs.rgb, Pass.IDS: theirs.ids, Pass.DEPTH: theirs.depth}),
            Pictures({Pass.RGB: ours.rgb, Pass.IDS: ours.ids, Pass.DEPTH: ours.depth}),
        )


def test_all_that_can_be_seen_goes_over_the_wire(
    here: CheckedRenderer, there: UnityRenderer
) -> None:
    scene = adorned()
    passes = passes_of(here)
    expected = here.render(scene, cameras(scene), SIZE, None, passes)
    agree(there.render(scene, cameras(scene), SIZE, None, passes), expected)


@pytest.mark.parametrize("change", ["stickers", "translucent", "container", "table"])
def test_each_look_is_told_and_not_left_out(change: str, there: UnityRenderer) -> None:
    scene = adorned()
    if change in ("stickers", "translucent"):
        nothing: dict[str, object] = {"stickers": ()} if change == "stickers" else {change: False}
        bodies = tuple(replace(body, **nothing) for body in scene.bodies)  # type: ignore[arg-type]
        plain = replace(scene, bodies=bodies)
    else:
        plain = replace(scene, **{change: None})
    looks = [there.render(some, cameras(scene)[:1], SIZE).rgb for some in (scene, plain)]
    assert np.mean(looks[0] != looks[1]) > 0.002


def test_a_batch_of_scenes_is_drawn_as_each_alone_and_leaves_the_scene_as_it_was(
    here: CheckedRenderer, there: UnityRenderer
) -> None:
    scenes = [adorned(), *map(scene_of, SOME[:3])]
    own = [cameras(scene) for scene in scenes]
    moved = {scenes[1].bodies[0].name: np.eye(4)}
    transforms = [None, moved, None, None]
    before = there.render(scenes[0], own[0], SIZE)
    drawn = there.render_batch(scenes, own, SIZE, passes_of(here), transforms)
    agree(drawn, here.render_batch(scenes, own, SIZE, passes_of(here), transforms))
    agree(there.render(scenes[0], own[0], SIZE), before)

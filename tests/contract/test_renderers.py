"""What every renderer keeps on scenes of every family."""

from collections.abc import Iterator

import numpy as np
import pytest

from pysim.catalog import AnyLevel, families, family_of, levels
from pysim.geometry import Direction, add, scale
from pysim.motion import Transform
from pysim.render.camera import views_of
from pysim.render.renderer import Pictures, Renderer, RendererUnavailable
from pysim.render.views import observe
from pysim.scene import Body, Bounds, Scene
from tests.contract.playing import attempts, every_level
from tests.unity.standins import engines

SIZE = 128
A_LEVEL = {name: next(lv for lv in levels() if lv.family == name) for name in families()}
one_level = pytest.mark.parametrize("level", A_LEVEL.values(), ids=A_LEVEL)


@pytest.fixture(scope="module", params=engines().renderers())
def renderer(request: pytest.FixtureRequest) -> Iterator[Renderer]:
    try:
        made, note = engines().create_renderer(request.param)
    except RendererUnavailable as error:
        pytest.skip(f"NOT TESTED: renderer {request.param} can't be used here: {error}")
    assert note == ""
    yield made
    made.close()


def solved(level: AnyLevel) -> Scene:
    rules = family_of(level).rules
    state = rules.initial(level)
    for action in level.plan.actions if level.plan else ():
        state = rules.apply(level, state, action).state
    return rules.scene(level, state)


@pytest.fixture(autouse=True)
def _can_be_drawn(request: pytest.FixtureRequest) -> None:
    chosen = getattr(getattr(request.node, "callspec", None), "params", {})
    if chosen.get("renderer") == "unity" and "level" in chosen:
        level = chosen["level"]
        rules = family_of(level).rules
        if any(body.stickers for body in rules.scene(level, rules.initial(level)).bodies):
            pytest.skip("NOT TESTED: players of the Unity wire can't draw stickers yet")


def pictures_of(renderer: Renderer, scene: Scene, size: int = SIZE) -> Pictures:
    return renderer.render(scene, views_of(scene), size)


def test_a_renderer_follows_the_protocol_and_says_what_it_is(renderer: Renderer) -> None:
    assert isinstance(renderer, Renderer)
    assert renderer.name in engines().renderers() and len(renderer.version) > 3


@one_level
@pytest.mark.parametrize("size", [16, 100])
def test_pictures_have_the_promised_shapes_and_types(
    renderer: Renderer, level: AnyLevel, size: int
) -> None:
    scene = solved(level)
    views = len(views_of(scene))
    pictures = pictures_of(renderer, scene, size)
    assert views >= 4
    assert pictures.rgb.shape == (views, size, size, 3) and pictures.rgb.dtype == np.uint8
    assert pictures.ids.shape == (views, size, size) and pictures.ids.dtype == np.uint16
    assert pictures.depth.shape == (views, size, size) and pictures.depth.dtype == np.float32


@every_level
def test_every_piece_that_is_not_walled_in_is_seen_at_the_start_and_at_the_end(
    renderer: Renderer, level: AnyLevel
) -> None:
    rules = family_of(level).rules
    start = rules.scene(level, rules.initial(level))
    for scene in (start, solved(level)):
        pictures = pictures_of(renderer, scene)
        seen = set(np.unique(pictures.ids).tolist())
        assert seen <= set(range(len(scene.bodies) + 1))
        hidden = [body for i, body in enumerate(scene.bodies, 1) if i not in seen]
        assert all(is_walled_in(body, scene) for body in hidden), f"not seen: {hidden}"
        assert np.array_equal(np.isfinite(pictures.depth), pictures.ids > 0)
        assert (pictures.depth > 0).all()
        for rgb, ids in zip(pictures.rgb, pictures.ids, strict=True):
            assert rgb.std() > 5 or not ids.any(), "the picture is of one colour"


def is_walled_in(body: Body, scene: Scene) -> bool:
    """Whether no cell of a body has a straight way into the open."""
    taken = {cell for other in scene.bodies for cell in other.placed().cells}
    reach = max(Bounds.around(b.placed().bounds for b in scene.bodies).size)
    return not any(
        all(add(cell, scale(way.vector, far)) not in taken for far in range(1, reach))
        for cell in body.placed().cells
        for way in Direction
    )


@one_level
def test_the_same_scene_gives_the_same_pictures(renderer: Renderer, level: AnyLevel) -> None:
    scene = solved(level)
    first, second = pictures_of(renderer, scene), pictures_of(renderer, scene)
    for part in ("rgb", "ids", "depth"):
        assert np.array_equal(getattr(first, part), getattr(second, part))


@one_level
def test_states_that_differ_look_different(renderer: Renderer, level: AnyLevel) -> None:
    rules = family_of(level).rules
    cameras = views_of(rules.scene(level, rules.initial(level)))
    looks: dict[bytes, object] = {}
    for attempt in attempts(level, seed=1, count=12, share=0.9):
        ids = renderer.render(rules.scene(level, attempt.state), cameras, SIZE).ids
        assert looks.setdefault(ids.tobytes(), attempt.state) == attempt.state


@one_level
def test_transforms_take_the_place_of_poses(renderer: Renderer, level: AnyLevel) -> None:
    rules = family_of(level).rules
    before = rules.scene(level, rules.initial(level))
    assert level.plan is not None
    state = rules.apply(level, rules.initial(level), level.plan.actions[0]).state
    after = rules.scene(level, state)
    moved: dict[str, Transform] = {body.name: body.pose.transform() for body in after.bodies}
    cameras = views_of(before)
    shown = renderer.render(before, cameras, SIZE, moved)
    assert np.array_equal(shown.ids, renderer.render(after, cameras, SIZE).ids)
    assert not np.array_equal(shown.ids, renderer.render(before, cameras, SIZE).ids)


@one_level
def test_an_observation_has_named_views_of_the_scene(renderer: Renderer, level: AnyLevel) -> None:
    scene = solved(level)
    views = observe(renderer, scene, SIZE)
    names = [view.name for view in views]
    assert len(set(names)) == len(names)
    assert all(view.rgb.shape == (SIZE, SIZE, 3) for view in views)
    if scene.shots is not None:
        assert names == [shot.name for shot in scene.shots]
        return
    assert names == [camera.name for camera in views_of(scene)] and len(names) >= 4
    pictures = pictures_of(renderer, scene)
    for index, view in enumerate(views):
        assert np.array_equal(view.ids, pictures.ids[index])


def test_no_picture_is_made_of_a_size_or_cameras_that_make_no_sense(renderer: Renderer) -> None:
    scene = solved(next(iter(A_LEVEL.values())))
    for size in (0, -1, 10**6):
        with pytest.raises(ValueError, match=r"\d"):
            pictures_of(renderer, scene, size)
    with pytest.raises(ValueError, match="camera"):
        renderer.render(scene, [], SIZE)

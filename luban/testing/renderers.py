"""Contract of renderers, on scenes of every family."""

from typing import ClassVar

import numpy as np
import pytest

from luban.testing.contract import Contract, check, over
from luban.testing.playing import attempts
from pysim.catalog import AnyLevel, find_family, list_shipped_levels
from pysim.geometry import Direction, add, scale
from pysim.render.camera import list_cameras
from pysim.render.factory import create_renderer, list_renderers
from pysim.render.renderer import Pictures, Renderer, RendererUnavailable
from pysim.render.views import observe
from pysim.scene import Body, Bounds, Scene
from pysim.trajectory import Transform
from pysim.viewpoints import Views

__all__ = ["RendererContract", "check_renderer"]

SIZE = 128


class RendererContract(Contract):
    """The tests of a renderer.

    Attributes:
        renderer: its name.
    """

    renderer: ClassVar[str] = "auto"
    _shared: ClassVar[Renderer | None] = None

    def make(self) -> Renderer:
        """Return a new renderer; one that Luban does not know is made here."""
        made, note = create_renderer(self.renderer)
        assert note == ""
        return made

    def test_a_renderer_follows_the_protocol_and_says_what_it_is(self) -> None:
        renderer = self._renderer()
        assert isinstance(renderer, Renderer)
        assert renderer.name == self.renderer and len(renderer.version) > 3

    @over("one_level")
    def test_pictures_have_the_promised_shapes_and_types(self, level: AnyLevel) -> None:
        self._require(level)
        scene = _solved(level)
        views = len(list_cameras(scene))
        assert views >= 4
        for size in (16, 100):
            pictures = self._pictures(scene, size)
            assert pictures.rgb.shape == (views, size, size, 3) and pictures.rgb.dtype == np.uint8
            assert pictures.ids.shape == (views, size, size) and pictures.ids.dtype == np.uint16
            assert (
                pictures.depth.shape == (views, size, size) and pictures.depth.dtype == np.float32
            )

    @over("few")
    def test_every_piece_that_is_not_walled_in_is_seen_at_the_start_and_at_the_end(
        self, level: AnyLevel
    ) -> None:
        self._require(level)
        rules = find_family(level).rules
        start = rules.scene(level, rules.initial(level))
        for scene in (start, _solved(level)):
            pictures = self._pictures(scene)
            seen = set(np.unique(pictures.ids).tolist())
            for view in observe(self._renderer(), scene, 2 * SIZE) if scene.views else ():
                seen |= set(np.unique(view.ids).tolist())
            assert seen <= set(range(len(scene.bodies) + 1))
            hidden = [
                body
                for number, body in enumerate(scene.bodies, 1)
                if number not in seen and not body.translucent  # These have no ids.
            ]
            assert all(_is_walled_in(body, scene) for body in hidden), f"not seen: {hidden}"
            assert np.array_equal(np.isfinite(pictures.depth), pictures.ids > 0)
            assert (pictures.depth > 0).all()
            for rgb, ids in zip(pictures.rgb, pictures.ids, strict=True):
                assert rgb.std() > 5 or not ids.any(), "the picture is of one colour"

    @over("one_level")
    def test_the_same_scene_gives_the_same_pictures(self, level: AnyLevel) -> None:
        self._require(level)
        scene = _solved(level)
        first, second = self._pictures(scene), self._pictures(scene)
        for part in ("rgb", "ids", "depth"):
            assert np.array_equal(getattr(first, part), getattr(second, part))

    @over("one_level")
    def test_states_that_differ_look_different(self, level: AnyLevel) -> None:
        self._require(level)
        rules = find_family(level).rules
        cameras = list_cameras(rules.scene(level, rules.initial(level)))
        looks: dict[tuple[bytes, bytes], object] = {}
        for attempt in attempts(level, seed=1, count=12, share=0.9):
            scene = rules.scene(level, attempt.state)
            seen = self._renderer().render(scene, cameras, SIZE)
            # Colours, too: an action may paint without moving anything.
            look = seen.ids.tobytes(), seen.rgb.tobytes()
            assert looks.setdefault(look, attempt.state) == attempt.state

    @over("one_level")
    def test_transforms_take_the_place_of_poses(self, level: AnyLevel) -> None:
        self._require(level)
        before, after = _first_motion(level)
        moved: dict[str, Transform] = {body.name: body.pose.transform() for body in after.bodies}
        cameras = list_cameras(before)
        shown = self._renderer().render(before, cameras, SIZE, moved)
        assert np.array_equal(shown.ids, self._renderer().render(after, cameras, SIZE).ids)
        assert not np.array_equal(shown.ids, self._renderer().render(before, cameras, SIZE).ids)

    @over("one_level")
    def test_an_observation_has_named_views_of_the_scene(self, level: AnyLevel) -> None:
        self._require(level)
        scene = _solved(level)
        views = observe(self._renderer(), scene, SIZE, views=Views.CLASSIC)
        names = [view.name for view in views]
        assert len(set(names)) == len(names)
        assert all(view.rgb.shape == (SIZE, SIZE, 3) for view in views)
        if scene.views is not None:
            assert names == [shot.name for shot in scene.views]
            return
        cameras = list_cameras(scene, classic=True)
        assert names == [camera.name for camera in cameras] and len(names) >= 4
        pictures = self._renderer().render(scene, cameras, SIZE)
        for index, view in enumerate(views):
            assert np.array_equal(view.ids, pictures.ids[index])

    def test_no_picture_is_made_of_a_size_or_cameras_that_make_no_sense(self) -> None:
        scene = _solved(list_shipped_levels()[0])
        for size in (0, -1, 10**6):
            with pytest.raises(ValueError, match=r"\d"):
                self._pictures(scene, size)
        with pytest.raises(ValueError, match="camera"):
            self._renderer().render(scene, [], SIZE)

    @classmethod
    def teardown_class(cls) -> None:
        """Close the renderer that all tests share."""
        if cls._shared is not None:
            cls._shared.close()
            cls._shared = None

    def _renderer(self) -> Renderer:
        kind = type(self)
        if kind._shared is None:
            try:
                kind._shared = self.make()
            except RendererUnavailable as error:
                pytest.skip(f"NOT TESTED: renderer {self.renderer} can't be used here: {error}")
        return kind._shared

    def _require(self, level: AnyLevel) -> None:
        if why := self.suits(level):
            pytest.skip(f"NOT TESTED: {why}")

    def _pictures(self, scene: Scene, size: int = SIZE) -> Pictures:
        return self._renderer().render(scene, list_cameras(scene), size)


def check_renderer(name: str) -> None:
    """Run the tests of :class:`RendererContract` for a renderer that Luban knows.

    Raises:
        AssertionError: something does not hold; the message says what, and for which level.
    """
    assert name in list_renderers(), (
        f"there is no renderer {name!r}; there are {', '.join(list_renderers())}"
    )
    chosen: type[RendererContract] = type("Chosen", (RendererContract,), {"renderer": name})
    try:
        check(chosen())
    finally:
        chosen.teardown_class()


def _solved(level: AnyLevel) -> Scene:
    rules = find_family(level).rules
    state = rules.initial(level)
    for action in level.plan.actions if level.plan else ():
        state = rules.apply(level, state, action).state
    return rules.scene(level, state)


def _first_motion(level: AnyLevel) -> tuple[Scene, Scene]:
    """Return the scenes before and after the first action of a level's plan that moves a body."""
    rules = find_family(level).rules
    state = rules.initial(level)
    for action in level.plan.actions if level.plan else ():
        made = rules.apply(level, state, action)
        if made.motions:
            return rules.scene(level, state), rules.scene(level, made.state)
        state = made.state
    raise AssertionError("nothing moves in the plan")


def _is_walled_in(body: Body, scene: Scene) -> bool:
    """Return whether no cell of a body has a straight way into the open."""
    taken = {cell for other in scene.bodies for cell in other.place().cells}
    reach = max(Bounds.cover(b.place().bounds for b in scene.bodies).size)
    return not any(
        all(add(cell, scale(way.vector, far)) not in taken for far in range(1, reach))
        for cell in body.place().cells
        for way in Direction
    )

"""Which pictures an observation has, and whether they tell what an agent must know."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.catalog import AnyLevel, find_family, find_level, list_shipped_levels
from pysim.geometry import IDENTITY, Bounds, Pose, Voxels
from pysim.render.camera import list_cameras, make_camera_set
from pysim.render.composition import SHEET, compose, find_enclosed_bodies, list_picture_names
from pysim.render.renderer import Renderer
from pysim.render.views import observe
from pysim.scene import Body, Colour, Scene
from pysim.viewpoints import Views
from tests.needs import usable_renderer
from tests.render.hulls import grid, hull
from tests.sampling import EXAMPLES, by_day

GOLDEN = Path(__file__).parent.parent / "golden" / "classic_cameras.json"
SIZE = 256
HIDING = "burr-generated-sequence-32"
"""A lock that has enclosed pieces at the start."""


@pytest.fixture(scope="module")
def egl() -> Iterator[Renderer]:
    with usable_renderer("egl") as made:
        yield made


def scene_after(level: AnyLevel, steps: int) -> Scene:
    return list(rests(level, steps))[-1]


def rests(level: AnyLevel, most: int | None = None) -> Iterator[Scene]:
    """Yield the scenes along a level's plan, the first one among them."""
    rules, state = find_family(level).rules, find_family(level).rules.initial(level)
    yield rules.scene(level, state)
    for action in (level.plan.actions if level.plan else ())[:most]:
        state = rules.apply(level, state, action).state
        yield rules.scene(level, state)


def is_loose(body: Body, scene: Scene) -> bool:
    inside = scene.container is not None and scene.container.bounds.has_block(body.place().bounds)
    return body.loose and not inside


def starts_loose(level: AnyLevel) -> bool:
    scene = next(rests(level, 0))
    return any(is_loose(body, scene) for body in scene.bodies) and scene.views is None


LOOSE = {"burr", "jigsaw", "packing"}
"""Families that have levels with loose pieces."""
FREE = [level for level in list_shipped_levels() if level.family in LOOSE and starts_loose(level)]
"""Levels whose pieces lie free at the start."""


@pytest.mark.slow
def test_levels_with_loose_pieces_are_those_of_packing_jigsaws_and_assembly() -> None:
    assert {level.family for level in list_shipped_levels() if starts_loose(level)} == LOOSE
    assert len(FREE) >= 77 + 24 + 2


@pytest.mark.by_day(2)
@pytest.mark.parametrize("level", by_day(FREE, lambda v: v.family, name=lambda v: v.id))
def test_visual_hull_of_every_loose_piece_equals_its_cells(egl: Renderer, level: AnyLevel) -> None:
    for scene in rests(level):
        views, cameras = observe(egl, scene, SIZE), list_cameras(scene)
        for number, body in enumerate(scene.bodies, 1):
            if is_loose(body, scene):
                assert hull(body, number, views, cameras) == set(body.place().cells), body.name


def test_visual_hull_of_classic_views_leaves_cells_undecided(egl: Renderer) -> None:
    scene = scene_after(find_level("packing-hard-06"), 0)
    views, cameras = (
        observe(egl, scene, SIZE, views=Views.CLASSIC),
        list_cameras(scene, classic=True),
    )
    left = {
        body.name
        for number, body in enumerate(scene.bodies, 1)
        if hull(body, number, views, cameras) != set(body.place().cells)
    }
    assert left and left < {body.name for body in scene.bodies}


def test_visual_hull_without_views_is_the_whole_grid() -> None:
    body = Body(
        "red", Voxels.from_cells([(0, 0, 0), (1, 1, 0)]), Pose(IDENTITY, (2, 0, 0)), Colour("red")
    )
    assert hull(body, 1, [], []) == set(grid(body)) == set(itertools.product((2, 3), (0, 1), (0,)))


def test_every_usual_view_of_an_assembly_frames_work_and_loose_pieces() -> None:
    for name in ("packing-hard-47", "jigsaw-hard-1", "burr-piston-assemble"):
        for scene in rests(find_level(name), 2):
            loose = [b.place().bounds for b in scene.bodies if is_loose(b, scene)]
            low, high = (np.array(e) for e in zip(*((b.low, b.high) for b in loose), strict=True))
            corners = np.concatenate([low - 0.5, high + 0.5, [scene.work.low, scene.work.high]])
            for camera in list_cameras(scene):
                at = camera.project(corners.astype(float), 100)
                assert (at[:, :2] > 0).all() and (at[:, :2] < 100).all(), (name, camera.name)


def test_composition_keeps_number_and_names_of_the_classic_pictures() -> None:
    for name in ("packing-hard-47", "jigsaw-hard-1", "burr-piston-assemble", "burr-piston"):
        for scene in rests(find_level(name)):
            old, new = compose(scene, Views.CLASSIC), compose(scene)
            assert [one.name for one in old] == [one.name for one in new]


def test_classic_cameras_are_those_of_earlier_versions() -> None:
    for name, cameras in json.loads(GOLDEN.read_text()).items():
        level, _, steps = name.split()
        scene = scene_after(find_level(level), int(steps))
        found = list_cameras(scene, classic=True)
        assert [camera.name for camera in found] == list(cameras)
        for camera in found:
            *vectors, angle = cameras[camera.name]
            for ours, golden in zip((camera.eye, camera.target, camera.up), vectors, strict=True):
                assert ours == pytest.approx(golden, abs=1e-6)
            assert camera.fov_deg == angle


def test_enclosed_pieces_have_a_picture_of_their_own(egl: Renderer) -> None:
    scene = scene_after(find_level(HIDING), 0)
    hidden = {"orange", "periwinkle"}
    assert find_enclosed_bodies(scene) == hidden
    views = {view.name: view for view in observe(egl, scene, SIZE)}
    numbers = {n for n, body in enumerate(scene.bodies, 1) if body.name in hidden}
    assert set(np.unique(views["inside"].ids).tolist()) == {0, *numbers}
    assert all(not np.isin(view.ids, list(numbers)).any() for view in list(views.values())[:-1])


def test_enclosed_pieces_have_no_picture_in_the_classic_composition() -> None:
    scene = scene_after(find_level(HIDING), 0)
    assert "inside" not in [one.name for one in compose(scene, Views.CLASSIC)]


def test_placed_material_that_is_enclosed_needs_no_picture() -> None:
    cells = set(itertools.product(range(3), repeat=3))
    bodies = boxes(cells - {(1, 1, 1)}, "red"), boxes({(1, 1, 1)}, "blue")
    scene = Scene(bodies, Bounds((0, 0, 0), (2, 2, 2)))
    assert [one.name for one in compose(scene)][-1] == "inside"
    placed = replace(scene, frames_loose=True)
    assert find_enclosed_bodies(placed) == {"blue"}
    assert "inside" not in [one.name for one in compose(placed)]


def boxes(cells: set[tuple[int, int, int]], name: str) -> Body:
    return Body(name, Voxels.from_cells(cells), Pose(IDENTITY, (0, 0, 0)), Colour(name))


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=64, max_size=64))
def test_enclosed_bodies_are_those_that_a_walk_from_outside_never_touches(
    owners: list[int],
) -> None:
    cells = dict(zip(itertools.product(range(4), repeat=3), owners, strict=True))
    names = {1: "red", 2: "blue", 3: "green"}
    bodies = tuple(
        boxes({c for c, owner in cells.items() if owner == k}, name)
        for k, name in names.items()
        if k in owners
    )
    scene = Scene(bodies, Bounds((0, 0, 0), (3, 3, 3)))
    seen, todo, touched = {(-1, -1, -1)}, [(-1, -1, -1)], set[str]()
    while todo:
        x, y, z = todo.pop()
        for step in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
            at = (x + step[0], y + step[1], z + step[2])
            if min(at) < -1 or max(at) > 4 or at in seen:
                continue
            if cells.get(at, 0):
                touched.add(names[cells[at]])
                continue
            seen.add(at)
            todo.append(at)
    expected = {body.name for body in bodies} - touched if len(bodies) > 1 else set()
    assert find_enclosed_bodies(scene) == expected


@pytest.mark.parametrize("name", ["packing-hard-47", "burr-piston", HIDING, "portal-d1-01"])
def test_sheet_is_one_picture_of_the_asked_size(egl: Renderer, name: str) -> None:
    scene = scene_after(find_level(name), 0)
    (sheet,) = observe(egl, scene, SIZE, views=Views.SHEET)
    assert sheet.name == SHEET and sheet.rgb.shape == (SIZE, SIZE, 3)
    assert sheet.ids.shape == sheet.depth.shape == (SIZE, SIZE)
    quarters = [sheet.rgb[a : a + 120, b : b + 120] for a in (0, 130) for b in (0, 130)]
    assert all(quarter.std() > 5 for quarter in quarters), "a panel is empty"


def test_sheet_of_a_scene_with_one_shot_is_that_shot(egl: Renderer) -> None:
    scene = scene_after(find_level("cubebench-d02-1-vertex-view"), 0)
    (sheet,), (shot,) = (observe(egl, scene, 64, views=v) for v in (Views.SHEET, Views.COMPOSED))
    assert sheet.name == shot.name and np.array_equal(sheet.rgb, shot.rgb)


def test_loose_pieces_of_a_lock_in_parts_are_seen_from_four_sides(egl: Renderer) -> None:
    scene = scene_after(find_level("burr-piston"), 12)
    table = next(one for one in compose(scene) if one.name == "table")
    blocks = [body.place().bounds for body in scene.bodies if body.loose]
    assert [replace(p.camera, name="") for p in table.panels] == [
        replace(camera, name="") for camera in make_camera_set("iso4", blocks)
    ]
    picture = next(view for view in observe(egl, scene, SIZE) if view.name == "table")
    loose = [n for n, body in enumerate(scene.bodies, 1) if body.loose]
    for a, b in itertools.product((0, 130), repeat=2):
        assert set(loose) <= set(np.unique(picture.ids[a : a + 125, b : b + 125]).tolist())


@pytest.mark.by_day(4)
@pytest.mark.parametrize("views", list(Views))
@pytest.mark.parametrize("name", ["packing-hard-47", "burr-piston", HIDING, "portal-d1-01"])
def test_picture_names_cover_every_rest(egl: Renderer, name: str, views: Views) -> None:
    scenes = list(rests(find_level(name)))
    known = list_picture_names(scenes[0], views)
    for scene in scenes[:: max(1, len(scenes) // 4)]:
        assert {v.name for v in observe(egl, scene, 64, views=views)} <= set(known)


def test_axes_move_to_the_corner_that_bodies_leave_free(egl: Renderer) -> None:
    for scene in rests(find_level("packing-hard-47"), 3):
        for view, old in zip(
            observe(egl, scene, SIZE),
            observe(egl, scene, SIZE, cameras=list_cameras(scene)),
            strict=True,
        ):
            covered = (view.ids > 0) & (view.rgb.max(axis=2) < 60)
            before = (old.ids > 0) & (old.rgb.max(axis=2) < 60)
            assert covered.sum() <= before.sum() + 2

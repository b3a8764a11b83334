"""Pictures of a cube show exactly its stickers, where each setting says."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.episode.tools import build_action_space
from pysim.catalog import find_shipped_level
from pysim.families.rubik.choices import ViewShift
from pysim.families.rubik.cube import Cube
from pysim.families.rubik.faces import FACELETS, Face, index_facelets
from pysim.families.rubik.family import FAMILY
from pysim.families.rubik.moves import Move
from pysim.families.rubik.pictures import (
    Net,
    choose_views,
    make_face_view,
    make_net_view,
    make_vertex_view,
)
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.families.rubik.scene import WHOLE, make_bodies
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.strings import Order, list_positions
from pysim.geometry import Direction, Rotation, add, list_rotations, scale
from pysim.render.camera import fit
from pysim.render.factory import create_renderer, list_renderers
from pysim.render.palette import PALETTE
from pysim.render.previews import draw_preview
from pysim.render.renderer import Renderer, RendererUnavailable
from pysim.render.views import Rendered, observe
from pysim.scene import Scene
from pysim.viewpoints import Panel, View
from tests.families.rubik.sequences import cubes, random_cube
from tests.sampling import more

TURNED = tuple(CubeState(random_cube(0, 25), gaze) for gaze in list_rotations())
LEFT, RIGHT, TOP = (33, 65), (87, 65), (60, 19)
"""Columns and rows of the centres of three faces in a picture of 120 pixels from a corner."""

few = settings(
    max_examples=more(2, night=4), suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module", params=list_renderers())
def renderer(request: pytest.FixtureRequest) -> Renderer:
    try:
        made, _ = create_renderer(request.param)
    except RendererUnavailable as error:
        pytest.skip(f"NOT TESTED: renderer {request.param} can't be used here: {error}")
    request.addfinalizer(made.close)
    return made


def picture(renderer: Renderer, cube: Cube, shot: View, size: int) -> Rendered:
    (view,) = observe(renderer, Scene(make_bodies(cube), WHOLE, views=(shot,)), size)
    assert view.name == shot.name and view.rgb.shape == (size, size, 3)
    return view


def painted(rgb: np.ndarray, x: float, y: float) -> Face:
    """The face whose colour a pixel has, to the last bit; x and y are shares of the picture."""
    height, width, _ = rgb.shape
    seen = tuple(rgb[int(y * height), int(x * width)].tolist())
    (face,) = [face for face in Face if PALETTE[face.colour] == seen]
    return face


def hue(rgb: np.ndarray, x: float, y: float) -> Face:
    """The face whose colour a pixel has, however bright it is lit."""
    seen = rgb[int(y), int(x)] / np.linalg.norm(rgb[int(y), int(x)])
    paints = {face: np.array(PALETTE[face.colour], dtype=float) for face in Face}
    return max(Face, key=lambda face: float(seen @ paints[face] / np.linalg.norm(paints[face])))


def net_order(net: Net) -> list[tuple[Face, float, float]]:
    """For each facelet as one reads the picture, face by face: where it is, by hand."""
    origin = {"U": (1, 0), "L": (0, 1), "F": (1, 1), "R": (2, 1), "D": (1, 2)}
    origin["B"] = (1, 3) if net is Net.CROSS else (3, 1)
    return [
        (Face(name), origin[name][0] + (x + 0.5) / 3, origin[name][1] + (y + 0.5) / 3)
        for name in "ULFRDB"
        for y in range(3)
        for x in range(3)
    ]


@pytest.mark.parametrize("net", Net)
def test_the_net_folds(net: Net) -> None:
    """Stickers on both sides of an edge in the picture are on one cubie."""
    placed = {(tile.row, tile.column): tile for tile in make_net_view(net).panels}
    touching = 0
    for (row, column), tile in placed.items():
        below, beside = placed.get((row + 1, column)), placed.get((row, column + 1))
        for other, mine, its in (
            (below, [(2, k) for k in range(3)], [(0, k) for k in range(3)]),
            (beside, [(k, 2) for k in range(3)], [(k, 0) for k in range(3)]),
        ):
            if other is not None:
                touching += 1
                assert [cubie(tile, *at) for at in mine] == [cubie(other, *at) for at in its]
    assert touching == 5


def cubie(tile: Panel, row: int, column: int) -> tuple[float, ...]:
    """Where the cubie is whose sticker a tile shows there."""
    right = np.cross(tile.up, tile.towards)
    place = np.array(tile.towards) + (1 - row) * np.array(tile.up) + (column - 1) * right
    return tuple(place.tolist())


@pytest.mark.parametrize("net", Net)
@few
@given(cube=cubes)
def test_all_stickers_are_read_back_from_the_net(renderer: Renderer, net: Net, cube: Cube) -> None:
    rgb = picture(renderer, cube, make_net_view(net), 128).rgb
    side = (4 - (3 if net is Net.CROSS else 4)) / 8, (4 - (4 if net is Net.CROSS else 3)) / 8
    read = [painted(rgb, side[0] + x / 4, side[1] + y / 4) for _, x, y in net_order(net)]
    order = Order.DRAWN if net is Net.CROSS else Order.ENVIRONMENT
    assert read == [cube.list_colours()[number] for number in list_positions(order)]


@pytest.mark.slow
@few
@given(cube=cubes)
def test_nine_stickers_are_read_back_from_each_view_of_a_face(
    renderer: Renderer, cube: Cube
) -> None:
    colours = cube.list_colours()
    for gaze in list_rotations():
        state = CubeState(cube, gaze)
        rgb = picture(renderer, cube, make_face_view(state.front, state.above), 60).rgb
        for row in range(3):
            for column in range(3):
                across = add(
                    scale(state.right.vector, column - 1), scale(state.above.vector, 1 - row)
                )
                cell = add(state.front.vector, across)
                expected = colours[index_facelets()[(cell, state.front)]]
                assert painted(rgb, (column + 0.5) / 3, (row + 0.5) / 3) is expected


@pytest.mark.slow
@few
@given(cube=cubes)
def test_twenty_seven_stickers_are_read_back_from_each_corner(
    renderer: Renderer, cube: Cube
) -> None:
    size = 200
    colours = cube.list_colours()
    for gaze in list_rotations():
        state = CubeState(cube, gaze)
        sides = (state.front, state.right, state.above)
        rgb = picture(renderer, cube, make_vertex_view(*sides), size).rgb
        towards = np.sum([side.vector for side in sides], axis=0)
        camera = fit("", tuple(towards.tolist()), WHOLE, up=state.above.vector)
        for (cell, side), number in index_facelets().items():
            if side in sides:
                spot = np.add(cell, np.array(side.vector) / 2.0)
                (x, y, _) = camera.project(spot[None], size)[0]
                assert hue(rgb, x, y) is colours[number]


def test_from_a_corner_the_front_is_on_the_left_and_what_is_above_on_top(
    renderer: Renderer,
) -> None:
    for state in TURNED:
        sides = (state.front, state.right, state.above)
        view = picture(renderer, state.cube, make_vertex_view(*sides), 120)
        bodies = [body.name for body in make_bodies(state.cube)]
        for side, (x, y) in zip(sides, (LEFT, RIGHT, TOP), strict=True):
            assert bodies[view.ids[y, x] - 1] == Face.from_direction(side).colour
            assert hue(view.rgb, x, y) is Face.from_direction(side)


def test_pictures_of_a_cube_follow_the_world(renderer: Renderer) -> None:
    cube = random_cube(1, 20)
    scene = Scene(make_bodies(cube), WHOLE, views=(make_net_view(),))
    turned = cube.turn([Move.parse("F")])
    moved = {body.name: body.pose.transform() for body in make_bodies(turned)}
    (seen,) = observe(renderer, scene, 128, moved)
    assert np.array_equal(seen.rgb, picture(renderer, turned, make_net_view(), 128).rgb)
    assert not np.array_equal(seen.rgb, picture(renderer, cube, make_net_view(), 128).rgb)


@pytest.mark.parametrize("net", Net)
def test_names_of_faces_stand_above_them_and_hide_nothing(renderer: Renderer, net: Net) -> None:
    cube = random_cube(2, 20)
    plain = picture(renderer, cube, make_net_view(net), 512)
    named = picture(
        renderer, cube, make_net_view(net, names={face: face.value for face in Face}), 512
    )
    assert np.count_nonzero(named.ids == 0) >= np.count_nonzero(plain.ids == 0)
    ink = (named.rgb < 120).all(axis=2) & (named.ids == 0)
    rows, columns = np.nonzero(ink)
    assert len(rows) > 100
    for face, (row, column) in net.places.items():
        place = named.ids == 1 + "ULFRDB".index(face.value)  # the centre of that face
        top, left = (values.min() for values in np.nonzero(place))
        above = (abs(columns - left) < 60) & (rows < top) & (rows > top - 90)
        assert above.sum() > 15, f"nothing is written above {face} at {row}, {column}"


# -- what each setting shows -------------------------------------------------------------------


def test_each_setting_has_its_pictures_and_no_other() -> None:
    for state in TURNED:
        assert choose_views(Setting.FULL_SYMBOLIC, state) == ()
        assert choose_views(Setting.FULL_VISUAL, state) == (make_net_view(),)
        (face,) = choose_views(Setting.FACE_VIEW, state)
        assert face == make_face_view(state.front, state.above)
        (vertex,) = choose_views(Setting.VERTEX_VIEW, state)
        assert vertex == make_vertex_view(state.front, state.right, state.above)


def walk(start: CubeState) -> list[CubeState]:
    """Every state that view changes lead to."""
    found = {start.gaze: start}
    ahead = [start]
    while ahead:
        state = ahead.pop()
        for after in map(state.shift, ViewShift):
            if after.gaze not in found:
                found[after.gaze] = after
                ahead.append(after)
    return list(found.values())


def test_a_walk_leads_to_all_faces_all_corners_and_all_ways_to_look() -> None:
    states = walk(TURNED[0])
    assert len(states) == 24
    assert {state.front for state in states} == set(Direction)
    corners = {frozenset((state.front, state.right, state.above)) for state in states}
    assert len(corners) == 8


@given(st.sampled_from(TURNED))
def test_four_steps_one_way_lead_back_and_opposites_undo(state: CubeState) -> None:
    for there, back in ((ViewShift.UP, ViewShift.DOWN), (ViewShift.LEFT, ViewShift.RIGHT)):
        assert state.shift(there).shift(back) == state == state.shift(back).shift(there)
        for shift in (there, back):
            around = state
            for _ in range(4):
                around = around.shift(shift)
            assert around == state


@given(st.sampled_from(TURNED))
def test_each_step_leads_to_a_neighbouring_face_and_a_neighbouring_corner(state: CubeState) -> None:
    """One goes to the side that one names, and the next corner shares an edge with this one."""
    here = {state.front, state.right, state.above}
    fronts = {
        ViewShift.UP: state.above,
        ViewShift.DOWN: state.above.opposite,
        ViewShift.LEFT: state.right.opposite,
        ViewShift.RIGHT: state.right,
    }
    for shift, front in fronts.items():
        after = state.shift(shift)
        assert after.front is front
        assert len(here & {after.front, after.right, after.above}) == 2
        kept = (
            after.above is state.above
            if shift in (ViewShift.LEFT, ViewShift.RIGHT)
            else (after.right is state.right)
        )
        assert kept


@pytest.mark.parametrize("setting", [s for s in Setting if s is not Setting.FULL_SYMBOLIC])
def test_words_of_a_visual_setting_are_the_same_whatever_the_stickers(setting: Setting) -> None:
    shipped = find_shipped_level("cubebench-d04-1-full-visual")
    for state in TURNED:
        texts = set()
        for seed in range(3):
            cube = random_cube(seed, 20)
            level = replace(shipped, puzzle=CubePuzzle(cube, setting))
            told = FAMILY.rules.describe(level, replace(state, cube=cube))
            texts.add((FAMILY.rules.instruction(level), told))
        assert len(texts) == 1


@few
@given(cube=cubes, gaze=st.sampled_from(list_rotations()))
def test_letters_in_place_of_a_picture_of_a_face_are_its_stickers(
    renderer: Renderer, cube: Cube, gaze: Rotation
) -> None:
    state = CubeState(cube, gaze)
    scene = Scene(make_bodies(cube), WHOLE, views=choose_views(Setting.FACE_VIEW, state))
    (view,) = observe(renderer, scene, 90)
    thirds = (1 / 6, 1 / 2, 5 / 6)
    rows = ("".join(painted(view.rgb, x, y).letter for x in thirds) for y in thirds)
    seen = " ".join(rows)
    assert FAMILY.text_only is not None
    told = FAMILY.text_only.describe(CubePuzzle(cube, Setting.FACE_VIEW), state)
    assert told.partition(": ")[2] == seen
    corner = FAMILY.text_only.describe(CubePuzzle(cube, Setting.VERTEX_VIEW), state)
    assert f"(left): {seen}\n" in corner


@pytest.mark.parametrize("setting", Setting)
def test_a_cube_offers_to_go_around_it_just_where_part_of_it_is_seen(setting: Setting) -> None:
    shipped = find_shipped_level(f"cubebench-d04-1-{setting}")
    offered = build_action_space(shipped).names
    assert ("apply_view_transformation" in offered) == setting.partial


def test_words_of_the_symbolic_setting_are_the_letters_alone() -> None:
    level = find_shipped_level("cubebench-d04-1-full-symbolic")
    text = FAMILY.rules.describe(level, FAMILY.rules.initial(level))
    assert len(text) == FACELETS and set(text) == set("WRBOGY")


def test_one_gaze_is_that_of_an_observer_in_front() -> None:
    state = CubeState(random_cube(0, 5), Rotation(0))
    assert [Face.from_direction(side) for side in (state.front, state.right, state.above)] == [
        Face.F,
        Face.R,
        Face.U,
    ]


def test_a_sheet_shows_every_sticker_of_the_cube(renderer: Renderer) -> None:
    puzzle = CubePuzzle(random_cube(4, 20))
    panels = FAMILY.preview(puzzle)
    assert [panel.title for panel in panels] == ["in front", "behind", "unfolded"]
    assert draw_preview(renderer, panels, 120).shape == (120, 3 * 122 - 2, 3)
    front, behind = (panel.scene.views[0].panels[0].towards for panel in panels[:2])
    assert front == tuple(-step for step in behind), "opposite corners, so all six faces"


def test_every_picture_of_a_cube_has_a_name_of_its_own() -> None:
    names = [shot.name for shot in FAMILY.views(CubePuzzle(TURNED[0].cube), TURNED[0])]
    assert names == ["net", "face", "vertex", "strip"]

"""Playing the cube: turns in the scene, views, and what each setting tells."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.episode.tools import ActionSpace, ToolCall
from bridge.recording.layout import corners_of
from pysim.catalog import AnyLevel, find_shipped_level
from pysim.families.rubik.actions import ApplyViewTransformation, MakeMove
from pysim.families.rubik.choices import FACE_TURNS, FaceTurn, ViewShift
from pysim.families.rubik.faces import Face, list_facelets
from pysim.families.rubik.family import FAMILY
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.families.rubik.scene import make_bodies
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.strings import Order, format_cube
from pysim.geometry import Direction
from pysim.motion import Turn
from pysim.physics.factory import create_world, list_worlds
from pysim.puzzle import IllegalMove, InvalidAction, Outcome
from tests.families.rubik.sequences import cubes


def level_in(setting: Setting) -> AnyLevel:
    return find_shipped_level(f"cubebench-d04-1-{setting}")


@given(cubes)
def test_stickers_of_the_scene_are_those_of_the_facelets(cube: object) -> None:
    seen = {}
    for body in make_bodies(cube):  # type: ignore[arg-type]
        for sticker in body.stickers:
            vector = body.pose.rotation.apply(sticker.side.vector)
            side = next(d for d in Direction if d.vector == vector)
            seen[(body.pose.offset, side)] = str(sticker.colour)
    colours = [face.colour for face in cube.list_colours()]  # type: ignore[attr-defined]
    assert seen == dict(zip(list_facelets(), colours, strict=True))


@pytest.mark.parametrize("name", list_worlds())
def test_worlds_turn_layers_rigidly_and_confirm_every_pose(name: str) -> None:
    level = level_in(Setting.FULL_SYMBOLIC)
    world = create_world(name)
    episode = Episode(level, world, None, Options(obs=Obs.STATE, budget=100))
    for move in FACE_TURNS:
        before = world.transforms()
        result = episode.step(MakeMove(move))
        assert result.disagreement is None and result.travel is None
        after = world.transforms()
        moved = [n for n in before if not np.allclose(before[n], after[n], atol=1e-6)]
        assert len(moved) == 9
        for body in episode.scene.bodies:
            assert np.allclose(after[body.name], body.pose.transform(), atol=1e-6)
    episode.close()
    assert episode.disagreements == 0


@pytest.mark.parametrize("name", list_worlds())
@pytest.mark.parametrize("move", ["F", "B'", "L", "R'", "U", "D'"])
def test_a_layer_stays_one_piece_and_on_its_side_all_the_way(name: str, move: str) -> None:
    """Nothing overlaps: all that turns stays beyond a plane across the axis, all else before it."""
    level = level_in(Setting.FULL_SYMBOLIC)
    scene = FAMILY.rules.scene(level, FAMILY.rules.initial(level))
    world = create_world(name)
    world.reset(scene)
    action = MakeMove(FaceTurn(move))
    (turn,) = FAMILY.rules.apply(level, FAMILY.rules.initial(level), action).motions
    assert isinstance(turn, Turn)
    report = world.execute([turn])
    world.close()
    assert report.completed and not report.contacts
    side = Face(move[0]).side
    angles = set()
    for keyframe in report.trajectory.keyframes:
        places = {b.name: b.pose.transform() for b in scene.bodies} | dict(keyframe.transforms)
        whole_turn = {
            n: places[n] @ np.linalg.inv(scene.find_body(n).pose.transform()) for n in turn.bodies
        }
        first = next(iter(whole_turn.values()))
        assert all(np.allclose(own, first, atol=1e-6) for own in whole_turn.values())
        angles.add(round(float(np.trace(first)), 3))
        for body in scene.bodies:
            corners = corners_of(body.shape.bounds, places[body.name]) @ np.array(side.vector)
            beyond = body.name in turn.bodies
            assert corners.min() > 0.5 - 1e-6 if beyond else corners.max() < 0.5 + 1e-6
    assert len(angles) > 4, "it is seen on its way"


def test_views_go_around_the_cube_and_leave_it_alone() -> None:
    level = level_in(Setting.FACE_VIEW)
    state = FAMILY.rules.initial(level)
    faces = {face.side: face for face in Face}
    assert faces[state.front] is Face.F and faces[state.above] is Face.U
    for shift, front, above in (
        (ViewShift.RIGHT, Face.R, Face.U),
        (ViewShift.LEFT, Face.L, Face.U),
        (ViewShift.UP, Face.U, Face.B),
        (ViewShift.DOWN, Face.D, Face.F),
    ):
        after = FAMILY.rules.apply(level, state, ApplyViewTransformation(shift))
        assert not after.motions and after.state.cube == state.cube
        assert faces[after.state.front] is front and faces[after.state.above] is above
        assert FAMILY.rules.scene(level, state).bodies == (
            FAMILY.rules.scene(level, after.state).bodies
        )


@given(st.lists(st.sampled_from(ViewShift), max_size=8))
def test_views_are_undone_by_their_opposites(shifts: list[ViewShift]) -> None:
    back = {
        ViewShift.UP: ViewShift.DOWN,
        ViewShift.DOWN: ViewShift.UP,
        ViewShift.LEFT: ViewShift.RIGHT,
        ViewShift.RIGHT: ViewShift.LEFT,
    }
    start = FAMILY.rules.initial(level_in(Setting.FACE_VIEW))
    state: CubeState = start
    for shift in [*shifts, *(back[shift] for shift in reversed(shifts))]:
        state = state.shift(shift)
    assert state == start


@pytest.mark.parametrize("setting", [Setting.FULL_SYMBOLIC, Setting.FULL_VISUAL])
def test_there_is_nothing_to_look_around_for_when_all_is_seen(setting: Setting) -> None:
    level = level_in(setting)
    with pytest.raises(IllegalMove, match="all is seen"):
        FAMILY.rules.apply(
            level, FAMILY.rules.initial(level), ApplyViewTransformation(ViewShift.UP)
        )
    assert len(list(FAMILY.rules.legal(level, FAMILY.rules.initial(level)))) == 12


@pytest.mark.parametrize("setting", Setting)
def test_letters_are_told_in_the_symbolic_setting_only(setting: Setting) -> None:
    level = level_in(setting)
    state = FAMILY.rules.initial(level)
    text = format_cube(state.cube, Order.DRAWN)
    described = FAMILY.rules.describe(level, state)
    assert (text in described.splitlines()) == (setting is Setting.FULL_SYMBOLIC)
    if setting is not Setting.FULL_SYMBOLIC:
        assert not any(text[k : k + 4] in described for k in range(0, 54, 9))


def test_moves_are_typed_as_they_are_written() -> None:
    space = ActionSpace(FAMILY.actions, level_in(Setting.FULL_SYMBOLIC).colours)
    for turn in FACE_TURNS:
        action = space.parse(space.parse_line(f"make_move {turn}"))
        assert action == MakeMove(turn) and space.line(action) == f"make_move {turn}"


@pytest.mark.parametrize("move", ["F2", "X", "", 3, None, ["F"], "F F"])
def test_what_is_no_quarter_turn_is_invalid(move: object) -> None:
    space = ActionSpace(FAMILY.actions, level_in(Setting.FULL_SYMBOLIC).colours)
    with pytest.raises(InvalidAction):
        space.parse(ToolCall("make_move", {"move": move}))  # type: ignore[dict-item]


def test_a_plan_solves_and_says_what_is_proven() -> None:
    for depth in ("01", "03", "08", "20"):
        level = find_shipped_level(f"cubebench-d{depth}-1-full-symbolic")
        plan = FAMILY.rules.plan(level)
        assert plan is not None and plan.lower_bound <= len(plan)
        state = FAMILY.rules.initial(level)
        for action in plan.actions:
            state = FAMILY.rules.apply(level, state, action).state
        assert FAMILY.rules.outcome(level, state) is Outcome.SOLVED


def test_puzzles_are_frozen_values() -> None:
    puzzle = level_in(Setting.FULL_SYMBOLIC).puzzle
    assert isinstance(puzzle, CubePuzzle) and hash(puzzle) == hash(dataclasses.replace(puzzle))

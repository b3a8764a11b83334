"""Gestures at a real browser: faces are folded, layers swiped and cells walked to, by pointing."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge.episode.episode import Episode
from bridge.episode.tools import ToolCall
from bridge.recording.log import read_log
from pysim.catalog import AnyLevel, find_family
from pysim.geometry import Axis
from pysim.motion import Turn
from pysim.puzzle import GoGesture, TurnGesture
from tests.web.screens import Screen, open_screen
from tests.web.servers import Page, Server, plan_calls, play_oracle, read_only_log, serve
from tests.web.test_playing import SHORT

LEVELS = [level for level in SHORT if level.family in ("nets", "portal", "rubik")]
CHAMBER = next(level for level in LEVELS if level.family == "portal")
WALKS = """() => ["ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"].map((key) =>
  [key, luban.viewers[0].floorDirection(key)])"""
_GRIPS = """([names, axis]) => {
  const [viewer] = luban.viewers, box = viewer.canvas.getBoundingClientRect(), found = [];
  for (let y = 20; y < box.height; y += 20) for (let x = 20; x < box.width; x += 20) {
    const at = [box.left + x, box.top + y], hit = viewer.find({ clientX: at[0], clientY: at[1] });
    if (!hit || !names.includes(hit.name) || hit.side[axis]) continue;
    found.push([...at, ...hit.place.toArray()]);
  }
  return found;
}"""
"""Pixels of bodies on faces that do not look along an axis."""
_PIXEL = "(place) => luban.viewers[0].pixel(place)"
_SPOT = """(floor) => {
  const [viewer] = luban.viewers, [x, y] = viewer.pixel([floor[0], floor[1], floor[2] + 0.5]);
  const hit = viewer.find({ clientX: x, clientY: y });
  return hit?.side[2] === 1 && hit.cell.join() === floor.join() ? [x, y] : null;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve([level.id for level in LEVELS], tmp_path_factory.mktemp("runs")) as started:
        yield started


def states_of(level: AnyLevel) -> Iterator[tuple[ToolCall, Any]]:
    """Each call of the plan, and the state before it."""
    rules = find_family(level).rules
    state = rules.initial(level)
    assert level.plan is not None
    for call, action in zip(plan_calls(level), level.plan.actions, strict=True):
        yield call, state
        state = rules.apply(level, state, action).state


def turn_place(place: list[float], turn: Turn, share: float) -> list[float]:
    """A place after a share of a turn, by sine and cosine."""
    axis = list(Axis).index(turn.axis)
    first, second = (axis + 1) % 3, (axis + 2) % 3
    angle = share * math.pi / 2 * (-1 if turn.quarters == 3 else turn.quarters)
    away = np.array(place) - turn.centre
    a, b = away[first], away[second]
    away[first] = a * math.cos(angle) - b * math.sin(angle)
    away[second] = a * math.sin(angle) + b * math.cos(angle)
    return list((away + turn.centre).tolist())


def drag_about(screen: Screen, gesture: TurnGesture) -> None:
    """Take a body where the turn is seen well, and drag it most of the way."""
    page, turn = screen.page, gesture.turn
    axis, turns = list(Axis).index(turn.axis), page.locator(".history li").count()
    for x, y, *place in page.evaluate(_GRIPS, [sorted(gesture.grips), axis]):
        way = [page.evaluate(_PIXEL, turn_place(place, turn, n / 10)) for n in range(10)]
        if math.dist((x, y), way[-1]) > 40:
            break
    page.mouse.move(x, y)
    page.mouse.down()
    for at in way[1:]:
        page.mouse.move(*at)
    assert gesture.action.tool.replace("_", " ") in screen.text(".drag-tag")
    page.mouse.up()
    screen.wait_for_turn(turns)


def make_gesture(screen: Screen, level: AnyLevel, call: ToolCall, state: Any) -> bool:
    """Make a call by pointing; False if there is no gesture for it, or it is not to be seen."""
    gestures = [
        gesture
        for gesture in find_family(level).gestures(level, state)
        if ToolCall.of(gesture.action) == call
    ]
    turns = screen.page.locator(".history li").count()
    for gesture in gestures:
        if isinstance(gesture, TurnGesture):
            drag_about(screen, gesture)
            return True
        if gesture.key is not None:
            screen.page.focus("canvas.scene")
            keys = {way: key for key, way in screen.page.evaluate(WALKS)}
            screen.page.keyboard.press(keys[gesture.key.value])
            screen.wait_for_turn(turns)
            return True
        if point_at_floor(screen, gesture):
            screen.wait_for_turn(turns)
            return True
    return False


def point_at_floor(screen: Screen, gesture: GoGesture) -> bool:
    """Click the floor below a cell, if it is to be seen."""
    assert gesture.cell is not None
    x, y, z = gesture.cell
    screen.page.locator(".tabs button", has_text="walk to").click()
    at = screen.page.evaluate(_SPOT, [x, y, z - 1])
    if at is not None:
        screen.page.mouse.click(*at)
    return at is not None


@pytest.mark.by_day(2)
@pytest.mark.parametrize("number", range(len(LEVELS)), ids=[level.family for level in LEVELS])
def test_level_is_solved_by_gestures_with_the_hashes_of_the_oracle(
    browser: Any, server: Server, number: int
) -> None:
    level, made = LEVELS[number], 0
    with open_screen(browser, server.address) as screen:
        screen.begin(level=number)
        for call, state in states_of(level):
            if make_gesture(screen, level, call, state):
                made += 1
            else:
                screen.act(call)
        screen.page.wait_for_selector(".banner.good")
    assert made >= 1
    (path,) = server.runs.glob(f"{level.id}-human*/episode.jsonl")
    assert [step.state_hash for step in read_log(path).steps] == play_oracle(level)


def test_chamber_is_walked_by_arrow_keys_and_by_clicking(browser: Any, tmp_path: Path) -> None:
    with (
        serve([CHAMBER.id], tmp_path) as server,
        open_screen(browser, server.address) as screen,
        Episode(CHAMBER) as episode,
    ):
        screen.begin()
        made = 0
        for key, way in screen.page.evaluate(WALKS):
            keyed = [
                one for one in walks_of(episode) if one.key is not None and one.key.value == way
            ]
            screen.page.focus("canvas.scene")
            screen.page.keyboard.press(key)
            if not keyed:
                assert "Nothing to step onto" in screen.text(".result")
                continue
            screen.wait_for_turn(made)
            episode.step(ToolCall.of(keyed[0].action))
            made += 1
        spot = next(one for one in walks_of(episode) if one.cell and point_at_floor(screen, one))
        screen.wait_for_turn(made)
        episode.step(ToolCall.of(spot.action))
        assert made >= 2
        assert read_only_log(tmp_path).steps[-1].state_hash == episode.state_hash


def walks_of(episode: Episode) -> list[GoGesture]:
    return [one for one in episode.gestures if isinstance(one, GoGesture)]


def test_gestures_are_not_told_where_pictures_are_shown(server: Server) -> None:
    for number in range(len(LEVELS)):
        with Page(server) as page:
            _, state = page.begin(type="start", level=number, practice=True)
            assert state["gestures"]
            _, state = page.begin(type="start", level=number, pictures=True)
            assert state["gestures"] == []


def test_every_gesture_is_an_action_that_the_rules_can_read() -> None:
    """Refused or not; what the rules allow by walking has a gesture."""
    for level in SHORT:
        family = find_family(level)
        state = family.rules.initial(level)
        gestures = list(family.gestures(level, state))
        assert all(type(one.action) in family.actions for one in gestures)
        named = {repr(one.action) for one in gestures}
        tools = {one.action.tool for one in gestures if not isinstance(one, GoGesture) or one.cell}
        legal = {repr(a) for a in family.rules.legal(level, state) if a.tool in tools}
        assert legal <= named

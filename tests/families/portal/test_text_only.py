"""Agents without pictures are told a chamber so exactly that it can be built and solved again."""

import re
from collections.abc import Iterator

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.episode.tools import build_action_space
from pysim.families.portal.chamber import (
    Button,
    Chamber,
    Door,
    Emitter,
    MovableBox,
    Pad,
    Receiver,
    Surface,
)
from pysim.families.portal.family import FAMILY
from pysim.families.portal.planner import plan_for
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.state import ChamberState, start_of
from pysim.geometry import Cell, Direction
from pysim.puzzle import Level, Outcome
from pysim.scene import Colour
from pysim.suites import find_suite, load_levels
from tests.families.portal.rooms import level_of, room
from tests.sampling import by_day

RULES = PortalRules()
LEVELS: list[Level[Chamber]] = [
    level for name in ("portal-16", "portal-100") for level in load_levels(find_suite(name))
]
CELL = r"\((-?\d+),(-?\d+),(-?\d+)\)"
every_level = pytest.mark.parametrize("level", by_day(LEVELS, each=6, name=lambda v: v.id))


def cell_of(text: str) -> Cell:
    found = re.search(CELL, text)
    assert found
    x, y, z = map(int, found.groups())
    return (x, y, z)


def layers_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the room's layers, rows from the front."""
    layers: list[tuple[str, ...]] = []
    for low, high, rows in re.findall(r"z = (\d+)(?: to (\d+))?\n((?:[#o.~]+\n)+)", text):
        assert int(low) == len(layers)
        layers += [tuple(reversed(rows.split()))] * (int(high or low) - int(low) + 1)
    return tuple(layers)


def needs_of(text: str) -> tuple[str, ...]:
    found = re.search(r"needs (.+)\.$", text)
    return tuple(found[1].split(", ")) if found else ()


def emitters(text: str, kind: str) -> tuple[Emitter, ...]:
    pattern = rf"(?m)^{kind} from {CELL} towards ([+-][xyz]).*\.$"
    lines = (found[0] for found in re.finditer(pattern, text))
    return tuple(Emitter(cell_of(at), Direction(at.split("towards ")[1][:2]), needs_of(at))
                 for at in lines)  # fmt: skip


def boxes_of(text: str) -> Iterator[MovableBox]:
    for line in re.findall(r"(?m)^Box .*$", text):
        sends = re.search(r"sends lasers towards ([+-][xyz])", line)
        turns = Direction(sends[1]) if sends else None
        yield MovableBox(Colour(line.split()[1]), cell_of(line), turns)


def buttons_of(text: str) -> Iterator[Button]:
    for line in re.findall(r"(?m)^Button .*$", text):
        ticks = re.search(r"timed, (\d+) ticks", line)
        yield Button(line.split()[1], cell_of(line), int(ticks[1]) if ticks else 0)


def chamber_of(text: str) -> Chamber:
    """Build a chamber from its text alone."""
    me = re.search(r"You are (\w+), in a closed room", text)
    fields = re.search(r"(?m)^Fields at (.*)\.$", text)
    ends = re.search(rf"You start at {CELL}; the exit is {CELL}", text)
    assert me and ends
    start, way_out = (cell_of(part) for part in ends[0].split(";"))
    pads = re.findall(rf"Launch pad on the floor of ({CELL}), speed ({CELL})", text)
    return Chamber(
        layers=layers_of(text),
        agent=Colour(me[1]),
        start=start,
        exit=way_out,
        boxes=tuple(boxes_of(text)),
        buttons=tuple(buttons_of(text)),
        doors=tuple(
            Door(line.split()[1], cell_of(line), needs_of(line))
            for line in re.findall(r"(?m)^Door .*$", text)
        ),
        receivers=tuple(
            Receiver(line.split()[1], cell_of(line))
            for line in re.findall(r"(?m)^Receiver .*$", text)
        ),
        lasers=emitters(text, "Laser"),
        bridges=emitters(text, "Bridge"),
        beams=emitters(text, "Beam"),
        fields=tuple(map(cell_of, re.findall(CELL.replace("(-?\\d+)", "-?\\d+"), fields[1])))
        if fields
        else (),
        pads=tuple(Pad(cell_of(found[0]), cell_of(found[4])) for found in pads),
    )


def state_of(text: str, chamber: Chamber) -> ChamberState:
    """Read where everything is."""
    lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)

    def gate(name: str) -> Surface | None:
        told = lines[f"{name} gate"]
        return None if told == "none" else Surface(cell_of(told), Direction(told.split()[1]))

    return ChamberState(
        cell_of(lines[chamber.agent]),
        tuple(
            None if lines[box.name] == "carried" else cell_of(lines[box.name])
            for box in chamber.boxes
        ),
        gate("orange"),
        gate("blue"),
        tuple(
            int((re.search(r"(\d+) more", lines[button.name]) or [0, 0])[1])
            for button in chamber.buttons
        ),
    )


@every_level
def test_text_of_a_chamber_builds_the_same_chamber(level: Level[Chamber]) -> None:
    with Episode(level, options=Options(obs=Obs.STATE)) as episode:
        told = chamber_of(episode.observe().text())
    assert told == level.puzzle


@pytest.mark.parametrize("level", by_day(LEVELS[16:], each=2, name=lambda v: v.id))
def test_agent_that_reads_nothing_but_text_solves_the_chamber(level: Level[Chamber]) -> None:
    """The plan is made from the text, each action is sent, and each state is read back."""
    assert level.plan is not None
    with Episode(level, options=Options(obs=Obs.STATE)) as episode:
        chamber = chamber_of(episode.observe().text())
        plan = plan_for(chamber)
        assert plan is not None
        mine = level_of(chamber)
        state = start_of(chamber)
        for action in plan.actions:
            told = episode.observe().state
            assert told is not None and state_of(told, chamber) == state
            episode.step(action)
            state = RULES.apply(mine, state, action).state
        assert episode.outcome is Outcome.SOLVED


@every_level
def test_tools_name_boxes_alone_and_are_those_that_have_an_object(level: Level[Chamber]) -> None:
    chamber, space = level.puzzle, build_action_space(level)
    tools = {str(tool["function"]["name"]): tool["function"] for tool in space.schemas()}  # type: ignore[index, call-overload]
    assert ("pick_up" in tools) == ("drop" in tools) == bool(chamber.boxes)
    timed = any(button.ticks for button in chamber.buttons)
    assert ("press" in tools) == ("wait" in tools) == timed
    assert ("place_gate" in tools) == bool(chamber.surfaces)
    if chamber.boxes:
        boxes = [box.name for box in chamber.boxes]
        assert tools["pick_up"]["parameters"]["properties"]["box"]["enum"] == boxes
        assert space.usage("pick_up") == f"pick_up BOX, like: pick_up {boxes[0]}"


def test_chamber_without_boxes_offers_no_body() -> None:
    space = build_action_space(level_of(room({})))
    assert space.names == ("walk_to", "jump")
    assert space.usage("pick_up") == "pick_up BOX, like: pick_up colour"


def test_text_tells_what_is_out_of_sight_of_the_agent() -> None:
    box = MovableBox(Colour("red"), (6, 3, 5))
    walled = room({(5, y, z): "#" for y in range(1, 4) for z in range(5, 10)}, boxes=(box,))
    assert FAMILY.text_only is not None
    assert "red: at (6,3,5)" in FAMILY.text_only.describe(walled, start_of(walled))
    assert "red: out of sight" in RULES.describe(level_of(walled), start_of(walled))

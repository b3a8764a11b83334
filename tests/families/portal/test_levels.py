"""The chambers that ship, their documents, and how they are made."""

import json
from typing import Any

import pytest

from pysim.errors import InputError
from pysim.families.portal import Chamber, PortalRules, Surface
from pysim.families.portal.documents import read_chamber, write_chamber
from pysim.families.portal.making.building import build, without
from pysim.families.portal.making.generate import PARTS, ChamberGenerator, drawn, needed
from pysim.families.portal.making.modules import MAKERS
from pysim.families.portal.planner import plan_for, search
from pysim.families.portal.words import told_room
from pysim.generation import Draft
from pysim.geometry import Direction
from pysim.puzzle import Level, Outcome, Proof
from pysim.suites import find_suite, levels_of
from tests.families.portal.rooms import room

CHOSEN: list[Level[Chamber]] = list(levels_of(find_suite("portal-16")))
GENERATED: list[Level[Chamber]] = list(levels_of(find_suite("portal-100")))
RULES = PortalRules()


def test_there_are_16_chosen_and_20_generated_of_each_difficulty() -> None:
    assert len(CHOSEN) == 16 and len({level.hash for level in (*CHOSEN, *GENERATED)}) == 116
    counts = [level.facts["difficulty"] for level in GENERATED]
    assert [counts.count(difficulty) for difficulty in range(1, 6)] == [20] * 5
    assert max(len(level.plan or ()) for level in CHOSEN) >= 30


@pytest.mark.parametrize("level", [*CHOSEN, *GENERATED], ids=lambda level: level.id)
def test_every_plan_leads_out_with_its_last_action(level: Level[Chamber]) -> None:
    assert level.plan is not None
    state = RULES.initial(level)
    for action in level.plan.actions:
        assert RULES.outcome(level, state) is None
        state = RULES.apply(level, state, action).state
    assert RULES.outcome(level, state) is Outcome.SOLVED
    assert level.facts["moves"] == len(level.plan)
    assert level.plan.lower_bound <= len(level.plan)


@pytest.mark.parametrize("name", MAKERS)
def test_a_module_can_not_be_left_without_its_mechanic(name: str) -> None:
    variant = next(k for k in range(8) if needed(name, k) is not None)
    chamber = build([drawn(name, variant)]).chamber
    assert search(chamber).plan is not None
    for part in PARTS[name]:
        found = search(without(chamber, part))
        assert found.plan is None and found.complete


def test_chambers_are_read_back_as_they_were_written() -> None:
    for level in (*CHOSEN, *GENERATED):
        document = json.loads(json.dumps(write_chamber(level.puzzle)))
        assert read_chamber(document) == level.puzzle


def test_attempts_make_the_same_again_and_a_level_is_what_its_attempt_makes() -> None:
    generator = ChamberGenerator(1, 18)
    first = generator.attempt(0)
    assert isinstance(first, Draft) and first == generator.attempt(0)
    assert any(level.puzzle == first.puzzle for level in GENERATED)


def test_a_plan_that_is_searched_in_stages_is_no_shorter_than_its_bound() -> None:
    short = build([drawn("pad", 0), drawn("stair", 0)]).chamber
    whole = plan_for(short)
    assert whole is not None and whole.proof is Proof.OPTIMAL
    long = build([drawn("pad", 0), drawn("stair", 0), drawn("pad", 1)]).chamber
    staged = plan_for(long)
    assert staged is not None and staged.proof is Proof.UPPER_BOUND
    assert len(staged) > len(whole)


def test_text_tells_every_cell() -> None:
    chamber = CHOSEN[0].puzzle
    told = told_room(chamber).splitlines()
    for layer in chamber.layers:
        assert all(row in told for row in layer)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("layers", []),
        ("layers", [["..", "."]]),
        ("layers", [["x"]]),
        ("layers", [["." * 25]]),
        ("agent", 3),
        ("start", [0, 0, 0]),
        ("start", [1, 1]),
        ("start", [1, 1, 7]),
        ("exit", "there"),
        ("boxes", [{"name": "green", "cell": [3, 3, 5]}]),
        ("boxes", [{"name": "red", "cell": [3, 3, 5], "turns": "up"}]),
        ("doors", [{"name": "hatch", "cell": [3, 3, 5], "needs": ["nothing"]}]),
        ("buttons", [{"name": "clock", "cell": [3, 3, 5], "ticks": 1000}]),
        ("lasers", [{"cell": [3, 3, 5], "way": "+x"}]),
        ("pads", [{"cell": [3, 3, 5], "speed": [0, 0, -1]}]),
        ("fields", [3]),
    ],
)
def test_what_is_no_chamber_is_refused_with_a_reason(key: str, value: Any) -> None:
    document: dict[str, Any] = json.loads(json.dumps(write_chamber(room({}))))
    with pytest.raises(InputError, match=r"\w{3}"):
        read_chamber(document | {key: value})


def test_surfaces_face_free_cells_that_are_no_doorways() -> None:
    chamber = room({(3, 2, 4): "o", (0, 2, 5): "o"})
    assert chamber.surfaces == (
        Surface((0, 2, 5), Direction.PLUS_X),
        Surface((3, 2, 4), Direction.PLUS_Z),
    )

"""The chambers that ship, their documents, and how they are made."""

import json
from itertools import islice
from typing import Any

import pytest

from pysim.errors import InputError
from pysim.families.portal.chamber import Chamber, MovableBox, Surface
from pysim.families.portal.documents import read_chamber, write_chamber
from pysim.families.portal.generator.building import build, build_parts, is_symmetric, remove_parts
from pysim.families.portal.generator.generate import (
    PARTS,
    ChamberGenerator,
    count_fewest,
    draw_module,
    is_needed,
)
from pysim.families.portal.generator.modules import MAKERS
from pysim.families.portal.moves import apply_action
from pysim.families.portal.planner import is_plain, list_successors, plan_in_stages, search
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.state import ChamberState, start_of
from pysim.families.portal.text import describe_room
from pysim.generation import Draft
from pysim.geometry import Direction
from pysim.puzzle import Level, Outcome
from pysim.scene import Colour
from pysim.suites import find_suite, load_levels
from tests.families.portal.rooms import room
from tests.sampling import by_day

CHOSEN: list[Level[Chamber]] = list(load_levels(find_suite("portal-16")))
GENERATED: list[Level[Chamber]] = list(load_levels(find_suite("portal-100")))
RULES = PortalRules()


def of_a_sort(level: Level[Chamber]) -> object:
    return level.id.count("-d"), level.facts["difficulty"]


def test_there_are_16_chosen_and_20_generated_of_each_difficulty() -> None:
    assert len(CHOSEN) == 16 and len({level.hash for level in (*CHOSEN, *GENERATED)}) == 116
    counts = [level.facts["difficulty"] for level in GENERATED]
    assert [counts.count(difficulty) for difficulty in range(1, 6)] == [20] * 5
    assert max(len(level.plan or ()) for level in CHOSEN) >= 36


@pytest.mark.parametrize(
    "level", by_day([*CHOSEN, *GENERATED], of_a_sort, each=2, name=lambda level: level.id)
)
def test_every_plan_leads_out_with_its_last_action(level: Level[Chamber]) -> None:
    assert level.plan is not None
    state = RULES.initial(level)
    for action in level.plan.actions:
        assert RULES.outcome(level, state) is None
        state = RULES.apply(level, state, action).state
    assert RULES.outcome(level, state) is Outcome.SOLVED
    assert level.facts["moves"] == len(level.plan)
    assert level.plan.lower_bound <= len(level.plan)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in ("timer", "mirror") else [])
        for name in MAKERS
    ],
)
def test_a_module_can_not_be_left_without_its_mechanic(name: str) -> None:
    variant = next(k for k in range(8) if is_needed(name, k))
    chamber = build([draw_module(name, variant)]).chamber
    assert search(chamber).plan is not None
    for part in PARTS[name]:
        found = search(remove_parts(chamber, part))
        assert found.plan is None and found.complete


@pytest.mark.parametrize(
    ("number", "parts"),
    [
        (1, "boxes panels"),
        (2, "boxes"),
        (4, "boxes panels"),
        pytest.param(3, "boxes panels lasers", marks=pytest.mark.slow),
        pytest.param(5, "boxes panels", marks=pytest.mark.slow),
        pytest.param(6, "boxes panels bridges", marks=pytest.mark.slow),
        pytest.param(9, "boxes panels beams", marks=pytest.mark.slow),
        pytest.param(10, "boxes panels", marks=pytest.mark.slow),
    ],
)
def test_a_room_that_was_drawn_can_not_be_left_without_its_parts(number: int, parts: str) -> None:
    chamber = CHOSEN[number - 1].puzzle
    for part in parts.split():
        found = search(remove_parts(chamber, part))
        assert found.plan is None and found.complete, part


def test_chambers_are_read_back_as_they_were_written() -> None:
    for level in (*CHOSEN, *GENERATED)[::6]:
        document = json.loads(json.dumps(write_chamber(level.puzzle)))
        assert read_chamber(document) == level.puzzle


def test_attempts_make_the_same_again_and_a_level_is_what_its_attempt_makes() -> None:
    generator = ChamberGenerator(1, 18)
    first = generator.attempt(0)
    assert isinstance(first, Draft) and first == generator.attempt(0)
    assert any(level.puzzle == first.puzzle for level in GENERATED)


@pytest.mark.slow
@pytest.mark.parametrize("names", ["pad stair", "button pad", "gates button"])
def test_a_chain_takes_what_the_bound_of_its_modules_says_or_more(names: str) -> None:
    """Searched as a whole through every cell, and module by module."""
    modules = [
        draw_module(name, next(k for k in range(8) if is_needed(name, k))) for name in names.split()
    ]
    chamber = build(modules).chamber
    whole, staged = search(chamber, every=True), plan_in_stages(chamber)
    assert whole.plan is not None and staged is not None
    bound = sum(map(count_fewest, build_parts(modules))) - 1
    assert bound <= len(whole.plan) <= len(staged)


@pytest.mark.parametrize("name", ["stair", "fling", "button", "bridge"])
def test_the_search_goes_where_the_rules_lead(name: str) -> None:
    """It takes most walks for granted."""
    chamber = build([draw_module(name, 1)]).chamber
    states, known = [start_of(chamber)], set[ChamberState]()
    for state in islice(iter(lambda: states.pop(0) if states else None, None), 60):
        assert state is not None
        for action, after, _ in list_successors(chamber, state, {}, every=True):
            assert apply_action(chamber, state, action).state == after, action
            if after not in known:
                known.add(after)
                states.append(after)
    assert len(known) > 20


@pytest.mark.parametrize("name", ["gates", "button", "stair", "relay", "timer"])
def test_to_try_some_cells_is_no_worse_than_to_try_all_where_that_is_said(name: str) -> None:
    chamber = build([draw_module(name, 1)]).chamber
    some, every = search(chamber), search(chamber, every=True)
    assert every.complete and some.complete
    if is_plain(chamber):
        assert len(some.plan or ()) == len(every.plan or ()) == every.least
    assert every.least <= len(some.plan or ())


def test_text_tells_every_cell() -> None:
    chamber = CHOSEN[0].puzzle
    told = describe_room(chamber).splitlines()
    for layer in chamber.layers:
        assert all(row in told for row in layer)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("start", [1, 1, 7]),
        ("boxes", [{"name": "green", "cell": [3, 3, 5]}]),
        ("boxes", [{"name": "red", "cell": [3, 3, 5], "turns": "up"}]),
        ("doors", [{"name": "hatch", "cell": [3, 3, 5], "needs": ["nothing"]}]),
        ("lasers", [{"cell": [3, 3, 5], "way": "+x"}]),
        ("pads", [{"cell": [3, 3, 5], "speed": [0, 0, -1]}]),
        ("layers", []),
        ("layers", [[]]),
        ("layers", [[""]]),
        ("layers", [["###", "#.#", "###"]]),
    ],
)
def test_what_is_no_chamber_is_refused_with_a_reason(key: str, value: Any) -> None:
    document: dict[str, Any] = json.loads(json.dumps(write_chamber(room({}))))
    with pytest.raises(InputError, match=r"\w{3}"):
        read_chamber(document | {key: value})


@pytest.mark.parametrize(
    ("key", "value", "name"),
    [
        ("boxes", [{"name": "red", "cell": [3, 3, 7]}], "red"),
        ("beams", [{"cell": [0, 2, 5], "way": "+x", "needs": []}], "green"),
    ],
)
def test_chamber_in_which_something_falls_at_the_start_is_refused(
    key: str, value: Any, name: str
) -> None:
    document: dict[str, Any] = json.loads(json.dumps(write_chamber(room({}))))
    with pytest.raises(InputError, match=f"{name} has to rest at the start"):
        read_chamber(document | {key: value})


def test_surfaces_face_free_cells_that_are_no_doorways() -> None:
    chamber = room({(3, 2, 4): "o", (0, 2, 5): "o"})
    assert chamber.surfaces == (
        Surface((0, 2, 5), Direction.PLUS_X),
        Surface((3, 2, 4), Direction.PLUS_Z),
    )


def test_a_room_that_is_its_own_mirror_image_is_symmetric() -> None:
    assert is_symmetric(room({}))
    assert is_symmetric(room({(3, 1, 4): "o", (3, 3, 4): "o"}))
    assert not is_symmetric(room({(3, 1, 4): "o"}))
    assert not is_symmetric(room({}, boxes=(MovableBox(Colour("red"), (3, 3, 5)),)))
    assert not any(is_symmetric(level.puzzle) for level in (*CHOSEN, *GENERATED)[::4])

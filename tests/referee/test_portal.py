"""The referee of chambers agrees with the rules, and sees through what is false."""

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from bridge.benches.portal.frozen_items import AskedChamber, load_chambers
from bridge.benches.portal.mistakes import COUNT, apply_mistakes, enumerate_subsets
from bridge.referee.documents import PlanStep
from bridge.referee.portal import judge
from bridge.referee.portal.judging import find_shortest
from bridge.referee.portal.play import IllegalAction, enumerate_actions, play
from bridge.referee.portal.room import Room, State, read_room
from pysim.catalog import discover_families, encode_level
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.generator.building import build
from pysim.families.portal.generator.generate import draw_module
from pysim.families.portal.generator.modules import MAKERS
from pysim.families.portal.planner import search
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.state import ChamberState
from pysim.field_types import build_action, encode_arguments
from pysim.puzzle import Action, IllegalMove, Level
from pysim.suites import find_suite, load_levels
from tests.families.portal.rooms import level_of
from tests.sampling import by_day

LEVELS: list[Level[Chamber]] = list(load_levels(find_suite("portal-16")))
RULES = PortalRules()
TYPES = {kind.tool: kind for kind in discover_families()["portal"].actions}


def document_of(level: Level[Chamber]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(encode_level(level)))
    return found


def same(mine: State, theirs: ChamberState) -> bool:
    gates = [None if g is None else (g.cell, g.side.value) for g in (theirs.orange, theirs.blue)]
    return mine == State(theirs.agent, theirs.boxes, gates[0], gates[1], theirs.timers)


@pytest.mark.parametrize("level", by_day(LEVELS, name=lambda level: level.id, each=2))
def test_every_claim_is_confirmed_or_left_open(level: Level[Chamber]) -> None:
    found = judge(document_of(level))
    assert found.false == ()
    assert {"plan", "tier", "budget", "facts.moves"} <= set(found.confirmed)
    assert {finding.claim for finding in found.undecided} <= {"proof", "lower_bound"}


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        ("d['plan']['actions'].pop()", "plan"),
        ("d['plan']['actions'].reverse()", "plan"),
        ("d['plan']['actions'].append(d['plan']['actions'][-1])", "plan"),
        ("d['facts']['moves'] += 1", "facts.moves"),
        ("d['tier'] = 'hard'", "tier"),
        ("d['budget'] = 3", "budget"),
    ],
)
def test_false_claims_are_seen_through(change: str, claim: str) -> None:
    document = document_of(LEVELS[0])
    exec(change, {"d": document})
    assert claim in {finding.claim for finding in judge(document).false}


@pytest.mark.parametrize("number", by_day(range(len(LEVELS)), each=6))
def test_random_play_comes_to_the_same_as_in_the_rules(number: int) -> None:
    """Every step of a plan, and random actions beside it, allowed or not."""
    level, rng = LEVELS[number], random.Random(number)
    assert level.plan is not None
    room = read_room(document_of(level))
    mine, theirs = room.make_initial(), RULES.initial(level)
    for action in level.plan.actions:
        listed = list(enumerate_actions(room, mine))
        for step in rng.sample(listed, min(25, len(listed))):
            made = build_action(TYPES[step.name], json.loads(json.dumps(dict(step.arguments))))
            try:
                there = RULES.apply(level, theirs, made).state
            except IllegalMove:
                with pytest.raises(IllegalAction):
                    play(room, mine, step)
            else:
                assert same(play(room, mine, step), there), step
        mine = play(room, mine, PlanStep(action.tool, encode_arguments(action)))
        theirs = RULES.apply(level, theirs, action).state
        assert same(mine, theirs)


@pytest.mark.parametrize("name", [n for n in MAKERS if n not in ("timer",)])
def test_brute_force_finds_no_shorter_plan_in_a_module(name: str) -> None:
    chamber = build([draw_module(name, 0)]).chamber
    found = search(chamber)
    assert found.plan is not None
    room = read_room(document_of(level_of(chamber)))
    assert find_shortest(room, len(found.plan), 400)[1] >= min(len(found.plan), 3)


@pytest.mark.parametrize("one", by_day(load_chambers(), each=8, name=lambda one: one.level.id))
def test_mistakes_make_a_plan_fail_by_the_referees_rules_too(one: AskedChamber) -> None:
    """Each alone and all together; of short plans every selection."""
    room = read_room(document_of(one.level))
    for chosen in enumerate_subsets():
        if len(one.plan) > 12 and sum(chosen) not in (0, 1, COUNT):
            continue
        wrong = [m for m, is_made in zip(one.mistakes, chosen, strict=True) if is_made]
        assert leads_out(room, apply_mistakes(one.plan, wrong)) == (not wrong)


def leads_out(room: Room, plan: Sequence[Action]) -> bool:
    """Whether a plan ends in the exit, by the referee."""
    state = room.make_initial()
    for action in plan:
        try:
            state = play(room, state, PlanStep(action.tool, encode_arguments(action)))
        except IllegalAction:
            return False
    return state.agent == room.exit

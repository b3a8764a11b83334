"""Facts and tiers, against published levels, counting by hand and a second way of counting."""

from dataclasses import replace
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.catalog import AnyLevel, find_family, find_level, list_shipped_levels
from pysim.families.burr.facts import EASY, HARD, classify_tier, measure, score_of
from pysim.families.burr.planner import plan_lock
from pysim.families.burr.solver.assembled import compute_level as level_of_lock
from pysim.families.burr.solver.limits import SearchTooLarge
from pysim.families.burr.state import LockState
from pysim.puzzle import Tier
from tests.families.burr.locks import Goal, drawn

SHIPPED = [
    level
    for level in list_shipped_levels()
    if level.family == "burr" and "ladder" not in level.facts
]
"""Levels of a ladder have tiers by the length of their plans."""
QUICK = [level for level in SHIPPED if level.puzzle.goal is not Goal.ASSEMBLE]
SLOW = [level for level in SHIPPED if level.puzzle.goal is Goal.ASSEMBLE]
every_lock = pytest.mark.parametrize("level", SHIPPED, ids=[level.id for level in SHIPPED])
ORDER = (Tier.EASY, Tier.MEDIUM, Tier.HARD)

# Levels of published six-piece burrs, as on the IBM Research burr pages and by BurrTools.
PUBLISHED = {
    "burr-chinese-cross": "1",
    "burr-diabolical-structure": "1.2",
    "burr-hoffmann-burr": "1.2",
    "burr-philippe-dubois": "6.4",
    "burr-piston": "9.3",
    "burr-loves-dozen": "12.3",
    "burr-computers-choice-unique-10": "10",
    "burr-artifactory-5-4": "5.4",
}


@pytest.mark.parametrize(("level", "known"), PUBLISHED.items())
def test_levels_of_known_burrs_are_those_that_are_published(level: str, known: str) -> None:
    assert find_level(level).facts["level"] == known


@pytest.mark.by_day(16)
@pytest.mark.parametrize("level", QUICK, ids=[level.id for level in QUICK])
def test_the_facts_that_ship_are_those_that_are_measured(level: AnyLevel) -> None:
    assert measure(level).items() <= level.facts.items()


@pytest.mark.slow
@pytest.mark.parametrize("level", SLOW, ids=[level.id for level in SLOW])
def test_the_facts_that_ship_are_those_that_are_measured_where_that_is_long(
    level: AnyLevel,
) -> None:
    assert measure(level).items() <= level.facts.items()


@every_lock
def test_the_tier_that_ships_follows_from_the_facts(level: AnyLevel) -> None:
    assert level.tier is classify_tier(level.facts)
    assert level.facts["pieces"] == len(level.colours)
    assert level.facts["moves"] == len(level.plan or ())


def test_tiers_are_parted_by_the_score() -> None:
    by_score = sorted(SHIPPED, key=lambda level: score_of(level.facts))
    ranks = [ORDER.index(level.tier) for level in by_score]
    assert ranks == sorted(ranks) and set(ranks) == {0, 1, 2}


def test_a_half_lap_joint_is_counted_by_hand() -> None:
    # Each beam leaves in one direction, and may stop on the way after one unit.
    assert measure(find_level("burr-half-lap")) == {
        "pieces": 2,
        "level": "1",
        "moves": 1,
        "legal_moves": 4,
        "dead_ends": 2,
        "choices": 1.0,
    }


def parts(state: LockState) -> int:
    """What is separated is free, or on a bench of its own."""
    benches = [state.find_bench(piece) for piece in range(len(state.places))]
    return benches.count(None) + len(set(benches) - {None})


@pytest.mark.parametrize("name", ["burr-piston", "burr-diabolical-structure", "burr-labyrinth"])
def test_choices_are_the_odds_of_playing_the_plan_at_random(name: str) -> None:
    level = find_level(name)
    rules = find_family(level).rules
    assert level.plan is not None
    state, odds, astray = rules.initial(level), 1.0, 0
    for action in level.plan.actions:
        ends = [rules.apply(level, state, a).state for a in rules.legal(level, state)]
        after = rules.apply(level, state, action).state
        if parts(after) > parts(state):
            wanted = [end for end in ends if parts(end) > parts(state)]
        else:
            wanted = [after]
        odds *= len(wanted) / len(ends)
        astray += len(ends) - len(wanted)
        state = after
    assert level.facts["choices"] == pytest.approx(-log2(odds), abs=0.051)
    assert level.facts["dead_ends"] == astray


counts = st.integers(0, 200)
bits = st.floats(0, 200)


@given(moves=counts, more=counts, choices=bits, extra=bits)
def test_more_moves_or_more_choices_never_make_a_lock_easier(
    moves: int, more: int, choices: float, extra: float
) -> None:
    less = {"moves": moves, "choices": choices}
    for harder in (
        {"moves": moves + more, "choices": choices},
        {"moves": moves, "choices": choices + extra},
    ):
        assert score_of(harder) >= score_of(less)
        assert ORDER.index(classify_tier(harder)) >= ORDER.index(classify_tier(less))


def test_the_tiers_begin_and_end_where_they_are_said_to() -> None:
    assert classify_tier({"moves": 1, "choices": EASY - 1}) is Tier.EASY
    assert classify_tier({"moves": 1, "choices": EASY - 0.9}) is Tier.MEDIUM
    assert classify_tier({"moves": 1, "choices": HARD - 1.1}) is Tier.MEDIUM
    assert classify_tier({"moves": 1, "choices": HARD - 1}) is Tier.HARD


@pytest.mark.parametrize("facts", [{}, {"moves": 3}, {"moves": "3", "choices": 1.0}])
def test_facts_of_something_else_have_no_tier(facts: dict[str, float | str]) -> None:
    with pytest.raises(ValueError, match="a lock's facts"):
        classify_tier(facts)


def test_a_level_without_a_plan_or_a_lock_that_stays_together_has_no_facts() -> None:
    piston = find_level("burr-piston")
    with pytest.raises(ValueError, match="there is none"):
        measure(replace(piston, plan=None))
    flat = (["###/#.#/###"], (0, 0, 2))
    upright = (["###", "#.#", "#.#", "#.#", "###"], (1, 1, 0))
    linked = drawn(Goal.DISASSEMBLE, flat, upright)
    assert level_of_lock(linked.puzzle) is None and plan_lock(linked.puzzle) is None
    with pytest.raises(ValueError, match="does not come apart"):
        measure(replace(linked, plan=piston.plan))


def test_a_level_that_takes_too_long_to_find_is_said_to() -> None:
    with pytest.raises(SearchTooLarge):
        level_of_lock(find_level("burr-piston").puzzle, limit=3)

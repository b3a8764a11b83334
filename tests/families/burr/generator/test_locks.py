"""Locks of every kind: certified, of the level that was asked for, and the same for a seed."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.families.burr.files.design import Design, Problem
from pysim.families.burr.generator import LockGenerator, Settings
from pysim.families.burr.lock import Lock, LockKind, list_colours
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.generation import Draft, Rejected
from pysim.geometry import Voxels
from pysim.puzzle import Outcome, Proof
from pysim.render.palette import PALETTE
from pysim.scene import Colour
from tests.families.burr.designs import tally_of
from tests.families.burr.locks import level_of
from tests.families.burr.oracle import naive_levels
from tests.sampling import these_by_day

COLOURS = tuple(map(Colour, PALETTE))
SMALL = {
    LockKind.SIX_PIECE: Settings(LockKind.SIX_PIECE, level=4),
    LockKind.BOARD: Settings(LockKind.BOARD, pieces=4, level=2),
    LockKind.CUBE: Settings(LockKind.CUBE, level=4),
    LockKind.RODS: Settings(LockKind.RODS, pieces=5, level=2),
}


@cache
def first_draft(wanted: Settings, start: int = 0) -> Draft:
    generator = LockGenerator(wanted, COLOURS)
    for number in range(start, start + 60):
        attempt = generator.attempt(number)
        if isinstance(attempt, Draft):
            return attempt
    raise AssertionError(f"60 attempts made no lock of {wanted}")


def assembled(lock: Lock) -> list[frozenset]:
    return [piece.home.place(piece.shape).cell_set for piece in lock.pieces]


def check_plan(draft: Draft) -> None:
    """The rules must replay it to the end."""
    from pysim.families.burr.family import FAMILY

    level = level_of(draft.puzzle, draft.budget)
    state = FAMILY.rules.initial(level)
    for action in draft.plan.actions:
        assert FAMILY.rules.outcome(level, state) is None
        state = FAMILY.rules.apply(level, state, action).state
    assert FAMILY.rules.outcome(level, state) is Outcome.SOLVED
    assert draft.plan.lower_bound <= len(draft.plan) <= draft.budget


@pytest.mark.by_day(2)
@pytest.mark.parametrize(
    "kind", these_by_day([kind for kind in LockKind if kind is not LockKind.SIX_PIECE], LockKind)
)
def test_locks_of_every_kind_replay_their_plan(kind: LockKind) -> None:
    draft = first_draft(SMALL[kind])
    check_plan(draft)
    assert draft.facts["pieces"] == SMALL[kind].pieces == len(draft.puzzle.pieces)
    assert list_colours(draft.puzzle) == COLOURS[: SMALL[kind].pieces]


@pytest.mark.parametrize("kind", [LockKind.CUBE, LockKind.BOARD])
def test_locks_have_the_level_that_was_asked_for_and_an_oracle_agrees(kind: LockKind) -> None:
    draft = first_draft(SMALL[kind])
    levels = naive_levels(frozenset(assembled(draft.puzzle)))
    told = tuple(map(int, str(draft.facts["level"]).split(".")))
    assert told in levels
    assert draft.score == told[0] >= SMALL[kind].level
    assert len(draft.plan) >= told[0] + len(draft.puzzle.pieces) - 2


@pytest.mark.slow
@settings(max_examples=6)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_every_cube_keeps_its_promises(seed: int, level: int) -> None:
    wanted = Settings(LockKind.CUBE, seed=seed, level=level)
    attempt = LockGenerator(wanted, COLOURS).attempt(0)
    if isinstance(attempt, Rejected):
        return
    check_plan(attempt)
    pieces = assembled(attempt.puzzle)
    filled = frozenset().union(*pieces)
    outside = {c for c in Voxels.make_block((4, 4, 4)).cells if min(c) == 0 or max(c) == 3}
    assert outside <= filled
    assert level <= attempt.score == min(naive_levels(frozenset(pieces)))[0]


@pytest.mark.slow
def test_six_piece_burrs_have_numbers_and_one_solution() -> None:
    draft = first_draft(SMALL[LockKind.SIX_PIECE])
    numbers = [piece.number for piece in draft.puzzle.pieces]
    assert None not in numbers
    tally = tally_of(make_six_piece_design([number for number in numbers if number]))
    assert (tally.solutions, tally.assemblies) == (1, draft.facts["assemblies"])
    assert list(tally.levels) == [draft.facts["level"]]


@pytest.mark.slow
def test_six_piece_burrs_of_any_level_are_found_within_some_attempts() -> None:
    generator = LockGenerator(Settings(LockKind.SIX_PIECE), COLOURS)
    drafts = [d for n in range(12) if isinstance(d := generator.attempt(n), Draft)]
    assert len(drafts) >= 4
    for draft in drafts:
        check_plan(draft)
        assert draft.facts["solutions"] == 1


@pytest.mark.slow
def test_sticks_can_be_longer() -> None:
    draft = first_draft(Settings(LockKind.SIX_PIECE, size=(8,), level=4))
    assert {max(piece.shape.bounds.size) for piece in draft.puzzle.pieces} == {8}


def test_boxes_need_not_be_cubes() -> None:
    draft = first_draft(Settings(LockKind.CUBE, size=(4, 4, 5), level=3))
    assert sorted(draft.puzzle.bounds.size) == [4, 4, 5]


@pytest.mark.by_day(1)
@pytest.mark.parametrize("kind", LockKind)
def test_an_attempt_is_the_same_whenever_it_is_made(kind: LockKind) -> None:
    one, other = (LockGenerator(SMALL[kind], COLOURS) for _ in range(2))
    one.attempt(1)
    assert one.attempt(2) == other.attempt(2)


def test_other_seeds_and_numbers_make_other_locks() -> None:
    drafts = [
        first_draft(Settings(LockKind.CUBE, seed=s, level=3), n)
        for s, n in ((0, 0), (0, 20), (1, 0))
    ]
    assert len({draft.key for draft in drafts}) == 3


def test_a_level_that_was_not_reached_is_told() -> None:
    attempt = LockGenerator(Settings(LockKind.RODS, pieces=3, level=90), COLOURS).attempt(0)
    assert isinstance(attempt, Rejected)
    assert attempt.reason == "level too low" and attempt.score < 90


def test_a_sequence_comes_apart_in_one_order_by_a_plan_that_no_other_beats() -> None:
    wanted = Settings(LockKind.CUBE, pieces=6, size=(4, 4, 5), sequential=True)
    draft = first_draft(wanted)
    check_plan(draft)
    assert draft.plan.proof is Proof.OPTIMAL and len(draft.plan) == 5
    colours = [action.pieces for action in draft.plan.actions]  # type: ignore[attr-defined]
    assert colours == [(colour,) for colour in COLOURS[:5]]


def test_ways_to_build_that_can_not_be_counted_are_told_as_a_lower_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pysim.families.burr.generator import certify

    monkeypatch.setattr(certify, "MAX_NODES", 3)
    attempt = LockGenerator(Settings(LockKind.CUBE, level=2), COLOURS).attempt(0)
    assert isinstance(attempt, Draft)
    assert attempt.facts["assemblies_at_least"] == 1
    assert "assemblies" not in attempt.facts and "solutions" not in attempt.facts


def test_counts_of_ways_to_build_are_those_of_the_solver() -> None:
    draft = first_draft(SMALL[LockKind.CUBE])
    cells = frozenset(Voxels.make_block((4, 4, 4)).cells)
    inner = frozenset(c for c in cells if all(0 < v < 3 for v in c))
    design, problem = _problem_of(draft.puzzle, cells - inner, inner)
    assert tally_of(Design(design.shapes, (problem,))).assemblies == draft.facts["assemblies"]


def _problem_of(lock: Lock, filled: frozenset, variable: frozenset) -> tuple[Design, Problem]:
    from pysim.families.burr.files.design import DrawnShape, PartUse

    shapes = [DrawnShape((4, 4, 4), filled, variable)]
    shapes += [DrawnShape(p.shape.bounds.size, p.shape.cell_set) for p in lock.pieces]
    problem = Problem("", tuple(PartUse(i + 1, 1, 1) for i in range(len(lock.pieces))), 0)
    return Design(tuple(shapes), (problem,)), problem


@pytest.mark.slow
def test_climb_reaches_a_higher_level_than_one_annealing() -> None:
    box = Settings(LockKind.CUBE, seed=43, pieces=4, size=(5, 5, 5), level=20)
    climbing = LockGenerator(replace(box, climb=6), COLOURS)
    draft = climbing.attempt(1)
    assert isinstance(draft, Draft)
    assert draft.score > LockGenerator(box, COLOURS).attempt(1).score
    check_plan(draft)
    assert climbing.attempt(1) == draft


def test_levels_of_a_climb_have_other_ids_than_those_without() -> None:
    slugs = [LockGenerator(Settings(LockKind.CUBE, climb=n), COLOURS).slug for n in (0, 1, 2)]
    assert slugs == ["cube-4x4x4-3", "cube-4x4x4-3-c1", "cube-4x4x4-3-c2"]


def test_climb_that_ends_too_low_reports_its_level() -> None:
    wanted = Settings(LockKind.CUBE, level=90, climb=2)
    attempt = LockGenerator(wanted, COLOURS).attempt(0)
    assert isinstance(attempt, Rejected)
    assert attempt.reason == "level too low" and 0 < attempt.score < 90


@pytest.mark.slow
def test_climb_of_stacked_rods_that_ends_too_low_reports_its_level() -> None:
    wanted = Settings(LockKind.RODS, pieces=18, level=90, stacked=True, climb=1)
    generator = LockGenerator(wanted, COLOURS)
    attempt = generator.attempt(0)
    assert isinstance(attempt, Rejected)
    assert attempt.reason == "level too low" and 0 < attempt.score < 90
    assert generator.slug == "stacks-8-18-c1"


def test_climb_from_a_sequence_ends_above_it_with_one_solution() -> None:
    wanted = Settings(LockKind.CUBE, seed=1, sequential=True, size=(4, 4, 4), level=7, climb=2)
    generator = LockGenerator(wanted, COLOURS)
    draft = generator.attempt(0)
    assert isinstance(draft, Draft)
    check_plan(draft)
    assert (draft.score, draft.facts["solutions"]) == (7, 1)
    assert generator.slug == "sequence-4x4x4-3-c2"


@pytest.mark.slow
def test_climb_from_a_sequence_reaches_level_52() -> None:
    wanted = Settings(
        LockKind.CUBE, seed=2, pieces=5, size=(6, 6, 6), level=50, sequential=True, climb=52
    )
    draft = LockGenerator(wanted, COLOURS).attempt(0)
    assert isinstance(draft, Draft)
    check_plan(draft)
    assert (draft.score, draft.facts["solutions"], len(draft.plan)) == (52, 1, 59)
    assert draft.plan.proof is Proof.OPTIMAL


@pytest.mark.slow
def test_climb_of_18_stacked_rods_reaches_level_33() -> None:
    wanted = Settings(LockKind.RODS, seed=2, pieces=18, level=33, stacked=True, climb=13)
    draft = LockGenerator(wanted, COLOURS).attempt(0)
    assert isinstance(draft, Draft)
    check_plan(draft)
    assert (draft.score, draft.facts["solutions"], len(draft.plan)) == (33, 1, 65)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "climb", "seed", "attempt", "ways"), [(9, 6, 2, 2, 25), (10, 8, 7, 70, 2)]
)
def test_climb_makes_a_six_piece_burr_with_one_solution(
    level: int, climb: int, seed: int, attempt: int, ways: int
) -> None:
    wanted = Settings(LockKind.SIX_PIECE, seed=seed, size=(8,), level=level, climb=climb)
    draft = LockGenerator(wanted, COLOURS).attempt(attempt)
    assert isinstance(draft, Draft)
    check_plan(draft)
    assert (draft.score, draft.facts["solutions"]) == (level, 1)
    assert draft.facts["assemblies"] == ways


@pytest.mark.slow
def test_climb_makes_a_box_of_five_pieces_above_the_published_level() -> None:
    wanted = Settings(LockKind.CUBE, seed=1, pieces=5, size=(6, 6, 6), level=28, climb=30)
    draft = LockGenerator(wanted, COLOURS).attempt(0)
    assert isinstance(draft, Draft)
    check_plan(draft)
    assert (draft.score, draft.plan.proof) == (35, Proof.OPTIMAL)
    assert draft.facts["solutions"] == 1

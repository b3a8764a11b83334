"""The referee of jigsaw cubes agrees with the rules, and notices false claims."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from bridge.referee.documents import PlanStep
from bridge.referee.jigsaw import judge
from bridge.referee.jigsaw.placement import (
    compute_cells,
    enumerate_placements,
    is_turned_over,
    is_whole,
    read_puzzle,
    replay,
)
from luban.testing.playing import attempts
from pysim.catalog import encode_level, find_level
from pysim.families.jigsaw.faces import Edge, Seat, ShellFace, list_seats
from pysim.families.jigsaw.shell import list_cells, mask_of
from pysim.field_types import encode_arguments
from pysim.puzzle import Transition
from tests.floors import without_floor

LEVELS = [find_level(f"jigsaw-{tier}-{k}") for tier in ("easy", "medium", "hard") for k in (1, 5)]


def document_of(level: Any, **changes: Any) -> dict[str, Any]:
    return {**encode_level(level), **changes}


def changed(level: Any, part: str, **changes: Any) -> dict[str, Any]:
    document = document_of(level)
    return {**document, part: {**document[part], **changes}}


def false_claims(document: Mapping[str, object]) -> set[str]:
    return {finding.claim for finding in judge(document).false}


@pytest.mark.parametrize("level", LEVELS, ids=[level.id for level in LEVELS])
def test_every_claim_of_a_level_is_confirmed(level: Any) -> None:
    judgement = judge(document_of(level))
    assert not judgement.false and not judgement.undecided
    assert {"plan", "proof", "lower_bound", "tier", "budget"} <= set(judgement.confirmed)
    facts = without_floor(document_of(level))["facts"]
    assert {f"facts.{name}" for name in facts} <= set(judgement.confirmed)


def test_ways_are_the_placements_and_fill_the_same_cells() -> None:
    level = LEVELS[-1]
    puzzle = read_puzzle(document_of(level))
    assert len(set(enumerate_placements())) == 48
    for face, left, top in enumerate_placements():
        place = Seat(ShellFace(face), Edge(left), Edge(top))
        assert place in list_seats() and is_turned_over((face, left, top)) == place.flipped
        for piece in level.puzzle.pieces:
            mine = compute_cells(puzzle.pieces[piece.colour], (face, left, top))
            own = list_cells(mask_of(piece.rows, place))
            assert {(x - 2, z - 2, 2 - y) for x, y, z in own} == mine


@pytest.mark.parametrize("level", LEVELS, ids=[level.id for level in LEVELS])
def test_the_referee_allows_what_the_rules_allow(level: Any) -> None:
    puzzle = read_puzzle(document_of(level))
    for seed in range(4):
        done: list[PlanStep] = []
        for attempt in attempts(level, seed, count=40, share=0.6):
            step = PlanStep(attempt.action.tool, encode_arguments(attempt.action))
            played = replay(puzzle, [*done, step])
            allowed = isinstance(attempt.result, Transition)
            assert (not played.refusal) == allowed, (step, played.refusal)
            if allowed:
                done.append(step)
            else:
                assert not isinstance(attempt.result, Transition)
                assert played.refusal.startswith(str(attempt.result.reason))


def test_the_end_of_a_plan_is_a_whole_cube() -> None:
    for level in LEVELS:
        assert level.plan is not None
        steps = [PlanStep(action.tool, encode_arguments(action)) for action in level.plan.actions]
        puzzle = read_puzzle(document_of(level))
        played = replay(puzzle, steps)
        assert is_whole(puzzle, played.laid) and played.whole_after == len(steps)
        assert not is_whole(puzzle, replay(puzzle, steps[:-1]).laid)


def test_false_claims_are_noticed() -> None:
    easy, medium, hard = LEVELS[0], LEVELS[2], LEVELS[4]
    plan = document_of(hard)["plan"]
    actions = plan["actions"]
    spare = [
        *actions[:1], {"name": "detach", "arguments": {"piece": "red"}}, *actions,
    ]  # fmt: skip
    assert "plan" in false_claims(changed(hard, "plan", actions=actions[:-1]))
    assert "plan" in false_claims(changed(hard, "plan", actions=[*actions, actions[0]]))
    assert "proof" in false_claims(changed(hard, "plan", actions=spare, lower_bound=8))
    assert "lower_bound" in false_claims(changed(hard, "plan", actions=spare, lower_bound=8))
    twice = [actions[0], {**actions[1], "arguments": actions[0]["arguments"]}, *actions[2:]]
    assert "plan" in false_claims(changed(hard, "plan", actions=twice))
    for fact, value in (
        ("solutions", 2),
        ("right_answers", 47),
        ("search_space", 32),
        ("missing", 5),
    ):
        assert false_claims(changed(hard, "facts", **{fact: value})) == {f"facts.{fact}"}
    assert false_claims(changed(hard, "facts", teeth="1+1+1+1+1+1")) == {"facts.teeth"}
    assert false_claims(document_of(hard, budget=29)) == {"budget.generated"}
    assert "budget" in false_claims(document_of(hard, budget=5))
    assert false_claims(document_of(medium, tier="easy")) == {"tier"}
    assert false_claims(document_of(easy, tier="hard")) == {"tier"}
    assert false_claims(document_of(medium, tier="hard")) == {"tier"}


def test_a_level_that_has_to_be_turned_over_is_not_medium() -> None:
    hard = LEVELS[4]
    document = document_of(hard, tier="medium")
    document["source"] = {**document["source"], "generator": "jigsaw/medium 1"}
    assert false_claims(document) == {"tier"}


def test_plans_that_only_claim_a_bound_are_judged_as_such() -> None:
    hard = LEVELS[4]
    document = changed(hard, "plan", proof="UPPER_BOUND", lower_bound=6)
    assert not false_claims(document)
    assert "proof" in false_claims(changed(hard, "plan", proof="UPPER_BOUND", lower_bound=7))


@pytest.mark.parametrize("part", ["colour", "rows", "start", "pieces", "middle"])
def test_what_is_no_level_is_refused(part: str) -> None:
    document = document_of(LEVELS[0])
    pieces = [dict(piece) for piece in document["puzzle"]["pieces"]]
    match part:
        case "colour":
            pieces[0]["colour"] = pieces[1]["colour"]
        case "rows":
            pieces[0]["rows"] = ["#####"]
        case "start":
            pieces[0]["start"] = ["Front", "left", "right"]
        case "middle":
            pieces[0]["rows"] = ["....."] * 5
        case _:
            pieces = pieces[1:]
    with pytest.raises(ValueError, match=r"\w"):
        judge({**document, "puzzle": {"pieces": pieces}})


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("attach", {}),
        ("attach", {"face": "Front", "left_edge": "left"}),
        ("attach", {"face": "Front", "left_edge": "left", "top_edge": "top", "more": "x"}),
        ("detach", {"face": "Front", "left_edge": "left", "top_edge": "top"}),
        ("turn", {"face": "Front", "left_edge": "left", "top_edge": "top"}),
    ],
)
def test_step_that_is_no_action_is_refused(name: str, arguments: dict[str, str]) -> None:
    puzzle = read_puzzle(document_of(LEVELS[4]))
    step = PlanStep(name, {"piece": next(iter(puzzle.pieces)), **arguments})
    assert replay(puzzle, [step]).refusal.startswith(f"no action is {name}")


def test_random_piles_of_pieces_are_whole_only_if_every_cell_is_filled_once() -> None:
    puzzle = read_puzzle(document_of(LEVELS[-1]))
    random = Random(5)
    every = list(enumerate_placements())
    for _ in range(200):
        laid = {colour: random.choice(every) for colour in puzzle.pieces}
        filled = [
            c for colour, way in laid.items() for c in compute_cells(puzzle.pieces[colour], way)
        ]
        assert is_whole(puzzle, laid) == (len(set(filled)) == len(filled) == 98)

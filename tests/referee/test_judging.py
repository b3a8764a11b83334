"""Judgements of whole levels: what ships holds, and what is broken on purpose is found false."""

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from bridge.referee.findings import Judgement
from bridge.referee.packing import judging as boxes
from bridge.referee.rubik import judging as cubes
from pysim.catalog import encode_level, find_level
from pysim.suites import find_suite
from tests.floors import without_floor
from tests.sampling import these_by_day

Document = dict[str, Any]
BOXES = find_suite("packing-77").level_ids
CUBES = find_suite("cubebench-160").level_ids


def document_of(name: str) -> Document:
    return copy.deepcopy(encode_level(find_level(name)))


def judged(document: Document) -> Judgement:
    judge = {"packing": boxes.judge, "rubik": cubes.judge}[document["family"]]
    return judge(document)


@cache
def false_as_shipped(name: str) -> set[str]:
    return {finding.claim for finding in judged(document_of(name)).false}


FEW = (
    *BOXES[1::9],
    "cubebench-d01-2-full-visual",
    "cubebench-d04-4-face-view",
    "cubebench-d08-3-vertex-view",
    "cubebench-d12-1-full-symbolic",
    "cubebench-d16-3-full-visual",
    "cubebench-d20-1-full-symbolic",
)
"""Judged in the ordinary tests; all the others are in the slow ones."""


def few_and_all(names: tuple[str, ...]) -> list[object]:
    return these_by_day(FEW, names)


@pytest.mark.by_day(4)
@pytest.mark.parametrize("name", [*few_and_all(BOXES), "packing-soma"])
def test_what_a_shipped_box_claims_holds(name: str) -> None:
    found = judged(document_of(name))
    assert not found.false
    assert {"plan", "proof", "lower_bound", "budget", "facts.solutions"} <= set(found.confirmed)


@pytest.mark.parametrize(
    "name", these_by_day(["cubebench-d04-4-face-view"], [*CUBES, "checkerboard"])
)
def test_what_a_shipped_cube_claims_holds(name: str) -> None:
    found = judged(document_of(name))
    assert not found.false
    assert {"plan", "facts.solution_htm", "facts.quarter_turns", "budget"} <= set(found.confirmed)


def test_the_settings_of_a_cube_differ_in_nothing_that_is_judged() -> None:
    claims: dict[str, Document] = {}
    for name in CUBES:
        document = document_of(name)
        state = document["puzzle"]["state"]
        bare = without_floor(document)
        own = {key: bare[key] for key in ("tier", "budget", "facts", "plan")}
        assert claims.setdefault(state, own) == own
    assert len(claims) == len(CUBES) // 4 == 40


def drop_an_action(document: Document) -> None:
    document["plan"]["actions"].pop()


def swap_first_and_last(document: Document) -> None:
    actions = document["plan"]["actions"]
    actions[0], actions[-1] = actions[-1], actions[0]


def take_one_out_and_put_it_back(document: Document) -> None:
    """Two actions more than it takes, and they say that it is optimal."""
    plan = document["plan"]
    last = plan["actions"][-2]
    out = {"name": "pick_up", "arguments": {"piece": last["arguments"]["piece"]}}
    plan["actions"][-1:-1] = [out, last]
    plan["lower_bound"] = len(plan["actions"])


def raised(*path: str, by: int = 1) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] += by

    return change


def changed(*path: str, to: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = to

    return change


BROKEN_BOXES: list[tuple[str, Callable[[Document], None], str]] = [
    ("an action is missing", drop_an_action, "plan"),
    ("the first action comes last", swap_first_and_last, "plan"),
    ("it is longer than it needs to be", take_one_out_and_put_it_back, "proof"),
    ("the same", take_one_out_and_put_it_back, "lower_bound"),
    ("its bound is above its length", raised("plan", "lower_bound"), "proof"),
    ("a packing too many", raised("facts", "solutions"), "facts.solutions"),
    ("a packing too few", raised("facts", "solutions", by=-1), "facts.solutions"),
    ("the count was not complete", changed("facts", "solutions", to=9), "facts.solutions_complete"),
    ("fewer come apart", raised("facts", "linear_solutions", by=-1), "facts.linear_solutions"),
    ("a row too many", raised("facts", "search_nodes"), "facts.search_nodes"),
    ("easier than it is", raised("facts", "nodes_per_solution", by=-9), "facts.nodes_per_solution"),
    ("larger pieces", raised("facts", "least_cells", by=2), "facts.least_cells"),
    ("another tier", changed("tier", to="easy"), "tier"),
    ("the same", changed("tier", to="medium"), "tier.effort"),
    ("another budget", raised("budget"), "budget"),
    ("another mode", changed("source", "generator", to="packing/easy 2"), "source.generator"),
]


@pytest.mark.by_day(5)
@pytest.mark.parametrize(("what", "change", "claim"), BROKEN_BOXES)
def test_a_broken_box_is_found_false(
    what: str, change: Callable[[Document], None], claim: str
) -> None:
    document = document_of("packing-hard-01")
    assert claim not in false_as_shipped("packing-hard-01")
    change(document)
    assert claim in {finding.claim for finding in judged(document).false}, what


def turn_too_often(document: Document) -> None:
    """Round and round: the cube is solved all the same."""
    plan = document["plan"]
    plan["actions"][:0] = 4 * [{"name": "make_move", "arguments": {"move": "U"}}]
    plan["lower_bound"] = len(plan["actions"])


def look_around(document: Document) -> None:
    move = {"name": "apply_view_transformation", "arguments": {"direction": "up"}}
    document["plan"]["actions"].insert(0, move)


def half_turn(document: Document) -> None:
    document["plan"]["actions"][0]["arguments"]["move"] = "F2"


BROKEN_CUBES: list[tuple[str, Callable[[Document], None], str]] = [
    ("an action is missing", drop_an_action, "plan"),
    ("the first action comes last", swap_first_and_last, "plan"),
    ("it goes around what is all seen", look_around, "plan"),
    ("it turns a face by 180 degrees at once", half_turn, "plan"),
    ("it turns a face four times", turn_too_often, "proof"),
    ("the same", turn_too_often, "lower_bound"),
    ("its bound is above its length", raised("plan", "lower_bound"), "proof"),
    ("the same", raised("plan", "lower_bound", by=2), "lower_bound"),
    ("deeper than it is", raised("facts", "depth_htm"), "facts.depth_htm"),
    ("less deep than it is", raised("facts", "depth_htm", by=-1), "facts.depth_htm"),
    ("a longer plan", raised("facts", "quarter_turns"), "facts.quarter_turns"),
    ("more", raised("facts", "quarter_turns_at_least", by=2), "facts.quarter_turns_at_least"),
    ("another way", changed("facts", "solution_htm", to="R U R' U'"), "facts.solution_htm"),
    ("no turn", changed("facts", "solution_htm", to="R3"), "facts.solution_htm"),
    (
        "more was searched",
        changed("facts", "certificate_htm", to="all sequences of up to 8 face turns: none"),
        "facts.certificate_htm",
    ),
    ("another tier", changed("tier", to="hard"), "tier"),
    ("another budget", raised("budget"), "budget"),
]


@pytest.mark.by_day(5)
@pytest.mark.parametrize(("what", "change", "claim"), BROKEN_CUBES)
def test_a_broken_cube_is_found_false(
    what: str, change: Callable[[Document], None], claim: str
) -> None:
    document = document_of("cubebench-d08-2-full-symbolic")
    assert not judged(document).false
    change(document)
    assert claim in {finding.claim for finding in judged(document).false}, what


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("packing-soma", changed("puzzle", "size", to=[3, 3]), "coordinates"),
        ("packing-soma", changed("puzzle", "size", to=[3, 3, 4]), "27 cells"),
        ("packing-soma", changed("puzzle", "open", to=["up"]), "open"),
        ("packing-soma", changed("puzzle", "gravity", to=1), "gravity"),
        ("packing-soma", changed("puzzle", "pieces", to=None), "pieces"),
        ("packing-soma", changed("plan", "proof", to="SURE"), "proof"),
        ("packing-soma", changed("plan", "lower_bound", to=True), "lower bound"),
        ("packing-soma", changed("plan", "actions", to=["place"]), "action"),
        ("packing-soma", changed("facts", "solutions_complete", to=True), "solutions_complete"),
        ("packing-easy-01", changed("tier", to="deadly"), "tier"),
        ("checkerboard", changed("puzzle", "state", to="W" * 54), "centre"),
        ("checkerboard", changed("puzzle", "state", to="W" * 53), "54"),
        ("checkerboard", changed("puzzle", "setting", to="blind"), "setting"),
        ("checkerboard", changed("facts", "depth_htm", to="six"), "depth_htm"),
    ],
)
def test_a_malformed_document_is_refused_with_the_reason(
    name: str, change: Callable[[Document], None], words: str
) -> None:
    document = document_of(name)
    change(document)
    with pytest.raises(ValueError, match=words):
        judged(document)

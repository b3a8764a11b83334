"""Measured facts of levels: stored in their files, kept when these are built again, still true."""

import json
from math import sqrt
from pathlib import Path

import pytest

from bridge.generating.walks import random_passes
from bridge.report.floors import ATTEMPTS, PASSES
from pysim.catalog import AnyLevel, decode_level
from pysim.suites import find_suite, load_levels
from tests.sampling import these_by_day
from tools.floor_facts import carried, with_facts, with_proof

ROOT = Path(__file__).parents[2]
LEVELS = [
    level
    for level in load_levels(find_suite("locks-32")) + load_levels(find_suite("jigsaw-24"))
    if PASSES in level.facts
]
FACTS = {PASSES: 7, ATTEMPTS: 50}
TEXT = (ROOT / "assets" / "burr" / "burr-half-lap.json").read_text()


def test_facts_set_in_a_file_leave_all_else_as_it_was() -> None:
    document, bare = json.loads(with_facts(TEXT, FACTS)), json.loads(TEXT)
    assert document["facts"] == bare["facts"] | FACTS
    assert {**document, "facts": bare["facts"]} == bare
    assert decode_level(document).hash == bare["hash"]


def test_facts_set_twice_are_there_once() -> None:
    once = with_facts(TEXT, FACTS)
    assert with_facts(once, FACTS) == once
    assert json.loads(with_facts(once, {PASSES: 8}))["facts"][PASSES] == 8


def test_facts_of_a_level_without_any_are_added() -> None:
    bare = {key: value for key, value in json.loads(TEXT).items() if key != "facts"}
    text = json.dumps(bare, indent=1)
    assert json.loads(with_facts(text, FACTS)) == {**bare, "facts": FACTS}


def test_facts_are_carried_over_to_a_level_that_is_built_again(tmp_path: Path) -> None:
    path = tmp_path / "level.json"
    assert carried(path, TEXT) == TEXT
    path.write_text(with_facts(TEXT, FACTS))
    assert carried(path, TEXT) == with_facts(TEXT, FACTS)


def test_proof_is_carried_over_only_to_the_same_plan_of_the_same_puzzle(tmp_path: Path) -> None:
    document = json.loads(TEXT)
    length = len(document["plan"]["actions"])
    bound = {"proof": "UPPER_BOUND", "lower_bound": 1, "actions": document["plan"]["actions"]}
    text = json.dumps({**document, "plan": bound}, indent=1)
    path = tmp_path / "level.json"
    path.write_text(with_proof(text, length))
    assert json.loads(path.read_text())["plan"] == bound | {
        "proof": "OPTIMAL",
        "lower_bound": length,
    }
    assert json.loads(carried(path, text))["plan"]["proof"] == "OPTIMAL"
    others: tuple[dict[str, object], ...] = (
        {"plan": bound | {"actions": bound["actions"][1:]}},
        {"puzzle": {}},
    )
    for other in others:
        altered = json.dumps({**json.loads(text), **other}, indent=1)
        assert json.loads(carried(path, altered))["plan"]["proof"] == "UPPER_BOUND"


@pytest.mark.by_day(1)
@pytest.mark.parametrize("level", these_by_day(LEVELS[::8], LEVELS, name=lambda level: level.id))
def test_stored_share_of_random_passes_is_met_again(level: AnyLevel) -> None:
    stored = int(level.facts[PASSES]) / int(level.facts[ATTEMPTS])
    found = random_passes(level, 40, seed=99) / 40
    # Five standard deviations of the difference, and a pass to spare.
    spread = sqrt(max(stored * (1 - stored), 0.02) * (1 / 40 + 1 / int(level.facts[ATTEMPTS])))
    assert abs(found - stored) <= 5 * spread + 1 / 40

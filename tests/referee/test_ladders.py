"""Tiers of ladders are judged between the bounds from which their levels are drawn."""

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

import pytest

from bridge.verifying.referees import find_referee
from pysim.catalog import discover_families, encode_level
from pysim.generation import load_generator
from pysim.puzzle import Tier
from pysim.suites import find_suite, load_levels
from tools.make_luban_120 import FAMILIES

LEVELS = {level.family: level for level in reversed(load_levels(find_suite("luban-120")))}
"""Family -> its first level."""
FACTS = {"ladder", "difficulty", "chain"}


def draw_out(family: str, tier: Tier, length: int) -> dict[str, Any]:
    """A level with a plan of so many actions, whatever they do, that says it is of a tier."""
    document = dict(encode_level(LEVELS[family]))
    actions = list(islice(cycle(document["plan"]["actions"]), length))
    return {
        **document,
        "tier": str(tier),
        "budget": 2 * length,
        "plan": {**document["plan"], "actions": actions},
        "facts": {name: value for name, value in document["facts"].items() if name in FACTS},
    }


def list_tiers() -> Iterator[Any]:
    for family in FAMILIES:
        offer = load_generator(discover_families()[family])
        assert offer is not None
        for tier, rung in offer.ladder.items():
            yield pytest.param(family, tier, *rung.moves, id=f"{family}-{tier}")


@pytest.mark.parametrize(("family", "tier", "least", "most"), [*list_tiers()])
def test_tier_holds_exactly_of_plans_between_its_bounds(
    family: str, tier: Tier, least: int, most: int
) -> None:
    judge = find_referee(family)
    assert judge is not None
    for length in (least - 1, least, most, most + 1):
        judgement = judge(draw_out(family, tier, length))
        false = "tier" in {finding.claim for finding in judgement.false}
        assert false == (not least <= length <= most)
        assert false or "tier" in judgement.confirmed

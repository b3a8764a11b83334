"""Bounds of chambers' plans hold wherever their proof gives up."""

import pytest

from pysim.families.portal.generator.building import build
from pysim.families.portal.generator.generate import draw_module
from pysim.families.portal.planner import prove_plan, search
from pysim.puzzle import Proof


@pytest.mark.parametrize("name", ["stair", "fling", "button", "bridge", "timer"])
def test_proof_that_gives_up_claims_no_more_than_the_shortest_plan_has(name: str) -> None:
    chamber = build([draw_module(name, 1)]).chamber
    shortest = search(chamber, every=True).plan
    assert shortest is not None
    longer = (*shortest, shortest[-1])
    bounds = []
    for most in (0, *(2**k for k in range(12))):
        proven = prove_plan(chamber, longer, most)
        assert proven.lower_bound <= len(shortest)
        assert (proven.proof is Proof.OPTIMAL) == (len(proven) == proven.lower_bound)
        bounds.append(proven.lower_bound)
    assert bounds == sorted(bounds) and bounds[-1] == len(shortest)

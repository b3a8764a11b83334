"""Referees confirm no more than they have proven, however early a search ends."""

import json
from typing import Any

import pytest

import bridge.referee.burr.judging as locks
import bridge.referee.portal.judging as chambers
from bridge.referee.findings import Judgement
from bridge.referee.jigsaw import judge as judge_jigsaw
from pysim.catalog import encode_level, find_level
from pysim.puzzle import Proof


def claim_one_more(name: str) -> dict[str, Any]:
    """Return a shipped level with an OPTIMAL plan, which claims a bound of one action more."""
    level = find_level(name)
    assert level.plan is not None and level.plan.proof is Proof.OPTIMAL
    document = json.loads(json.dumps(encode_level(level)))
    claimed = {"proof": "UPPER_BOUND", "lower_bound": len(level.plan) + 1}
    return {**document, "plan": {**document["plan"], **claimed}}


def is_refuted(judgement: Judgement) -> bool:
    """Return whether a bound that is too high is refuted; it may only be left open else."""
    assert "lower_bound" not in judgement.confirmed
    return "lower_bound" in {finding.claim for finding in judgement.false}


@pytest.mark.parametrize("name", ["burr-half-lap", "burr-tusk-tenon"])
def test_lock_bound_one_too_high_is_confirmed_by_no_search_that_ends_early(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, judged = claim_one_more(name), []
    for states in (*range(1, 12), 20, 50, 200, 1000, 200_000):
        monkeypatch.setattr(locks, "_STATES", states)
        judged.append(is_refuted(locks.judge(document)))
    assert judged[-1] and not judged[0]


@pytest.mark.parametrize("name", ["portal-d1-04"])
def test_chamber_bound_one_too_high_is_confirmed_by_no_search_that_ends_early(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan has an action too many as well, so that nothing but the search refutes it."""
    document, judged = claim_one_more(name), []
    document["plan"]["actions"].append(document["plan"]["actions"][-1])
    for states in range(1, 40):
        monkeypatch.setattr(chambers, "_QUICK_STATES", states)
        judged.append(is_refuted(chambers.judge(document)))
    assert judged[-1] and not judged[0]


@pytest.mark.parametrize("name", ["jigsaw-easy-1", "jigsaw-hard-1"])
def test_jigsaw_bound_one_too_high_is_refuted(name: str) -> None:
    assert is_refuted(judge_jigsaw(claim_one_more(name)))

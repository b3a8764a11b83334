"""The referee of nets confirms what ships, and sees through what is false."""

import json
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bridge.referee.documents import plan_of
from bridge.referee.nets import judge
from bridge.referee.nets.collision import detect_overlap
from bridge.referee.nets.judging import IllegalAction, replay
from pysim.catalog import encode_level, find_family
from pysim.families.nets.actions import Crease, Fold
from pysim.puzzle import IllegalMove
from pysim.suites import find_suite, load_levels
from tests.sampling import these_by_day

LEVELS = list(load_levels(find_suite("nets-33")))
FEW = LEVELS[8::11]
CLAIMS = {"puzzle", "plan", "lower_bound", "proof", "tier", "budget"}
CLAIMS |= {f"facts.{name}" for name in ("nets", "turns", "moves", "folding_orders")}


def document_of(number: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(encode_level(LEVELS[number])))
    return found


@pytest.mark.parametrize("level", these_by_day(FEW, LEVELS, name=lambda level: level.id))
def test_every_claim_of_every_level_is_confirmed(level: Any) -> None:
    found = judge(encode_level(level))
    assert (found.false, found.undecided) == ((), ())
    assert set(found.confirmed) == CLAIMS


@pytest.mark.by_day(3)
@pytest.mark.parametrize(
    ("change", "claims"),
    [
        ("d['plan']['actions'].pop()", {"plan", "proof", "facts.moves", "budget"}),
        ("d['plan']['actions'].reverse()", {"plan", "proof"}),
        ("d['plan']['actions'][0]['arguments']['way'] = 'valley'", {"plan", "proof"}),
        ("d['plan']['lower_bound'] += 1", {"lower_bound", "proof"}),
        ("d['facts']['turns'] = 7", {"facts.turns"}),
        ("d['facts']['folding_orders'] -= 1", {"facts.folding_orders"}),
        ("d['facts']['nets'] = '######'", {"facts.nets"}),
        ("d['tier'] = 'easy'", {"tier"}),
        ("d['budget'] += 1", {"budget"}),
        ("d['puzzle']['target']['top']['colour'] = 'pink'", {"plan", "proof", "lower_bound"}),
    ],
)
def test_what_is_false_is_found(change: str, claims: set[str]) -> None:
    document = document_of(19)  # Two turns, of the 3-3 shape, in which folds can be blocked.
    exec(change, {"d": document})
    false = {finding.claim for finding in judge(document).false}
    assert false & claims and not false - claims - {"facts.turns", "tier", "proof"}


@pytest.mark.parametrize(("along", "size"), [(0, 7), (1, 7), (2, 1)])
@pytest.mark.parametrize("turned", [0, 45, 90])
def test_plates_overlap_if_they_are_deeper_in_each_other_than_they_touch(
    along: int, size: int, turned: int
) -> None:
    """A plate of 7 x 7 x 1 beside another one, and both turned as a whole."""
    for depth, is_in in ((-1.0, False), (0.0, False), (0.1, False), (0.4, True), (1.0, True)):
        one, other = np.eye(4), np.eye(4)
        other[along, 3] = size - depth
        whole = np.eye(4)
        angles = (turned, turned / 3, 20)
        whole[:3, :3] = Rotation.from_euler("xyz", angles, degrees=True).as_matrix()
        assert detect_overlap((whole @ one)[None], (whole @ other)[None]) is is_in


def test_a_fold_that_the_rules_call_blocked_is_refused_by_the_referee() -> None:
    """In the 3-3 shape 24 of the 120 orders of mountain folds have no way."""
    level, refused = LEVELS[8], 0
    rules = find_family(level).rules
    for order in permutations(level.colours[1:]):
        state, actions = rules.initial(level), []
        try:
            for face in order:
                arguments = {"face": face, "way": "mountain"}
                actions.append({"name": "fold", "arguments": arguments})
                state = rules.apply(level, state, Fold(face, Crease.MOUNTAIN)).state
        except IllegalMove as error:
            refused += 1
            if refused % 8 == 1:
                _refuses(document_of(8), actions, error)
    assert refused == 120 - LEVELS[8].facts["folding_orders"] == 24


def _refuses(document: dict[str, Any], actions: list[dict[str, Any]], error: IllegalMove) -> None:
    """The last action, and no earlier one, for the plates that the rules name."""
    document["plan"] = {"proof": "UPPER_BOUND", "lower_bound": 0, "actions": actions}
    plan = plan_of(document)
    assert plan is not None
    replay(document, plan.steps[:-1])
    with pytest.raises(IllegalAction, match="BLOCKED by") as said:
        replay(document, plan.steps)
    assert all(name in str(said.value) for name in error.culprits)

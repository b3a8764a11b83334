"""The soak in its short forms, one for the day and one of three minutes for the night."""

from pathlib import Path

import pytest

from tests.sampling import by_day, these_by_day
from tests.soak.attacks import ATTACKS, Attack, budget_of, find

SEED = 1


HERE = [attack for attack in ATTACKS if attack.name != "faults"]
"""Those that have no tests of their own."""
QUICK = [find(name) for name in ("messages", "server-kills")]
"""Attacks for the day: on requests, and on a server at work; files have tests of their own."""


@pytest.mark.parametrize("minutes", by_day([0.01, 3.0]))
@pytest.mark.parametrize("attack", these_by_day(QUICK, HERE, name=lambda attack: attack.name))
def test_an_attack_does_no_harm(attack: Attack, minutes: float, tmp_path: Path) -> None:
    row = attack.function(budget_of(attack, minutes, tmp_path), SEED)
    told = [Path(place, "case.json").read_text() for place in row.found]
    assert row.clean, "\n".join(told)
    assert row.number > 0

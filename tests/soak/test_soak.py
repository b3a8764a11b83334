"""The soak in its short form, which takes a minute or two of two cores: nothing is lost."""

from pathlib import Path

import pytest

from tests.soak.attacks import ATTACKS, Attack, budget_of

MINUTES = 0.1
SEED = 1


HERE = [attack for attack in ATTACKS if attack.name != "faults"]
"""Those that have no tests of their own."""


@pytest.mark.parametrize("attack", HERE, ids=[attack.name for attack in HERE])
def test_an_attack_does_no_harm(attack: Attack, tmp_path: Path) -> None:
    row = attack.function(budget_of(attack, MINUTES, tmp_path), SEED)
    told = [Path(place, "case.json").read_text() for place in row.found]
    assert row.clean, "\n".join(told)
    assert row.number > 0

"""Disks and memory that fail: a sample of the attacks here, all of them as slow tests."""

import pytest

from tests.sampling import by_day
from tests.soak.faults import ATTACKS, Row, possible_attacks, run_faults
from tests.soak.scenarios import SCENARIOS
from tests.soak.syscalls import why_impossible

pytestmark = pytest.mark.skipif(bool(why_impossible()), reason=why_impossible())


def require_clean(rows: list[Row]) -> None:
    """Nothing was lost, crashed or hung, and there was something that could."""
    for row in rows:
        assert row.number, row
        assert (row.lost, row.crashed, row.hung, row.left_over) == (0, 0, 0, 0), row.examples


@pytest.mark.parametrize("scenario", by_day(["episode", "eval"]))
def test_whatever_fails_the_work_goes_on_or_says_why(scenario: str) -> None:
    rows = run_faults(scenario, sample=True)
    assert len(rows) == len(possible_attacks())
    require_clean(rows)


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_single_fault(scenario: str, attack: str) -> None:
    if attack not in possible_attacks():
        pytest.skip("only root may mount a disk, and not everywhere")
    require_clean(run_faults(scenario, attack))

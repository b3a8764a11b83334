"""The referee derives the claims of the tasks that ship: of a few by day, and of all by night."""

from dataclasses import replace

import pytest

from bridge.generating import BatchError
from bridge.operations.generation import judge_task
from pysim.catalog import discover_families
from pysim.tasks.pool import find_pool
from pysim.tasks.recipe import has_tasks
from tests.sampling import rest

FAMILIES = [name for name in discover_families() if has_tasks(name)]
PARTS = 40
"""Parts into which the tasks of a family are parted by night."""
SAMPLE = "sample"


def list_parts() -> list[object]:
    mark = rest()
    night = [] if mark is None else [pytest.param(k, marks=[mark]) for k in range(PARTS)]
    return [SAMPLE, *night]


def list_numbers(family: str, part: object) -> range:
    """Return the numbers of one task of three difficulties, or of a part of all."""
    pool = find_pool(family)
    assert pool is not None
    if part == SAMPLE:
        return range(len(pool) // 6, len(pool), len(pool) // 3)
    return range(int(str(part)), len(pool), PARTS)


@pytest.mark.by_day(3)
@pytest.mark.parametrize("part", list_parts())
@pytest.mark.parametrize("family", FAMILIES)
def test_referee_confirms_the_tasks_that_ship(family: str, part: object) -> None:
    pool, numbers = find_pool(family), list_numbers(family, part)
    assert pool is not None and len(numbers) >= 3
    for number in numbers:
        level, certificate = pool.read_task(number, f"{family}-{number}")
        found = judge_task(level)
        assert {"document", "hash", "plan", "plan in lattice"} <= set(found.confirmed), number
        assert set(certificate.confirmed) <= set(found.confirmed), number


@pytest.mark.parametrize("family", FAMILIES)
def test_referee_refutes_a_task_whose_plan_is_cut(family: str) -> None:
    pool = find_pool(family)
    assert pool is not None
    level, _ = pool.read_task(0, "cut")
    assert level.plan is not None
    cut = replace(level.plan, actions=level.plan.actions[:-1])
    with pytest.raises(BatchError, match="does not hold"):
        judge_task(replace(level, plan=cut))

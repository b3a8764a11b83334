"""Batches of chambers forget states, and look and go on as if they had not."""

import numpy as np
import pytest

from pysim.families.portal.batch import ChamberBatch, ChamberLister
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.space import create_spaces
from pysim.tasks.pool import find_pool
from tests.sampling import more


def test_batch_with_little_memory_makes_the_same_steps() -> None:
    pool, space, rng = find_pool("portal"), create_spaces()[0], np.random.default_rng(3)
    assert pool is not None
    levels = [pool.read_task(k, f"portal-{k}")[0] for k in (0, 500, 1000)]
    usual, small = ChamberBatch(space, 12), ChamberBatch(space, 12, most_states=30)
    for batch in (usual, small):
        batch.begin(np.arange(12), np.tile([batch.load(level) for level in levels], 4))
    forgot = 0
    for step in range(20):
        numbers = usual.draw(rng)
        numbers[step % 12] = rng.integers(space.actions.count)
        before = small.state_count
        for batch in (usual, small):
            batch.step(numbers)
        forgot += small.state_count < before
        assert np.array_equal(usual.legal.mask, small.legal.mask)
        assert np.array_equal(usual.legal.refused, small.legal.refused)
        assert np.array_equal(usual.observe(), small.observe())
        assert all(usual.read_state(row) == small.read_state(row) for row in range(12))
    assert forgot > 3 and usual.state_count > 60


@pytest.mark.slow
@pytest.mark.parametrize("pick", [1, 3])
def test_lister_of_random_states_lists_what_the_rules_do_in_the_same_order(pick: int) -> None:
    pool, space, rules = find_pool("portal"), create_spaces()[0], PortalRules()
    assert pool is not None
    lister, rng, listed = ChamberLister(space), np.random.default_rng(pick), 0
    for k in range(more(8, night=200)):
        level = pool.read_task(len(pool) - pick - 7 * k, f"portal-{k}")[0]
        state = rules.initial(level)
        for _ in range(more(12, night=60)):
            exact = space.list_exactly(level, state)
            assert np.array_equal(lister.list_legal(level, state), exact)
            listed += len(exact)
            if not len(exact):
                break
            action = space.make_action(level, state, int(rng.choice(exact)))
            state = rules.apply(level, state, action).state
    assert listed > 500


def test_lister_of_more_levels_than_it_keeps_lists_the_same() -> None:
    pool, space, rules = find_pool("portal"), create_spaces()[0], PortalRules()
    assert pool is not None
    lister = ChamberLister(space, most_levels=2)
    levels = [pool.read_task(k, f"portal-{k}")[0] for k in (0, 500, 1000)]
    for level in [*levels, *levels]:
        state = rules.initial(level)
        assert np.array_equal(lister.list_legal(level, state), space.list_exactly(level, state))

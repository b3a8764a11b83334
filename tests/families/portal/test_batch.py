"""Batches of chambers forget states, and look and go on as if they had not."""

import numpy as np

from pysim.families.portal.batch import ChamberBatch
from pysim.families.portal.space import create_spaces
from pysim.tasks.pool import find_pool


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

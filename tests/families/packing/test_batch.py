"""Equilibrium in compiled lists of legal actions: in doubt the rules decide."""

import numpy as np
import pytest

from pysim.families.packing.batch import BoxBatch, BoxLister
from pysim.families.packing.rules import PackingRules
from pysim.families.packing.space import create_spaces
from pysim.tasks.pool import find_pool
from tests.sampling import more


class CountingBatch(BoxBatch):
    """A batch that counts the rows that were in doubt."""

    doubts = 0

    def _settle_doubts(self) -> None:
        self.doubts += int(self._rows.in_doubt.sum())
        super()._settle_doubts()


def make_batch(rows: int, pick: int) -> CountingBatch:
    """Return rows of two boxes of the pool, one of the easiest and one of the hardest."""
    pool, batch = find_pool("packing"), CountingBatch(create_spaces()[0], rows)
    assert pool is not None
    levels = [pool.read_task(k, f"packing-{k}")[0] for k in (len(pool) - pick, pick)]
    batch.begin(np.arange(rows), np.resize([batch.load(level) for level in levels], rows))
    return batch


@pytest.mark.parametrize("pick", [1, 40])
def test_batch_in_doubt_of_every_answer_makes_the_same_steps(pick: int) -> None:
    usual, doubting = make_batch(6, pick), make_batch(6, pick)
    doubting._pile.margins[:] = -1, np.inf, np.inf
    rng = np.random.default_rng(pick)
    for _ in range(12):
        numbers = usual.draw(rng)
        for batch in (usual, doubting):
            batch.step(numbers)
        assert np.array_equal(usual.legal.mask, doubting.legal.mask)
        assert np.array_equal(usual.legal.refused, doubting.legal.refused)
        for row in range(6):
            count = usual.legal.counts[row]
            assert count == doubting.legal.counts[row]
            for batch in (usual, doubting):
                listed = batch.legal.numbers[row, :count]
                assert np.array_equal(np.sort(listed), np.flatnonzero(batch.legal.mask[row]))
    assert doubting.doubts > 3 and not usual.doubts


@pytest.mark.slow
@pytest.mark.parametrize("pick", [1, 40])
def test_lister_of_random_states_lists_what_the_rules_do_in_the_same_order(pick: int) -> None:
    pool, space, rules = find_pool("packing"), create_spaces()[0], PackingRules()
    assert pool is not None
    lister, rng, placed = BoxLister(space), np.random.default_rng(pick), 0
    for k in range(more(2, night=40)):
        level = pool.read_task(len(pool) - pick - k, f"packing-{k}")[0]
        state = rules.initial(level)
        for _ in range(more(12, night=80)):
            listed = space.list_exactly(level, state)
            assert np.array_equal(lister.list_legal(level, state), listed)
            if not len(listed):
                break
            action = space.make_action(level, state, int(rng.choice(listed)))
            state = rules.apply(level, state, action).state
            placed += len(state.list_placed())
    assert placed > 20

"""Plans, against an oracle that shares no code with the planner."""

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from pysim.catalog import find_family
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.planner import Limits, plan_lock
from pysim.families.burr.solver.exploration import Exploration, index_cells
from pysim.geometry import Direction, add, scale
from pysim.puzzle import Outcome, Plan, Proof
from tests.families.burr.locks import LockLevel, drawn, level_of, random_lock
from tests.families.burr.oracle import TooBig, disjoint, naive_plan_length
from tests.interpreting import interpreting
from tests.waiting import PATIENCE


def replayed(level: LockLevel, plan: Plan) -> Outcome | None:
    rules = find_family(level).rules
    state = rules.initial(level)
    for action in plan.actions:
        assert rules.outcome(level, state) is None, "the plan goes on after the goal is met"
        state = rules.apply(level, state, action).state
    return rules.outcome(level, state)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("part", range(4))
def test_plans_of_small_random_locks_are_as_short_as_brute_force_finds(part: int) -> None:
    compared = 0
    for seed in range(part * 30, part * 30 + 30):
        rng = random.Random(seed)
        count, size = rng.randint(2, 4), rng.choice([(3, 3, 3), (4, 3, 3), (4, 4, 3)])
        lock = random_lock(rng, rng.choice([Goal.KEY, Goal.DISASSEMBLE]), count, size)
        try:
            expected = naive_plan_length(lock, key=lock.goal is Goal.KEY, most=1000)
        except TooBig:
            continue
        plan = plan_lock(lock)
        assert (None if plan is None else len(plan)) == expected, (seed, lock)
        if plan is not None:
            assert plan.proof is Proof.OPTIMAL
            assert replayed(level_of(lock), plan) is Outcome.SOLVED
        compared += 1
    assert compared >= 24


@pytest.mark.parametrize("seed", range(3))
def test_plans_found_without_compiled_code_are_the_same(seed: int) -> None:
    lock = random_lock(random.Random(seed), Goal.DISASSEMBLE, 3, (4, 3, 3))
    with interpreting(PATIENCE):
        plan = plan_lock(lock)
    with interpreting(0):
        assert plan_lock(lock) == plan


@pytest.mark.parametrize("goal", [Goal.KEY, Goal.DISASSEMBLE, Goal.ASSEMBLE])
def test_linked_rings_have_no_plan(goal: Goal) -> None:
    flat = (["###/#.#/###"], (0, 0, 2))
    upright = (["###", "#.#", "#.#", "#.#", "###"], (1, 1, 0))
    stick = (["#", "#", "#", "#", "#"], (1, 1, 0))
    linked = drawn(goal, flat, upright).puzzle
    assert plan_lock(linked) is None
    assert naive_plan_length(linked, key=True) is None
    assert plan_lock(drawn(goal, flat, stick).puzzle) is not None


@pytest.mark.parametrize("seed", range(12))
def test_putting_together_takes_one_step_more_than_taking_apart(seed: int) -> None:
    rng = random.Random(f"assemble {seed}")
    lock = random_lock(rng, Goal.ASSEMBLE, rng.randint(2, 4))
    plan, apart = plan_lock(lock), plan_lock(Lock(lock.pieces, Goal.DISASSEMBLE))
    assert plan is not None and apart is not None
    assert len(plan) >= len(apart) + 1
    assert (plan.proof is Proof.OPTIMAL) == (len(plan) == len(apart) + 1)
    assert replayed(level_of(lock), plan) is Outcome.SOLVED


def test_a_search_that_was_cut_off_claims_no_proof() -> None:
    rng = random.Random(3)
    lock = random_lock(rng, Goal.DISASSEMBLE, 4)
    assert plan_lock(lock).proof is Proof.OPTIMAL  # type: ignore[union-attr]
    plan = plan_lock(lock, Limits(configurations=1))
    assert plan is None or plan.proof is Proof.UPPER_BOUND


def test_a_plan_is_the_same_every_time() -> None:
    for seed in range(8):
        lock = random_lock(random.Random(seed), Goal.DISASSEMBLE, 4)
        again = random_lock(random.Random(seed), Goal.DISASSEMBLE, 4)
        assert plan_lock(lock) == plan_lock(again)


@pytest.mark.parametrize("seed", range(20))
def test_what_one_move_leads_to_is_what_moving_every_set_leads_to(seed: int) -> None:
    lock = random_lock(random.Random(f"sets {seed}"), Goal.DISASSEMBLE, 3 + seed % 4, (4, 3, 3))
    cells = [piece.home.place(piece.shape).cell_set for piece in lock.pieces]
    count = len(cells)
    exploration = Exploration([index_cells(sorted(c)) for c in cells], np.zeros((count, 3), int))
    for _ in exploration.expand():
        pass
    together = {_relative(exploration.get_offsets(node)) for node in exploration.get_layer(1)}
    parted = {s.move.moving for chunk in exploration.list_separations(0) for s in chunk}
    expected: set[tuple[tuple[int, ...], ...]] = set()
    apart: set[frozenset[int]] = set()
    for size in range(1, count):
        for moving in combinations(range(count), size):
            rest = frozenset().union(*(cells[i] for i in range(count) if i not in moving))
            mine = frozenset().union(*(cells[i] for i in moving))
            for way in (Direction.PLUS_X, Direction.PLUS_Y, Direction.PLUS_Z):
                for units in range(1, 99):
                    there = frozenset(add(cell, scale(way.vector, units)) for cell in mine)
                    if there & rest:
                        break
                    if disjoint(there, rest):
                        apart.add(frozenset(moving))
                        break
                    step = scale(way.vector, units)
                    expected.add(
                        _relative([step if i in moving else (0, 0, 0) for i in range(count)])
                    )
    assert together == expected and parted == apart


def _relative(offsets: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(v - w) for v, w in zip(o, offsets[0], strict=True)) for o in offsets)

"""The search for shortest solutions: laws, limits, companions."""

import random
from collections.abc import Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.catalog import find_family, find_level
from pysim.families.burr.documents import read_lock, write_lock
from pysim.families.burr.lock import Companions, Goal, Lock, Piece
from pysim.families.burr.planner import Limits, plan_lock
from pysim.families.burr.solver.shortest import find_shortest
from pysim.families.burr.solver.solutions import Aim, SearchResult
from pysim.geometry import Cell, Pose, list_rotations
from pysim.puzzle import Outcome, Proof
from tests.families.burr.locks import COLOURS, drawn, level_of, random_lock, six_piece_lock
from tests.families.burr.oracle import naive_plan_length
from tests.sampling import more

PISTON = (88, 512, 768, 922, 1008, 1008)
DUBOIS = (120, 160, 256, 512, 880, 960)


AIMS = (Aim.APART, Aim.ONE_BY_ONE, Aim.ONE)


def alone(pieces: Collection[int]) -> bool:
    return len(pieces) == 1


def cells_of(lock: Lock) -> list[list[Cell]]:
    return [sorted(p.home.place(p.shape).cells) for p in lock.pieces]


def found(lock: Lock, aim: Aim, **limits: int) -> SearchResult:
    return find_shortest(cells_of(lock), aim, alone, Limits(**limits))


def length(lock: Lock, aim: Aim) -> int | None:
    steps = found(lock, aim).steps
    return None if steps is None else len(steps)


def turned(lock: Lock, by: int) -> Lock:
    rotation = list_rotations()[by]
    return Lock(
        tuple(
            Piece(
                p.colour,
                p.shape,
                Pose(rotation.compose(p.home.rotation), rotation.apply(p.home.offset)),
            )
            for p in lock.pieces
        ),
        lock.goal,
    )


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("numbers", [PISTON, DUBOIS])
def test_a_turned_lock_takes_as_many_moves(numbers: tuple[int, ...], aim: Aim) -> None:
    lock = six_piece_lock(numbers, Goal.DISASSEMBLE)
    lengths = {length(turned(lock, by), aim) for by in range(24)}
    assert len(lengths) == 1


@settings(max_examples=more(20))
@given(seed=st.integers(0, 10_000), by=st.integers(0, 23), count=st.integers(2, 5))
def test_neither_turning_nor_renumbering_changes_the_fewest_moves(
    seed: int, by: int, count: int
) -> None:
    rng = random.Random(seed)
    lock = random_lock(rng, Goal.DISASSEMBLE, count)
    order = rng.sample(range(count), count)
    other = turned(Lock(tuple(lock.pieces[i] for i in order), lock.goal), by)
    assert all(length(lock, aim) == length(other, aim) for aim in AIMS)


@settings(max_examples=more(20))
@given(seed=st.integers(0, 10_000), count=st.integers(2, 6))
def test_the_aims_are_ordered_by_what_they_ask(seed: int, count: int) -> None:
    lock = random_lock(random.Random(seed), Goal.DISASSEMBLE, count)
    one, apart, one_by_one = (length(lock, aim) for aim in (Aim.ONE, Aim.APART, Aim.ONE_BY_ONE))
    if apart is not None:
        assert one is not None and one + count - 2 <= apart and apart >= count - 1
    if one_by_one is not None:
        assert apart is not None and apart <= one_by_one


@settings(max_examples=30)
@given(seed=st.integers(0, 10_000), limit=st.integers(1, 400))
def test_a_search_that_is_cut_off_has_the_least_between_its_bounds(seed: int, limit: int) -> None:
    lock = random_lock(random.Random(seed), Goal.DISASSEMBLE, 4, (4, 4, 3))
    whole = found(lock, Aim.APART)
    part = found(lock, Aim.APART, configurations=limit)
    if whole.steps is None:
        assert whole.impossible and part.steps is None
        return
    assert part.lower_bound <= len(whole.steps) == whole.lower_bound and not part.impossible
    if part.steps is not None:
        assert len(part.steps) >= len(whole.steps)


@pytest.mark.parametrize(
    ("name", "moves"), [("cabinet-2", 5), ("cabinet-3", 7), ("generated-box-8", 9)]
)
def test_locks_that_come_apart_sooner_when_their_first_separation_waits(
    name: str, moves: int
) -> None:
    # Breadth-first search over the rules themselves, by another program, found these.
    lock = find_level(f"burr-{name}").puzzle
    done = found(lock, Aim.APART)
    assert done.steps is not None and len(done.steps) == done.lower_bound == moves


def test_a_stuck_part_does_not_keep_a_piece_of_another_part_from_coming_free() -> None:
    ring = (["###/#.#/###"], (0, 0, 2))
    upright = (["###", "#.#", "#.#", "#.#", "###"], (1, 1, 0))
    case = (["####/####/####", "####/#..#/####", "####/##.#/####"], (5, 0, 0))
    pin = (["#"], (6, 1, 1))
    lock = drawn(Goal.KEY, ring, upright, case, pin).puzzle
    done = found(lock, Aim.ONE)
    assert done.steps is not None and len(done.steps) == naive_plan_length(lock, key=True) == 2
    assert found(lock, Aim.APART).impossible and found(lock, Aim.ONE_BY_ONE).impossible


def test_a_cut_off_search_says_what_it_refuted() -> None:
    lock = find_level("burr-piston").puzzle
    bounds = [found(lock, Aim.APART, configurations=limit).lower_bound for limit in (1, 60, 10**6)]
    assert bounds[0] == 5 and bounds == sorted(bounds) and bounds[-1] == 15


def test_a_search_that_is_out_of_time_proves_nothing() -> None:
    lock = find_level("burr-loves-dozen").puzzle
    in_no_time = find_shortest(cells_of(lock), Aim.APART, alone, Limits(seconds=0.0))
    assert in_no_time.steps is None and not in_no_time.impossible
    assert plan_lock(lock, Limits(seconds=0.0)) is None


def test_a_search_with_time_enough_finds_what_one_without_a_limit_finds() -> None:
    lock = find_level("burr-piston").puzzle
    in_a_minute = find_shortest(cells_of(lock), Aim.APART, alone, Limits(seconds=60.0))
    assert in_a_minute == found(lock, Aim.APART)


def test_a_solved_plan_played_backwards_is_a_way_to_assemble() -> None:
    for name in ("burr-chinese-cross", "burr-piston"):
        apart, together = find_level(name), find_level(f"{name}-assemble")
        assert apart.plan is not None and together.plan is not None
        assert len(together.plan) == len(apart.plan) + 1


def two_pairs() -> Lock:
    """Two bars that are linked like rings, and two loose bars beside them."""
    ring = (["###/#.#/###"], (0, 0, 2))
    upright = (["###", "#.#", "#.#", "#.#", "###"], (1, 1, 0))
    bar = (["###"], (0, 4, 0))
    return drawn(Goal.DISASSEMBLE, ring, upright, bar).puzzle


def test_companions_need_not_come_apart() -> None:
    lock = two_pairs()
    assert plan_lock(lock) is None
    together = Companions(((frozenset({0}), 1), (frozenset({1}), 1)))
    freed = Lock(lock.pieces, lock.goal, (together,))
    plan = plan_lock(freed)
    assert plan is not None and len(plan) == 1 and plan.proof is Proof.OPTIMAL
    level = level_of(freed)
    rules = find_family(level).rules
    state = rules.apply(level, rules.initial(level), plan.actions[0]).state
    assert rules.outcome(level, rules.initial(level)) is None
    assert rules.outcome(level, state) is Outcome.SOLVED
    assert "need not be separated" in rules.instruction(level)


def test_no_more_companions_may_stay_than_they_say() -> None:
    group = Companions(((frozenset({0, 1, 2}), 2), (frozenset({3}), 1)))
    assert group.include((0, 3)) and group.include((0, 2, 3)) and group.include((3,))
    assert not group.include((0, 1, 2)) and not group.include((0, 4))


def test_companions_survive_a_level_document_and_leave_others_as_they_were() -> None:
    lock = two_pairs()
    assert "companions" not in write_lock(lock)
    together = Companions(((frozenset({0, 1}), 2),))
    with_groups = Lock(lock.pieces, lock.goal, (together,))
    assert read_lock(write_lock(with_groups)) == with_groups


@pytest.mark.parametrize(
    ("companions", "message"),
    [
        ("red", "a list"),
        (["red"], "each of the companions"),
        ([[{"pieces": "red", "most": 1}]], "colours"),
        ([[{"pieces": ["pink"], "most": 1}]], "'pink', which is no piece"),
        ([[{"pieces": ["red"], "most": 2}]], "can't stay together"),
        ([[{"pieces": ["red"], "most": True}]], "can't stay together"),
    ],
)
def test_companions_that_make_no_sense_are_refused(companions: object, message: str) -> None:
    document = write_lock(two_pairs()) | {"companions": companions}
    with pytest.raises(ValueError, match=message):
        read_lock(document)


def test_more_pieces_than_the_search_takes_are_refused() -> None:
    bars = [[(x, 0, 2 * i) for x in range(3)] for i in range(63)]
    with pytest.raises(ValueError, match="too many to explore"):
        find_shortest(bars, Aim.APART, alone, Limits())


@pytest.mark.slow
def test_many_pieces_in_a_forced_order_are_proven_at_once() -> None:
    # Each bar lies in a notch under the next one: they come out from the top, one by one.
    count = 40
    assert count <= 62 and len(COLOURS) < count
    stack = [
        [(x, y, z) for z in (2 * i, 2 * i + 1) for x in range(3) for y in range(3)]
        for i in range(count)
    ]
    done = find_shortest(stack, Aim.APART, alone, Limits())
    assert done.steps is not None and len(done.steps) == done.lower_bound == count - 1

"""The twelve published sets of six sticks: assemblies, solutions, levels.

The published numbers leave out mirrored copies of an assembly, ours keep them: so the assemblies
are first reduced by mirroring. A solution is an assembly that comes apart completely. The first
number of a level counts the moves up to the first separation; where that frees a single piece, it
is the length of the plan for the goal ``key``.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pysim.catalog import find_family
from pysim.families.burr.lock import Goal, Lock, Piece
from pysim.families.burr.notches import make_stick
from pysim.families.burr.planner import plan_lock
from pysim.families.burr.sixpiece import enumerate_six_piece_assemblies
from pysim.families.burr.state import LockState, Loose
from pysim.geometry import Cell, list_rotations
from pysim.puzzle import Proof
from tests.families.burr.locks import COLOURS, level_of
from tests.sampling import by_day

REFERENCE = Path(__file__).parents[4] / "shared" / "data" / "reference_counts.tsv"


@dataclass(frozen=True)
class Set:
    """``level``: the first number of the highest level; ``file``: in the second source."""

    file: str
    numbers: tuple[int, ...]
    assemblies: int
    solutions: int
    level: int
    frees_one: bool = True
    length: int = 6


SETS = [
    Set("ChineseCross", (1, 256, 824, 928, 975, 1024), 1, 1, 1),
    Set("DiabolicalStructure", (1, 256, 256, 256, 928, 928), 1, 1, 1),
    Set("SixWaySet", (52, 792, 824, 911, 975, 1024), 4, 3, 1, frees_one=False),
    Set("YamatoBlock", (1, 188, 824, 975, 1024, 1024), 1, 1, 1),
    Set("HoffmannBurr", (1, 188, 256, 960, 975, 1024), 2, 2, 1),
    Set("DoubleCross", (1, 154, 256, 256, 1024, 1024), 1, 1, 1),
    Set("TenyoBrother", (463, 564, 760, 909, 927, 1016), 1, 1, 1, frees_one=False),
    Set("PhilippeDubois", (120, 160, 256, 512, 880, 960), 2, 1, 6),
    Set("PistonBurr", (88, 512, 768, 922, 1008, 1008), 10, 1, 9),
    Set("ComputersChoiceUnique10", (624, 702, 768, 883, 1015, 1024), 7, 1, 5),
    Set("ComputersChoiceUnique10_len8", (624, 702, 768, 883, 1015, 1024), 7, 1, 10, length=8),
    Set("Artifactory54", (412, 480, 512, 704, 704, 960), 144, 1, 5),
]
LOVES_DOZEN = Set("LovesDozen", (88, 512, 704, 960, 992, 1008), 154, 90, 12)


def pieces_as_cells(lock: Lock) -> list[list[Cell]]:
    """Cells of the placed pieces, about the middle of the lock, in half units."""
    low, high = lock.bounds.low, lock.bounds.high
    return [
        [
            (2 * x - low[0] - high[0], 2 * y - low[1] - high[1], 2 * z - low[2] - high[2])
            for x, y, z in piece.home.place(piece.shape).cells
        ]
        for piece in lock.pieces
    ]


def symmetry_class(lock: Lock) -> frozenset[frozenset[frozenset[Cell]]]:
    """All that the assembly looks like, turned and mirrored."""
    pieces = pieces_as_cells(lock)
    return frozenset(
        frozenset(
            frozenset(rotation.apply((side * x, y, z)) for x, y, z in cells) for cells in pieces
        )
        for rotation in list_rotations()
        for side in (1, -1)
    )


def all_assemblies(burr: Set, goal: Goal) -> Iterator[Lock]:
    sticks = [make_stick(number, burr.length) for number in burr.numbers]
    for poses in enumerate_six_piece_assemblies(burr.numbers, burr.length):
        yield Lock(
            tuple(
                Piece(colour, stick, pose)
                for colour, stick, pose in zip(COLOURS, sticks, poses, strict=True)
            ),
            goal,
        )


def assemblies_but_for_mirroring(burr: Set, goal: Goal) -> Iterator[Lock]:
    seen: set[frozenset[frozenset[Cell]]] = set()
    for lock in all_assemblies(burr, goal):
        looks = symmetry_class(lock)
        if seen.isdisjoint(looks):
            seen |= looks
            yield lock


def first_separation(lock: Lock) -> tuple[int, bool]:
    """Moves of the key plan up to the first separation, and whether that frees one piece."""
    level = level_of(lock)
    rules = find_family(level).rules
    plan = plan_lock(lock)
    assert plan is not None and plan.proof is Proof.OPTIMAL
    state: LockState = rules.initial(level)
    for count, action in enumerate(plan.actions, 1):
        state = rules.apply(level, state, action).state
        loose = any(isinstance(place, Loose) for place in state.places)
        if loose or len(state.list_benches()) > 1:
            return count, loose
    raise AssertionError("the plan separates nothing")


def published_solutions(burr: Set) -> tuple[int, int, list[int]]:
    """Assemblies, solutions and the first numbers of the levels, from the second source."""
    if not REFERENCE.is_file():
        pytest.skip(f"the second source is not here: {REFERENCE}")
    with REFERENCE.open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["file"] == f"xmpuzzle/burr6_{burr.file}.xmpuzzle":
                levels = [entry.split("x") for entry in row["levels (count x level)"].split()]
                firsts = [int(level.split(".")[0]) for n, level in levels for _ in range(int(n))]
                return int(row["assemblies"]), int(row["solutions"]), sorted(firsts)
    raise AssertionError(f"{burr.file} is not in {REFERENCE}")


@pytest.mark.by_day(3)
@pytest.mark.parametrize("burr", SETS, ids=lambda burr: burr.file)
def test_assemblies_solutions_and_level_are_as_published(burr: Set) -> None:
    locks = list(assemblies_but_for_mirroring(burr, Goal.DISASSEMBLE))
    assert len(locks) == burr.assemblies
    solvable = [lock for lock in locks if plan_lock(lock) is not None]
    assert len(solvable) == burr.solutions
    separations = [first_separation(Lock(lock.pieces, Goal.KEY)) for lock in solvable]
    assert max(separations)[0] == burr.level
    if burr.frees_one:
        plans = [plan_lock(Lock(lock.pieces, Goal.KEY)) for lock in solvable]
        assert max(len(plan) for plan in plans if plan) == burr.level
    assert all(one for _, one in separations) == burr.frees_one


@pytest.mark.parametrize("burr", [*SETS, LOVES_DOZEN], ids=lambda burr: burr.file)
def test_the_second_source_says_the_same(burr: Set) -> None:
    assemblies, solutions, firsts = published_solutions(burr)
    assert (assemblies, solutions, max(firsts)) == (burr.assemblies, burr.solutions, burr.level)


@pytest.mark.parametrize(
    "numbers",
    by_day(
        [
            (88, 512, 768, 922, 1008, 1008),
            (412, 480, 512, 704, 704, 960),
        ]
    ),
)
def test_with_longer_sticks_piston_and_artifactory_do_not_come_apart(
    numbers: tuple[int, ...],
) -> None:
    burr = Set("", numbers, 0, 0, 0, length=8)
    locks = list(assemblies_but_for_mirroring(burr, Goal.DISASSEMBLE))
    assert locks and all(plan_lock(lock) is None for lock in locks)


@pytest.mark.slow  # By day the burrs with fewer assemblies.
def test_loves_dozen_has_154_assemblies_and_90_solutions() -> None:
    locks = list(assemblies_but_for_mirroring(LOVES_DOZEN, Goal.DISASSEMBLE))
    assert len(locks) == 154
    solvable = [lock for lock in locks if plan_lock(lock) is not None]
    separations = [first_separation(Lock(lock.pieces, Goal.KEY)) for lock in solvable]
    assert len(solvable) == 90 and max(separations) == (12, True)


def test_mirrored_assemblies_are_kept_and_turned_ones_are_not() -> None:
    one, other = all_assemblies(SETS[0], Goal.KEY)
    assert symmetry_class(one) == symmetry_class(other)


@pytest.mark.parametrize("numbers", [(), (1,) * 5, (1,) * 7])
def test_a_six_piece_burr_has_six_pieces(numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="six pieces"):
        list(enumerate_six_piece_assemblies(numbers))


def test_six_whole_sticks_can_not_be_put_together() -> None:
    assert list(enumerate_six_piece_assemblies((1, 1, 1, 1, 1, 1))) == []

"""Pushes of locks, held against all sets of pieces that a group has."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from pysim.catalog import AnyLevel, find_family, find_level, list_shipped_levels
from pysim.catalog.spaces import find_space
from pysim.families.burr.actions import Slide
from pysim.families.burr.state import Held, LockState
from pysim.field_types import OUT
from pysim.geometry import Cell, Direction, scale
from tests.sampling import more

Cells = dict[int, frozenset[Cell]]
SPACE = find_space("burr")
LOCKS = ["burr-piston", "burr-diabolical-structure", "burr-l120-hard-01", "burr-chinese-cross"]


def move(cells: frozenset[Cell], direction: Direction, units: int) -> frozenset[Cell]:
    dx, dy, dz = scale(direction.vector, units)
    return frozenset((x + dx, y + dy, z + dz) for x, y, z in cells)


def can_go(group: Cells, moving: frozenset[int], direction: Direction, units: int) -> bool:
    still = frozenset[Cell]().union(*(group[i] for i in group if i not in moving))
    return not any(
        move(group[i], direction, step) & still for i in moving for step in range(1, units + 1)
    )


def are_apart(group: Cells, moving: frozenset[int], direction: Direction, units: int) -> bool:
    sides = [
        frozenset[Cell]().union(*(move(group[i], direction, units) for i in moving)),
        frozenset[Cell]().union(*(group[i] for i in group if i not in moving)),
    ]
    spans = [
        [(min(c[a] for c in side), max(c[a] for c in side)) for a in range(3)] for side in sides
    ]
    return any(a[1] < b[0] or b[1] < a[0] for a, b in zip(*spans, strict=True))


def find_smallest(
    group: Cells, slot: int, direction: Direction, units: int
) -> frozenset[int] | None:
    """Return the smallest set with a piece that can go so far, but not the whole group."""
    others = [i for i in group if i != slot]
    for size in range(len(others)):
        found = [
            moving
            for rest in combinations(others, size)
            if can_go(group, moving := frozenset((slot, *rest)), direction, units)
        ]
        if found:
            assert len(found) == 1, "the smallest set is one"
            return found[0]
    return None


def find_out(group: Cells, slot: int, direction: Direction) -> frozenset[int] | None:
    """Return the first of the smallest sets that has left the others behind."""
    for units in range(1, 25):
        moving = find_smallest(group, slot, direction, units)
        if moving is None or are_apart(group, moving, direction, units):
            return moving
    raise AssertionError("a set goes on for ever")


def list_states(level: AnyLevel, steps: int) -> Iterator[LockState]:
    rules, rng = find_family(level).rules, Random(level.id)
    state = rules.initial(level)
    for _ in range(steps):
        yield state
        legal = SPACE.list_legal(level, state).tolist()
        if not legal:
            return
        state = rules.apply(level, state, SPACE.make_action(level, state, rng.choice(legal))).state


def list_groups(level: AnyLevel, state: LockState) -> Iterator[Cells]:
    for bench in state.list_benches():
        group = Cells()
        for slot in state.group(bench):
            place = state.places[slot]
            assert isinstance(place, Held)
            group[slot] = place.pose.place(level.puzzle.pieces[slot].shape).cell_set
        yield group


@pytest.mark.by_day(1)
@pytest.mark.parametrize("name", LOCKS)
def test_push_moves_the_smallest_set_that_can_go(name: str) -> None:
    level, told = find_level(name), 0
    distances = SPACE.actions.sizes["distance"]
    for state in list_states(level, more(4)):
        for group in list_groups(level, state):
            for slot in group:
                for d, direction in enumerate(Direction):
                    for k in range(distances):
                        number = SPACE.actions.encode("push", d, slot, k)
                        action = SPACE.make_action(level, state, number)
                        assert isinstance(action, Slide) and action.direction is direction
                        out = k == distances - 1
                        assert (action.distance is OUT) == out
                        expected = (
                            find_out(group, slot, direction)
                            if out
                            else find_smallest(group, slot, direction, k + 1)
                        )
                        moving = frozenset(level.colours.index(one) for one in action.pieces)
                        assert moving == (expected or {slot}), (number, state.encode())
                        told += len(moving) > 1
    assert told > 20


def test_slides_that_the_rules_list_are_pushes() -> None:
    """Every action that agents are told of has numbers, in states far from the beginning, too."""
    levels = [one for one in list_shipped_levels("burr") if one.id.startswith("burr-l120")]
    for level in levels[:: max(1, 20 // more(5))]:
        rules = find_family(level).rules
        for state in list_states(level, 8):
            for action in rules.legal(level, state):
                SPACE.find_numbers(level, state, action)

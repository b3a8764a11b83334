"""What turning cells pass, against turning them in small steps."""

import math
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from pysim.geometry import Axis, Cell, Sectors

AXES = st.sampled_from(list(Axis))
COORDINATES = st.integers(-4, 4)
CELLS = st.tuples(COORDINATES, COORDINATES, st.integers(0, 1))
QUARTERS = st.sampled_from([1, 2, 3])


def in_space(axis: Axis, centre: Cell, flat: Cell) -> Cell:
    """A cell by its right-handed coordinates across and along an axis."""
    u, v, along = flat
    found = [0, 0, 0]
    found[axis.number] = along
    found[(axis.number + 1) % 3] = u
    found[(axis.number + 2) % 3] = v
    x, y, z = (a + b for a, b in zip(found, centre, strict=True))
    return x, y, z


def passes(turning: Cell, other: Cell, quarters: int, reach: float = 0.5) -> bool:
    """Whether a point of the one cell gets into the other, looked at every degree.

    The other cell reaches so far from its middle. Points are an eighth apart, so a reach of 0.5
    overlooks what only grazes, and what gets in at all gets within 0.66: half a degree moves a
    corner by 0.06 at most, and the next point is 0.09 away at most.
    """
    degrees = 90 * quarters if quarters < 3 else -90
    inside = [k / 8 - 0.5 for k in range(9)]
    for step in range(abs(degrees) + 1):
        angle = math.radians(math.copysign(step, degrees))
        for a, b in product(inside, repeat=2):
            u, v = turning[0] + a, turning[1] + b
            x = math.cos(angle) * u - math.sin(angle) * v - other[0]
            y = math.sin(angle) * u + math.cos(angle) * v - other[1]
            if max(abs(x), abs(y)) < reach - 1e-9:
                return turning[2] == other[2]
    return False


@given(AXES, CELLS, CELLS, CELLS, QUARTERS)
def test_what_a_cell_gets_into_is_in_its_sectors(
    axis: Axis, centre: Cell, turning: Cell, other: Cell, quarters: int
) -> None:
    one, two = (in_space(axis, centre, cell) for cell in (turning, other))
    if passes(turning, other, quarters):
        assert Sectors(axis, centre, [one], quarters).overlaps(two)


@given(AXES, CELLS, CELLS, CELLS, QUARTERS)
def test_what_is_in_its_sectors_it_gets_into(
    axis: Axis, centre: Cell, turning: Cell, other: Cell, quarters: int
) -> None:
    one, two = (in_space(axis, centre, cell) for cell in (turning, other))
    if Sectors(axis, centre, [one], quarters).overlaps(two):
        assert passes(turning, other, quarters, 0.66)


@given(AXES, CELLS, CELLS)
def test_a_half_turn_passes_what_two_quarters_pass(axis: Axis, turning: Cell, other: Cell) -> None:
    one, two = (in_space(axis, (0, 0, 0), cell) for cell in (turning, other))
    behind = in_space(axis, (0, 0, 0), (-turning[1], turning[0], turning[2]))
    quarters = [Sectors(axis, (0, 0, 0), [cell], 1).overlaps(two) for cell in (one, behind)]
    assert Sectors(axis, (0, 0, 0), [one], 2).overlaps(two) == any(quarters)

"""Taking assemblies apart in plain Python, for those that are soon done.

It does what :mod:`pysim.families.burr.solver.takedown` does, in the same order;
:mod:`pysim.families.burr.solver.separation` says what is tried and why. Sets of pieces are
integers, one bit for each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pysim.families.burr.files.design import Problem
from pysim.families.burr.solver.limits import (
    FAR,
    MAX_CONFIGURATIONS,
    MAX_SETS,
    BurrLevel,
    SearchTooLarge,
    check_spread,
    describe_too_many,
)
from pysim.families.burr.solver.staying import is_left_together, may_stay_together
from pysim.geometry import Cell
from pysim.search.work import WorkBudget

__all__ = ["PlainTakedown", "StandingPart"]

Positions = tuple[Cell, ...]
"""A configuration: the low corner of each piece, relative to the first."""
Reach = list[list[list[int]]]
"""For each direction +x -x +y -y +z -z and each piece how far it can go before it hits others."""


@dataclass(frozen=True, slots=True)
class StandingPart:
    """A piece that stands somewhere.

    Attributes:
        part: which part it is a copy of.
        shape: a number; equal for pieces whose cells differ by a translation.
        cells: where it stands.
        corner: the low corner of these cells.
        weight: of its shape.
    """

    part: int
    shape: int
    cells: tuple[Cell, ...]
    corner: Cell
    weight: int


class PlainTakedown:
    """Takes assemblies of one problem apart, and remembers how their pieces hinder each other."""

    def __init__(self, problem: Problem, work: WorkBudget) -> None:
        self._problem = problem
        self._work = work
        self._gaps: dict[tuple[int, int, Cell], tuple[int, ...]] = {}

    def compute_level(self, bodies: Sequence[StandingPart]) -> BurrLevel | None:
        """Compute the level of an assembly.

        None if it does not come apart, and may not stay together.

        Raises:
            OutOfWork: there is more to do than may be done.
            SearchTooLarge: there is more to do than this solver does at all.
        """
        return self._take(bodies, tuple(body.corner for body in bodies))

    def _take(self, bodies: Sequence[StandingPart], places: Positions) -> BurrLevel | None:
        if len(bodies) == 1:
            return ()
        level = self._separate(bodies, places)
        stay = level is None and may_stay_together(self._problem, [b.part for b in bodies])
        return () if stay else level

    def _separate(self, bodies: Sequence[StandingPart], places: Positions) -> BurrLevel | None:
        found = self._first_separation(bodies, places)
        if found is None:
            return None
        moves, places, taken = found
        level: BurrLevel = (moves,)
        for side in (0, 1):
            part = [i for i in range(len(bodies)) if taken >> i & 1 == side]
            rest = self._rest([bodies[i] for i in part], tuple(places[i] for i in part))
            if rest is None:
                return None
            if any(moves > 1 for moves in rest):
                level += rest
        return level

    def _rest(self, bodies: Sequence[StandingPart], places: Positions) -> BurrLevel | None:
        """The level of what is left; pieces that belong to one group alone are left together."""
        if is_left_together(self._problem, [body.part for body in bodies]):
            return ()
        return self._take(bodies, places)

    def _first_separation(
        self, bodies: Sequence[StandingPart], places: Positions
    ) -> tuple[int, Positions, int] | None:
        """Moves, the configuration before the last, and the pieces that it takes away as bits."""
        check_spread(1 + _longest(body.cells) for body in bodies)
        start = _relative(places)
        depths = {start: 1}
        queue = [start]
        for here in queue:
            if len(queue) > MAX_CONFIGURATIONS:
                raise SearchTooLarge(describe_too_many(len(bodies)))
            reach = self._reach(bodies, here)
            taken = _taken(reach, [body.weight for body in bodies])
            if taken:
                return depths[here], here, taken
            for direction in range(6):
                for moving, units in _moves(reach[direction]):
                    there = _moved(here, moving, direction, units)
                    if there not in depths:
                        depths[there] = depths[here] + 1
                        queue.append(there)
        return None

    def _reach(self, bodies: Sequence[StandingPart], places: Positions) -> Reach:
        count = len(bodies)
        self._work.use(60 * count * count)
        reach = [[[FAR] * count for _ in bodies] for _ in range(6)]
        for j, (x, y, z) in enumerate(places):
            for i, (a, b, c) in enumerate(places[:j]):
                gaps = self._between(bodies[i], bodies[j], (x - a, y - b, z - c))
                for direction, gap in enumerate(gaps):
                    reach[direction][i][j] = gap
                    reach[direction ^ 1][j][i] = gap
        return reach

    def _between(self, one: StandingPart, other: StandingPart, apart: Cell) -> tuple[int, ...]:
        """Return the distances that a piece can go in each direction before it hits another one."""
        key = (one.shape, other.shape, apart)
        gaps = self._gaps.get(key)
        if gaps is None:
            self._work.use(30 * (len(one.cells) + len(other.cells)))
            gaps = self._gaps[key] = tuple(_gaps(_standing(one), _standing(other, apart)))
        return gaps


def _longest(cells: Sequence[Cell]) -> int:
    return max(max(c[a] for c in cells) - min(c[a] for c in cells) for a in range(3))


def _standing(body: StandingPart, at: Cell = (0, 0, 0)) -> list[Cell]:
    """Return the cells of a piece whose low corner is ``at``."""
    x, y, z = (at[a] - body.corner[a] for a in range(3))
    return [(a + x, b + y, c + z) for a, b, c in body.cells]


def _gaps(mine: list[Cell], other: list[Cell]) -> Iterator[int]:
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        lines: dict[tuple[int, int], list[int]] = {}
        for cell in other:
            lines.setdefault((cell[u], cell[v]), []).append(cell[axis])
        ahead = behind = FAR + 1
        for cell in mine:
            for place in lines.get((cell[u], cell[v]), ()):
                gap = place - cell[axis]
                if gap > 0:
                    ahead = min(ahead, gap)
                else:
                    behind = min(behind, -gap)
        yield ahead - 1
        yield behind - 1


def _relative(places: Positions) -> Positions:
    x, y, z = places[0]
    return tuple((a - x, b - y, c - z) for a, b, c in places)


def _moved(places: Positions, moving: int, direction: int, units: int) -> Positions:
    """Return the configuration after a move, relative to its first piece."""
    axis, by = direction >> 1, units if direction % 2 == 0 else -units
    step = tuple(by if a == axis else 0 for a in range(3))
    moved = tuple(
        (x + step[0], y + step[1], z + step[2]) if moving >> i & 1 else (x, y, z)
        for i, (x, y, z) in enumerate(places)
    )
    return _relative(moved) if moving & 1 else moved


def _hindered(reach: list[list[int]], units: int) -> list[int]:
    """For each piece those that it would hit if it went so far, as bits."""
    return [sum(1 << j for j, gap in enumerate(row) if gap < units) for row in reach]


def _closure(hindered: list[int], piece: int) -> int:
    """Return the smallest set with a piece that can go."""
    moving, reached = 0, 1 << piece
    while reached:
        bit = reached & -reached
        moving |= bit
        reached = (reached | hindered[bit.bit_length() - 1]) & ~moving
    return moving


def _taken(reach: Reach, weights: list[int]) -> int:
    """Return the pieces that can be taken out now; none if nothing can."""
    count = len(weights)
    full = (1 << count) - 1
    sets = [
        _closure(hindered, piece)
        for hindered in (_hindered(reach[direction], FAR) for direction in range(6))
        for piece in range(count)
    ]
    for most in (1, count // 2):
        for bits in sets:
            if bits != full and bits.bit_count() <= most:
                moving = max(w for i, w in enumerate(weights) if bits >> i & 1)
                staying = max(w for i, w in enumerate(weights) if not bits >> i & 1)
                return full & ~bits if staying < moving else bits
    return 0


def _moves(reach: list[list[int]]) -> list[tuple[int, int]]:
    """Return the sets that can move in one direction, and how far."""
    count = len(reach)
    full = (1 << count) - 1
    found: dict[tuple[int, int], None] = {}
    hindered: dict[int, list[int]] = {}
    for piece in range(count):
        units = 0
        while len(found) < MAX_SETS:
            units += 1
            if units not in hindered:
                hindered[units] = _hindered(reach, units)
            bits = _closure(hindered[units], piece)
            if bits == full or bits.bit_count() > count // 2:
                break
            if (bits, units) in found:
                continue
            known = list(found)
            found[bits, units] = None
            for earlier, far in reversed(known):
                union = earlier | bits
                if far == units and union not in (full, bits, earlier) and len(found) < MAX_SETS:
                    found.setdefault((union, units))
    return list(found)

"""Which moves a group of interlocked pieces allows, independent of where it is held.

A *configuration* is the relative position of the pieces of one group: offsets from their home
poses, shifted so that the first piece has offset (0, 0, 0). A *move* translates a set of pieces
along one axis. For a direction and a distance k, pushing piece i takes with it everything in its
way: the smallest set that can move is the closure of {i} under "would be hit within k units".
Every set that can move is a union of such closures. (BurrTools' movement analysis rests on the same
idea.)
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pysim.families.burr.lock import Lock
from pysim.families.burr.moves import separating_distance
from pysim.families.burr.workspace import shifted
from pysim.geometry import Bounds, Cell, Direction, Pose, add, scale, subtract
from pysim.kinds import OUT, Distance, Steps

__all__ = ["Configuration", "GroupMove", "Mobility"]

FAR = 1 << 30
"""Distance that stands for "never hit"."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Pieces of one group and their offsets relative to the first one's."""

    pieces: tuple[int, ...]
    offsets: tuple[Cell, ...]

    @staticmethod
    def of(offsets: dict[int, Cell]) -> "Configuration":
        """The configuration of pieces whose offsets from home are given."""
        pieces = tuple(sorted(offsets))
        origin = offsets[pieces[0]]
        return Configuration(pieces, tuple(subtract(offsets[i], origin) for i in pieces))

    def as_dict(self) -> dict[int, Cell]:
        """Piece -> offset."""
        return dict(zip(self.pieces, self.offsets, strict=True))


@dataclass(frozen=True, slots=True)
class GroupMove:
    """A move that a configuration allows.

    Attributes:
        moving: the pieces that move.
        direction: where to.
        distance: how far, in units.
        separates: whether ``moving`` is then separated from the rest.
        parts: the configurations after it: one, or two when it separates (the moving part first).
    """

    moving: frozenset[int]
    direction: Direction
    distance: int
    separates: bool
    parts: tuple[Configuration, ...]

    @property
    def distances(self) -> tuple[Distance, ...]:
        """How a slide may put it, the better way first.

        ``out`` leads all the way past the rest, which can be in the way where pieces are separated
        after fewer units already, because nothing reached into anything before.
        """
        units = Steps(self.distance)
        return (OUT, units) if self.separates else (units,)


class Mobility:
    """Moves of groups of one lock's pieces, every piece in one fixed rotation."""

    def __init__(self, lock: Lock, poses: dict[int, Pose] | None = None) -> None:
        """``poses``: piece -> the pose that counts as its home; the assembled lock's by default."""
        self._space = lock.workspace
        self._poses = poses or {i: piece.home for i, piece in enumerate(lock.pieces)}
        self._bounds = {i: self._space.piece_bounds(i, p) for i, p in self._poses.items()}
        self._reach: dict[tuple[int, int, Cell, Direction], int] = {}

    def moves(self, configuration: Configuration) -> Iterator[GroupMove]:
        """Every move: minimal ones first, then unions of minimal ones."""
        for direction in Direction:
            by_distance = self._closures(configuration, direction)
            for distance, closures in by_distance.items():
                for moving in _unions(closures, len(configuration.pieces)):
                    yield self._move(configuration, moving, direction, distance)

    def minimal_moves(self, configuration: Configuration) -> Iterator[GroupMove]:
        """The moves that are no unions of others; every move is a sequence of these."""
        for direction in Direction:
            for distance, closures in self._closures(configuration, direction).items():
                for moving in closures:
                    yield self._move(configuration, moving, direction, distance)

    def _closures(
        self, configuration: Configuration, direction: Direction
    ) -> dict[int, list[frozenset[int]]]:
        """Distance -> minimal sets that can go that far, until they are separated."""
        offsets = configuration.as_dict()
        reach = {
            (i, j): self._pair(i, j, subtract(offsets[j], offsets[i]), direction)
            for i in offsets
            for j in offsets
            if i != j
        }
        found: dict[int, list[frozenset[int]]] = {}
        for start in offsets:
            distance = 0
            while True:
                distance += 1
                moving = _closure(start, distance, offsets, reach)
                if len(moving) == len(offsets):
                    break
                sets = found.setdefault(distance, [])
                if moving not in sets:
                    sets.append(moving)
                if distance >= self._out(offsets, moving, direction):
                    break
        return found

    def _move(
        self,
        configuration: Configuration,
        moving: frozenset[int],
        direction: Direction,
        distance: int,
    ) -> GroupMove:
        offsets = configuration.as_dict()
        step = scale(direction.vector, distance)
        moved = {i: add(o, step) if i in moving else o for i, o in offsets.items()}
        first = {i: o for i, o in moved.items() if i in moving}
        rest = {i: o for i, o in moved.items() if i not in moving}
        if self._around(first).overlaps(self._around(rest)):
            return GroupMove(moving, direction, distance, False, (Configuration.of(moved),))
        parts = (Configuration.of(first), Configuration.of(rest))
        return GroupMove(moving, direction, distance, True, parts)

    def _out(self, offsets: dict[int, Cell], moving: frozenset[int], direction: Direction) -> int:
        first = {i: o for i, o in offsets.items() if i in moving}
        rest = {i: o for i, o in offsets.items() if i not in moving}
        return separating_distance(self._around(first), self._around(rest), direction)

    def _around(self, offsets: dict[int, Cell]) -> Bounds:
        return Bounds.around(self._bounds[i].moved(o) for i, o in offsets.items())

    def _pair(self, i: int, j: int, relative: Cell, direction: Direction) -> int:
        """Units that piece i can go before it hits piece j, ``relative`` = offset j - offset i."""
        key = (i, j, relative, direction)
        found = self._reach.get(key)
        if found is None:
            found = self._reach[key] = self._measure(i, j, relative, direction)
        return found

    def _measure(self, i: int, j: int, relative: Cell, direction: Direction) -> int:
        mine, other = self._bounds[i], self._bounds[j].moved(relative)
        along = direction.axis.number
        beside = any(
            mine.low[a] > other.high[a] or other.low[a] > mine.high[a]
            for a in range(3)
            if a != along
        )
        behind = _gap(other, mine, direction) >= 0
        if beside or behind:
            return FAR
        # Piece i stands at its home. The gap up to piece j needs no test; without it both are near
        # the room.
        gap = max(0, _gap(mine, other, direction))
        near = add(relative, scale(direction.vector, -gap))
        moving = self._space.mask(i, self._poses[i])
        standing = self._space.mask(j, self._poses[j].moved(near))
        step = self._space.step(direction)
        for travel in range(gap, separating_distance(mine, other, direction)):
            moving = shifted(moving, step)
            if moving & standing:
                return travel
        return FAR


def _gap(mine: Bounds, other: Bounds, direction: Direction) -> int:
    """Free units between two blocks along ``direction``; negative if they overlap."""
    axis = direction.axis.number
    if direction.sign > 0:
        return other.low[axis] - mine.high[axis] - 1
    return mine.low[axis] - other.high[axis] - 1


def _closure(
    start: int, distance: int, pieces: dict[int, Cell], reach: dict[tuple[int, int], int]
) -> frozenset[int]:
    """The smallest set with ``start`` that can go ``distance`` without hitting another piece."""
    moving = {start}
    frontier = [start]
    while frontier:
        i = frontier.pop()
        for j in pieces:
            if j not in moving and reach[i, j] < distance:
                moving.add(j)
                frontier.append(j)
    return frozenset(moving)


def _unions(closures: list[frozenset[int]], size: int) -> list[frozenset[int]]:
    """All unions of one or more of ``closures`` that leave something behind, smallest first."""
    found: dict[frozenset[int], None] = dict.fromkeys(closures)
    frontier = list(found)
    while frontier:
        current = frontier.pop()
        for other in closures:
            union = current | other
            if len(union) < size and union not in found:
                found[union] = None
                frontier.append(union)
    return sorted(found, key=lambda s: (len(s), sorted(s)))

"""Draws motions of the bodies in a scene, for the vectors of ``tools/gen_vectors.py``."""

import random
from collections.abc import Callable, Iterator

from pysim.carrying import NoPath, find_path
from pysim.geometry import Axis, Bounds, Cell, Direction, Pose, Rotation, scale, subtract
from pysim.motion import Carry, Motion, Sweep, Turn
from pysim.path import Path, Segment, Shift, Spin, rotate_block
from pysim.scene import Scene

__all__ = ["DIRECTIONS", "STRANGER", "MotionChooser"]

STRANGER = "nobody"
"""A body that is in no scene."""
DIRECTIONS = tuple(Direction)


class MotionChooser:
    """Draws motions at random: likely and unlikely ones, and some that make no sense.

    Args:
        rng: where its choices come from.
        scene: the bodies.
        pose: where one of them is now.
        turns: whether most of the motions are turns.
    """

    def __init__(
        self, rng: random.Random, scene: Scene, pose: Callable[[str], Pose], *, turns: bool
    ) -> None:
        self._chance = rng
        self._turns = turns
        self._scene, self._pose = scene, pose
        self._names = [body.name for body in scene.bodies]

    def motions(self) -> list[Motion]:
        """Return the motions of one step."""
        if self._turns and self._chance.random() < 0.9:
            return self._turned()
        kind = self._chance.random()
        if kind < 0.62:
            return [self._sweep()]
        if kind < 0.80:
            return [self._carry()]
        if kind < 0.90:
            return self._chance.choice(
                [
                    [self._carry(), self._sweep()],
                    [self._sweep(), self._carry()],
                    [self._carry(), self._carry()],
                    self._swap(),
                    [],
                ]
            )
        return self._nonsense()

    def _sweep(self) -> Sweep:
        most = self._chance.choice([1, 1, 2, max(1, len(self._names) - 1)])
        group = self._chance.sample(
            self._names, self._chance.randint(1, min(most, len(self._names)))
        )
        distance = self._chance.choice([1, 1, 2, 3, self._chance.randint(1, 30)])
        return Sweep(frozenset(group), self._chance.choice(DIRECTIONS), distance)

    def _carry(self) -> Carry:
        """Along random legs; or, more often, somewhere that the planner knows a way to."""
        loose = self._scene.table is not None and self._chance.random() < 0.3
        if self._chance.random() < 0.3:
            most = self._chance.choice([1, 1, 2, len(self._names)])
            group = self._chance.sample(self._names, self._chance.randint(1, most))
            legs = [self._leg(group[0]) for _ in range(self._chance.randint(0, 3))]
            return Carry(frozenset(group), Path(legs), loose)
        name = self._chance.choice(self._names)
        return Carry(frozenset([name]), Path(self._planned(name)), loose)

    def _leg(self, name: str) -> Segment:
        """Straight on; or turned in place, if it is the first leg of a body alone."""
        if self._chance.random() < 0.7:
            return Shift(self._chance.choice(DIRECTIONS), self._chance.choice([1, 2, 3, 12]))
        rotation = Rotation(self._chance.randrange(1, 24))
        block = self._block(name)
        return Spin(rotation, subtract(block.low, rotate_block(block, rotation).low))

    def _planned(self, name: str) -> tuple[Segment, ...]:
        """Return a way past the blocks around all others, to a place that may be taken."""
        places = [block for block in (self._scene.work, self._scene.table) if block is not None]
        low, high = (lambda block: (block.low, block.high))(self._chance.choice(places))
        x, y, z = (self._chance.randint(low[i] - 2, high[i] + 2) for i in range(3))
        others = tuple(self._block(other) for other in self._names if other != name)
        rotation = Rotation(self._chance.choice([0, self._chance.randrange(24)]))
        try:
            return find_path((self._block(name),), (x, y, z), others, rotation=rotation)
        except NoPath:
            return (self._leg(name),)

    def _block(self, name: str) -> Bounds:
        """Return the block around a body now."""
        return self._pose(name).place(self._scene.find_body(name).shape).bounds

    def _turned(self) -> list[Motion]:
        """One to three turns, now and then with something else, or one that makes no sense."""
        kind = self._chance.random()
        if kind < 0.06:
            first, others = self._turn(), list[Motion]([self._sweep(), self._carry()])
            return [first, self._chance.choice(others)]
        if kind < 0.12:
            return [self._turn(), self._senseless_turn()]
        return [self._turn() for _ in range(self._chance.choice([1, 1, 2, 3]))]

    def _turn(self) -> Turn:
        """Of a layer, as often as not, or of some bodies; about a cell near by."""
        axis = self._chance.choice(tuple(Axis))
        pivot = self._block(self._chance.choice(self._names))
        x, y, z = (self._chance.randint(pivot.low[i] - 1, pivot.high[i] + 1) for i in range(3))
        if self._chance.random() < 0.5:
            group, (x, y, z) = self._layer(axis, pivot), self._middle()
        else:
            most = min(len(self._names), self._chance.choice([1, 1, 2, 6]))
            group = self._chance.sample(self._names, most)
        quarters, hinged = self._chance.randint(1, 3), self._chance.random() < 0.5
        return Turn(frozenset(group), axis, (x, y, z), quarters, hinged)

    def _layer(self, axis: Axis, block: Bounds) -> list[str]:
        """Return the bodies of which all is in the layers of a block."""
        low, high = block.low[axis.number], block.high[axis.number]
        blocks = {name: self._block(name) for name in self._names}
        return [
            name
            for name, other in blocks.items()
            if low <= other.low[axis.number] and other.high[axis.number] <= high
        ]

    def _middle(self) -> Cell:
        """Return a cell in the middle of where the puzzle is worked on."""
        work = self._scene.work
        x, y, z = ((low + high) // 2 for low, high in zip(work.low, work.high, strict=True))
        return (x, y, z)

    def _senseless_turn(self) -> Turn:
        name, axis = self._chance.choice(self._names), self._chance.choice(tuple(Axis))
        far = self._chance.choice([(1 << 20) + 999, 1 << 22, (1 << 31) - 1])
        one, here = frozenset({name}), (0, 0, 0)
        return self._chance.choice(
            [
                Turn(frozenset(), axis, here, 1),
                Turn(frozenset({name, STRANGER}), axis, here, 1),
                Turn(one, axis, here, self._chance.choice([0, 4, -1])),
                Turn(one, axis, (far, far, far), self._chance.randint(1, 3)),
                Turn(one, Axis.X, (0, 0, -far), 1, hinged=True),
                Turn(one, Axis.Z, (0, 0, far), 2, hinged=True),
            ]
        )

    def _swap(self) -> list[Motion]:
        """One body aside, a second to where it was, and then something that may be blocked."""
        first, second = self._chance.sample(self._names, 2)
        there, here = self._pose(first), self._pose(second)
        up, across = Shift(Direction.PLUS_Z, 40), subtract(there.offset, here.offset)
        return [
            Carry(frozenset([first]), Path([up]), False),
            Carry(frozenset([second]), Path(_straight(across)), False),
            Carry(frozenset([first]), Path([Shift(Direction.MINUS_Z, 40)]), False),
        ]

    def _nonsense(self) -> list[Motion]:
        name, direction = self._chance.choice(self._names), self._chance.choice(DIRECTIONS)
        far = scale(direction.vector, self._chance.choice([1 << 20, (1 << 20) - 3, 1 << 30]))
        table = self._scene.table
        deep = (0, 0, (table.low[2] if table else 0) - 40)
        rotation = Rotation(self._chance.randrange(1, 24))
        return self._chance.choice(
            [
                [Sweep(frozenset({name, STRANGER}), direction, 1)],
                [Carry(frozenset([STRANGER]), Path(), False)],
                [Carry(frozenset([name, STRANGER]), Path(), False)],
                [Carry(frozenset(), Path([Shift(direction, 1)]), False)],
                [Carry(frozenset([name]), Path([Shift(direction, 0)]), False)],
                [Carry(frozenset([name]), Path([Spin(Rotation(0), (0, 0, 0))]), False)],
                [Sweep(frozenset({name}), direction, self._chance.choice([0, -1, -(1 << 30)]))],
                [Sweep(frozenset(), direction, 1)],
                [self._sweep(), self._sweep()],
                [Sweep(frozenset(self._names), direction, 1 << 21)],
                [Sweep(frozenset({name}), direction, (1 << 31) - 1)],
                [Carry(frozenset([name]), Path([Spin(rotation, far)]), False)],
                [self._carry(), Carry(frozenset([name]), Path([Shift(direction, 1 << 21)]), False)],
                [Carry(frozenset([name]), Path([Spin(rotation, deep)]), True)],
                [Carry(frozenset([name]), Path([Shift(Direction.MINUS_Z, 60)]), True)],
                [Sweep(frozenset({name, STRANGER}), direction, 0)],
            ]
        )


def _straight(way: Cell) -> Iterator[Shift]:
    """Along x, then y, then z."""
    for axis, units in zip("xyz", way, strict=True):
        if units:
            yield Shift(Direction(("+" if units > 0 else "-") + axis), abs(units))

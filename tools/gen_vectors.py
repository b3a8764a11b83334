"""Writes ``tests/golden/lattice``: ``python tools/gen_vectors.py``.

The vectors say what the exact world answers, for every other implementation of it to answer the
same: one JSON document for each scene::

    {"scene": {"bodies": [{"name", "cells": [x, y, z, ...], "pose": [rotation, x, y, z], "loose"}],
               "table": z | null},
     "digest": "...",
     "steps": [[motions, verdict, travel, contacts, digest], ...]}

A motion is ``[0, bodies, direction, distance]`` (a sweep; directions are numbered from 1 in the
order +x -x +y -y +z -z) or ``[1, bodies, legs, loose]`` (a carry), a leg being ``[direction,
distance]`` (a shift) or ``[rotation, x, y, z]`` (a spin), or ``[2, bodies, axis, [x, y, z],
quarters, hinged]`` (a turn; axes are numbered from 1). Bodies go by their place in the scene; -1
is one that is not there. The verdict is ``free``, ``blocked``, ``unknown``
(a body that is not there) or ``invalid``; the last two change nothing. No motions and the verdict
``reset`` stand for building the scene again. Digests are hexadecimal; docs/unity.md defines them.
"""

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import Any

from bridge.unity.state import LatticeState
from pysim.carrying import NoWay, find_way
from pysim.catalog import AnyLevel, families, family_of, levels
from pysim.geometry import (
    Axis,
    Bounds,
    Cell,
    Direction,
    Pose,
    Rotation,
    Voxels,
    add,
    scale,
    subtract,
)
from pysim.legs import Leg, Shift, Spin, Way, turned_block
from pysim.motion import Carry, Motion, Sweep, Turn
from pysim.physics.lattice import LatticeWorld
from pysim.physics.world import Report
from pysim.render.palette import PALETTE
from pysim.scene import Body, Colour, Scene

__all__ = ["Tour", "document_of", "level_tour", "packed_tour", "tours", "turned_tour", "walk"]

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "lattice"
STEPS = 280
"""Steps in each scene."""
MOST = 30
"""Levels of a family, at most."""
MOST_TURNING = 8
"""Levels of a family whose plans turn bodies, at most."""
PACKED = 6
"""Boxes full of winding bodies."""
TURNED = 8
"""Such boxes in which most motions are turns."""
TURNING_STEPS = 310
"""Steps in each scene in which most motions are turns."""
STRANGER = "nobody"
"""A body that is in no scene."""
DIRECTIONS = tuple(Direction)


@dataclass(frozen=True)
class Tour:
    """A scene, and motions that lead somewhere in it."""

    name: str
    scene: Scene
    plan: tuple[tuple[Motion, ...], ...] = ()
    turns: bool = False

    @property
    def steps(self) -> int:
        """Steps that its vectors have."""
        return TURNING_STEPS if self.turns else STEPS


def main() -> None:
    """Write every vector."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=GOLDEN)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for stale in out.glob("*.json"):
        stale.unlink()
    for tour in tours():
        (out / f"{tour.name}.json").write_text(document_of(tour), encoding="utf-8")


# -- scenes ----------------------------------------------------------------------------------------


def tours() -> Iterator[Tour]:
    """Levels that ship, evenly chosen in each family, and boxes full of winding bodies."""
    for family in families():
        shipped = [level for level in levels() if level.family == family]
        most = MOST_TURNING if level_tour(shipped[0]).turns else MOST
        yield from map(level_tour, shipped[:: -(-len(shipped) // most)])
    yield from map(packed_tour, range(PACKED))
    yield from map(turned_tour, range(TURNED))


def packed_tour(number: int) -> Tour:
    """A full box of winding bodies; no level, but poses of every kind."""
    return Tour(f"packed-{number}", _packed(random.Random(f"packed {number}")))


def turned_tour(number: int) -> Tour:
    """A full box of winding bodies, of which many turn."""
    scene = _packed(random.Random(f"turned {number}"))
    return Tour(f"turned-{number}", scene, turns=True)


def level_tour(level: AnyLevel) -> Tour:
    """A level at its start, with its plan."""
    rules = family_of(level).rules
    state = rules.initial(level)
    scene = rules.scene(level, state)
    steps: list[tuple[Motion, ...]] = []
    for action in level.plan.actions if level.plan else ():
        transition = rules.apply(level, state, action)
        steps.append(transition.motions)
        state = transition.state
    turns = any(isinstance(motion, Turn) for motions in steps for motion in motions)
    return Tour(level.id, scene, tuple(steps), turns)


def _packed(chance: random.Random) -> Scene:
    """A full box of winding bodies, each turned in its own frame; with or without a table."""
    size = (chance.randint(3, 5), chance.randint(3, 5), chance.randint(2, 5))
    box = Voxels.block(size)
    free = set(box.cells)
    grown = [[cell] for cell in chance.sample(sorted(free), chance.randint(4, 9))]
    free -= {cells[0] for cells in grown}
    while free:
        cells = chance.choice(grown)
        cell = add(chance.choice(cells), chance.choice(DIRECTIONS).vector)
        if cell in free:
            free.discard(cell)
            cells.append(cell)
    table = Bounds((8, 0, 0), (20, 12, 0)) if chance.random() < 0.7 else None
    bodies = (
        _turned(Colour(colour), Voxels.of(cells), chance)
        for colour, cells in zip(PALETTE, grown, strict=False)
    )
    return Scene(tuple(bodies), box.bounds, table)


def _turned(colour: Colour, placed: Voxels, chance: random.Random) -> Body:
    """A body that covers ``placed``, with any rotation and any origin."""
    rotation = Rotation(chance.randrange(24))
    offset = (chance.randint(-9, 9), chance.randint(-9, 9), chance.randint(-9, 9))
    shape = placed.moved(scale(offset, -1)).rotated(rotation.inverse)
    return Body(colour, shape, Pose(rotation, offset), colour)


# -- what is asked ---------------------------------------------------------------------------------


class _Chooser:
    """Draws motions at random: likely and unlikely ones, and some that make no sense."""

    def __init__(self, chance: random.Random, witness: "_Witness", *, turns: bool) -> None:
        self._chance = chance
        self._turns = turns
        self._witness = witness
        self._scene = witness.scene
        self._names = [body.name for body in witness.scene.bodies]

    def motions(self) -> list[Motion]:
        """The motions of one step."""
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
            return Carry(frozenset(group), Way(legs), loose)
        name = self._chance.choice(self._names)
        return Carry(frozenset([name]), Way(self._planned(name)), loose)

    def _leg(self, name: str) -> Leg:
        """Straight on; or turned in place, if it is the first leg of a body alone."""
        if self._chance.random() < 0.7:
            return Shift(self._chance.choice(DIRECTIONS), self._chance.choice([1, 2, 3, 12]))
        rotation = Rotation(self._chance.randrange(1, 24))
        block = self._block(name)
        return Spin(rotation, subtract(block.low, turned_block(block, rotation).low))

    def _planned(self, name: str) -> tuple[Leg, ...]:
        """A way past the blocks around all others, to a place that may be taken."""
        places = [block for block in (self._scene.work, self._scene.table) if block is not None]
        low, high = (lambda block: (block.low, block.high))(self._chance.choice(places))
        x, y, z = (self._chance.randint(low[i] - 2, high[i] + 2) for i in range(3))
        others = tuple(self._block(other) for other in self._names if other != name)
        rotation = Rotation(self._chance.choice([0, self._chance.randrange(24)]))
        try:
            return find_way((self._block(name),), (x, y, z), others, rotation=rotation)
        except NoWay:
            return (self._leg(name),)

    def _block(self, name: str) -> Bounds:
        """The block around a body now."""
        return self._witness.pose(name).place(self._scene.body(name).shape).bounds

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
        """The bodies of which all is in the layers of a block."""
        low, high = block.low[axis.number], block.high[axis.number]
        blocks = {name: self._block(name) for name in self._names}
        return [
            name
            for name, other in blocks.items()
            if low <= other.low[axis.number] and other.high[axis.number] <= high
        ]

    def _middle(self) -> Cell:
        """A cell in the middle of where the puzzle is worked on."""
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
        there, here = self._witness.pose(first), self._witness.pose(second)
        up, across = Shift(Direction.PLUS_Z, 40), subtract(there.offset, here.offset)
        return [
            Carry(frozenset([first]), Way([up]), False),
            Carry(frozenset([second]), Way(_straight(across)), False),
            Carry(frozenset([first]), Way([Shift(Direction.MINUS_Z, 40)]), False),
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
                [Carry(frozenset([STRANGER]), Way(), False)],
                [Carry(frozenset([name, STRANGER]), Way(), False)],
                [Carry(frozenset(), Way([Shift(direction, 1)]), False)],
                [Carry(frozenset([name]), Way([Shift(direction, 0)]), False)],
                [Carry(frozenset([name]), Way([Spin(Rotation(0), (0, 0, 0))]), False)],
                [Sweep(frozenset({name}), direction, self._chance.choice([0, -1, -(1 << 30)]))],
                [Sweep(frozenset(), direction, 1)],
                [self._sweep(), self._sweep()],
                [Sweep(frozenset(self._names), direction, 1 << 21)],
                [Sweep(frozenset({name}), direction, (1 << 31) - 1)],
                [Carry(frozenset([name]), Way([Spin(rotation, far)]), False)],
                [self._carry(), Carry(frozenset([name]), Way([Shift(direction, 1 << 21)]), False)],
                [Carry(frozenset([name]), Way([Spin(rotation, deep)]), True)],
                [Carry(frozenset([name]), Way([Shift(Direction.MINUS_Z, 60)]), True)],
                [Sweep(frozenset({name, STRANGER}), direction, 0)],
            ]
        )


def _straight(way: Cell) -> Iterator[Shift]:
    """Along x, then y, then z."""
    for axis, units in zip("xyz", way, strict=True):
        if units:
            yield Shift(Direction(("+" if units > 0 else "-") + axis), abs(units))


# -- what is answered ------------------------------------------------------------------------------


class _Witness:
    """The exact world, and the state that it is in."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.state = LatticeState.of(scene)
        self._world = LatticeWorld()
        self._world.reset(scene)

    def reset(self) -> None:
        self._world.reset(self.scene)
        self.state = LatticeState.of(self.scene)

    def pose(self, name: str) -> Pose:
        """Where a body is now."""
        return self.state.places[name][0]

    def execute(self, motions: Sequence[Motion]) -> Report:
        """What the world reports.

        Raises:
            KeyError, ValueError: as the world does.
        """
        report = self._world.execute(motions)
        if report.completed:
            self.state = self.state.after(motions)
        return report


Verdict = tuple[str, int, tuple[str, ...]]
"""What became of motions, units gone, and what stood in the way, in the scene's order."""


def _verdict(witness: _Witness, motions: Sequence[Motion]) -> Verdict:
    try:
        report = witness.execute(motions)
    except KeyError:
        return "unknown", 0, ()
    except ValueError:
        return "invalid", 0, ()
    contacts = tuple(b.name for b in witness.scene.bodies if b.name in report.contacts)
    return ("free" if report.completed else "blocked"), report.travel, contacts


def walk(tour: Tour, count: int) -> Iterator[tuple[list[Motion] | None, Verdict, int]]:
    """Steps in a scene, what came of each, and the digest after it; None builds the scene anew."""
    chance = random.Random(f"walk {tour.name}")
    witness = _Witness(tour.scene)
    chooser = _Chooser(chance, witness, turns=tour.turns)
    done = 0
    while done < count:
        opening = tour.plan[: chance.randint(0, len(tour.plan))]
        script = [list(motions) for motions in opening] + [None] * chance.randint(10, 40)
        for line in script[: count - done]:
            motions = chooser.motions() if line is None else line
            yield motions, _verdict(witness, motions), witness.state.digest
        done += len(script)
        witness.reset()
        yield None, ("reset", 0, ()), witness.state.digest


def document_of(tour: Tour) -> str:
    """The vectors of a scene, as they are stored."""
    index = {body.name: i for i, body in enumerate(tour.scene.bodies)} | {STRANGER: -1}
    steps = [
        [
            [_motion_line(motion, index) for motion in motions or ()],
            verdict,
            travel,
            [index[name] for name in contacts],
            f"{digest:016x}",
        ]
        for motions, (verdict, travel, contacts), digest in walk(tour, tour.steps)
    ]
    table = tour.scene.table
    bodies = [_body_line(body) for body in tour.scene.bodies]
    return _text(
        {
            "scene": {"bodies": bodies, "table": table.low[2] if table else None},
            "digest": f"{LatticeState.of(tour.scene).digest:016x}",
            "steps": steps,
        }
    )


def _body_line(body: Body) -> dict[str, Any]:
    return {
        "name": body.name,
        "cells": [number for cell in body.shape.cells for number in cell],
        "pose": [body.pose.rotation.index, *body.pose.offset],
        "loose": body.loose,
    }


def _motion_line(motion: Motion, index: Mapping[str, int]) -> list[Any]:
    bodies = sorted(index[name] for name in motion.bodies)
    if isinstance(motion, Turn):
        axis, centre = motion.axis.number + 1, list(motion.centre)
        return [2, bodies, axis, centre, motion.quarters, motion.hinged]
    if isinstance(motion, Carry):
        return [1, bodies, [_leg_line(leg) for leg in motion.way], motion.loose]
    return [0, bodies, 1 + DIRECTIONS.index(motion.direction), motion.distance]


def _leg_line(leg: Leg) -> list[int]:
    if isinstance(leg, Shift):
        return [1 + DIRECTIONS.index(leg.direction), leg.distance]
    return [leg.rotation.index, *leg.offset]


def _text(document: Mapping[str, Any]) -> str:
    """A line for each member of a list at the top."""

    def member(value: Any) -> str:
        if isinstance(value, list):
            return "[\n" + ",\n".join(map(compact, value)) + "\n]"
        return compact(value)

    def compact(value: Any) -> str:
        return dumps(value, separators=(",", ":"))

    return "{\n" + ",\n".join(f"{dumps(k)}: {member(v)}" for k, v in document.items()) + "\n}\n"


if __name__ == "__main__":
    main()

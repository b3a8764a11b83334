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
from pysim.catalog import AnyLevel, discover_families, find_family, list_shipped_levels
from pysim.geometry import (
    Bounds,
    Pose,
    Rotation,
    Voxels,
    add,
    scale,
)
from pysim.motion import Carry, Motion, Turn
from pysim.path import Segment, Shift
from pysim.physics.lattice import LatticeWorld
from pysim.physics.world import Report
from pysim.render.palette import PALETTE
from pysim.scene import Body, Colour, Scene
from tools.motion_chooser import DIRECTIONS, STRANGER, MotionChooser

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
    """Yield levels that ship, evenly chosen in each family, and boxes full of winding bodies."""
    for family in discover_families():
        shipped = [level for level in list_shipped_levels() if level.family == family]
        most = MOST_TURNING if level_tour(shipped[0]).turns else MOST
        yield from map(level_tour, shipped[:: -(-len(shipped) // most)])
    yield from map(packed_tour, range(PACKED))
    yield from map(turned_tour, range(TURNED))


def packed_tour(number: int) -> Tour:
    """Return a full box of winding bodies; no level, but poses of every kind."""
    return Tour(f"packed-{number}", _packed(random.Random(f"packed {number}")))


def turned_tour(number: int) -> Tour:
    """Return a full box of winding bodies, of which many turn."""
    scene = _packed(random.Random(f"turned {number}"))
    return Tour(f"turned-{number}", scene, turns=True)


def level_tour(level: AnyLevel) -> Tour:
    """Return a level at its start, with its plan."""
    rules = find_family(level).rules
    state = rules.initial(level)
    scene = rules.scene(level, state)
    steps: list[tuple[Motion, ...]] = []
    for action in level.plan.actions if level.plan else ():
        transition = rules.apply(level, state, action)
        steps.append(transition.motions)
        state = transition.state
    turns = any(isinstance(motion, Turn) for motions in steps for motion in motions)
    return Tour(level.id, scene, tuple(steps), turns)


def _packed(rng: random.Random) -> Scene:
    """A full box of winding bodies, each turned in its own frame; with or without a table."""
    size = (rng.randint(3, 5), rng.randint(3, 5), rng.randint(2, 5))
    box = Voxels.make_block(size)
    free = set(box.cells)
    grown = [[cell] for cell in rng.sample(sorted(free), rng.randint(4, 9))]
    free -= {cells[0] for cells in grown}
    while free:
        cells = rng.choice(grown)
        cell = add(rng.choice(cells), rng.choice(DIRECTIONS).vector)
        if cell in free:
            free.discard(cell)
            cells.append(cell)
    table = Bounds((8, 0, 0), (20, 12, 0)) if rng.random() < 0.7 else None
    bodies = (
        _turned(Colour(colour), Voxels.from_cells(cells), rng)
        for colour, cells in zip(PALETTE, grown, strict=False)
    )
    return Scene(tuple(bodies), box.bounds, table)


def _turned(colour: Colour, placed: Voxels, rng: random.Random) -> Body:
    """Return a body that covers ``placed``, with any rotation and any origin."""
    rotation = Rotation(rng.randrange(24))
    offset = (rng.randint(-9, 9), rng.randint(-9, 9), rng.randint(-9, 9))
    shape = placed.translate(scale(offset, -1)).rotate(rotation.inverse)
    return Body(colour, shape, Pose(rotation, offset), colour)


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
        """Return the present pose of a body."""
        return self.state.places[name][0]

    def execute(self, motions: Sequence[Motion]) -> Report:
        """Execute motions in the world and return its report.

        Raises:
            KeyError, ValueError: as the world does.
        """
        report = self._world.execute(motions)
        if report.completed:
            self.state = self.state.apply(motions)
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
    rng = random.Random(f"walk {tour.name}")
    witness = _Witness(tour.scene)
    chooser = MotionChooser(rng, witness.scene, witness.pose, turns=tour.turns)
    done = 0
    while done < count:
        opening = tour.plan[: rng.randint(0, len(tour.plan))]
        script = [list(motions) for motions in opening] + [None] * rng.randint(10, 40)
        for line in script[: count - done]:
            motions = chooser.motions() if line is None else line
            yield motions, _verdict(witness, motions), witness.state.digest
        done += len(script)
        witness.reset()
        yield None, ("reset", 0, ()), witness.state.digest


def document_of(tour: Tour) -> str:
    """Return the vectors of a scene, as they are stored."""
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
        return [1, bodies, [_leg_line(leg) for leg in motion.path], motion.loose]
    return [0, bodies, 1 + DIRECTIONS.index(motion.direction), motion.distance]


def _leg_line(leg: Segment) -> list[int]:
    if isinstance(leg, Shift):
        return [1 + DIRECTIONS.index(leg.direction), leg.distance]
    return [leg.rotation.index, *leg.offset]


def _text(document: Mapping[str, Any]) -> str:
    """Return a line for each member of a list at the top."""

    def member(value: Any) -> str:
        if isinstance(value, list):
            return "[\n" + ",\n".join(map(compact, value)) + "\n]"
        return compact(value)

    def compact(value: Any) -> str:
        return dumps(value, separators=(",", ":"))

    return "{\n" + ",\n".join(f"{dumps(k)}: {member(v)}" for k, v in document.items()) + "\n}\n"


if __name__ == "__main__":
    main()

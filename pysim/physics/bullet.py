"""The physical world: rigid bodies in PyBullet.

Held bodies are fixed where they are; loose bodies rest on the table and fall when they are let go
or when what they lean on moves. Sweeps and carries are found free or blocked by Bullet's collision
detection along the way, without forces: nothing is pushed, and after a blocked one every body is
exactly where it was.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version as version_of
from importlib.util import find_spec
from types import ModuleType
from typing import Final

import numpy as np

from pysim.errors import describe_missing_pybullet
from pysim.geometry import Bounds, Direction, Pose
from pysim.machine import silence_stderr
from pysim.motion import Carry, Motion, Sweep, Turn
from pysim.path import Segment, Shift, Spin
from pysim.physics.client_pool import ClientPool
from pysim.physics.engine import BulletClient
from pysim.physics.requests import check_leg, check_motions, check_scene
from pysim.physics.settling import Resting, find_disturbed, settle
from pysim.physics.solids import BodyPose, Solid
from pysim.physics.sweeps import FINE, Line, Pair, measure_free_distance
from pysim.physics.swept_volume import SWEEP_STEP, list_angles, measure_reach
from pysim.physics.world import Report, WorldUnavailable
from pysim.scene import Scene
from pysim.trajectory import Film, Transform, interpolate_spin, make_turn_matrix

__all__ = ["BulletWorld"]

_PROBE = 0.2
"""Units beyond the place of contact in which everything hit counts as standing in the way.

More than the shift of a loose body that came to rest a little off its pose, less than a unit.
"""
_SLACK = 0.1
"""Units short of a whole one at which a sweep still counts as having gone it."""
_HELD, _LOOSE = 1e-4, 0.05
"""Depth in units up to which bodies don't count as in each other, among held bodies (neighbours are
0.01 apart) and if one is loose (it may have come to rest a little off its pose)."""

_CLIENTS = 4
"""Clients kept for all worlds of a process; each takes 28 MiB."""


class BulletWorld:
    """Moves bodies in PyBullet; see :class:`~pysim.physics.world.World`.

    After ``reset`` every body is exactly in its pose, the loose ones too: they fall only once
    something near them moves.
    """

    name: Final = "bullet"

    def __init__(self) -> None:
        # One client answers "what is in what?" and never simulates; another one simulates falls,
        # each from an empty world, so that nothing depends on what happened before.
        self._shelf = _shelf(_load())
        self._number = self._shelf.register()
        self._open = True
        self._probe: BulletClient | None = None
        """Lent while something moves."""
        self._scene: Scene | None = None
        self._solids: dict[str, Solid] = {}
        self._ids: dict[str, int] = {}
        self._places: dict[str, BodyPose] = {}
        self._loose: frozenset[str] = frozenset()

    @staticmethod
    def why_unavailable() -> str:
        """Why no such world can be made here, and what to do; empty if one can."""
        return "" if find_spec("pybullet") else _missing()

    @property
    def version(self) -> str:
        """``pybullet`` and its version."""
        return f"pybullet {version_of('pybullet')}"

    def reset(self, scene: Scene) -> None:
        """Forget everything and build ``scene``.

        Raises:
            ValueError: bodies overlap, or a loose body has no table under it. The world stays as it
                was.
        """
        self._require_open()
        check_scene(scene)
        self._scene = scene
        self._solids = {body.name: Solid.from_shape(body.shape) for body in scene.bodies}
        self._places = {body.name: BodyPose.from_pose(body.pose) for body in scene.bodies}
        self._loose = frozenset(body.name for body in scene.bodies if body.loose)
        self._ids = {}

    def execute(self, motions: Sequence[Motion]) -> Report:
        """Do ``motions`` one after another, then let loose bodies fall; all or nothing.

        Raises:
            KeyError: a motion names a body that is not in the scene.
            ValueError: the motions make no sense.
        """
        scene = self._require_scene()
        shapes = {name: solid.shape for name, solid in self._solids.items()}
        check_motions(scene, shapes, motions)
        with self._moving():
            return self._execute(motions)

    def _execute(self, motions: Sequence[Motion]) -> Report:
        before, loose = dict(self._places), self._loose
        film = Film()
        travel, measured = 0, 0.0
        try:
            for motion in motions:
                if isinstance(motion, Carry):
                    contacts = self._carry(motion, film)
                elif isinstance(motion, Turn):
                    contacts = self._turn(motion, film)
                else:
                    travel, measured, contacts = self._sweep(motion, film)
                if contacts:
                    film.add_reverse()
                    self._restore(before, loose)
                    return Report(False, travel, measured, contacts, film.build_trajectory())
        except ValueError:
            self._restore(before, loose)
            raise
        fallen = self._settle(before, loose, film)
        return Report(True, travel, measured, frozenset(), film.build_trajectory(), fallen)

    def transforms(self) -> dict[str, Transform]:
        """Return the poses of all bodies now: name -> 4x4 transform."""
        self._require_scene()
        return {name: place.transform() for name, place in self._places.items()}

    def close(self) -> None:
        """Leave the engine to other worlds; this one can't be used any more."""
        if self._open:
            self._open, self._scene = False, None
            self._shelf.unregister(self._number)

    @contextmanager
    def _moving(self) -> Iterator[None]:
        """Have a client with the bodies in it."""
        with self._shelf.lease(self._number) as (client, kept):
            self._probe = client
            try:
                if not kept or not self._ids:
                    self._build(client)
                yield
            finally:
                self._probe = None

    def _build(self, client: BulletClient) -> None:
        client.clear()
        self._ids = {
            name: client.add(solid, self._places[name], free=False)
            for name, solid in self._solids.items()
        }

    def _sweep(self, sweep: Sweep, film: Film) -> tuple[int, float, frozenset[str]]:
        """Whole units gone, units measured, and what stood in the way (nothing: it got there)."""
        starts = {n: p.transform() for n, p in self._places.items() if n in sweep.bodies}
        line = Line(sweep.bodies, sweep.direction, sweep.distance)
        travel, measured, contacts = self._go(line)
        film.sweep(starts, sweep.direction, travel, free=not contacts)
        return travel, measured, contacts

    def _go(self, line: Line) -> tuple[int, float, frozenset[str]]:
        """As :meth:`_sweep`; the bodies are where they were if something stood in the way."""
        movers = [name for name in self._places if name in line.bodies]
        pairs = self._pairs(movers, line)
        measured, blocked = measure_free_distance(
            pairs, line, lambda gone: bool(self._hit(pairs, line.direction, gone))
        )
        travel = min(line.distance, math.floor(measured + _SLACK))
        contacts: frozenset[str] = frozenset()
        if travel < line.distance:
            contacts = self._hit(pairs, line.direction, blocked)
            contacts |= self._hit(pairs, line.direction, measured + _PROBE)
        else:
            measured = float(travel)
        for name in movers:
            place = self._places[name]
            self._put(name, place if contacts else place.translate(line.direction, float(travel)))
        return travel, measured, contacts

    def _pairs(self, movers: list[str], line: Line) -> list[Pair]:
        """Return each moving body with each other one that it comes near."""
        boxes = {
            name: self._solids[name].compute_box(place) for name, place in self._places.items()
        }
        length = float(line.distance)
        return [
            Pair(
                mover,
                other,
                *boxes[mover].measure_contact(boxes[other], line.direction),
                self._allowance(mover, other),
            )
            for mover in movers
            for other in boxes
            if other not in line.bodies
            and boxes[mover].sweep(line.direction, length).is_touching(boxes[other])
        ]

    def _allowance(self, mover: str, other: str) -> float:
        """Return the overlap that the two may have: as now, if that is more than usual."""
        usual = _LOOSE if {mover, other} & self._loose else _HELD
        # A loose body can be left pressed into another one; that must not hold either of them.
        return max(usual, self._engine().measure_depth(self._ids[mover], self._ids[other]) + FINE)

    def _hit(self, pairs: list[Pair], direction: Direction, distance: float) -> frozenset[str]:
        """Return the bodies that the moving ones are in after going ``distance``."""
        probe = self._engine()
        near = [pair for pair in pairs if pair.first <= distance <= pair.last]
        for mover in {pair.mover: None for pair in near}:
            place = self._places[mover].translate(direction, distance)
            probe.put(self._ids[mover], self._solids[mover], place)
        return frozenset(
            pair.other
            for pair in near
            if probe.measure_depth(self._ids[pair.mover], self._ids[pair.other]) > pair.depth
        )

    def _carry(self, carry: Carry, film: Film) -> frozenset[str]:
        """Carry the bodies and return the obstacles; if there is any, nothing moves."""
        poses = self._take_up(carry.bodies, film)
        starts = {name: pose.transform() for name, pose in poses.items()}
        first = block = self._block(poses)
        gone, contacts = list[Segment](), frozenset[str]()
        for leg in carry.path:
            there = check_leg(self._require_scene(), block, leg)
            free, contacts = self._along(leg, block, carry.bodies)
            gone += free
            if contacts:
                break
            poses, block = {name: leg.apply(pose) for name, pose in poses.items()}, there
            for name, pose in poses.items():
                self._put(name, BodyPose.from_pose(pose))
        film.carry(starts, first, gone)
        self._loose = self._loose | carry.bodies if carry.loose else self._loose - carry.bodies
        return contacts

    def _take_up(self, bodies: frozenset[str], film: Film) -> dict[str, Pose]:
        """Hold bodies straight in the poses that they are nearest to, and these."""
        before = {name: self._places[name] for name in self._places if name in bodies}
        poses = {name: place.snap_to_lattice(self._solids[name]) for name, place in before.items()}
        for name, pose in poses.items():
            self._put(name, BodyPose.from_pose(pose))
        film.add_alignment(
            {name: place.transform() for name, place in before.items()},
            {name: pose.transform() for name, pose in poses.items()},
            max(self._solids[name].farthest for name in poses),
        )
        return poses

    def _block(self, poses: dict[str, Pose]) -> Bounds:
        return Bounds.cover(pose.place(self._solids[n].shape).bounds for n, pose in poses.items())

    def _along(
        self, leg: Segment, block: Bounds, bodies: frozenset[str]
    ) -> tuple[list[Segment], frozenset[str]]:
        """As much of a leg as is free, and what stands in the way."""
        if isinstance(leg, Shift):
            travel, _, contacts = self._go(Line(bodies, leg.direction, leg.distance))
            return ([Shift(leg.direction, travel)] if travel else []), contacts
        contacts = self._in_the_way_of(leg, block, bodies)
        return ([] if contacts else [leg]), contacts

    def _in_the_way_of(self, spin: Spin, block: Bounds, bodies: frozenset[str]) -> frozenset[str]:
        """Return the bodies that those which turn get into."""
        starts = {name: self._places[name] for name in self._places if name in bodies}
        motion, length = interpolate_spin(spin, block)
        count = math.ceil(length / SWEEP_STEP)
        contacts: set[str] = set()
        for k in range(1, count + 1):
            matrix = motion(k / count)
            for name, place in starts.items():
                self._put(name, place.transform_by(matrix))
            for name in starts:
                contacts |= self._inside(name) - bodies
        return frozenset(contacts)

    def _turn(self, turn: Turn, film: Film) -> frozenset[str]:
        """The bodies that the turning ones get into on their way; if any, it is only tried."""
        starts = {name: self._places[name] for name in self._places if name in turn.bodies}
        before = {name: place.transform() for name, place in starts.items()}
        reach = measure_reach(turn.axis, turn.centre, self._cells(starts))
        contacts: set[str] = set()
        for degrees in list_angles(turn, reach):
            matrix = make_turn_matrix(turn.axis, turn.centre, degrees)
            for name, place in starts.items():
                self._put(name, place.transform_by(matrix))
            for name in starts:
                contacts |= self._inside(name) - turn.bodies
        matrix = make_turn_matrix(turn.axis, turn.centre, turn.degrees).round()
        for name, place in starts.items():
            self._put(name, place if contacts else place.transform_by(matrix))
        film.turn(before, turn, reach, free=not contacts)
        return frozenset(contacts)

    def _cells(self, places: Mapping[str, BodyPose]) -> Iterator[Sequence[float]]:
        """Yield the middles of the cells of some bodies."""
        for name, place in places.items():
            cells = np.array(self._solids[name].shape.cells, dtype=np.float64)
            yield from (cells @ place.rotation.T + place.position).tolist()

    def _inside(self, name: str) -> set[str]:
        """Return the bodies that ``name`` is in."""
        box = self._solids[name].compute_box(self._places[name])
        probe = self._engine()
        return {
            other
            for other, place in self._places.items()
            if other != name
            and box.is_touching(self._solids[other].compute_box(place))
            and probe.measure_depth(self._ids[name], self._ids[other])
            > (_LOOSE if other in self._loose else _HELD)
        }

    def _settle(
        self, before: dict[str, BodyPose], loose: frozenset[str], film: Film
    ) -> frozenset[str]:
        """Let everything loose fall that was moved or had something moved from or to beside it.

        Returns:
            The bodies that fell.
        """
        scene = self._require_scene()
        awake = find_disturbed(self._solids, (before, self._places), (loose, self._loose), _PROBE)
        if not awake or scene.table is None:
            return frozenset()
        bodies = {
            name: Resting(solid, self._places[name], name in self._loose)
            for name, solid in self._solids.items()
        }
        with self._shelf.lease_for_falls() as falls:
            fall = settle(falls, bodies, awake, scene.table.low[2] - 0.5)
        for name, place in fall.places.items():
            self._put(name, place)
        film.add_samples(fall.frames)
        return fall.fallen

    def _put(self, name: str, place: BodyPose) -> None:
        self._places[name] = place
        self._engine().put(self._ids[name], self._solids[name], place)

    def _restore(self, places: dict[str, BodyPose], loose: frozenset[str]) -> None:
        changed = [name for name, place in places.items() if self._places[name] is not place]
        for name in changed:
            self._put(name, places[name])
        self._loose = loose

    def _engine(self) -> BulletClient:
        if self._probe is None:
            raise RuntimeError("bodies are looked at only while something moves")
        return self._probe

    def _require_open(self) -> None:
        if not self._open:
            raise RuntimeError("this world is closed")

    def _require_scene(self) -> Scene:
        self._require_open()
        if self._scene is None:
            raise RuntimeError("this world has no scene yet: call reset first")
        return self._scene


@cache
def _shelf(bullet: ModuleType) -> ClientPool:
    """Return the clients of all worlds of this process."""
    return ClientPool(bullet, _CLIENTS)


def _load() -> ModuleType:
    """PyBullet, imported only when a world is made.

    Raises:
        WorldUnavailable: it is not installed.
    """
    try:
        with silence_stderr():
            import pybullet
    except ImportError as error:
        raise WorldUnavailable(_missing()) from error
    module: ModuleType = pybullet
    return module


def _missing() -> str:
    return f"there is no world bullet here; {describe_missing_pybullet()}"

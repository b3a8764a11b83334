"""Letting loose bodies fall until they rest.

Every fall is simulated from a cleared engine, with the bodies in the scene's order. So it depends
on the places at its start alone, and repeats bit for bit; an engine's saved states do not.
"""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from pysim.physics.engine import STEP, BulletClient
from pysim.physics.solids import AlignedBox, BodyPose, Solid, Vector
from pysim.trajectory import FRAME, Transform

__all__ = ["Fall", "Resting", "find_disturbed", "settle"]

_STEPS_A_FRAME = round(FRAME / STEP)
_LONGEST = 60
"""Frames simulated at most: 2 s."""
_QUIET = 6
"""Frames in which a body hardly moves before it counts as resting; a slow topple starts within."""
_LINEAR, _ANGULAR = 0.02, 0.02
"""A body slower than this (u/s, rad/s) hardly moves."""
_FASTEST = 6.0
"""u/s. Faster bodies could tunnel: a unit cube does at 10 u/s and 240 Hz."""
_FASTEST_TURN = 6.0
"""rad/s."""
_NOTICEABLE = 0.01
"""Units that a body's farthest point must move for it to count as moved."""
_FALL = 0.1
"""Units that it must move for the body to count as fallen."""


@dataclass(frozen=True, slots=True)
class Resting:
    """A body as it was before the fall."""

    solid: Solid
    place: BodyPose
    loose: bool


@dataclass(frozen=True, slots=True)
class Fall:
    """Result of a fall.

    Attributes:
        places: the bodies that moved noticeably, and where they came to rest.
        frames: where these were, ``FRAME`` seconds apart, from the start on.
        fallen: those that moved more than a tenth of a unit.
    """

    places: dict[str, BodyPose]
    frames: list[dict[str, Transform]]
    fallen: frozenset[str]


def settle(
    engine: BulletClient, bodies: Mapping[str, Resting], awake: Set[str], table: float
) -> Fall:
    """Let the bodies in ``awake`` fall onto a table at height ``table``.

    Other loose bodies stay frozen, unless an awake one presses against them: then all is done again
    with those awake too. ``engine`` is cleared and left as the last fall leaves it.
    """
    while True:
        run = _Run(engine, bodies, awake, table)
        run.simulate()
        woken = {name for name in run.pressed if bodies[name].loose} - awake
        if not woken:
            return run.get_result()
        awake = awake | woken


def find_disturbed(
    solids: Mapping[str, Solid],
    places: tuple[Mapping[str, BodyPose], Mapping[str, BodyPose]],
    loose: tuple[Set[str], Set[str]],
    near: float,
) -> set[str]:
    """Return the loose bodies that have moved, or had something move from or to beside them.

    Args:
        solids: all bodies.
        places: where they were and are.
        loose: which of them were and are loose.
        near: units within which something is beside a body.
    """
    before, now = places
    moved = [
        name
        for name, place in now.items()
        if place is not before[name] or (name in loose[0]) != (name in loose[1])
    ]
    zones = [
        solids[name].compute_box(place).expand(near)
        for name in moved
        for place in (before[name], now[name])
    ]
    return {
        name
        for name in loose[1]
        if name in moved
        or any(zone.is_touching(solids[name].compute_box(now[name])) for zone in zones)
    }


class _Run:
    """One simulation."""

    def __init__(
        self, engine: BulletClient, bodies: Mapping[str, Resting], awake: Set[str], table: float
    ) -> None:
        self._engine = engine
        self._bodies = bodies
        self._awake = [name for name in bodies if name in awake]
        self._frames = [{name: bodies[name].place for name in self._awake}]
        self.pressed: set[str] = set()
        engine.clear()
        engine.add_table(table)
        self._ids = {
            name: engine.add(
                bodies[name].solid.make_full_height(bodies[name].place),
                bodies[name].place,
                free=name in awake,
            )
            for name in _within_reach(bodies, self._awake)
        }
        self._names = {body: name for name, body in self._ids.items()}

    def simulate(self) -> None:
        quiet = 0
        while quiet < _QUIET and len(self._frames) <= _LONGEST:
            still = True
            for _ in range(_STEPS_A_FRAME):
                self._engine.step()
                still = self._restrain() and still
            quiet = quiet + 1 if still else 0
            self._look()

    def get_result(self) -> Fall:
        shifts = {name: self._shift(name) for name in self._awake}
        moved = [name for name, shift in shifts.items() if shift > _NOTICEABLE]
        frames = [{name: frame[name].transform() for name in moved} for frame in self._frames]
        return Fall(
            {name: self._frames[-1][name] for name in moved},
            frames if moved else [],
            frozenset(name for name in moved if shifts[name] > _FALL),
        )

    def _restrain(self) -> bool:
        """Slow down what is too fast; whether all awake bodies hardly move."""
        still = True
        for name in self._awake:
            linear, angular = self._engine.get_speeds(self._ids[name])
            speed, turn = math.hypot(*linear), math.hypot(*angular)
            still = still and speed < _LINEAR and turn < _ANGULAR
            if speed > _FASTEST or turn > _FASTEST_TURN:
                self._engine.set_speeds(
                    self._ids[name],
                    _capped(linear, speed, _FASTEST),
                    _capped(angular, turn, _FASTEST_TURN),
                )
        return still

    def _look(self) -> None:
        """Note where the awake bodies are and what they press against."""
        self._frames.append(
            {
                name: self._engine.place(self._ids[name], self._bodies[name].solid)
                for name in self._awake
            }
        )
        for name in self._awake:
            touched = self._engine.list_pressed(self._ids[name])
            self.pressed |= {self._names[body] for body in touched if body in self._names}

    def _shift(self, name: str) -> float:
        """Return units that the corners of the block around the body have moved, at most."""
        before, after = self._frames[0][name], self._frames[-1][name]
        return _shift(self._bodies[name].solid, before, after)


def _within_reach(bodies: Mapping[str, Resting], awake: Sequence[str]) -> list[str]:
    """Return the bodies that the awake ones could meet on their way down, in order."""
    reach = 2.0 + 2.0 * max(bodies[name].solid.reach for name in awake)
    zones = [_tall(bodies[name], reach) for name in awake]
    return [
        name
        for name, body in bodies.items()
        if name in awake
        or any(zone.is_touching(body.solid.compute_box(body.place)) for zone in zones)
    ]


def _tall(body: Resting, reach: float) -> AlignedBox:
    """Return the box around a body, wider by ``reach``, and endless downwards."""
    box = body.solid.compute_box(body.place).expand(reach)
    return AlignedBox((box.low[0], box.low[1], -math.inf), box.high)


def _shift(solid: Solid, before: BodyPose, after: BodyPose) -> float:
    low, high = (np.array(corner) for corner in (solid.shape.bounds.low, solid.shape.bounds.high))
    pick = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)])
    corners = low + pick * (high - low)
    was = corners @ before.rotation.T + before.position
    now = corners @ after.rotation.T + after.position
    return float(np.linalg.norm(now - was, axis=1).max())


def _capped(velocity: Vector, size: float, most: float) -> Vector:
    if size <= most:
        return velocity
    x, y, z = velocity
    return (x * most / size, y * most / size, z * most / size)

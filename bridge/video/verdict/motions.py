"""The motions of legal actions as paths: where every piece is after so much of one.

This asks a family's rules what is legal and which motions do it, and nothing else.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pysim.catalog import AnyLevel, find_family
from pysim.geometry import Bounds, Pose, Rotation
from pysim.motion import Carry, Motion, Sweep, Turn
from pysim.path import Shift, Spin, double_middle
from pysim.puzzle import Action, Transition
from pysim.scene import Scene

__all__ = ["Path", "PathLeg", "legal_paths", "path_of"]

_Array = NDArray[np.float64]

_MOST = 400
"""Legal actions whose motions are looked at; a family with more is not followed this way."""


@dataclass(frozen=True, slots=True, eq=False)
class PathLeg:
    """Some pieces move together, as one: about an axis, along a line, or both.

    Attributes:
        pieces: (P,) which.
        pivot: (3,) a point that does not turn.
        spin: (3,) the whole turn, a rotation vector.
        shift: (3,) the whole translation.
        length: units that the farthest point of any piece goes.
    """

    pieces: NDArray[np.bool_]
    pivot: _Array
    spin: _Array
    shift: _Array
    length: float

    def moved(self, poses: _Array, share: float) -> _Array:
        """Poses (P, 4, 4) after a share of it."""
        turn, _ = cv2.Rodrigues(self.spin * share)
        motion = np.eye(4)
        motion[:3, :3] = turn
        motion[:3, 3] = self.pivot - turn @ self.pivot + share * self.shift
        there = poses.copy()
        there[self.pieces] = motion @ poses[self.pieces]
        return there


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """What a legal action does.

    Attributes:
        action: the action; None for a motion that the rules do not know.
        legs: one after another.
        before, after: (P, 4, 4) poses at its ends.
        state: the state after it; None if the rules do not know it.
    """

    action: Action | None
    legs: tuple[PathLeg, ...]
    before: _Array
    after: _Array
    state: Any

    @property
    def length(self) -> float:
        """Units that the farthest point goes, leg by leg."""
        return sum(leg.length for leg in self.legs)

    @property
    def pieces(self) -> NDArray[np.bool_]:
        """(P,) which pieces move at all."""
        moving: NDArray[np.bool_] = np.any([leg.pieces for leg in self.legs], axis=0)
        return moving

    def at(self, way: float) -> _Array:
        """(P, 4, 4) where pieces are after so many units."""
        if way >= self.length:
            return self.after
        poses = self.before
        for leg in self.legs:
            if way <= 0.0:
                break
            poses = leg.moved(poses, min(1.0, way / leg.length))
            way -= leg.length
        return poses


def legal_paths(level: AnyLevel, state: Any, names: Sequence[str]) -> list[Path]:
    """What each legal action does that moves anything; nothing if there are very many actions.

    Args:
        names: the pieces, in the order of poses.
    """
    actions = list(islice(find_family(level).rules.legal(level, state), _MOST + 1))
    if len(actions) > _MOST:
        return []
    scene = find_family(level).rules.scene(level, state)
    found: dict[object, Path] = {}
    for action in actions:
        done = find_family(level).rules.apply(level, state, action)
        if done.motions and done.motions not in found:
            found[done.motions] = _path(level, scene, action, done, names)
    return list(found.values())


def path_of(level: AnyLevel, state: Any, action: Action, names: Sequence[str]) -> Path:
    """What an action does; a path without legs if nothing moves.

    Args:
        names: the pieces, in the order of poses.

    Raises:
        IllegalMove: the rules refuse it.
    """
    rules = find_family(level).rules
    done = rules.apply(level, state, action)
    return _path(level, rules.scene(level, state), action, done, names)


def _path(
    level: AnyLevel, scene: Scene, action: Action, done: Transition[Any], names: Sequence[str]
) -> Path:
    after = find_family(level).rules.scene(level, done.state)
    legs = tuple(_legs(scene, done.motions, names))
    return Path(action, legs, _poses(scene, names), _poses(after, names), done.state)


def _poses(scene: Scene, names: Sequence[str]) -> _Array:
    return np.stack([scene.find_body(name).pose.transform() for name in names])


def _legs(scene: Scene, motions: Sequence[Motion], names: Sequence[str]) -> Iterator[PathLeg]:
    poses = {body.name: body.pose for body in scene.bodies}
    for motion in motions:
        pieces = np.array([name in motion.bodies for name in names])
        for spin, pivot, shift, step in _parts(scene, motion, poses):
            reach = _reach(scene, motion.bodies, poses, pivot, spin)
            length = float(np.linalg.norm(spin)) * reach + float(np.linalg.norm(shift))
            if length > 0.0:
                yield PathLeg(pieces, pivot, spin, shift, length)
            poses |= {name: step(poses[name]) for name in motion.bodies}


def _parts(
    scene: Scene, motion: Motion, poses: Mapping[str, Pose]
) -> Iterator[tuple[_Array, _Array, _Array, Callable[[Pose], Pose]]]:
    """Turn, pivot and translation of each part of a motion, and what it makes of poses."""
    nothing = np.zeros(3)
    if isinstance(motion, Turn):
        spin = np.radians(motion.degrees) * np.eye(3)[motion.axis.number]
        yield spin, np.array(motion.centre, np.float64), nothing, motion.apply
    elif isinstance(motion, Sweep):
        go = Shift(motion.direction, motion.distance)
        yield nothing, nothing, np.array(go.vector, np.float64), go.apply
    else:
        yield from _carried(scene, motion, poses)


def _carried(
    scene: Scene, motion: Carry, poses: Mapping[str, Pose]
) -> Iterator[tuple[_Array, _Array, _Array, Callable[[Pose], Pose]]]:
    block = Bounds.cover(poses[n].place(scene.find_body(n).shape).bounds for n in motion.bodies)
    for leg in motion.path:
        here, there = (np.array(double_middle(b)) / 2.0 for b in (block, leg.apply_to_block(block)))
        spin = _vector(leg.rotation) if isinstance(leg, Spin) else np.zeros(3)
        yield spin, here, there - here, leg.apply
        block = leg.apply_to_block(block)


def _vector(rotation: Rotation) -> _Array:
    vector, _ = cv2.Rodrigues(np.array(rotation.matrix, np.float64))
    flat: _Array = vector[:, 0].astype(np.float64)
    return flat


def _reach(
    scene: Scene, bodies: frozenset[str], poses: Mapping[str, Pose], pivot: _Array, spin: _Array
) -> float:
    """How far the farthest corner of some bodies is from an axis."""
    size = float(np.linalg.norm(spin))
    if size == 0.0:
        return 0.0
    blocks = [poses[name].place(scene.find_body(name).shape).bounds for name in bodies]
    ends = np.array([[b.low, b.high] for b in blocks]) + [[-0.5], [0.5]]
    corners = ends[:, np.indices((2, 2, 2)).reshape(3, 8).T, [0, 1, 2]] - pivot
    away: _Array = np.cross(corners, spin / size)
    return float(np.linalg.norm(away, axis=-1).max())

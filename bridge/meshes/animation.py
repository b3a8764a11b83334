"""Motion of the pieces of a level along its plan."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.meshes.pieces import scale_transform
from pysim.catalog import AnyLevel, find_family
from pysim.physics.lattice import LatticeWorld
from pysim.puzzle import Plan
from pysim.trajectory import Trajectory, Transform

__all__ = ["Track", "trace_plan"]

_REST = 0.25
"""Seconds of rest before each action, and after the last."""


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """Poses of a piece at some moments, between which it goes straight.

    Attributes:
        times: (k,) seconds, ascending.
        transforms: (k, 4, 4) from body to world, in millimetres.
    """

    times: NDArray[np.float64]
    transforms: NDArray[np.float64]


def trace_plan(level: AnyLevel, plan: Plan, edge: float) -> Mapping[str, Track]:
    """Return the tracks of all pieces that a plan moves, from where the level starts.

    The world ``lattice`` carries the plan out, as in an episode.

    Raises:
        ActionError: the plan is not one of this level.
    """
    moments: dict[str, list[tuple[float, Transform]]] = {}
    begin = _REST
    for trajectory in _execute(level, plan):
        for keyframe in trajectory.keyframes:
            for name, transform in keyframe.transforms.items():
                moment = begin + keyframe.time, scale_transform(transform, edge)
                moments.setdefault(name, []).append(moment)
        begin += trajectory.duration + _REST
    return {name: _make_track(found) for name, found in moments.items()}


def _execute(level: AnyLevel, plan: Plan) -> Iterator[Trajectory]:
    """Yield the trajectory of each action that moves anything."""
    rules, world = find_family(level).rules, LatticeWorld()
    state = rules.initial(level)
    world.reset(rules.scene(level, state))
    for action in plan.actions:
        transition = rules.apply(level, state, action)
        state = transition.state
        if transition.motions:
            report = world.execute(transition.motions)
            assert report.completed, "the lattice executes whatever the rules allow"
            yield report.trajectory


def _make_track(moments: list[tuple[float, Transform]]) -> Track:
    times, transforms = zip(*moments, strict=True)
    return Track(np.array(times), np.array(transforms))

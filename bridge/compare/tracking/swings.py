"""How a camera swings: as before, more or less; and which pieces tell it.

Two pieces of which one moves look much as if the camera had turned about the other one, and zoomed.
Who moves is told by what both would have to do: cameras swing on as they did, pieces begin at once.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEAST_POINTS", "SeenSlopes", "on_course", "speeded"]

_Array = NDArray[np.float64]

LEAST_POINTS = 60
"""Pixels that tell a drift at least."""
_TRUST = np.array([np.radians(0.02), np.radians(0.02), np.radians(0.03), 0.0003])
"""Deviation of angles and zoom from where the swing before leads."""
_BLUNT = 0.08
"""Pixels by which the outlines of what is remembered may all be off, however many there are."""
_FARTHEST = np.array([np.radians(0.15), np.radians(0.15), np.radians(0.2), 0.0025])
"""Beyond which it is no longer the same swing."""
_MANY, _TOGETHER = 4, 0.2
"""So many that agree, if they are most, tell a swing that is no longer the same much sooner."""
_STAYS = 0.25
"""Pixels by which a piece that stays may seem to be moved at most."""
_GAIN = 0.15
"""Share of what is new in a swing that is taken over."""
_ANYTHING = 1.0
"""Slopes, squared, that pixels have together at least: where none fits, nothing is told."""
_NOISE = 400.0
"""Slope, squared, below which pixels say little of a move."""
_OUTLIER = 40.0
"""Colours further off than this count as this."""


def speeded(speed: _Array, change: _Array) -> _Array:
    """(4,) how fast angles and zoom change, once it is known how they changed.

    A swing that ends at once begins anew.
    """
    if (np.abs(change - speed) > _FARTHEST).any():
        return np.zeros(4)
    changed: _Array = speed + _GAIN * (change - speed)
    return changed


@dataclass(frozen=True, slots=True, eq=False)
class SeenSlopes:
    """What pixels say of how the camera went on.

    Attributes:
        groups: (n,) to which piece each belongs.
        ways: (n, 2) how its colour changes to the right and down.
        slopes: (n, 4) how it changes with the angles and the zoom.
        off: (n,) by how much it is off if the camera swings on.
        weight: (n,) how well it fits.
    """

    groups: NDArray[np.int16]
    ways: _Array
    slopes: _Array
    off: _Array
    weight: _Array


@dataclass(frozen=True, slots=True, eq=False)
class _Witness:
    """What the pixels of one piece say together: sums of products of the above.

    Attributes:
        normal, right: (4, 4) and (4,) of the camera's step.
        strength: of its slopes.
        across, mixed, moved: (2, 2), (2, 4) and (2,) of the piece's own.
    """

    normal: _Array
    right: _Array
    strength: float
    across: _Array
    mixed: _Array
    moved: _Array

    def shift(self, step: _Array) -> float:
        """Pixels by which the piece seems to have moved after a step (4,) of the camera."""
        left = self.moved - self.mixed @ step
        return float(np.linalg.norm(np.linalg.solve(self.across, left)))


def on_course(evidence: SeenSlopes) -> tuple[NDArray[np.bool_], _Array] | None:
    """(n,) pixels of the pieces that stay if the camera goes on as it did, more or less.

    Who would have moved most if it went on just so is left out, until the others agree.

    Returns:
        And (4,) what a step off the course costs, squared. ``None`` if there are no such pieces: it
        must have begun something else.
    """
    names = np.unique(evidence.groups)
    all_of = {int(name): _witness(evidence, evidence.groups == name) for name in names}
    inside = sorted(all_of, key=lambda name: all_of[name].shift(np.zeros(4)))
    while inside:
        some = [all_of[name] for name in inside]
        # Who is small tells where it is, but hardly how it is turned, and how large: a turn of the
        # picture moves its outlines by less than they may be off.
        told = max(_ANYTHING, sum(w.strength for w in some))
        steady = told / 2.0 * (_BLUNT / _TRUST) ** 2
        normal = sum((w.normal for w in some), np.diag(steady))
        right = sum((w.right for w in some), np.zeros(4))
        step = np.asarray(np.linalg.solve(normal, right), np.float64)
        far = bool((np.abs(step) > _FARTHEST).any())
        if not far and max(witness.shift(step) for witness in some) < _STAYS:
            kept: NDArray[np.bool_] = np.isin(evidence.groups, inside)
            if len(inside) >= _MANY and 2 * len(inside) > len(names):
                steady = steady * _TOGETHER**2
            return (kept, steady) if kept.sum() >= LEAST_POINTS else None
        inside.pop()
    return None


def _witness(evidence: SeenSlopes, mine: NDArray[np.bool_]) -> _Witness:
    slopes, ways = evidence.slopes[mine], evidence.ways[mine]
    off, weight = evidence.off[mine], evidence.weight[mine]
    return _Witness(
        slopes.T @ (weight[:, None] * slopes),
        slopes.T @ (weight * off),
        float(weight @ (ways**2).sum(axis=1)),
        ways.T @ ways + _NOISE * np.eye(2),
        ways.T @ slopes,
        ways.T @ np.clip(off, -_OUTLIER, _OUTLIER),
    )

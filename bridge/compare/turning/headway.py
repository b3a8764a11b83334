"""How far a puzzle has come in its moves: which motion it is in, and how far along."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.compare.turning.paths import Path, PathLeg, legal_paths
from pysim.catalog import AnyLevel, find_family

__all__ = ["Headway", "wild_paths"]

_Array = NDArray[np.float64]

_QUARTER = np.pi / 2.0
_LEVEL = 0.1
"""Units by which the middles of pieces in one layer may differ."""


@dataclass(frozen=True, slots=True, eq=False)
class Headway:
    """Where a puzzle is in its moves.

    Attributes:
        level: the puzzle.
        names: its pieces, in the order of poses.
        state: of its rules, at the last rest; None after a motion that they don't know.
        rest: (P, 4, 4) poses at the last rest.
        path: the motion that it is in; None at rest.
        way: units along it.
        known: state, encoded -> what may come next.
    """

    level: AnyLevel
    names: Sequence[str]
    state: Any
    rest: _Array
    path: Path | None
    way: float
    known: dict[str, tuple[Path, ...]]

    @staticmethod
    def at_start(level: AnyLevel, names: Sequence[str], poses: _Array) -> "Headway":
        """The state in which every video begins."""
        state = find_family(level).rules.initial(level)
        return Headway(level, names, state, poses, None, 0.0, {})

    @property
    def poses(self) -> _Array:
        """(P, 4, 4) where pieces are."""
        return self.rest if self.path is None else self.path.at(self.way)

    def on(self, path: Path, way: float) -> "Headway":
        """Some units along a path; at rest if that is one of its ends."""
        if way <= 0.0:
            return replace(self, path=None, way=0.0, rest=path.before)
        if way < path.length:
            return replace(self, path=path, way=way)
        return replace(self, state=path.state, rest=path.after, path=None, way=0.0)

    def following(self) -> Iterator[Path]:
        """All legal paths from the last rest; and from the next one, if it is on its way there."""
        yield from self.paths(self.state)
        if self.path is not None and self.way > self.path.length / 2.0:
            yield from self.paths(self.path.state)

    def paths(self, state: Any) -> tuple[Path, ...]:
        """What may come next in a state; nothing if it is none that the rules know."""
        if state is None:
            return ()
        code = find_family(self.level).rules.encode(state)
        if code not in self.known:
            self.known[code] = tuple(legal_paths(self.level, state, self.names))
        return self.known[code]

    def axes(self) -> list[PathLeg]:
        """The turns that there are now, one for each axis."""
        legs = [leg for path in self.paths(self.state) for leg in path.legs if leg.spin.any()]
        axes = {
            (*np.abs(leg.spin / np.linalg.norm(leg.spin)).round(3), *leg.pivot): leg for leg in legs
        }
        return list(axes.values())


def wild_paths(poses: _Array, middles: _Array, axes: Sequence[PathLeg]) -> Iterator[Path]:
    """Layers, and all pieces together, turned about known axes, whatever the rules say.

    Args:
        poses: (P, 4, 4) where pieces are.
        middles: (P, 3) middles of their blocks, in body coordinates.
        axes: turns about these axes.
    """
    there = (poses[:, :3, :3] @ middles[:, :, None])[:, :, 0] + poses[:, :3, 3]
    for leg in axes:
        axis = leg.spin / np.linalg.norm(leg.spin)
        heights = (there - leg.pivot) @ axis
        layers = {round(float(height) / _LEVEL) * _LEVEL for height in heights}
        groups = [np.abs(heights - layer) < _LEVEL for layer in sorted(layers)]
        for pieces in (*groups, np.ones(len(poses), bool)):
            away = np.cross(there[pieces] - leg.pivot, axis)
            reach = max(1.0, float(np.linalg.norm(away, axis=1).max()) + 0.7)
            for sign in (1.0, -1.0):
                spin = sign * _QUARTER * axis
                turn = PathLeg(pieces, leg.pivot, spin, np.zeros(3), _QUARTER * reach)
                yield Path(None, (turn,), poses, turn.moved(poses, 1.0), None)

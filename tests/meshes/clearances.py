"""Distances between pieces, measured by the Flexible Collision Library."""

from collections.abc import Mapping, Sequence

import fcl
import numpy as np

from bridge.meshes.pieces import Piece
from pysim.trajectory import Transform


class Gauge:
    """Measures the least distance between pieces in their places."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = {piece.name: piece for piece in pieces}
        self._objects = {piece.name: fcl.CollisionObject(_model(piece)) for piece in pieces}
        self._boxes: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self.move({piece.name: piece.transform for piece in pieces})

    def move(self, places: Mapping[str, Transform]) -> None:
        """Put pieces elsewhere, in millimetres."""
        for name, transform in places.items():
            turn, shift = transform[:3, :3], transform[:3, 3]
            self._objects[name].setTransform(fcl.Transform(turn, shift))
            vertices = self._pieces[name].solid.vertices @ turn.T + shift
            self._boxes[name] = vertices.min(axis=0), vertices.max(axis=0)

    def measure(self, within: float) -> dict[frozenset[str], float]:
        """Distances of all pairs whose boxes are not farther apart than a length."""
        names = list(self._objects)
        low = np.array([self._boxes[name][0] for name in names])
        high = np.array([self._boxes[name][1] for name in names])
        found = {}
        for i, name in enumerate(names):
            near = (low[i] <= high + within).all(axis=1) & (low <= high[i] + within).all(axis=1)
            for j in np.flatnonzero(near):
                if j > i:
                    pair = self._objects[name], self._objects[names[j]]
                    found[frozenset((name, names[j]))] = float(fcl.distance(*pair))
        return found


def _model(piece: Piece) -> fcl.BVHModel:
    model = fcl.BVHModel()
    vertices, triangles = piece.solid.vertices, piece.solid.triangles
    model.beginModel(len(triangles), len(vertices))
    model.addSubModel(vertices, triangles)
    model.endModel()
    return model

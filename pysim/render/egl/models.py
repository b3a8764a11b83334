"""The shapes that the graphics card knows."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pysim.render.mesh import VERTEX, Model, build_quad_indices, build_quads

if TYPE_CHECKING:
    import moderngl

__all__ = ["Models"]

_LEAST = 1 << 16
"""Faces that there is room for at first."""


class Models:
    """The faces of shapes in one buffer, from which every scene is drawn.

    Where bodies stand and how they are painted is not in it. When it is full, it starts afresh with
    what is needed now; it never grows beyond ``limit`` faces unless one batch needs more.
    """

    def __init__(self, context: "moderngl.Context", limit: int = 1 << 20) -> None:
        self._context = context
        self._limit = limit
        self._starts: dict[Model, tuple[int, int]] = {}
        self._used = 0
        self._capacity = 0
        self.version = 0
        self._reserve(_LEAST)

    def locate(self, models: Sequence[Model]) -> NDArray[np.uint32]:
        """Number of faces and first vertex (n, 2) of n models, brought in where missing."""
        missing = {model: len(build_quads(model)) for model in models if model not in self._starts}
        if self._used + sum(missing.values()) > self._capacity:
            missing = {model: len(build_quads(model)) for model in models}
            needed = sum(missing.values())
            self._reserve(max(min(2 * self._capacity, self._limit), needed))
        self._append(missing)
        places = [self._starts[model] for model in models]
        return np.array(places, dtype=np.uint32).reshape(-1, 2)

    def release(self) -> None:
        """Free the buffers."""
        self.vertices.release()
        self.indices.release()

    def _append(self, models: Iterable[Model]) -> None:
        for model in models:
            faces = build_quads(model)
            self.vertices.write(faces, offset=self._used * 4 * VERTEX.itemsize)
            self._starts[model] = (len(faces), 4 * self._used)
            self._used += len(faces)

    def _reserve(self, faces: int) -> None:
        if self._capacity:
            self.release()
        self._starts.clear()
        self._used, self._capacity = 0, faces
        self.vertices = self._context.buffer(reserve=faces * 4 * VERTEX.itemsize)
        self.indices = self._context.buffer(build_quad_indices(faces))
        self.version += 1

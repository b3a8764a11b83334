"""The geometry of scenes that the graphics card knows."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pysim.render.faces import CORNER, build_corners, find_covered, list_faces, merge_faces
from pysim.render.mesh import Model, build_quad_indices
from pysim.render.prepared import PreparedScene

if TYPE_CHECKING:
    import moderngl

__all__ = ["Arrangements", "Kind", "Look", "Models"]

_LEAST = 1 << 16
"""Faces that there is room for at first."""


class Kind(IntEnum):
    """Kind of faces that are drawn together."""

    PLAIN = 0
    """Of solid bodies, without a sticker."""
    ADORNED = 1
    """Of solid bodies, with a sticker."""
    CLEAR = 2
    """Of bodies that are seen through."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrangements:
    """A scene with N bodies in S arrangements.

    Attributes:
        prepared: the scene.
        transforms: (S, N, 4, 4) from body to world.
    """

    prepared: PreparedScene
    transforms: NDArray[np.float64]


Look = tuple[tuple[Model, ...], bytes, bytes]
"""Models, which of them are translucent, and which faces are covered."""

_Key = tuple[tuple[Model, ...], bytes, bytes, bool]
"""The same, and whether flat faces are in one piece."""

_Built = tuple[NDArray[np.void], NDArray[np.int64]]
"""Corners (F, 4) by kind, and the number of faces of each kind."""


class Models:
    """The faces of scenes in one buffer, from which every batch is drawn.

    Where bodies stand and how they are painted is not in it. When it is full, it starts afresh with
    what is needed now; it never grows beyond ``limit`` faces unless one batch needs more.

    Args:
        culls: whether faces that lie against another body's are left out. It costs some time for
            each new arrangement, and saves more where a processor draws.
    """

    def __init__(self, context: "moderngl.Context", *, culls: bool, limit: int = 1 << 20) -> None:
        self._context = context
        self._culls = culls
        self._limit = limit
        self._spans: dict[_Key, NDArray[np.int64]] = {}
        self._seen: tuple[object, list[Look]] = (None, [])
        self._used = 0
        self._capacity = 0
        self.version = 0
        self._reserve(_LEAST)

    def locate(self, looks: Sequence[Look], merged: Sequence[bool]) -> list[NDArray[np.int64]]:
        """Return first face and number of faces (S, kinds, 2) of all arrangements of a batch.

        Args:
            looks: of the arrangements.
            merged: for each array that is returned, whether flat faces are in one piece; else each
                face is a cell's.
        """
        keys = [(*look, flat) for flat in merged for look in looks]
        missing = list(dict.fromkeys(key for key in keys if key not in self._spans))
        built = _build(missing)
        if self._used + sum(len(corners) for corners, _ in built) > self._capacity:
            missing = list(dict.fromkeys(keys))
            built = _build(missing)
            needed = sum(len(corners) for corners, _ in built)
            self._reserve(max(min(2 * self._capacity, self._limit), needed))
        self._append(missing, built)
        spans = np.array([self._spans[key] for key in keys])
        return list(spans.reshape(len(merged), -1, len(Kind), 2))

    def release(self) -> None:
        """Free the buffers."""
        self.vertices.release()
        self.indices.release()

    def list_looks(self, part: Arrangements) -> list[Look]:
        """Return what the geometry of each arrangement depends on.

        The same arrangements are often drawn twice, from afar and from close by.
        """
        prepared = part.prepared
        clear = prepared.translucent.tobytes()
        if not self._culls:
            return [(prepared.models, clear, b"")] * len(part.transforms)
        key = prepared.models, clear, part.transforms.tobytes()
        if key != self._seen[0]:
            covered = find_covered(
                list_faces(prepared.models), part.transforms, ~prepared.translucent
            )
            rows = np.packbits(covered, axis=1)
            self._seen = key, [(prepared.models, clear, row.tobytes()) for row in rows]
        return self._seen[1]

    def _append(self, keys: Sequence[_Key], built: Sequence[_Built]) -> None:
        if not keys:
            return
        at = self._used
        for key, (corners, counts) in zip(keys, built, strict=True):
            ends = np.cumsum(counts)
            self._spans[key] = np.stack([at + ends - counts, counts], axis=-1)
            at += len(corners)
        data = np.concatenate([corners for corners, _ in built])
        if data.nbytes:
            self.vertices.write(data, offset=self._used * 4 * CORNER.itemsize)
        self._used = at

    def _reserve(self, faces: int) -> None:
        if self._capacity:
            self.release()
        self._spans.clear()
        self._used, self._capacity = 0, faces
        self.vertices = self._context.buffer(reserve=faces * 4 * CORNER.itemsize)
        self.indices = self._context.buffer(build_quad_indices(faces))
        self.version += 1


def _build(keys: Sequence[_Key]) -> list[_Built]:
    """Return the faces of each arrangement."""
    return [built for run in _runs(keys) for built in _build_alike(run)]


def _runs(keys: Sequence[_Key]) -> list[list[_Key]]:
    """Return keys in runs that differ in covered faces only."""
    runs: list[list[_Key]] = []
    for key in keys:
        if runs and runs[-1][0][0] is key[0] and runs[-1][0][1::2] == key[1::2]:
            runs[-1].append(key)
        else:
            runs.append([key])
    return runs


def _build_alike(keys: list[_Key]) -> list[_Built]:
    """Return the same for arrangements of the same bodies, all at once."""
    models, clear, _, merged = keys[0]
    faces, bodies = list_faces(models), max(1, len(models))
    shown = [_shown(covered, len(faces)) for _, _, covered, _ in keys]
    own = np.concatenate([faces[show] for show in shown])
    counts = [int(show.sum()) for show in shown]
    own["body"] += bodies * np.repeat(np.arange(len(keys)), counts)
    if merged:
        own = merge_faces(own)
    arrangement, body = np.divmod(own["body"], bodies)
    kind = np.where(own["paint"][:, 3] > 0, Kind.ADORNED, Kind.PLAIN)
    kind[np.frombuffer(clear, dtype=bool)[body]] = Kind.CLEAR
    order = np.argsort(arrangement * len(Kind) + kind, kind="stable")
    corners = build_corners(own[order], bodies)
    tally = np.bincount(arrangement * len(Kind) + kind, minlength=len(keys) * len(Kind))
    table = tally.reshape(len(keys), len(Kind))
    ends = np.cumsum(table.sum(axis=1))
    return [
        (corners[end - row.sum() : end], row) for end, row in zip(ends.tolist(), table, strict=True)
    ]


def _shown(covered: bytes, count: int) -> NDArray[np.bool_]:
    if not covered:
        return np.ones(count, dtype=bool)
    bits = np.unpackbits(np.frombuffer(covered, dtype=np.uint8), count=count)
    shown: NDArray[np.bool_] = bits == 0
    return shown

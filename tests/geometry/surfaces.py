"""Conditions for a triangle mesh to bound a solid, tried by brute force on whole numbers."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.int64]
Triangles = NDArray[np.int64]


def check_manifold(triangles: Triangles) -> None:
    """Each edge has one triangle on either side, and around each vertex goes one ring."""
    edges = Counter(
        (int(a), int(b)) for t in triangles for a, b in pairwise([t[0], t[1], t[2], t[0]])
    )
    assert set(edges.values()) == {1}, "an edge is gone along twice in one direction"
    assert all((b, a) in edges for a, b in edges), "an edge has no other side"
    rings: dict[int, dict[int, int]] = defaultdict(dict)
    for t in triangles.tolist():
        for k in range(3):
            rings[t[k]][t[(k + 1) % 3]] = t[(k + 2) % 3]
    for ring in rings.values():
        first = next(iter(ring))
        at, count = ring[first], 1
        while at != first:
            at, count = ring[at], count + 1
        assert count == len(ring), "two sheets touch at a vertex"


def list_intersections(points: Points, triangles: Triangles) -> list[tuple[int, int]]:
    """Pairs of triangles that meet elsewhere than at the vertices and edges that they share."""
    found = []
    for pairs in _list_near(points[triangles]):
        one, other = triangles[pairs[:, 0]], triangles[pairs[:, 1]]
        same = one[:, :, None] == other[:, None, :]
        met = (same.sum(axis=(1, 2)) == 2) & _folds(points, one, other, same)
        for corners, face, shared in ((one, other, same.any(2)), (other, one, same.any(1))):
            for k in range(3):
                ends = [k, (k + 1) % 3]
                apart = np.flatnonzero(~shared[:, ends].any(axis=1))
                p, q = points[corners[apart, ends[0]]], points[corners[apart, ends[1]]]
                met[apart] |= _hits(p, q, points[face[apart]])
        found += [(int(i), int(j)) for i, j in pairs[met]]
    return found


def _list_near(faces: Points) -> Iterator[NDArray[np.int64]]:
    """Pairs (k, 2) of faces (n, 3, 3) whose boxes meet, some thousands at a time."""
    low, high = faces.min(axis=1), faces.max(axis=1)
    order = np.argsort(low[:, 0], kind="stable")
    low, high = low[order], high[order]
    ends = np.searchsorted(low[:, 0], high[:, 0], side="right").tolist()
    waiting: list[NDArray[np.int64]] = []
    for i, end in enumerate(ends):
        later = slice(i + 1, end)
        near = (low[later] <= high[i]).all(axis=1) & (high[later] >= low[i]).all(axis=1)
        others = order[i + 1 + np.flatnonzero(near)]
        waiting.append(np.stack([np.full(len(others), order[i]), others], axis=1))
        if i % 500 == 499 or i == len(ends) - 1:
            yield np.concatenate(waiting)
            waiting = []


def _dot(a: Points, b: Points) -> NDArray[np.int64]:
    return (a * b).sum(axis=-1)


def _volume(a: Points, b: Points, c: Points, d: Points) -> NDArray[np.int64]:
    """Six times the signed volumes of tetrahedra."""
    return _dot(b - a, np.cross(c - a, d - a))


def _folds(
    points: Points, one: Triangles, other: Triangles, same: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Whether triangles with one common edge lie on each other; of others nothing is said."""
    rows = np.arange(len(one))
    apex = np.argmin(same.any(2), axis=1)
    p = points[one[rows, apex]]
    q = points[other[rows, np.argmin(same.any(1), axis=1)]]
    a, b = (points[one[rows, (apex + k) % 3]] for k in (1, 2))
    normals = (np.cross(b - a, corner - a) for corner in (p, q))
    folds: NDArray[np.bool_] = (_volume(a, b, p, q) == 0) & (_dot(*normals) > 0)
    return folds


def _agree(*signs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether numbers are all at least 0, or all at most 0."""
    rows = np.stack(signs)
    agree: NDArray[np.bool_] = (rows >= 0).all(axis=0) | (rows <= 0).all(axis=0)
    return agree


def _hits(p: Points, q: Points, faces: Points) -> NDArray[np.bool_]:
    """Whether segments have a point in common with triangles (n, 3, 3), row by row."""
    a, b, c = np.moveaxis(faces, 1, 0)
    one, other = np.sign(_volume(a, b, c, p)), np.sign(_volume(a, b, c, q))
    hits: NDArray[np.bool_] = one * other <= 0
    hits &= _agree(_volume(p, q, a, b), _volume(p, q, b, c), _volume(p, q, c, a))
    flat = np.flatnonzero((one == 0) & (other == 0))
    hits[flat] = _hits_in_plane(p[flat], q[flat], faces[flat])
    return hits


def _hits_in_plane(p: Points, q: Points, faces: Points) -> NDArray[np.bool_]:
    """The same for segments in the planes of the triangles: seen along the steepest axis."""
    normals = np.abs(np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]))
    axis = np.argmax(normals, axis=1)[:, None]
    kept = (axis + [1, 2]) % 3
    start, end = (np.take_along_axis(ends, kept, axis=1) for ends in (p, q))
    corners = [np.take_along_axis(faces[:, k], kept, axis=1) for k in range(3)]
    sides = [*pairwise([*corners, corners[0]])]
    met = _agree(*(_turn(a, b, start) for a, b in sides))
    for a, b in sides:
        met |= _is_crossing(start, end, a, b)
    return met


def _turn(a: Points, b: Points, c: Points) -> NDArray[np.int64]:
    u, v = b - a, c - a
    return u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]


def _is_crossing(p: Points, q: Points, a: Points, b: Points) -> NDArray[np.bool_]:
    boxes = (np.maximum(p, q) >= np.minimum(a, b)) & (np.maximum(a, b) >= np.minimum(p, q))
    one = np.sign(_turn(p, q, a)) * np.sign(_turn(p, q, b)) <= 0
    other = np.sign(_turn(a, b, p)) * np.sign(_turn(a, b, q)) <= 0
    crossing: NDArray[np.bool_] = boxes.all(axis=1) & one & other
    return crossing


def count_windings(
    points: NDArray[np.float64], triangles: Triangles, at: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How often (n,) a surface goes around each of n points (van Oosterom and Strackee, 1983)."""
    total = np.zeros(len(at))
    for face in points[triangles]:
        a, b, c = face[:, None] - at
        lengths = [np.linalg.norm(v, axis=1) for v in (a, b, c)]
        below = lengths[0] * lengths[1] * lengths[2]
        for (u, v), w in (((a, b), 2), ((b, c), 0), ((c, a), 1)):
            below = below + (u * v).sum(axis=1) * lengths[w]
        total += 2.0 * np.arctan2((a * np.cross(b, c)).sum(axis=1), below)
    return total / (4.0 * np.pi)

"""What a triangle mesh has to be to bound a solid, found out by brute force on whole numbers."""

from collections import Counter, defaultdict
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
    for i, j in _list_near(points[triangles]):
        shared = set(triangles[i]) & set(triangles[j])
        one, other = points[triangles[i]], points[triangles[j]]
        if len(shared) == 2:
            met = _folds(one, other, points[sorted(shared)])
        else:
            met = any(
                _hits(points[edge[0]], points[edge[1]], face)
                for corners, face in ((triangles[i], other), (triangles[j], one))
                for edge in pairwise([*corners, corners[0]])
                if not shared & set(edge)
            )
        if met:
            found.append((i, j))
    return found


def _list_near(faces: Points) -> list[tuple[int, int]]:
    """Pairs of faces (n, 3, 3) whose boxes meet."""
    low, high = faces.min(axis=1), faces.max(axis=1)
    found = []
    for i in range(len(faces)):
        near = (low[i + 1 :] <= high[i]).all(axis=1) & (high[i + 1 :] >= low[i]).all(axis=1)
        found += [(i, i + 1 + int(k)) for k in np.flatnonzero(near)]
    return found


def _volume(a: Points, b: Points, c: Points, d: Points) -> int:
    """Six times the signed volume of a tetrahedron."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (b - a).tolist(), (c - a).tolist(), (d - a).tolist()
    return int(ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx))


def _folds(one: Points, other: Points, edge: Points) -> bool:
    """Whether two triangles with a common edge lie on each other."""
    (p,), (q,) = (
        [corner for corner in face if not (corner == edge).all(axis=1).any()]
        for face in (one, other)
    )
    along = edge[1] - edge[0]
    if _volume(edge[0], edge[1], p, q):
        return False
    return bool(np.cross(along, p - edge[0]) @ np.cross(along, q - edge[0]) > 0)


def _hits(p: Points, q: Points, face: Points) -> bool:
    """Whether a segment has a point in common with a triangle."""
    a, b, c = face
    one, other = _volume(a, b, c, p), _volume(a, b, c, q)
    if one * other > 0:
        return False
    if one == other == 0:
        return _hits_in_plane(p, q, face)
    signs = [_volume(p, q, a, b), _volume(p, q, b, c), _volume(p, q, c, a)]
    return all(s >= 0 for s in signs) or all(s <= 0 for s in signs)


def _hits_in_plane(p: Points, q: Points, face: Points) -> bool:
    normal = np.cross(face[1] - face[0], face[2] - face[0])
    kept = [k for k in range(3) if k != int(np.argmax(np.abs(normal)))]
    corners = [tuple(map(int, corner[kept])) for corner in face]
    start, end = tuple(map(int, p[kept])), tuple(map(int, q[kept]))
    if _is_within(start, corners):
        return True
    return any(_cross(start, end, a, b) for a, b in pairwise([*corners, corners[0]]))


Flat = tuple[int, ...]


def _turn(a: Flat, b: Flat, c: Flat) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _is_within(p: Flat, corners: list[Flat]) -> bool:
    turns = [_turn(a, b, p) for a, b in pairwise([*corners, corners[0]])]
    return all(t >= 0 for t in turns) or all(t <= 0 for t in turns)


def _cross(p: Flat, q: Flat, a: Flat, b: Flat) -> bool:
    if any(max(p[k], q[k]) < min(a[k], b[k]) or max(a[k], b[k]) < min(p[k], q[k]) for k in (0, 1)):
        return False
    return _turn(p, q, a) * _turn(p, q, b) <= 0 and _turn(a, b, p) * _turn(a, b, q) <= 0


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

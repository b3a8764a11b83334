"""Look of a film: surfaces of all bodies with appearance, the ground behind, and the camera."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.recording.movers import movers_of
from bridge.video.reference.appearance import (
    Background,
    Observations,
    borrow_texture,
    learn_background,
    learn_paint,
    split_sides,
)
from bridge.video.reference.film import TrueFilm
from bridge.video.reference.raster import NOTHING, light_texels, rasterize
from bridge.video.reference.surfaces import Surfaces, build_surfaces
from pysim.catalog import find_family
from pysim.render.walls import NEAR, list_edges
from pysim.scene import Body, Container

__all__ = ["Drawing", "Lens", "Look", "find_overlapped", "learn_look"]

_Array = NDArray[np.float64]
_Plane = NDArray[np.float32]
_Picture = NDArray[np.uint8]
_Index = NDArray[np.int64]

_SAMPLES = 40
"""Pictures of the film from which appearance is learned."""
_PIXELS = 20_000
"""Pixels of each from which it is learned, more or less."""
_TEXEL = 2.5
"""Edge of a texel in pixels, more or less."""
_TEXELS = (4, 12)
"""Texels along the edge of a cell, at least and at most."""
_LIT = 0.02
"""Share of all that is seen that has to look along an axis for the light there to be known."""
_DIM = 0.2
"""Share of the light of other sides with which that of a rectangle is not known."""
_FIXED = 1e-6
"""Units by which a body that never moves may move."""
_RIM = 2
"""Pixels around a body, or an edge, that look like it, too."""
_AROUND = np.ones((2 * _RIM + 1, 2 * _RIM + 1), np.uint8)
_IN_FRONT = 0.35
"""Units by which a body is in front of another one."""


class Lens(NamedTuple):
    """A camera.

    Attributes:
        view: (4, 4) from world to camera coordinates.
        values: (3,) focal length, and column and row of the middle, in pixels.
    """

    view: _Array
    values: _Array

    def project(self, points: _Array) -> _Array:
        """Return the pixels (n, 2), column and row, of points (n, 3) of the world."""
        seen = points @ self.view[:3, :3].T + self.view[:3, 3]
        near = np.maximum(seen[:, 2:], 0.1)
        return np.asarray(self.values[0] * seen[:, :2] / near + self.values[1:])

    def locate(self, rows: _Index, columns: _Index, depth: _Plane) -> _Array:
        """Return the points (n, 3) of the world that pixels show, at their inverse depth (n,)."""
        far = 1.0 / depth.astype(np.float64)
        places = np.stack([columns, rows], axis=1) + 0.5 - self.values[1:]
        seen = np.column_stack([far[:, None] * places / self.values[0], far])
        return np.asarray((seen - self.view[:3, 3]) @ self.view[:3, :3])

    def measure_depth(self, point: _Array) -> float:
        """Return how far before the camera a point (3,) of the world is."""
        return max(float(self.view[2, :3] @ point + self.view[2, 3]), 0.1)

    def measure_unit(self, point: _Array) -> float:
        """Return how large a unit looks at a point (3,) of the world, in pixels."""
        return float(self.values[0] / self.measure_depth(point))


class Drawing(NamedTuple):
    """Bodies drawn before nothing.

    Attributes:
        depth: (H, W) inverse depth, 0 where no body is.
        faces: (H, W) the rectangle that is seen; -1 where no body is.
        texels: (H, W) the texel that is seen.
        normals: (F, 3) of all rectangles, in the world.
        rows: the first row of what is drawn, and the end.
        columns: (2, H) first column of what is drawn in each row, and the end.
    """

    depth: _Plane
    faces: NDArray[np.int32]
    texels: NDArray[np.int32]
    normals: _Array
    rows: tuple[int, int]
    columns: _Index


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """Look of a film.

    Attributes:
        names: bodies, in the order of poses.
        surfaces: their outsides.
        movable: (B,) whether a body is a piece, or ever moves.
        drawn: (B,) whether a body has outsides: one doesn't see through it.
        texture: (T, 3) colours of texels in even light, 0 to 255; negative where never seen.
        spread: (T,) by how much these differ from picture to picture, squared.
        shade: (6, 3) light on what looks along +x, -x, +y, -y, +z and -z, for each channel.
        lit: (6,) whether enough was seen that looks there, for its light to be known.
        background: all else.
        start: (B, 4, 4) where bodies are at first.
        lens: the camera, for pictures of the size that is compared.
        edges: (H, W) inverse depth of the edges of a container, 0 where none is: lines that belong
            to the background, but what is behind them is not seen.
    """

    names: tuple[str, ...]
    surfaces: Surfaces
    movable: NDArray[np.bool_]
    drawn: NDArray[np.bool_]
    texture: _Plane
    spread: _Plane
    shade: _Array
    lit: NDArray[np.bool_]
    background: Background
    start: _Array
    lens: Lens
    edges: _Plane

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of the pictures that are compared."""
        height, width = self.edges.shape
        return height, width

    @property
    def pieces(self) -> _Index:
        """Bodies that are drawn and may move."""
        return np.flatnonzero(self.movable & self.drawn)

    @property
    def fixtures(self) -> _Index:
        """Bodies that are drawn and never move."""
        return np.flatnonzero(~self.movable & self.drawn)

    def find_present(self, poses: _Array) -> _Index:
        """Return the bodies that are drawn and are there, of poses (B, 4, 4) of all."""
        return np.flatnonzero(self.drawn & np.isfinite(poses).all(axis=(1, 2)))

    def draw(self, bodies: _Index, poses: _Array) -> Drawing:
        """Draw bodies at poses (N, 4, 4), one each."""
        return draw_bodies(self.surfaces, self.lens, self.edges, bodies, poses)

    def label(self, drawing: Drawing) -> _Index:
        """Return the body (H, W) that each pixel of a drawing shows; -1 for none."""
        owners = np.append(self.surfaces.owners, NOTHING)
        return np.asarray(owners[drawing.faces])

    def find_spread(self, drawing: Drawing) -> _Plane:
        """Return by how much what is drawn differs from picture to picture (H, W), squared."""
        spread = self.spread[np.maximum(drawing.texels, 0)]
        return np.where(drawing.faces >= 0, spread, np.float32(0.0))

    def find_unseen(self, drawing: Drawing, texture: _Plane | None = None) -> NDArray[np.bool_]:
        """Return the pixels (H, W) of which the film never shows what is there."""
        texture = self.texture if texture is None else texture
        shown = texture[np.maximum(drawing.texels, 0), 0] < 0.0
        return np.asarray(shown & (drawing.faces >= 0))

    def find_dim(self, drawing: Drawing) -> NDArray[np.bool_]:
        """Return the pixels (H, W) on which the light is not known."""
        dim = (split_sides(drawing.normals) @ ~self.lit) > _DIM
        return np.asarray(np.append(dim, False)[drawing.faces])

    def light(self, drawing: Drawing, picture: _Picture, texture: _Plane | None = None) -> None:
        """Draw bodies as they should look upon a picture (H, W, 3).

        Args:
            texture: (T, 3) of all bodies, if they look otherwise.
        """
        low, high = drawing.rows
        texture = self.texture if texture is None else texture
        light_texels(
            low, high, drawing.depth, drawing.texels, drawing.faces, drawing.columns,
            drawing.normals, texture, self.shade, picture,
        )  # fmt: skip


def draw_bodies(
    surfaces: Surfaces, lens: Lens, edges: _Plane, bodies: _Index, poses: _Array
) -> Drawing:
    """Draw bodies at poses (N, 4, 4), one each, upon an empty picture.

    Args:
        edges: (H, W) inverse depth of lines, behind which nothing is seen.
    """
    size = edges.shape
    depth, texels = np.zeros(size, np.float32), np.full(size, NOTHING, np.int32)
    faces, columns = np.full(size, NOTHING, np.int32), np.zeros((2, size[0]), np.int64)
    normals = np.zeros_like(surfaces.normals)
    rows = rasterize(
        *surfaces, bodies, np.ascontiguousarray(poses), *lens, edges,
        depth, texels, faces, columns, normals,
    )  # fmt: skip
    return Drawing(depth, faces, texels, normals, rows, columns)


def learn_look(film: TrueFilm) -> Look:
    """Learn how all bodies look from a whole film."""
    bundle = film.bundle
    family = find_family(bundle.level)
    scene = family.rules.scene(bundle.level, family.rules.initial(bundle.level))
    bodies = [scene.find_body(name) for name in bundle.names]
    poses = np.nan_to_num(bundle.poses)
    moved = (np.abs(poses - poses[:1]) > _FIXED).any(axis=(0, 2, 3))
    pieces = {*movers_of(bundle.level, scene), *map(str, bundle.level.colours)}
    movable = moved | np.array([name in pieces for name in bundle.names])
    drawn = np.array([not body.translucent for body in bodies])
    lens = _make_lens(film)
    edges = _draw_edges(scene.container, lens, (film.size[1], film.size[0]))
    unit = film.bundle.manifest.pixels_per_unit * film.size[0] / film.bundle.camera.width
    texels = int(np.clip(round(unit / _TEXEL), *_TEXELS))
    surfaces = build_surfaces([body.shape for body in bodies], texels)
    chosen = np.linspace(0, len(film.frames) - 1, min(_SAMPLES, len(film.frames))).round()
    everything = np.flatnonzero(drawn)
    places = np.unique(chosen.astype(np.int64)).tolist()
    # Beside an edge of a container what is behind it looks as dark as the edge.
    rims = cv2.dilate(edges, _AROUND)
    seen, covered = [], []
    for number, place in enumerate(places):
        there = poses[film.frames[place], everything]
        drawing = draw_bodies(surfaces, lens, edges, everything, there)
        owners = np.append(surfaces.owners, NOTHING)[drawing.faces]
        moving = (owners >= 0) & np.append(movable, False)[owners]
        covered.append(cv2.dilate(moving.astype(np.uint8), _AROUND) > 0)
        # What stands still may be seen beside what moves at another time.
        clear = (drawing.depth > rims) & (moving | ~covered[-1])
        mixed = find_overlapped(drawing.depth, owners)
        seen.append(_observe(drawing, film.pictures[place], clear, mixed, number))
    background = learn_background(np.stack([film.pictures[k] for k in places]), np.stack(covered))
    merged = _merge(seen)
    seen.clear()
    stickered = np.array([bool(body.stickers) for body in bodies])
    many = np.bincount(merged.looks, minlength=len(merged.sides)) / max(1, len(merged.looks))
    lit = many @ merged.sides > _LIT
    borrowing = stickered & np.array([len(body.shape.cells) == 1 for body in bodies])
    merged = _drop_dim(merged, surfaces, borrowing, lit)
    paints = _list_paints(bodies, surfaces)
    owners = surfaces.owners.tolist()
    alike = [owner if paint is None else paint for owner, paint in zip(owners, paints, strict=True)]
    paint = learn_paint(surfaces, merged, stickered, alike)
    palette = bundle.manifest.palette
    bare: dict[Hashable, _Array] = {
        (body.colour,): np.array(palette[body.name], np.float64) for body in bodies
    }
    paint = borrow_texture(surfaces, paint, paints, bare)
    return Look(
        bundle.names, surfaces, movable, drawn, *paint, lit, background, poses[0], lens, edges
    )


def _draw_edges(container: Container | None, lens: Lens, size: tuple[int, int]) -> _Plane:
    """Draw the inverse depth (H, W) of the edges of a container, one pixel wide."""
    drawn = np.zeros(size, np.float32)
    for start, end in () if container is None else list_edges(container):
        long = np.linalg.norm(np.diff(lens.project(np.stack([start, end])), axis=0))
        points = start + np.linspace(0.0, 1.0, 2 + int(2.0 * long))[:, None] * (end - start)
        columns, rows = np.floor(lens.project(points)).astype(np.int64).T
        inside = (rows >= 0) & (rows < size[0]) & (columns >= 0) & (columns < size[1])
        near = 1.0 / np.maximum(points @ lens.view[2, :3] + lens.view[2, 3] - NEAR, 0.1)
        np.maximum.at(drawn, (rows[inside], columns[inside]), near[inside].astype(np.float32))
    return drawn


def find_overlapped(depth: _Plane, owners: _Index) -> NDArray[np.bool_]:
    """Return the pixels (H, W) beside a body that is in front of what they show.

    They look like both of them, and what is hidden may be seen in no others.

    Args:
        depth: (H, W) inverse depth.
        owners: (H, W) the body that each pixel shows.
    """
    away = 1.0 / np.maximum(depth, 1e-6)
    near, others = np.pad(away, _RIM, constant_values=np.inf), np.pad(owners, _RIM, "edge")
    overlapped = np.zeros(depth.shape, bool)
    for down, right in np.ndindex(_AROUND.shape):
        there = np.s_[down : down + depth.shape[0], right : right + depth.shape[1]]
        overlapped |= (others[there] != owners) & (near[there] < away - _IN_FRONT)
    return overlapped


def _drop_dim(
    seen: Observations, surfaces: Surfaces, borrowing: NDArray[np.bool_], lit: NDArray[np.bool_]
) -> Observations:
    """Return observations without those of stickers in a light that is hardly known.

    Its colour would be as wrong as the light. Bodies of one cell may borrow it from others.
    """
    owners = np.repeat(surfaces.owners, surfaces.grid.prod(axis=1))[seen.texels]
    use = ~borrowing[owners] | (seen.sides @ ~lit <= _DIM)[seen.looks]
    return seen.select(use) if use.any() else seen


def _list_paints(bodies: Sequence[Body], surfaces: Surfaces) -> list[Hashable | None]:
    """Return the stickers on the sides of bodies of one cell; None for the sides of others."""
    paints: list[Hashable | None] = []
    for owner, normal in zip(surfaces.owners.tolist(), surfaces.normals.tolist(), strict=True):
        body = bodies[owner]
        if len(body.shape.cells) > 1 or not body.stickers:
            paints.append(None)
            continue
        stuck = [(s.colour, s.glyph) for s in body.stickers if list(s.side.vector) == normal]
        paints.append((body.colour, *stuck))
    return paints


def _make_lens(film: TrueFilm) -> Lens:
    camera = film.bundle.camera
    scale = film.size[0] / camera.width, film.size[1] / camera.height
    k = camera.intrinsics
    focal = k[0, 0] * (scale[0] + scale[1]) / 2.0
    values = np.array([focal, k[0, 2] * scale[0], k[1, 2] * scale[1]])
    return Lens(np.asarray(camera.extrinsics, np.float64), values)


def _observe(
    drawing: Drawing,
    picture: _Picture,
    clear: NDArray[np.bool_],
    mixed: NDArray[np.bool_],
    number: int,
) -> Observations:
    inside = np.flatnonzero((drawing.faces >= 0) & clear)
    step = max(1, len(inside) // _PIXELS)
    chosen = inside[number % step :: step]
    return Observations(
        drawing.texels.ravel()[chosen],
        drawing.faces.ravel()[chosen],
        picture.reshape(-1, 3)[chosen],
        mixed.ravel()[chosen],
        split_sides(drawing.normals),
    )


def _merge(seen: Sequence[Observations]) -> Observations:
    """Return the observations of several pictures together."""
    firsts = np.cumsum([0, *(len(one.sides) for one in seen[:-1])]).tolist()
    looks = [np.int32(first) + one.looks for first, one in zip(firsts, seen, strict=True)]
    return Observations(
        np.concatenate([one.texels for one in seen]),
        np.concatenate(looks),
        np.concatenate([one.colors for one in seen]),
        np.concatenate([one.mixed for one in seen]),
        np.concatenate([one.sides for one in seen]),
    )

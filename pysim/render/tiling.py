"""Shots as pictures: a camera for each tile, and what they see put together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.motion import Transform
from pysim.render.camera import Camera, fit
from pysim.render.overlay import entitle
from pysim.render.renderer import BACKDROP, Pass, Pictures, Renderer
from pysim.scene import Scene
from pysim.shots import Shot, Tile, Vector

__all__ = ["cameras_of", "draw_shots"]

_NOTHING = {Pass.RGB: BACKDROP, Pass.IDS: 0, Pass.DEPTH: np.inf, Pass.NORMALS: 0}
"""What a pixel between tiles holds."""


def cameras_of(scene: Scene, shot: Shot) -> tuple[Camera, ...]:
    """A camera for each tile, close on ``scene.work`` or where the tile says."""
    return tuple(_camera(scene, shot.name, tile) for tile in shot.tiles)


def draw_shots(
    renderer: Renderer,
    scene: Scene,
    shots: Sequence[Shot],
    size: int,
    transforms: Mapping[str, Transform] | None,
    passes: Sequence[Pass],
) -> list[Pictures]:
    """The planes (size, size, ...) of each shot; tiles of one size are drawn at once.

    Raises:
        InputError: a shot has more tiles than there are pixels; or as
            :meth:`~pysim.render.renderer.Renderer.render`.
    """
    grids = [_Grid.of(shot, size) for shot in shots]
    cameras: dict[int, list[Camera]] = {}
    for shot, grid in zip(shots, grids, strict=True):
        cameras.setdefault(grid.edge, []).extend(cameras_of(scene, shot))
    seen = {
        edge: _each(renderer.render(scene, own, edge, transforms, passes), len(own))
        for edge, own in cameras.items()
    }
    return [
        _composed(shot, grid, [next(seen[grid.edge]) for _ in shot.tiles], passes)
        for shot, grid in zip(shots, grids, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where the tiles of a shot lie; all in pixels.

    Attributes:
        size: edge of the whole picture.
        edge: edge of a tile.
        strip: height of the strip above each tile, for its label.
        left, top: the corner of the first tile's strip.
    """

    size: int
    edge: int
    strip: int
    left: int
    top: int

    @staticmethod
    def of(shot: Shot, size: int) -> "_Grid":
        rows, columns = shot.rows, shot.columns
        edge = min(size // columns, 6 * size // (7 * rows) if shot.labelled else size // rows)
        if edge < 1:
            raise InputError(
                f"the shot {shot.name!r} of {rows} x {columns} tiles needs more than {size} pixels"
            )
        strip = edge // 6 if shot.labelled else 0
        return _Grid(
            size, edge, strip, (size - columns * edge) // 2, (size - rows * (edge + strip)) // 2
        )

    def corner(self, tile: Tile) -> tuple[int, int]:
        """Left and top of a tile's strip."""
        return self.left + tile.column * self.edge, self.top + tile.row * (self.edge + self.strip)


def _camera(scene: Scene, name: str, tile: Tile) -> Camera:
    if tile.eye is not None:
        return _looking(name, tile, tile.eye)
    camera = fit(name, tile.towards, scene.work, orthographic=tile.parallel, up=tile.up)
    return replace(camera, shaded=tile.shaded)


def _looking(name: str, tile: Tile, eye: Vector) -> Camera:
    """A camera in the midst of things: it sees a right angle, and from a tenth of a cell on."""
    x, y, z = (at - back for at, back in zip(eye, tile.towards, strict=True))
    return Camera(name, eye, (x, y, z), tile.up, 90.0, near=0.1, shaded=tile.shaded)


def _each(pictures: Pictures, count: int) -> Iterator[Pictures]:
    return (pictures[index] for index in range(count))


def _composed(
    shot: Shot, grid: _Grid, seen: Sequence[Pictures], passes: Sequence[Pass]
) -> Pictures:
    if grid.edge == grid.size:
        return seen[0]
    planes = {kind: _blank(kind, grid.size) for kind in passes}
    for tile, picture in zip(shot.tiles, seen, strict=True):
        left, top = grid.corner(tile)
        low = top + grid.strip
        for kind, plane in planes.items():
            plane[low : low + grid.edge, left : left + grid.edge] = picture.planes[kind]
    whole = Pictures(planes)
    if Pass.RGB in planes:
        for tile in shot.tiles:
            entitle(whole.rgb, tile.label, (*grid.corner(tile), grid.edge, grid.strip))
    return whole


def _blank(kind: Pass, size: int) -> NDArray[np.generic]:
    return np.full((size, size, *kind.channels), _NOTHING[kind], dtype=kind.dtype)

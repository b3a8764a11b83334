"""Shots as pictures: a camera for each tile, and what they see put together."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.render.camera import Camera, fit
from pysim.render.overlay import draw_ruler, has_ruler, write_title
from pysim.render.renderer import BACKDROP, Pass, Pictures, Renderer
from pysim.scene import Scene
from pysim.trajectory import Transform
from pysim.viewpoints import Panel, Vector, View

__all__ = ["draw_part", "draw_views", "find_ruled_views", "make_blank", "place_cameras"]

_NOTHING = {Pass.RGB: BACKDROP, Pass.IDS: 0, Pass.DEPTH: np.inf, Pass.NORMALS: 0}
"""What a pixel between tiles holds."""

_RULER_ROOM = 1.11
"""Factor by which a picture with a ruler shows more than one without."""


def place_cameras(scene: Scene, shot: View) -> tuple[Camera, ...]:
    """Return a camera for each tile, close on ``scene.work`` or where the tile says."""
    return tuple(_camera(scene, shot.name, tile) for tile in shot.panels)


def draw_views(
    renderer: Renderer,
    scene: Scene,
    shots: Sequence[View],
    size: int,
    transforms: Mapping[str, Transform] | None,
    passes: Sequence[Pass],
    *,
    rulers: bool = True,
) -> list[Pictures]:
    """Return the planes (size, size, ...) of each shot; tiles of one size are drawn at once.

    Args:
        rulers: whether tiles bear the rulers that they ask for.

    Raises:
        InputError: a shot has more tiles than there are pixels; or as
            :meth:`~pysim.render.renderer.Renderer.render`.
    """
    grids = [_Grid.lay_out(shot, size) for shot in shots]
    cameras: dict[_Drawing, list[Camera]] = {}
    for shot, grid in zip(shots, grids, strict=True):
        for tile, camera in zip(shot.panels, place_cameras(scene, shot), strict=True):
            cameras.setdefault(_drawing(tile, grid), []).append(camera)
    seen = {
        (edge, leaves_out, adds): iter(
            draw_part(
                renderer,
                scene,
                own,
                edge,
                transforms,
                passes,
                leaves_out=leaves_out,
                adds=adds,
            )
        )
        for (edge, leaves_out, adds), own in cameras.items()
    }
    composed = []
    for shot, grid in zip(shots, grids, strict=True):
        tiles = [next(seen[_drawing(tile, grid)]) for tile in shot.panels]
        if rulers:
            pairs = zip(shot.panels, tiles, strict=True)
            tiles = [_ruled(scene, shot.name, tile, picture) for tile, picture in pairs]
        composed.append(_composed(shot, grid, tiles, passes))
    return composed


def find_ruled_views(shots: Sequence[View], size: int) -> tuple[str, ...]:
    """Return the names of shots of ``size`` pixels in which a ruler is drawn."""
    return tuple(
        shot.name
        for shot in shots
        if any(tile.ruler for tile in shot.panels) and has_ruler(_Grid.lay_out(shot, size).edge)
    )


_Drawing = tuple[int, frozenset[str], frozenset[str]]
"""What tiles have to share to be drawn at once: their edge, and which bodies they show."""


def _drawing(tile: Panel, grid: "_Grid") -> _Drawing:
    return grid.edge, tile.leaves_out, tile.adds


def draw_part(
    renderer: Renderer,
    scene: Scene,
    cameras: Sequence[Camera],
    size: int,
    transforms: Mapping[str, Transform] | None,
    passes: Sequence[Pass],
    *,
    leaves_out: frozenset[str] = frozenset(),
    adds: frozenset[str] = frozenset(),
) -> list[Pictures]:
    """Return a picture for each camera; bodies have the ids that they have in the whole scene.

    Args:
        leaves_out: names of the bodies that are not drawn.
        adds: names of the bodies of ``scene.scenery`` that are drawn.

    Raises:
        InputError: as :meth:`~pysim.render.renderer.Renderer.render`.
    """
    if not leaves_out and not adds:
        return _each(renderer.render(scene, cameras, size, transforms, passes), len(cameras))
    numbers = [k for k, b in enumerate(scene.bodies, 1) if b.name not in leaves_out]
    bodies = [scene.bodies[k - 1] for k in numbers]
    bodies += [body for body in scene.scenery if body.name in adds]
    names = {body.name for body in bodies}
    moved = {name: at for name, at in (transforms or {}).items() if name in names}
    asked = tuple(dict.fromkeys((*passes, Pass.IDS)))
    part = replace(scene, bodies=tuple(bodies), scenery=())
    seen = renderer.render(part, cameras, size, moved, asked)
    ids = np.zeros(len(bodies) + 1, dtype=np.uint16)
    ids[1 : len(numbers) + 1] = numbers
    return [_renumbered(picture, ids) for picture in _each(seen, len(cameras))]


def _ruled(scene: Scene, name: str, tile: Panel, seen: Pictures) -> Pictures:
    """Return a picture with the ruler of its tile, if it has one and there is a colour plane."""
    if not tile.ruler or Pass.RGB not in seen.planes:
        return seen
    rgb = seen.rgb.copy()
    draw_ruler(rgb, _camera(scene, name, tile), scene.work)
    return Pictures({**seen.planes, Pass.RGB: rgb})


def _renumbered(picture: Pictures, ids: NDArray[np.uint16]) -> Pictures:
    """Return a picture with other ids; what has none has no depth either."""
    planes = dict(picture.planes)
    planes[Pass.IDS] = ids[picture.ids]
    for kind in planes.keys() & {Pass.DEPTH, Pass.NORMALS}:
        planes[kind] = planes[kind].copy()
        planes[kind][planes[Pass.IDS] == 0] = _NOTHING[kind]
    return Pictures(planes)


@dataclass(frozen=True, slots=True)
class _Grid:
    """Places of the panels of a view; all in pixels.

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
    def lay_out(shot: View, size: int) -> "_Grid":
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

    def locate_corner(self, tile: Panel) -> tuple[int, int]:
        """Left and top of a tile's strip."""
        return self.left + tile.column * self.edge, self.top + tile.row * (self.edge + self.strip)


def _camera(scene: Scene, name: str, tile: Panel) -> Camera:
    if tile.eye is not None:
        return _looking(name, tile, tile.eye)
    camera = fit(name, tile.towards, scene.work, orthographic=tile.parallel, up=tile.up)
    camera = replace(camera, shaded=tile.shaded)
    return _widened(camera) if tile.ruler else camera


def _widened(camera: Camera) -> Camera:
    """Return a camera that sees more around what it sees, so that there is room for a ruler."""
    if camera.width is not None:
        return replace(camera, width=camera.width * _RULER_ROOM)
    slope = math.tan(math.radians(camera.fov_deg) / 2.0) * _RULER_ROOM
    return replace(camera, fov_deg=math.degrees(2.0 * math.atan(slope)))


def _looking(name: str, tile: Panel, eye: Vector) -> Camera:
    """A camera in the midst of things: it sees a right angle, and from a tenth of a cell on."""
    x, y, z = (at - back for at, back in zip(eye, tile.towards, strict=True))
    return Camera(name, eye, (x, y, z), tile.up, 90.0, near=0.1, shaded=tile.shaded)


def _each(pictures: Pictures, count: int) -> list[Pictures]:
    return [pictures[index] for index in range(count)]


def _composed(
    shot: View, grid: _Grid, seen: Sequence[Pictures], passes: Sequence[Pass]
) -> Pictures:
    if grid.edge == grid.size:
        return seen[0]
    planes = {kind: make_blank(kind, grid.size) for kind in passes}
    for tile, picture in zip(shot.panels, seen, strict=True):
        left, top = grid.locate_corner(tile)
        low = top + grid.strip
        for kind, plane in planes.items():
            plane[low : low + grid.edge, left : left + grid.edge] = picture.planes[kind]
    whole = Pictures(planes)
    if Pass.RGB in planes:
        for tile in shot.panels:
            write_title(whole.rgb, tile.label, (*grid.locate_corner(tile), grid.edge, grid.strip))
    return whole


def make_blank(kind: Pass, size: int) -> NDArray[np.generic]:
    """Return a plane (size, size, ...) in which nothing is seen."""
    return np.full((size, size, *kind.channels), _NOTHING[kind], dtype=kind.dtype)

"""Draw the viewpoints of an observation: panels, what is written over them, and sheets of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Direction
from pysim.render.camera import Camera
from pysim.render.composition import MAX_PANELS, SHEET, CameraPanel, Composition, compose
from pysim.render.overlay import Overlay, draw_overlay, has_axes, label, label_texts
from pysim.render.renderer import Pass, Pictures, Renderer
from pysim.render.tiling import draw_part, draw_views, find_ruled_views, make_blank
from pysim.scene import Container, Scene
from pysim.trajectory import Transform
from pysim.viewpoints import View, Views

__all__ = ["Drawing", "Rendered", "describe_marks", "draw_cameras", "draw_scene"]

_GAP = 2
"""Pixels between the panels of a picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """A picture of a scene; the top row comes first.

    Attributes:
        name: the camera's, the shot's or the viewpoint's.
        rgb: (H, W, 3) uint8, sRGB.
        ids: (H, W) uint16; 0 where no body is seen, else body index + 1.
        depth: (H, W) float32; distance from the camera plane, infinity where nothing is seen.
        normals: (H, W, 3) float32, in world axes; None if they were not asked for.
    """

    name: str
    rgb: NDArray[np.uint8]
    ids: NDArray[np.uint16]
    depth: NDArray[np.float32]
    normals: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A scene to be drawn, and how.

    Attributes:
        renderer, scene: what draws what.
        size: edge of each picture in pixels.
        transforms: body name -> 4x4 transform, in place of the pose in the scene.
        overlay: what is written over the pictures.
        passes: what is wanted of each pixel.
        clears_axes: whether the axes are drawn in the corner of a panel with the fewest pixels of
            bodies; else at the bottom left.
    """

    renderer: Renderer
    scene: Scene
    size: int
    transforms: Mapping[str, Transform] | None
    overlay: Overlay
    passes: Sequence[Pass]
    clears_axes: bool = False


def draw_scene(drawing: Drawing, views: Views) -> tuple[Rendered, ...]:
    """Return the pictures of an observation."""
    if drawing.scene.views is None:
        return _draw_viewpoints(drawing, compose(drawing.scene, views))
    if views is Views.SINGLE:
        first = replace(drawing.scene, views=drawing.scene.views[:1])
        return _draw_shots(replace(drawing, scene=first))
    if views is Views.SHEET and len(drawing.scene.views) > 1:
        return (_draw_sheet_of_views(drawing),)
    return _draw_shots(drawing)


def draw_cameras(drawing: Drawing, cameras: Sequence[Camera]) -> tuple[Rendered, ...]:
    """Return a picture for each camera."""
    return _draw_viewpoints(drawing, [Composition.from_camera(camera) for camera in cameras])


def _draw_shots(drawing: Drawing) -> tuple[Rendered, ...]:
    """Return the scene's own pictures, which bear neither name nor axes."""
    scene, shots = drawing.scene, drawing.scene.views or ()
    drawn = draw_views(
        drawing.renderer,
        scene,
        shots,
        drawing.size,
        drawing.transforms,
        drawing.passes,
        rulers=drawing.overlay.ruler,
    )
    return tuple(
        _rendered(shot.name, _labelled(pictures, drawing))
        for shot, pictures in zip(shots, drawn, strict=True)
    )


def _draw_sheet_of_views(drawing: Drawing) -> Rendered:
    scene = replace(drawing.scene, views=_select_sheet_views(drawing.scene))
    edge = _edge(drawing.size, 2)
    drawn = _draw_shots(replace(drawing, scene=scene, size=edge))
    return _rendered(SHEET, _paste([_planes(one) for one in drawn], drawing))


def _select_sheet_views(scene: Scene) -> tuple[View, ...]:
    """Return the shots that a sheet has room for."""
    return (scene.views or ())[:MAX_PANELS]


def describe_marks(
    scene: Scene, size: int, views: Views = Views.COMPOSED, *, own: bool = False
) -> str:
    """Return what pictures bear for orientation, for whoever reads them; empty for nothing.

    Args:
        size: edge of the pictures in pixels.
        own: whether a camera of one's own makes the picture.
    """
    if own and scene.views != ():
        return _GIZMO if has_axes(size, clears=False) else ""
    if scene.views is None:
        # Any composed picture may have panels at some time.
        whole = views in (Views.CLASSIC, Views.SINGLE)
        edge = size if whole else _edge(size, 2)
        return _GIZMO if has_axes(edge, clears=views is not Views.CLASSIC) else ""
    if views is Views.SINGLE:
        return _describe_rulers(scene.views[:1], size)
    if views is not Views.SHEET or len(scene.views) < 2:
        return _describe_rulers(scene.views, size)
    names = ", ".join(shot.name for shot in _select_sheet_views(scene))
    rulers = _describe_rulers(_select_sheet_views(scene), _edge(size, 2))
    return f"The panels of the picture are, row by row: {names}. {rulers}".strip()


_GIZMO = "The axis gizmo in each picture shows +x, +y and +z (up)."


def _describe_rulers(shots: Sequence[View], size: int) -> str:
    names = find_ruled_views(shots, size)
    if not names:
        return ""
    return (
        f"In {', '.join(names)} the numbers along the edges are coordinates of cells; the letter "
        "at the high end of each row of numbers is its axis."
    )


def _draw_viewpoints(drawing: Drawing, viewpoints: Sequence[Composition]) -> tuple[Rendered, ...]:
    kinds = [
        (_edge(drawing.size, one.columns), panel) for one in viewpoints for panel in one.panels
    ]
    drawn = iter(_draw_panels(drawing, kinds))
    return tuple(
        _rendered(one.name, _paste([next(drawn) for _ in one.panels], drawing))
        for one in viewpoints
    )


def _edge(size: int, columns: int) -> int:
    """Return the edge of a panel in pixels."""
    return (size - _GAP * (columns - 1)) // columns


def _draw_panels(drawing: Drawing, panels: Sequence[tuple[int, CameraPanel]]) -> list[Pictures]:
    """Return a picture for each panel, by its edge in pixels; those alike are drawn at once."""
    groups: dict[tuple[int, frozenset[str]], list[int]] = {}
    for index, (edge, panel) in enumerate(panels):
        groups.setdefault((edge, panel.leaves_out), []).append(index)
    drawn: dict[int, Pictures] = {}
    for (edge, leaves_out), members in groups.items():
        cameras = [panels[index][1].camera for index in members]
        pictures = draw_part(
            drawing.renderer,
            _outlined(drawing.scene) if leaves_out else drawing.scene,
            cameras,
            edge,
            drawing.transforms,
            drawing.passes,
            leaves_out=leaves_out,
        )
        for index, camera, seen in zip(members, cameras, pictures, strict=True):
            drawn[index] = _annotated(_labelled(seen, drawing), camera, drawing)
    return [drawn[index] for index in range(len(panels))]


def _outlined(scene: Scene) -> Scene:
    """Return the scene with lines around its work block, for panels that leave most of it out."""
    return replace(scene, container=Container(scene.work, frozenset(Direction)))


def _annotated(seen: Pictures, camera: Camera, drawing: Drawing) -> Pictures:
    occupied = seen.ids > 0 if drawing.clears_axes else None
    return _with_rgb(seen, draw_overlay(seen.rgb, camera, drawing.overlay, occupied))


def _labelled(seen: Pictures, drawing: Drawing) -> Pictures:
    names = [body.name for body in drawing.scene.bodies]
    texts = label_texts(names, drawing.overlay.labels)
    return _with_rgb(seen, label(seen.rgb, seen.ids, texts)) if texts else seen


def _with_rgb(seen: Pictures, rgb: NDArray[np.uint8]) -> Pictures:
    return Pictures({**seen.planes, Pass.RGB: rgb})


def _paste(panels: Sequence[Pictures], drawing: Drawing) -> Pictures:
    """Return panels in two columns, row by row, as one picture."""
    if len(panels) == 1:
        return panels[0]
    planes = {kind: make_blank(kind, drawing.size) for kind in drawing.passes}
    for panel, (top, left) in zip(panels, _corners(drawing.size), strict=False):
        for kind, plane in planes.items():
            part = panel.planes[kind]
            plane[top : top + part.shape[0], left : left + part.shape[1]] = part
    return Pictures(planes)


def _corners(size: int) -> Iterator[tuple[int, int]]:
    """Yield top and left of each panel."""
    step = _edge(size, 2) + _GAP
    for index in range(MAX_PANELS):
        yield index // 2 * step, index % 2 * step


def _planes(picture: Rendered) -> Pictures:
    planes: dict[Pass, NDArray[np.generic]] = {
        Pass.RGB: picture.rgb,
        Pass.IDS: picture.ids,
        Pass.DEPTH: picture.depth,
    }
    if picture.normals is not None:
        planes[Pass.NORMALS] = picture.normals
    return Pictures(planes)


def _rendered(name: str, seen: Pictures) -> Rendered:
    normals = seen.normals if Pass.NORMALS in seen.planes else None
    return Rendered(name, seen.rgb, seen.ids, seen.depth, normals)

"""Compose the pictures of an observation: which camera sees which bodies, in which picture."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pysim.render.camera import CORNER_VIEWS, TABLE_VIEW, Camera, list_cameras, make_camera_set
from pysim.scene import Body, Scene
from pysim.viewpoints import Views

__all__ = [
    "MAX_PANELS",
    "SHEET",
    "CameraPanel",
    "Composition",
    "compose",
    "find_enclosed_bodies",
    "list_picture_names",
]

MAX_PANELS = 4
"""Panels of one picture, in two columns."""

SHEET = "sheet"
"""Name of the only picture of :attr:`~pysim.viewpoints.Views.SHEET`."""

INSIDE = "inside"
"""Name of the picture of enclosed bodies."""


@dataclass(frozen=True, slots=True)
class CameraPanel:
    """A camera, and what it sees.

    Attributes:
        camera: where it stands; its name is written into the panel.
        leaves_out: names of the bodies that are not drawn, so that those behind them are seen.
    """

    camera: Camera
    leaves_out: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Composition:
    """One picture of an observation.

    Attributes:
        name: of the picture.
        panels: one that fills the picture, or up to ``MAX_PANELS`` in two columns, row by row.
    """

    name: str
    panels: tuple[CameraPanel, ...]

    @staticmethod
    def from_camera(camera: Camera) -> "Composition":
        """Return the picture of a single camera, with its name."""
        return Composition(camera.name, (CameraPanel(camera),))

    @property
    def columns(self) -> int:
        """Panels in a row."""
        return min(2, len(self.panels))


def compose(scene: Scene, views: Views = Views.COMPOSED) -> tuple[Composition, ...]:
    """Return the pictures of an observation of a scene without shots of its own."""
    if views is Views.CLASSIC:
        return tuple(map(Composition.from_camera, list_cameras(scene, classic=True)))
    composed = tuple(_composed(scene))
    if views is Views.SINGLE:
        return composed[:1]
    return (_sheet(composed),) if views is Views.SHEET else composed


def _composed(scene: Scene) -> Iterator[Composition]:
    """Yield one picture for each usual camera, and one of what no camera can see.

    Where loose bodies have a picture of their own, four panels show them from all sides: from one
    side alone their shapes can't be told.
    """
    for camera in list_cameras(scene):
        if camera.name == TABLE_VIEW and not scene.frames_loose:
            yield Composition(TABLE_VIEW, tuple(_around_loose(scene)))
        else:
            yield Composition.from_camera(camera)
    if panel := _inside(scene):
        yield Composition(INSIDE, (panel,))


def _sheet(pictures: tuple[Composition, ...]) -> Composition:
    """Return one picture with the panels that show the most.

    The view of the table shows nothing that the corners don't show as well where it frames the same
    bodies; one corner gives way to the inside.
    """
    singles = [one.panels[0] for one in pictures if one.name not in (TABLE_VIEW, INSIDE)]
    inside = [panel for one in pictures if one.name == INSIDE for panel in one.panels]
    if inside:
        singles[MAX_PANELS - 2 : MAX_PANELS - 1] = inside
    return Composition(SHEET, tuple(singles[:MAX_PANELS]))


def _around_loose(scene: Scene) -> Iterator[CameraPanel]:
    loose = [body.place().bounds for body in scene.bodies if body.loose]
    for camera in make_camera_set("iso4", loose):
        yield CameraPanel(replace(camera, name=f"{TABLE_VIEW} {camera.name}"))


def _inside(scene: Scene) -> CameraPanel | None:
    """Return the panel of the enclosed bodies; None if there are none.

    Material that was loose before, and seen then, has none.
    """
    if scene.frames_loose or not (hidden := find_enclosed_bodies(scene)):
        return None
    first = list_cameras(scene)[0]
    others = (body.name for body in scene.bodies if body.name not in hidden)
    return CameraPanel(replace(first, name=INSIDE), frozenset(others))


def list_picture_names(scene: Scene, views: Views = Views.COMPOSED) -> tuple[str, ...]:
    """Return the names of all pictures that observations of a level have, now or later.

    Args:
        scene: of the level as it starts.
    """
    if scene.views is not None:
        names = tuple(shot.name for shot in scene.views)
        if views is Views.SINGLE:
            return names[:1]
        return (SHEET,) if views is Views.SHEET and len(names) > 1 else names
    if views is Views.SHEET:
        return (SHEET,)
    if views is Views.SINGLE:
        return CORNER_VIEWS[:1]
    inside = (INSIDE,) if views is Views.COMPOSED and _inside(scene) else ()
    return (*CORNER_VIEWS, TABLE_VIEW, *inside)


def find_enclosed_bodies(scene: Scene) -> frozenset[str]:
    """Return the names of the held bodies that others wall in: no way leads to them from outside.

    A way goes from cell to cell through faces; loose bodies are left out of account.
    """
    held = [body for body in scene.bodies if not body.loose and not body.translucent]
    if len(held) < 2:
        return frozenset()
    filled = _filled(held)
    outside = _flood(filled == 0)
    reached = np.zeros(len(held) + 1, dtype=bool)
    for axis in range(3):
        for shift in (-1, 1):
            reached[filled[np.roll(outside, shift, axis)]] = True
    return frozenset(body.name for body, seen in zip(held, reached[1:], strict=True) if not seen)


def _filled(bodies: list[Body]) -> NDArray[np.int32]:
    """Return the number of the body in each cell, from 1, with an empty margin of two cells."""
    blocks = [np.array(body.place().cells) for body in bodies]
    every = np.concatenate(blocks)
    low = every.min(axis=0) - 2
    filled = np.zeros(every.max(axis=0) - low + 3, dtype=np.int32)
    for number, cells in enumerate(blocks, 1):
        filled[tuple((cells - low).T)] = number
    return filled


def _flood(free: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the free cells that are connected with the corner of the grid."""
    reached = np.zeros_like(free)
    reached[0, 0, 0] = True
    count = 0
    while count < (count := int(reached.sum())):
        for axis in range(3):  # A straight way is followed to its end at once.
            for step in (1, -1):
                _sweep(np.moveaxis(reached, axis, 0)[::step], np.moveaxis(free, axis, 0)[::step])
    return reached


def _sweep(reached: NDArray[np.bool_], free: NDArray[np.bool_]) -> None:
    for before, layer, here in zip(reached[:-1], reached[1:], free[1:], strict=True):
        layer |= before & here

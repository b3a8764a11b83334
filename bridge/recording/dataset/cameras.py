"""The pictures of a dataset: one for each moment of an episode and each camera."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bridge.recording.dataset.errors import DatasetError
from bridge.recording.layout import Layout
from bridge.recording.timeline import hold_scenes
from pysim.geometry import Bounds
from pysim.render.camera import list_cameras, make_camera_set
from pysim.render.renderer import Renderer
from pysim.render.views import observe
from pysim.scene import Scene

__all__ = ["STAGE", "RgbArray", "RgbStream", "camera_names", "check_cameras", "film_moments"]

RgbArray = NDArray[np.uint8]
"""(size, size, 3), sRGB."""

RgbStream = Iterator[Mapping[str, RgbArray]]
"""Camera -> picture, moment by moment."""

STAGE = "stage"
"""The camera of films: it stands still for a whole episode and sees every body all the time."""


def camera_names(scene: Scene) -> tuple[str, ...]:
    """The cameras of a level with this scene: the stage, the usual views, and shots of its own."""
    corners = make_camera_set("iso4", Bounds((0, 0, 0), (0, 0, 0)))
    shots = scene.views or ()
    return (STAGE, *(camera.name for camera in corners), "table", *(shot.name for shot in shots))


def check_cameras(names: Sequence[str], known: Sequence[str]) -> None:
    """Refuse names that no camera has.

    Raises:
        DatasetError: there is no such camera, or it is named twice.
    """
    for name in names:
        if name not in known:
            raise DatasetError(f"there is no camera {name!r}; there are {', '.join(known)}")
    if len(set(names)) < len(names):
        raise DatasetError("a camera is named twice")


def film_moments(
    renderer: Renderer, scenes: Sequence[Scene], cameras: Sequence[str], size: int
) -> RgbStream:
    """Yield the pictures of some scenes; a scene that is like the one before is not drawn anew.

    A camera that has nothing to look at, such as ``table`` when nothing lies there, gives black.
    """
    film = hold_scenes(scenes)
    layout = Layout.for_film(film, size, STAGE) if STAGE in cameras else None
    before: Scene | None = None
    pictures: dict[str, RgbArray] = {}
    for scene, held in zip(scenes, film, strict=True):
        if scene != before:
            pictures = _agents_views(renderer, scene, cameras, size)
            if layout is not None:
                pictures[STAGE] = layout.draw(renderer, held)
        before = scene
        yield pictures


def _agents_views(
    renderer: Renderer, scene: Scene, cameras: Sequence[str], size: int
) -> dict[str, RgbArray]:
    wanted = [camera for camera in list_cameras(scene) if camera.name in cameras]
    views = observe(renderer, scene, size, cameras=wanted) if wanted else ()
    if any(shot.name in cameras for shot in scene.views or ()):
        views += tuple(view for view in observe(renderer, scene, size) if view.name in cameras)
    black = {name: np.zeros((size, size, 3), dtype=np.uint8) for name in cameras}
    return {**black, **{view.name: view.rgb for view in views}}

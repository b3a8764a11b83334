"""Views as files, for other programs."""

import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np

from pysim.render.camera import Camera
from pysim.render.renderer import Pass
from pysim.render.views import Rendered, encode
from pysim.scene import Scene

__all__ = ["export_views"]


def export_views(
    folder: Path,
    views: Sequence[Rendered],
    cameras: Sequence[Camera],
    scene: Scene,
    passes: Sequence[Pass],
    renderer: str,
) -> list[Path]:
    """Write the passes of each view, and ``views.json`` with the cameras, into a folder.

    For a view called NAME: ``NAME.png`` (rgb), ``NAME.ids.png`` (16 bits), ``NAME.depth.npy``
    (float32, infinity for nothing) and ``NAME.normals.npy`` (float32). In ``views.json`` stand the
    bodies in the order of their ids, from 1, and OpenCV's intrinsics and extrinsics of each view.

    Returns:
        The files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for view in views:
        for kind in passes:
            path = folder / f"{view.name}{_ENDINGS[kind]}"
            path.write_bytes(_content(view, kind, renderer))
            written.append(path)
    document = {
        "renderer": renderer,
        "bodies": [body.name for body in scene.bodies],
        "views": [
            _camera_fields(camera, len(view.rgb))
            for view, camera in zip(views, cameras, strict=True)
        ],
    }
    path = folder / "views.json"
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return [*written, path]


_ENDINGS = {
    Pass.RGB: ".png",
    Pass.IDS: ".ids.png",
    Pass.DEPTH: ".depth.npy",
    Pass.NORMALS: ".normals.npy",
}


def _content(view: Rendered, kind: Pass, renderer: str) -> bytes:
    if kind is Pass.RGB:
        return encode(view.rgb, "png", renderer=renderer)
    if kind is Pass.IDS:
        done, data = cv2.imencode(".png", view.ids)
        assert done, "OpenCV writes every array of 16 bits"
        return bytes(data)
    return _npy(view.depth if kind is Pass.DEPTH else view.normals)


def _npy(array: np.ndarray | None) -> bytes:
    assert array is not None, "the view was made with this pass"
    buffer = BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def _camera_fields(camera: Camera, size: int) -> dict[str, object]:
    return {
        "name": camera.name,
        "projection": "pinhole" if camera.width is None else "parallel",
        "size": size,
        "intrinsics": camera.compute_intrinsics(size).tolist(),
        "extrinsics": camera.compute_extrinsics().tolist(),
    }

"""Observations: a scene seen by its cameras, as named pictures and as bytes."""

import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.limits import quote
from pysim.render.camera import Camera, list_cameras
from pysim.render.overlay import Overlay
from pysim.render.panels import Drawing, Rendered, draw_cameras, draw_scene
from pysim.render.renderer import BACKDROP, PASSES, Pass, Renderer
from pysim.scene import Scene
from pysim.trajectory import Transform
from pysim.viewpoints import Views

__all__ = ["FORMATS", "Rendered", "encode", "observe", "observe_goal", "tile"]

FORMATS = ("png", "jpeg", "raw")
"""What :func:`encode` writes."""

_GAP = 2
"""Pixels between the pictures of a mosaic."""

_QUICK = [
    cv2.IMWRITE_PNG_COMPRESSION,
    1,
    cv2.IMWRITE_PNG_STRATEGY,
    cv2.IMWRITE_PNG_STRATEGY_DEFAULT,
    cv2.IMWRITE_PNG_FILTER,
    cv2.IMWRITE_PNG_FILTER_NONE,
]
"""Flat faces repeat whole rows of bytes: without filters their pictures are smaller."""


def observe(
    renderer: Renderer,
    scene: Scene,
    size: int = 512,
    transforms: Mapping[str, Transform] | None = None,
    overlay: Overlay | None = None,
    *,
    cameras: Sequence[Camera] | None = None,
    views: Views = Views.COMPOSED,
    normals: bool = False,
) -> tuple[Rendered, ...]:
    """Return pictures of a scene, ``size`` x ``size`` pixels each.

    Args:
        transforms: body name -> 4x4 transform, in place of the pose in the scene.
        overlay: what is written over ``rgb``; None for the view's name, the axes and rulers.
            Shots bear neither names nor axes, but the rulers that they ask for.
        cameras: None for the scene's own shots, or if it leaves them open for those of
            :func:`~pysim.render.composition.compose`.
        views: how the pictures are composed, where no cameras are given.
        normals: whether normals are wanted.

    Raises:
        InputError: as :meth:`~pysim.render.renderer.Renderer.render`.
    """
    passes = (*PASSES, Pass.NORMALS) if normals else PASSES
    clears = cameras is None and views is not Views.CLASSIC
    drawing = Drawing(renderer, scene, size, transforms, overlay or Overlay(), passes, clears)
    return draw_scene(drawing, views) if cameras is None else draw_cameras(drawing, cameras)


def observe_goal(renderer: Renderer, scene: Scene, size: int = 512) -> Rendered:
    """Return a view called ``goal`` of what is to be built, ``size`` x ``size`` pixels.

    Raises:
        InputError: as :meth:`~pysim.render.renderer.Renderer.render`.
    """
    camera = replace(list_cameras(scene)[0], name="goal")
    return observe(renderer, scene, size, cameras=[camera])[0]


def tile(pictures: Sequence[NDArray[np.uint8]], columns: int) -> NDArray[np.uint8]:
    """Return one picture (H, W, 3) of several equally large ones, row by row, with thin light gaps.

    Raises:
        ValueError: no pictures, ``columns`` below 1, or pictures of different sizes.
    """
    if not pictures or columns < 1:
        raise ValueError("a mosaic needs at least one picture and one column")
    if len({picture.shape for picture in pictures}) > 1:
        raise ValueError("the pictures of a mosaic must be of one size")
    columns = min(columns, len(pictures))
    rows = -(-len(pictures) // columns)
    height, width, _ = pictures[0].shape
    shape = (rows * (height + _GAP) - _GAP, columns * (width + _GAP) - _GAP, 3)
    whole = np.full(shape, BACKDROP, dtype=np.uint8)
    for index, picture in enumerate(pictures):
        top, left = index // columns * (height + _GAP), index % columns * (width + _GAP)
        whole[top : top + height, left : left + width] = picture
    return whole


def encode(rgb: NDArray[np.uint8], format: str, *, renderer: str | None = None) -> bytes:
    """Return a picture (H, W, 3) as bytes.

    Args:
        format: ``png`` (lossless, quick), ``jpeg`` (quality 90) or ``raw`` (the array's bytes, row
            by row).
        renderer: which renderer made the picture; a PNG carries it in its text chunk ``Renderer``.

    Raises:
        InputError: another format.
    """
    if format == "raw":
        return np.ascontiguousarray(rgb).tobytes()
    bgr = cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR) if format in FORMATS else rgb
    if format == "png":
        png = _encoded(".png", bgr, _QUICK)
        return png if renderer is None else _with_text(png, "Renderer", renderer)
    if format == "jpeg":
        return _encoded(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 90])
    raise InputError(f"{quote(format)} is no picture format; known: {', '.join(FORMATS)}")


def _encoded(extension: str, bgr: MatLike, options: list[int]) -> bytes:
    done, data = cv2.imencode(extension, bgr, options)
    if not done:
        raise RuntimeError(f"OpenCV could not write {extension}")
    content: bytes = data.tobytes()
    return content


_HEADER_END = 33
"""A PNG's signature (8 bytes) and its first chunk, IHDR (25 bytes), end here."""


def _with_text(png: bytes, keyword: str, text: str) -> bytes:
    """Return a PNG with a tEXt chunk behind its header (PNG specification, section 11.3.3.2)."""
    body = b"tEXt" + keyword.encode("latin-1") + b"\0" + text.encode("latin-1", "replace")
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:_HEADER_END] + chunk + png[_HEADER_END:]

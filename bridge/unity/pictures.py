"""Cameras and pictures to and from the messages of unity.proto."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity.codec import (
    decode_scene,
    decode_transforms,
    encode_scene,
    encode_transforms,
)
from pysim.errors import InputError
from pysim.render.camera import FIELD_OF_VIEW, Camera, Vector
from pysim.render.renderer import PASSES, Pass, Pictures
from pysim.render.views import encode
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = [
    "GalleryScene",
    "decode_camera",
    "decode_exhibit",
    "decode_passes",
    "decode_pictures",
    "encode_camera",
    "encode_exhibit",
    "encode_passes",
    "encode_pictures",
]

_PASSES: Mapping[Pass, pb.PlayerPass] = {
    Pass.RGB: pb.PLAYER_PASS_RGB,
    Pass.IDS: pb.PLAYER_PASS_IDS,
    Pass.DEPTH: pb.PLAYER_PASS_DEPTH,
    Pass.NORMALS: pb.PLAYER_PASS_NORMALS,
}

_SHIFT_DIGITS = 12
"""Decimal places of a shift: the product of rows that are square to each other is hardly ever
exactly zero."""


@dataclass(frozen=True, slots=True, eq=False)
class GalleryScene:
    """A scene of a gallery.

    Attributes:
        scene: what is drawn.
        cameras: from where.
        transforms: of bodies that are drawn elsewhere than they are.
    """

    scene: Scene
    cameras: Sequence[Camera]
    transforms: Mapping[str, Transform]


def encode_exhibit(exhibit: GalleryScene) -> pb.PlayerExhibit:
    """Return a scene of a gallery.

    Raises:
        InputError: a coordinate needs more than 32 bits.
    """
    return pb.PlayerExhibit(
        scene=encode_scene(exhibit.scene),
        cameras=map(encode_camera, exhibit.cameras),
        transforms=encode_transforms(exhibit.transforms),
    )


def decode_exhibit(message: pb.PlayerExhibit) -> GalleryScene:
    """Return the scene of a gallery."""
    cameras = tuple(map(decode_camera, message.cameras))
    return GalleryScene(decode_scene(message.scene), cameras, decode_transforms(message.transforms))


def encode_camera(camera: Camera) -> pb.PlayerCamera:
    """Return a camera as the matrix from world to clip coordinates, and how far points are."""
    view = camera.compute_view()
    matrix = camera.compute_projection() @ view
    return pb.PlayerCamera(
        name=camera.name,
        clip_from_world=matrix.ravel().tolist(),
        distance_from_world=[] if camera.width is None else (-view[2]).tolist(),
        unshaded=not camera.shaded,
    )


def decode_camera(message: pb.PlayerCamera) -> Camera:
    """Return the camera behind a matrix: a pinhole, or with parallel rays.

    Raises:
        InputError: the matrix is none of such a camera's.
    """
    matrix, distance = _checked(message)
    # The rows of projection @ view are slope * right, slope * up, a * distance + b; of a pinhole
    # camera the first two lean towards where it looks, by its shift.
    across, along, depth, last = matrix[:, :3]
    gaze = distance[:3]
    aside = np.round([across @ gaze, -along @ gaze], _SHIFT_DIGITS) + 0.0
    up = along + aside[1] * gaze
    slope = float(np.linalg.norm(up))
    if not (slope > 0.0 and abs(np.linalg.norm(gaze) - 1.0) < 1e-6):
        raise _no_camera()
    parallel = not last.any()
    places = -np.array([matrix[0, 3], matrix[1, 3], distance[3]])
    eye = np.linalg.solve(np.stack([across, along, gaze]), places)
    a = float(depth @ gaze)
    near, far = _planes(a, float(matrix[2, 3]) - a * float(distance[3]), parallel)
    return Camera(
        name=message.name,
        eye=_vector(eye),
        target=_vector(eye + gaze),
        up=_vector(up / slope),
        fov_deg=FIELD_OF_VIEW if parallel else math.degrees(2.0 * math.atan(1.0 / slope)),
        near=near,
        far=far,
        width=2.0 / slope if parallel else None,
        shaded=not message.unshaded,
        shift=(float(aside[0]), float(aside[1])),
    )


def _checked(message: pb.PlayerCamera) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the matrix, of shape 4x4, and the four numbers that tell distances; all finite."""
    if len(message.clip_from_world) != 16:
        raise InputError(f"a camera's matrix has 16 numbers, not {len(message.clip_from_world)}")
    matrix = np.reshape(message.clip_from_world, (4, 4))
    distance = np.array(message.distance_from_world or matrix[3])
    if distance.shape != (4,):
        raise InputError(f"a camera's matrix tells distances by 4 numbers, not {distance.size}")
    if not np.isfinite([*matrix.flat, *distance]).all():
        raise _no_camera()
    return matrix, distance


def _planes(a: float, b: float, parallel: bool) -> tuple[float, float]:
    """Return distances of the near and the far plane, from depth = a * distance + b."""
    if parallel:
        return (-1.0 - b) / a, (1.0 - b) / a
    return b / (-a - 1.0), b / (1.0 - a)


def _no_camera() -> InputError:
    return InputError("a camera's matrix is that of a pinhole camera, or of parallel rays")


def encode_pictures(pictures: Pictures, *, png: bool, renderer: str) -> pb.PlayerPictures:
    """Encode the planes of pictures that were drawn.

    Args:
        png: whether colours become PNG files, which say what ``renderer`` made them.
    """
    message = pb.PlayerPictures()
    for index in range(len(next(iter(pictures.planes.values())))):
        planes = pictures[index].planes
        picture = message.pictures.add(size=len(next(iter(planes.values()))))
        if Pass.RGB in planes:
            picture.encoding = pb.PLAYER_ENCODING_PNG if png else pb.PLAYER_ENCODING_RAW
            rgb = pictures.rgb[index]
            picture.rgb = encode(rgb, "png", renderer=renderer) if png else rgb.tobytes()
        if Pass.IDS in planes:
            picture.ids = planes[Pass.IDS].astype("<u2", copy=False).tobytes()
        if Pass.DEPTH in planes:
            picture.depth = planes[Pass.DEPTH].astype("<f4", copy=False).tobytes()
        if Pass.NORMALS in planes:
            picture.normals = planes[Pass.NORMALS].astype("<f4", copy=False).tobytes()
    return message


def encode_passes(passes: Iterable[Pass]) -> list[pb.PlayerPass]:
    """Encode the passes that are wanted of each pixel."""
    return [_PASSES[kind] for kind in passes]


def decode_passes(numbers: Iterable[int]) -> tuple[Pass, ...]:
    """Decode the passes that are wanted of each pixel, or the usual ones.

    Unknown ones are left out.
    """
    wanted = set(numbers)
    return tuple(kind for kind in _PASSES if _PASSES[kind] in wanted) if wanted else PASSES


def decode_pictures(
    message: pb.PlayerPictures, count: int, size: int, passes: Iterable[Pass]
) -> Pictures:
    """Return the ``count`` pictures of ``size`` pixels that were asked for.

    Raises:
        InputError: it holds others, or they can't be read.
    """
    sizes = [picture.size for picture in message.pictures]
    if sizes != [size] * count:
        raise InputError(f"{count} pictures of {size} pixels were asked for, not {sizes}")
    return Pictures(
        {kind: np.stack([_plane(kind, picture) for picture in message.pictures]) for kind in passes}
    )


def _plane(kind: Pass, picture: pb.PlayerPicture) -> NDArray[np.generic]:
    shape = (picture.size, picture.size, *kind.channels)
    if kind is Pass.IDS:
        return _array(picture.ids, shape, "<u2").astype(np.uint16, copy=False)
    if kind is Pass.DEPTH:
        return _array(picture.depth, shape, "<f4").astype(np.float32, copy=False)
    if kind is Pass.NORMALS:
        return _array(picture.normals, shape, "<f4").astype(np.float32, copy=False)
    if picture.encoding != pb.PLAYER_ENCODING_PNG:
        return _array(picture.rgb, shape, "u1")
    found = cv2.imdecode(np.frombuffer(picture.rgb, dtype=np.uint8), cv2.IMREAD_COLOR)
    if found is None or found.shape != shape:
        raise InputError(f"what should be a PNG of {picture.size} pixels is none")
    return np.asarray(cv2.cvtColor(found, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def _array(data: bytes, shape: Sequence[int], dtype: str) -> NDArray[np.generic]:
    found = np.frombuffer(data, dtype=dtype)
    if found.size != math.prod(shape):
        raise InputError(f"a picture has {math.prod(shape)} numbers, not {found.size}")
    return found.reshape(shape)


def _vector(numbers: NDArray[np.float64]) -> Vector:
    x, y, z = numbers.tolist()
    return (x, y, z)

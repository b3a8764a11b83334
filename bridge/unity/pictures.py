"""Cameras and pictures to and from the messages of unity.proto."""

import math
from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from pysim.errors import InputError
from pysim.render.camera import Camera, Vector
from pysim.render.renderer import Pass, Pictures
from pysim.render.views import encode

__all__ = [
    "decode_camera",
    "decode_passes",
    "decode_pictures",
    "encode_camera",
    "encode_passes",
    "encode_pictures",
]

_PASSES: Mapping[Pass, pb.PlayerPass] = {
    Pass.RGB: pb.PLAYER_PASS_RGB,
    Pass.IDS: pb.PLAYER_PASS_IDS,
    Pass.DEPTH: pb.PLAYER_PASS_DEPTH,
}


def encode_camera(camera: Camera) -> pb.PlayerCamera:
    """A camera as the matrix from world to clip coordinates.

    Raises:
        InputError: its rays are parallel: the matrix does not tell where such a camera stands; it
            does not shade: players always do; or its target is not in the middle.
    """
    if camera.width is not None:
        raise InputError(f"a player can't draw with parallel rays, as {camera.name} has; egl can")
    if not camera.shaded:
        raise InputError(f"a player can't draw without shades, as {camera.name} does; egl can")
    if camera.shift != (0.0, 0.0):
        raise InputError(f"a player can't draw with a shift, as {camera.name} has; egl can")
    matrix = camera.projection() @ camera.view()
    return pb.PlayerCamera(name=camera.name, clip_from_world=matrix.ravel().tolist())


def decode_camera(message: pb.PlayerCamera) -> Camera:
    """The pinhole camera behind a matrix.

    Raises:
        InputError: the matrix is none of a pinhole camera's.
    """
    if len(message.clip_from_world) != 16:
        raise InputError(f"a camera's matrix has 16 numbers, not {len(message.clip_from_world)}")
    matrix = np.reshape(message.clip_from_world, (4, 4))
    # The rows of projection @ view are slope * right, slope * up, a * back + (0, 0, 0, b), -back.
    right, up, depth, gaze = matrix[:, :3]
    slope = float(np.linalg.norm(up))
    if not (np.isfinite(matrix).all() and slope > 0.0 and abs(np.linalg.norm(gaze) - 1.0) < 1e-6):
        raise InputError("a camera's matrix is that of a pinhole camera")
    eye = np.linalg.solve(np.stack([right, up, gaze]), -matrix[[0, 1, 3], 3])
    a = -float(depth @ gaze)
    b = float(matrix[2, 3]) + a * float(matrix[3, 3])
    return Camera(
        name=message.name,
        eye=_vector(eye),
        target=_vector(eye + gaze),
        up=_vector(up / slope),
        fov_deg=math.degrees(2.0 * math.atan(1.0 / slope)),
        near=b / (a - 1.0),
        far=b / (a + 1.0),
    )


def encode_pictures(pictures: Pictures, *, png: bool, renderer: str) -> pb.PlayerPictures:
    """Those planes of pictures that were drawn.

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
    return message


def encode_passes(passes: Iterable[Pass]) -> list[pb.PlayerPass]:
    """What is wanted of each pixel.

    Raises:
        InputError: players can't draw it.
    """
    unknown = [kind for kind in passes if kind not in _PASSES]
    if unknown:
        raise InputError(f"a player can't draw {', '.join(unknown)}; egl can")
    return [_PASSES[kind] for kind in passes]


def decode_passes(numbers: Iterable[int]) -> tuple[Pass, ...]:
    """What is wanted of each pixel; what this version does not know is left out."""
    wanted = set(numbers)
    return tuple(kind for kind, number in _PASSES.items() if not wanted or number in wanted)


def decode_pictures(
    message: pb.PlayerPictures, count: int, size: int, passes: Iterable[Pass]
) -> Pictures:
    """The ``count`` pictures of ``size`` pixels that were asked for.

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

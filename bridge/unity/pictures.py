"""Cameras and pictures to and from the messages of unity.proto."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.rpc._pb.luban.v1 import unity_pb2
from pysim.render.camera import Camera, Vector
from pysim.render.renderer import Pictures
from pysim.render.views import encode

__all__ = ["decode_camera", "decode_pictures", "encode_camera", "encode_pictures"]


def encode_camera(camera: Camera) -> unity_pb2.PlayerCamera:
    """A camera as the matrix from world to clip coordinates."""
    matrix = camera.projection() @ camera.view()
    return unity_pb2.PlayerCamera(name=camera.name, clip_from_world=matrix.ravel().tolist())


def decode_camera(message: unity_pb2.PlayerCamera) -> Camera:
    """The pinhole camera behind a matrix.

    Raises:
        ValueError: the matrix is none of a pinhole camera's.
    """
    if len(message.clip_from_world) != 16:
        raise ValueError(f"a camera's matrix has 16 numbers, not {len(message.clip_from_world)}")
    matrix = np.reshape(message.clip_from_world, (4, 4))
    # The rows of projection @ view are slope * right, slope * up, a * back + (0, 0, 0, b), -back.
    right, up, depth, gaze = matrix[:, :3]
    slope = float(np.linalg.norm(up))
    if not (np.isfinite(matrix).all() and slope > 0.0 and abs(np.linalg.norm(gaze) - 1.0) < 1e-6):
        raise ValueError("a camera's matrix is that of a pinhole camera")
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


def encode_pictures(pictures: Pictures, *, png: bool, renderer: str) -> unity_pb2.PlayerPictures:
    """Pictures, the colours raw or as PNG files that say what ``renderer`` made them."""
    encoding = unity_pb2.PLAYER_ENCODING_PNG if png else unity_pb2.PLAYER_ENCODING_RAW
    return unity_pb2.PlayerPictures(
        pictures=[
            unity_pb2.PlayerPicture(
                size=len(rgb),
                rgb=encode(rgb, "png", renderer=renderer) if png else rgb.tobytes(),
                encoding=encoding,
                ids=ids.astype("<u2", copy=False).tobytes(),
                depth=depth.astype("<f4", copy=False).tobytes(),
            )
            for rgb, ids, depth in zip(pictures.rgb, pictures.ids, pictures.depth, strict=True)
        ]
    )


def decode_pictures(message: unity_pb2.PlayerPictures, count: int, size: int) -> Pictures:
    """The ``count`` pictures of ``size`` pixels that were asked for.

    Raises:
        ValueError: it holds others, or they can't be read.
    """
    sizes = [picture.size for picture in message.pictures]
    if sizes != [size] * count:
        raise ValueError(f"{count} pictures of {size} pixels were asked for, not {sizes}")
    pictures = message.pictures
    return Pictures(
        np.stack([_rgb(picture) for picture in pictures]),
        np.stack([_plane(picture.ids, size, "<u2") for picture in pictures]).astype(np.uint16),
        np.stack([_plane(picture.depth, size, "<f4") for picture in pictures]).astype(np.float32),
    )


def _rgb(picture: unity_pb2.PlayerPicture) -> NDArray[np.uint8]:
    shape = (picture.size, picture.size, 3)
    if picture.encoding != unity_pb2.PLAYER_ENCODING_PNG:
        return _array(picture.rgb, shape, "u1").astype(np.uint8, copy=False)
    found = cv2.imdecode(np.frombuffer(picture.rgb, dtype=np.uint8), cv2.IMREAD_COLOR)
    if found is None or found.shape != shape:
        raise ValueError(f"what should be a PNG of {picture.size} pixels is none")
    return np.asarray(cv2.cvtColor(found, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def _plane(data: bytes, size: int, dtype: str) -> NDArray[np.generic]:
    return _array(data, (size, size), dtype)


def _array(data: bytes, shape: Sequence[int], dtype: str) -> NDArray[np.generic]:
    found = np.frombuffer(data, dtype=dtype)
    if found.size != math.prod(shape):
        raise ValueError(f"a picture has {math.prod(shape)} numbers, not {found.size}")
    return found.reshape(shape)


def _vector(numbers: NDArray[np.float64]) -> Vector:
    x, y, z = numbers.tolist()
    return (x, y, z)

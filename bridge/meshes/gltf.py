"""Binary glTF 2.0 of pieces and their motion (Khronos Group, 2021).

glTF is in metres with y up. One node at the root scales and turns, so that all below it is as in
the house: millimetres, z up.
"""

import json
import struct
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bridge.meshes.animation import Track
from bridge.meshes.pieces import Piece
from pysim.field_types import Json
from pysim.geometry.quaternions import compute_quaternion

__all__ = ["encode_glb"]

_FLOAT, _UNSIGNED_INT = 5126, 5125
_ARRAY_BUFFER, _ELEMENT_ARRAY_BUFFER = 34962, 34963
_JSON_CHUNK, _BINARY_CHUNK = 0x4E4F534A, 0x004E4942
_MILLIMETRE = 0.001
_Y_UP: list[Json] = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]
"""Quaternion (x, y, z, w) that turns z up into y up."""


def encode_glb(name: str, pieces: Sequence[Piece], tracks: Mapping[str, Track] = {}) -> bytes:
    """Return pieces as a GLB file.

    Args:
        name: of the root.
        pieces: a node and a mesh for each.
        tracks: motion by the names of pieces, as the animation ``plan``.
    """
    numbers = list(range(1, len(pieces) + 1))
    builder = _Builder()
    builder.nodes.append(
        {"name": name, "rotation": _Y_UP, "scale": [_MILLIMETRE] * 3, "children": [*numbers]}
    )
    for piece in pieces:
        builder.add_piece(piece)
    for number, piece in zip(numbers, pieces, strict=True):
        if piece.name in tracks:
            builder.add_track(number, tracks[piece.name])
    return builder.encode()


class _Builder:
    """Parts of a glTF document, and its buffer."""

    def __init__(self) -> None:
        self.nodes: list[Json] = []
        self._meshes: list[Json] = []
        self._materials: list[Json] = []
        self._accessors: list[Json] = []
        self._views: list[Json] = []
        self._samplers: list[Json] = []
        self._channels: list[Json] = []
        self._buffer = bytearray()
        self._painted: dict[tuple[int, ...], int] = {}

    def add_piece(self, piece: Piece) -> None:
        """Add a node with its mesh: a primitive for each colour, all with the same vertices."""
        positions = self._add_array(piece.solid.vertices, _ARRAY_BUFFER, is_ranged=True)
        primitives: list[Json] = [
            {
                "attributes": {"POSITION": positions},
                "indices": self._add_array(triangles.reshape(-1), _ELEMENT_ARRAY_BUFFER),
                "material": self._find_material(colour),
            }
            for colour, triangles in _part_by_colour(piece)
        ]
        translation, rotation = _decompose(piece.transform[None])
        self.nodes.append(
            {
                "name": piece.name,
                "mesh": len(self._meshes),
                "translation": translation[0].tolist(),
                "rotation": rotation[0].tolist(),
            }
        )
        self._meshes.append({"name": piece.name, "primitives": primitives})

    def add_track(self, node: int, track: Track) -> None:
        """Add the motion of a node."""
        times = self._add_array(track.times, is_ranged=True)
        translation, rotation = _decompose(track.transforms)
        for path, values in (("translation", translation), ("rotation", rotation)):
            self._channels.append(
                {"sampler": len(self._samplers), "target": {"node": node, "path": path}}
            )
            self._samplers.append(
                {"input": times, "output": self._add_array(values), "interpolation": "LINEAR"}
            )

    def encode(self) -> bytes:
        """Return the file."""
        document: dict[str, Json] = {
            "asset": {"version": "2.0", "generator": "Luban"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": self.nodes,
            "meshes": self._meshes,
            "materials": self._materials,
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": len(self._buffer)}],
        }
        if self._channels:
            document["animations"] = [
                {"name": "plan", "channels": self._channels, "samplers": self._samplers}
            ]
        text = json.dumps(document, separators=(",", ":")).encode()
        chunks = _chunk(_JSON_CHUNK, text, b" ") + _chunk(_BINARY_CHUNK, self._buffer, b"\0")
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def _find_material(self, colour: tuple[int, ...]) -> int:
        if colour not in self._painted:
            self._painted[colour] = len(self._materials)
            self._materials.append(
                {
                    "name": "#" + bytes(colour).hex(),
                    "pbrMetallicRoughness": {
                        "baseColorFactor": [*map(_linearize, colour), 1.0],
                        "metallicFactor": 0.0,
                        "roughnessFactor": 0.6,
                    },
                }
            )
        return self._painted[colour]

    def _add_array(
        self, values: NDArray[np.generic], target: int = 0, *, is_ranged: bool = False
    ) -> int:
        """Add an accessor of numbers (n,) or vectors (n, 3) or (n, 4), and return its number."""
        is_whole = values.dtype.kind == "i"
        data = np.ascontiguousarray(values, "<u4" if is_whole else "<f4")
        view: dict[str, Json] = {
            "buffer": 0,
            "byteOffset": len(self._buffer),
            "byteLength": data.nbytes,
        }
        self._buffer += data.tobytes()  # Whole words, so that the next one is aligned.
        self._views.append(view | ({"target": target} if target else {}))
        accessor: dict[str, Json] = {
            "bufferView": len(self._views) - 1,
            "componentType": _UNSIGNED_INT if is_whole else _FLOAT,
            "count": len(data),
            "type": "SCALAR" if data.ndim == 1 else f"VEC{data.shape[1]}",
        }
        if is_ranged:
            rows = data.reshape(len(data), -1)
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self._accessors.append(accessor)
        return len(self._accessors) - 1


def _part_by_colour(piece: Piece) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """Yield each colour of a piece with its triangles."""
    for paint in np.unique(piece.paint, axis=0):
        yield tuple(paint.tolist()), piece.solid.triangles[(piece.paint == paint).all(axis=1)]


def _chunk(kind: int, data: bytes | bytearray, filler: bytes) -> bytes:
    padded = bytes(data) + filler * (-len(data) % 4)
    return struct.pack("<II", len(padded), kind) + padded


def _linearize(component: int) -> float:
    """Return the linear intensity of an sRGB component (IEC 61966-2-1)."""
    share = component / 255.0
    linear: float = share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
    return linear


def _decompose(
    transforms: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return translations (k, 3) and unit quaternions (k, 4) x, y, z, w of rigid transforms.

    Neighbouring quaternions are never farther than half a turn from each other.
    """
    quaternions = np.array([compute_quaternion(one) for one in transforms[:, :3, :3]])
    signs = np.where((quaternions[1:] * quaternions[:-1]).sum(axis=1) < 0.0, -1.0, 1.0)
    quaternions[1:] *= np.cumprod(signs)[:, None]
    return transforms[:, :3, 3], quaternions

"""A reader of binary glTF, written from its specification 2.0, which refuses what that forbids."""

import json
import struct
from typing import Any

import numpy as np

_DTYPES = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class Glb:
    """A file with one buffer; AssertionError names the clause that it breaks."""

    def __init__(self, data: bytes) -> None:
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data)), "4.4.2"
        chunks, at = [], 12
        while at < len(data):
            size, kind = struct.unpack_from("<II", data, at)
            assert size % 4 == 0 and at + 8 + size <= len(data), "4.4.3"
            chunks.append((kind, data[at + 8 : at + 8 + size]))
            at += 8 + size
        assert [kind for kind, _ in chunks] == [0x4E4F534A, 0x004E4942], "4.4.3"
        self.document: dict[str, Any] = json.loads(chunks[0][1])
        self._buffer = chunks[1][1]
        self.arrays = self._read_arrays()
        self._check_nodes()
        self._check_meshes()
        self._check_animations()

    def _read_arrays(self) -> list[np.ndarray]:
        assert self.document["asset"]["version"] == "2.0", "3.2"
        (buffer,) = self.document["buffers"]
        assert 0 <= len(self._buffer) - buffer["byteLength"] <= 3 and "uri" not in buffer, "4.4.3.3"
        arrays = []
        for accessor in self.document["accessors"]:
            view = self.document["bufferViews"][accessor["bufferView"]]
            assert view["byteOffset"] + view["byteLength"] <= buffer["byteLength"], "5.11"
            dtype, width = np.dtype(_DTYPES[accessor["componentType"]]), _WIDTHS[accessor["type"]]
            assert view["byteOffset"] % dtype.itemsize == 0, "3.6.2.4"
            count = accessor["count"] * width
            assert count * dtype.itemsize <= view["byteLength"] and accessor["count"] > 0, "3.6.2"
            array = np.frombuffer(self._buffer, dtype, count, view["byteOffset"])
            array = array.reshape(-1, width)
            assert np.isfinite(array).all(), "3.6.2.2"
            if "min" in accessor:
                assert accessor["min"] == array.min(axis=0).tolist(), "3.6.2.5"
                assert accessor["max"] == array.max(axis=0).tolist(), "3.6.2.5"
            arrays.append(array)
        return arrays

    def _check_nodes(self) -> None:
        nodes = self.document["nodes"]
        (scene,) = self.document["scenes"]
        children = [child for node in nodes for child in node.get("children", ())]
        assert len(set(children)) == len(children), "3.5.2: no node has two parents"
        assert set(children) | set(scene["nodes"]) == set(range(len(nodes)))
        assert not set(children) & set(scene["nodes"]), "3.5.2: roots have no parent"
        for node in nodes:
            if "rotation" in node:
                assert abs(np.linalg.norm(node["rotation"]) - 1.0) < 1e-6, "5.25.5"

    def _check_meshes(self) -> None:
        for mesh in self.document["meshes"]:
            for primitive in mesh["primitives"]:
                position = primitive["attributes"]["POSITION"]
                accessor = self.document["accessors"][position]
                assert (accessor["type"], accessor["componentType"]) == ("VEC3", 5126), "3.7.2.1"
                assert "min" in accessor and "max" in accessor, "3.7.2.1"
                indices = self.arrays[primitive["indices"]]
                assert len(indices) % 3 == 0 and indices.max() < len(self.arrays[position])
                assert primitive["material"] < len(self.document["materials"])
        for material in self.document["materials"]:
            factor = material["pbrMetallicRoughness"]["baseColorFactor"]
            assert len(factor) == 4 and all(0.0 <= part <= 1.0 for part in factor), "5.22.1"

    def _check_animations(self) -> None:
        for animation in self.document.get("animations", ()):
            targets = [tuple(sorted(c["target"].items())) for c in animation["channels"]]
            assert len(set(targets)) == len(targets) > 0, "3.11: targets differ"
            for channel in animation["channels"]:
                node = self.document["nodes"][channel["target"]["node"]]
                assert "matrix" not in node, "3.5.3: nodes that are animated have no matrix"
                sampler = animation["samplers"][channel["sampler"]]
                accessor = self.document["accessors"][sampler["input"]]
                times, values = self.arrays[sampler["input"]], self.arrays[sampler["output"]]
                assert "min" in accessor and "max" in accessor, "5.8.1"
                assert times[0] >= 0.0 and (np.diff(times[:, 0]) > 0.0).all(), "5.8.1"
                assert sampler["interpolation"] == "LINEAR" and len(times) == len(values), "5.8.3"
                if channel["target"]["path"] == "rotation":
                    assert np.allclose(np.linalg.norm(values, axis=1), 1.0, atol=1e-6), "3.11"

    def find_pose(self, name: str, time: float) -> np.ndarray:
        """The local transform (4, 4) of a node while the first animation plays."""
        number = [node.get("name") for node in self.document["nodes"]].index(name)
        node = self.document["nodes"][number]
        found = {path: np.array(node[path]) for path in ("translation", "rotation")}
        for animation in self.document.get("animations", ())[:1]:
            for channel in animation["channels"]:
                if channel["target"]["node"] == number:
                    sampler = animation["samplers"][channel["sampler"]]
                    times, values = (self.arrays[sampler[key]] for key in ("input", "output"))
                    found[channel["target"]["path"]] = np.array(
                        [np.interp(time, times[:, 0], column) for column in values.T]
                    )
        return _matrix(found["translation"], found["rotation"])


def _matrix(translation: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    x, y, z, w = rotation / np.linalg.norm(rotation)
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrix[:3, 3] = translation
    return matrix

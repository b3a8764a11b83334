"""Several arrays as one row of bytes, so that a file that is mapped into memory holds them all.

First how long the list of the arrays is, in 8 bytes, then the list in JSON, then the arrays, each
at a multiple of 64 bytes.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.solver.storing import Bytes

__all__ = ["pack_arrays", "unpack_arrays"]

_ALIGNED = 64
_LENGTH = 8


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> Bytes:
    """Return the bytes that :func:`unpack_arrays` reads."""
    listed, parts, place = [], [], 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        listed.append([name, array.dtype.str, list(array.shape), place, data.size])
        parts += [data, np.zeros(-data.size % _ALIGNED, dtype=np.uint8)]
        place += data.size + -data.size % _ALIGNED
    text = json.dumps(listed).encode()
    text += b" " * (-(len(text) + _LENGTH) % _ALIGNED)
    head = len(text).to_bytes(_LENGTH, "little") + text
    packed: Bytes = np.concatenate([np.frombuffer(head, dtype=np.uint8), *parts])
    return packed


def unpack_arrays(packed: Bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays, as views of the bytes."""
    length = int.from_bytes(packed[:_LENGTH].tobytes(), "little")
    listed = json.loads(packed[_LENGTH : _LENGTH + length].tobytes())
    body = packed[_LENGTH + length :]
    return {
        name: body[place : place + size].view(np.dtype(kind)).reshape(shape)
        for name, kind, shape, place, size in listed
    }

"""Side channels: several streams of messages in one field of the ML-Agents protocol."""

import struct
from collections.abc import Iterator
from typing import Final
from uuid import UUID

from pysim.errors import InputError

__all__ = ["CHANNEL", "pack_frame", "unpack_frames", "unpack_messages"]

CHANNEL: Final = UUID("5d3c6f0e-8a0b-4c52-9a3e-1f6b2d7c9e41")
"""Luban's own channel; it carries PlayerRequest and PlayerResponse."""

_LENGTH = struct.Struct("<i")
_HEAD = 16 + _LENGTH.size


def pack_frame(payload: bytes, channel: UUID = CHANNEL) -> bytes:
    """A message as it stands in the field: UUID (16 bytes), length (int32, little-endian), payload.

    The UUID's first three parts are little-endian, as .NET writes them.
    """
    return b"".join((channel.bytes_le, _LENGTH.pack(len(payload)), payload))


def unpack_frames(data: bytes) -> Iterator[tuple[UUID, memoryview]]:
    """Yield the messages in the field, each with its channel.

    Raises:
        InputError: it is cut off, or a length is negative.
    """
    view = memoryview(data)
    start = 0
    while start < len(view):
        if len(view) - start < _HEAD:
            raise InputError(f"a side channel message is cut off after {len(view) - start} bytes")
        (length,) = _LENGTH.unpack_from(view, start + 16)
        end = start + _HEAD + length
        if length < 0 or end > len(view):
            left = len(view) - start - _HEAD
            raise InputError(f"a side channel message claims {length} bytes where {left} are left")
        yield UUID(bytes_le=bytes(view[start : start + 16])), view[start + _HEAD : end]
        start = end


def unpack_messages(data: bytes) -> list[memoryview]:
    """Return the messages of Luban's channel; others are passed over, as their owners aren't here.

    Raises:
        InputError: as :func:`unpack_frames`.
    """
    return [payload for channel, payload in unpack_frames(data) if channel == CHANNEL]

"""Frames on the pipes of a sandbox: JSON objects, one a line, each of a limited length.

Parent to child: ``{"functions": {name: text}, "seed": n}`` once, then ``{"code": text}``; and for
each call ``{"value": ...}`` or ``{"error": text}``. Child to parent: ``{"ready": true}`` or
``{"refused": text}`` once, ``{"call": name, "arguments": [...], "keywords": {...}}``, and when the
code has ended ``{"output": text, "error": text or null}``.
"""

import json
from collections.abc import Mapping

__all__ = ["MAX_ANSWER", "MAX_FRAME", "encode_frame"]

MAX_FRAME = 256 * 1024
"""Bytes of the longest line that a parent reads."""
MAX_ANSWER = 32 * 2**20
"""Bytes of the longest line that a child reads; pictures are in it."""

_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def encode_frame(document: Mapping[str, object]) -> bytes:
    """Return the line of a frame.

    Raises:
        ValueError, TypeError: something in it is no JSON.
    """
    return _ENCODER.encode(document).encode("ascii") + b"\n"

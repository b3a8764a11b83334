"""Frames of HTTP/2 (RFC 9113) and the header blocks that gRPC sends in them."""

import base64
from enum import IntEnum
from urllib.parse import quote

from google.rpc import status_pb2

__all__ = [
    "DEFAULT_WINDOW",
    "MAX_FRAME",
    "MAX_HEADERS",
    "MAX_WINDOW",
    "PREFACE",
    "RESPONSE_HEADERS",
    "SUCCESS",
    "ErrorCode",
    "Flag",
    "Kind",
    "ProtocolError",
    "Setting",
    "encode_headers",
    "encode_status",
    "pack_frame",
    "pack_settings",
    "strip_padding",
]

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
"""A client's first bytes."""
MAX_FRAME = 16_384
"""Bytes of a frame's payload, in both directions."""
MAX_HEADERS = 16_384
"""Bytes of a header block, packed and unpacked."""
DEFAULT_WINDOW = 65_535
MAX_WINDOW = 2**31 - 1


class Kind(IntEnum):
    """Type of a frame."""

    DATA = 0
    HEADERS = 1
    PRIORITY = 2
    RST_STREAM = 3
    SETTINGS = 4
    PUSH_PROMISE = 5
    PING = 6
    GOAWAY = 7
    WINDOW_UPDATE = 8
    CONTINUATION = 9


class Flag(IntEnum):
    """Flags of frames; ``ACK`` is that of SETTINGS and PING."""

    END_STREAM = 1
    ACK = 1
    END_HEADERS = 4
    PADDED = 8
    PRIORITY = 32


class Setting(IntEnum):
    """Identifiers in a SETTINGS frame."""

    ENABLE_PUSH = 2
    MAX_CONCURRENT_STREAMS = 3
    INITIAL_WINDOW_SIZE = 4
    MAX_FRAME_SIZE = 5
    MAX_HEADER_LIST_SIZE = 6


class ErrorCode(IntEnum):
    """Codes of RST_STREAM and GOAWAY."""

    NO_ERROR = 0
    PROTOCOL_ERROR = 1
    INTERNAL_ERROR = 2
    FLOW_CONTROL_ERROR = 3
    STREAM_CLOSED = 5
    FRAME_SIZE_ERROR = 6
    REFUSED_STREAM = 7
    CANCEL = 8
    COMPRESSION_ERROR = 9
    ENHANCE_YOUR_CALM = 11


class ProtocolError(Exception):
    """A client breaks the rules of HTTP/2: its connection ends.

    Attributes:
        code: the reason, as it is sent.
    """

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def pack_frame(kind: Kind, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return the bytes of a frame."""
    head = (len(payload) << 48 | kind << 40 | flags << 32 | stream).to_bytes(9, "big")
    return head + payload


def pack_settings(settings: dict[Setting, int]) -> bytes:
    """Return the bytes of a SETTINGS frame."""
    pairs = (key.to_bytes(2, "big") + value.to_bytes(4, "big") for key, value in settings.items())
    return pack_frame(Kind.SETTINGS, 0, 0, b"".join(pairs))


def strip_padding(kind: int, flags: int, payload: bytes) -> bytes:
    """Return the content of a DATA or HEADERS frame, without padding and priority.

    Raises:
        ProtocolError: there is more padding than frame.
    """
    start, end = 0, len(payload)
    if flags & Flag.PADDED:
        if not payload:
            raise ProtocolError(ErrorCode.FRAME_SIZE_ERROR, "a padded frame is empty")
        start, end = 1, end - payload[0]
    if kind == Kind.HEADERS and flags & Flag.PRIORITY:
        start += 5
    if start > end:
        raise ProtocolError(ErrorCode.PROTOCOL_ERROR, "a frame is shorter than its padding")
    return payload[start:end]


def encode_headers(headers: list[tuple[bytes, bytes]]) -> bytes:
    """Return a header block (RFC 7541) that needs no table and no Huffman code."""
    return b"".join(b"\x00" + _string(name) + _string(value) for name, value in headers)


def encode_status(status: status_pb2.Status) -> list[tuple[bytes, bytes]]:
    """Return the trailers of a call that ends with a status."""
    details = base64.b64encode(status.SerializeToString()).rstrip(b"=")
    # gRPC wants a percent sign before whatever is no printable ASCII, and before itself.
    message = quote(status.message.encode("utf-8", "replace"), safe=_PRINTABLE).encode()
    return [
        (b"grpc-status", str(status.code).encode()),
        (b"grpc-message", message),
        (b"grpc-status-details-bin", details),
    ]


_PRINTABLE = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "%")


def _string(text: bytes) -> bytes:
    """Return a string literal: its length in an integer with a prefix of 7 bits, and itself."""
    length = len(text)
    if length < 127:
        return bytes((length,)) + text
    length -= 127
    packed = bytearray((127,))
    while length >= 128:
        packed.append(length % 128 + 128)
        length //= 128
    packed.append(length)
    return bytes(packed) + text


RESPONSE_HEADERS = b"\x88" + encode_headers(
    [(b"content-type", b"application/grpc"), (b"grpc-accept-encoding", b"identity,gzip")]
)
"""The block before an answer; its first byte is ``:status 200`` in HPACK's static table."""
SUCCESS = encode_headers([(b"grpc-status", b"0")])
"""The block after it."""

"""Messages of gRPC in the bytes of a stream: prefix, length, content."""

import zlib
from collections import deque

import grpc

from bridge.rpc.errors import RequestError, make_limit_error

__all__ = ["MessageReader", "make_unreadable", "pack_message"]

PREFIX = 5
"""Bytes before a message: whether it is compressed, and its length."""
OVERHEAD = 64
"""Bytes that a message takes beside its own while it waits to be read."""


class MessageReader:
    """The messages of one call, as its bytes come.

    Args:
        limit: bytes of a message.
        document_limit: bytes of a message that may hold a level's document.
        document: first bytes of such a message; None if no message of the call may hold one.
        encoding: how messages are compressed that say that they are.

    Attributes:
        held: bytes that are kept.
    """

    __slots__ = (
        "_buffer",
        "_document",
        "_document_limit",
        "_encoding",
        "_limit",
        "_messages",
        "held",
    )

    def __init__(
        self, limit: int, document_limit: int, document: bytes | None, encoding: bytes
    ) -> None:
        self._limit = limit
        self._document_limit = document_limit
        self._document = document
        self._encoding = encoding
        self._buffer = bytearray()
        self._messages: deque[bytes] = deque()
        self.held = 0

    @property
    def is_partial(self) -> bool:
        """Whether a message has begun and not ended."""
        return bool(self._buffer)

    def __len__(self) -> int:
        """Return the number of messages that wait to be read."""
        return len(self._messages)

    def pop(self) -> bytes:
        """Return the next message."""
        content = self._messages.popleft()
        self.held -= len(content) + OVERHEAD
        return content

    def clear(self) -> None:
        """Give up whatever is kept."""
        self._buffer.clear()
        self._messages.clear()
        self.held = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes.

        Raises:
            RequestError: a message is too long, or compressed in a way that is not known.
        """
        buffer = self._buffer
        if not buffer and len(data) >= PREFIX and data[0] == 0:
            length = int.from_bytes(data[1:PREFIX], "big")
            if len(data) == PREFIX + length <= self._limit:  # Nearly always.
                self._append(data[PREFIX:])
                return
        buffer += data
        self.held += len(data)
        while len(buffer) >= PREFIX:
            length = int.from_bytes(buffer[1:PREFIX], "big")
            self._require_length(length, buffer)
            if len(buffer) < PREFIX + length:
                return
            content = bytes(buffer[PREFIX : PREFIX + length])
            self._append(self._unpacked(content) if buffer[0] else content)
            del buffer[: PREFIX + length]
            self.held -= PREFIX + length

    def _append(self, content: bytes) -> None:
        self._messages.append(content)
        self.held += len(content) + OVERHEAD

    def _require_length(self, length: int, buffer: bytearray) -> None:
        limit = self._limit
        if self._document is not None:
            # The first byte tells whether it may hold a document; compression hides it.
            start = buffer[PREFIX : PREFIX + 1]
            if buffer[0] or not start or start.startswith(self._document):
                limit = self._document_limit
        if length > limit:
            raise make_limit_error(
                "REQUEST_TOO_LARGE",
                f"a request of {length:,} bytes is larger than {limit:,}; only an operator's "
                f"request with a level's document may have up to {self._document_limit:,}",
            )

    def _unpacked(self, content: bytes) -> bytes:
        if self._encoding != b"gzip":
            raise RequestError(
                grpc.StatusCode.UNIMPLEMENTED,
                "UNKNOWN_ENCODING",
                "a request is compressed by neither gzip nor identity",
            )
        inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        most = self._limit if self._document is None else self._document_limit
        try:
            data = inflater.decompress(content, most)
        except zlib.error as error:
            raise make_unreadable(f"it is no gzip: {error}") from None
        if self._document is None or not data.startswith(self._document):
            most = self._limit
        if inflater.unconsumed_tail or len(data) > most:
            raise make_limit_error("REQUEST_TOO_LARGE", f"a request is larger than {most:,} bytes")
        return data


def make_unreadable(why: str) -> RequestError:
    """Return the refusal of bytes that are no message."""
    return RequestError(
        grpc.StatusCode.INVALID_ARGUMENT,
        "UNREADABLE_REQUEST",
        f"a request is no message of this protocol: {why}",
    )


def pack_message(content: bytes) -> bytes:
    """Return the bytes of an answer."""
    return b"\x00" + len(content).to_bytes(4, "big") + content

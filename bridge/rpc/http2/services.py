"""The methods that a server answers, found in the descriptors of its services."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf import message_factory
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from bridge.rpc.errors import WireError
from bridge.rpc.http2.call import Call

__all__ = ["Method", "make_methods"]

Report = Callable[[Exception, Call], WireError]


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a service.

    Attributes:
        request: type of its requests.
        streaming: whether it reads any number of requests itself.
        answer: reads and answers; its request is None if it reads requests itself.
        report: turns what it raises into the error that a client is told.
        document: first bytes of requests that may hold a level's document; None if none may.
    """

    request: type[Message]
    streaming: bool
    answer: Callable[[Call, Message | None], Awaitable[None]]
    report: Report
    document: bytes | None


def make_methods(
    service: ServiceDescriptor,
    servicer: object,
    report: Report,
    documents: Mapping[str, bytes] | None = None,
) -> dict[bytes, Method]:
    """Return the methods of a service by their paths.

    A method with one request is a method ``(request, call)`` of the servicer; it returns the answer
    or yields answers. One with many is a method ``(call)`` that reads and writes.

    Args:
        documents: names of the methods whose requests may hold a level's document -> the first
            bytes of such requests.
    """
    methods = {}
    for method in service.methods:
        handler = getattr(servicer, method.name, None)
        if handler is None:  # An optional one.
            continue
        if method.client_streaming:
            answer = _read_many(handler)
        elif method.server_streaming:
            answer = _write_many(handler)
        else:
            answer = _write_one(handler)
        methods[f"/{service.full_name}/{method.name}".encode()] = Method(
            message_factory.GetMessageClass(method.input_type),
            method.client_streaming,
            answer,
            report,
            (documents or {}).get(method.name),
        )
    return methods


Answer = Callable[[Call, Message | None], Awaitable[None]]


def _write_one(handler: Callable[[Any, Call], Awaitable[Message]]) -> Answer:
    async def answer(call: Call, request: Message | None) -> None:
        await call.write(await handler(request, call))

    return answer


def _write_many(handler: Callable[[Any, Call], AsyncIterator[Message]]) -> Answer:
    async def answer(call: Call, request: Message | None) -> None:
        async for message in handler(request, call):
            await call.write(message)

    return answer


def _read_many(handler: Callable[[Call], Awaitable[None]]) -> Answer:
    async def answer(call: Call, request: Message | None) -> None:
        await handler(call)

    return answer

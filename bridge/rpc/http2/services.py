"""The methods that a server answers, found in the descriptors of its services."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from google.protobuf import message_factory
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from bridge.rpc.http2.call import Answer, Call, Method, Report

__all__ = ["make_methods"]


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

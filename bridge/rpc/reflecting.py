"""Reflection, by which clients ask what calls there are: for operators alone."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import grpc
import grpc.aio
from grpc_reflection.v1alpha import _async, reflection, reflection_pb2_grpc

from bridge.rpc.access import Access

__all__ = ["add_reflection"]

_REFUSAL = (
    grpc.StatusCode.PERMISSION_DENIED,
    "this needs the operator's key, with which the server was started",
)


def add_reflection(
    names: Sequence[str], server: grpc.Server | grpc.aio.Server, access: Access
) -> None:
    """Have a server tell operators of its services.

    Args:
        names: of the services.
        server: of either sort.
        access: knows who is an operator.
    """
    kind = _AsyncReflection if isinstance(server, grpc.aio.Server) else _Reflection
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(kind(names, access), server)


class _Reflection(reflection.ReflectionServicer):  # type: ignore[misc]
    def __init__(self, names: Sequence[str], access: Access) -> None:
        super().__init__(names)
        self._access = access

    def ServerReflectionInfo(
        self, request_iterator: Iterator[Any], context: grpc.ServicerContext
    ) -> Iterator[Any]:
        if not self._access.is_operator(context):
            context.abort(*_REFUSAL)
        yield from super().ServerReflectionInfo(request_iterator, context)


class _AsyncReflection(_async.ReflectionServicer):  # type: ignore[misc]
    def __init__(self, names: Sequence[str], access: Access) -> None:
        super().__init__(names)
        self._access = access

    async def ServerReflectionInfo(
        self, request_iterator: AsyncIterator[Any], context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[Any]:
        if not self._access.is_operator(context):
            await context.abort(*_REFUSAL)
        async for answer in super().ServerReflectionInfo(request_iterator, context):
            yield answer

"""Reflection, by which clients ask what calls there are: for operators alone."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import grpc
import grpc.aio
from grpc_reflection.v1alpha import _async, reflection, reflection_pb2_grpc

from bridge.rpc.access import REFUSAL, Access

__all__ = ["add_reflection"]

_REFUSED = (grpc.StatusCode.PERMISSION_DENIED, REFUSAL)


def add_reflection(
    names: Sequence[str], server: grpc.Server | grpc.aio.Server, access: Access
) -> None:
    """Have a server tell operators of its services.

    Args:
        names: of the services.
        server: of either sort.
        access: knows who is an operator.
    """
    servicer: Any
    if isinstance(server, grpc.aio.Server):
        servicer = _async.ReflectionServicer(names)
        guarded: Any = _guarded_async(servicer.ServerReflectionInfo, access)
    else:
        servicer = reflection.ReflectionServicer(names)
        guarded = _guarded(servicer.ServerReflectionInfo, access)
    servicer.ServerReflectionInfo = guarded
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(servicer, server)


def _guarded(answers: Callable[..., Iterator[Any]], access: Access) -> Callable[..., Iterator[Any]]:
    def answer(requests: Iterator[Any], context: grpc.ServicerContext) -> Iterator[Any]:
        if not access.is_operator(context):
            context.abort(*_REFUSED)
        yield from answers(requests, context)

    return answer


def _guarded_async(
    answers: Callable[..., AsyncIterator[Any]], access: Access
) -> Callable[..., AsyncIterator[Any]]:
    async def answer(requests: AsyncIterator[Any], context: Any) -> AsyncIterator[Any]:
        if not access.is_operator(context):
            await context.abort(*_REFUSED)
        async for one in answers(requests, context):
            yield one

    return answer

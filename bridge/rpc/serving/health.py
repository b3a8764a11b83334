"""Health checks and reflection, whose open streams are counted."""

from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import contextmanager

import grpc
from grpc_health.v1 import health_pb2
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha._async import ReflectionServicer

from bridge.rpc.access import REFUSAL, Access
from bridge.rpc.serving.event_loop import CallContext

__all__ = ["HealthChecks", "ReflectionCalls"]


class _Seats:
    """Limit of watchers at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0

    @contextmanager
    def take(self) -> Iterator[bool]:
        """Whether there was a seat."""
        if self._taken >= self._most:
            yield False
            return
        self._taken += 1
        try:
            yield True
        finally:
            self._taken -= 1

    async def refuse(self, context: CallContext) -> None:
        """Say that all are taken."""
        await context.abort(
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            f"{self._most} streams of this kind are open, as many as this server takes: end some, "
            "or ask by single calls",
        )


class HealthChecks(HealthServicer):  # type: ignore[misc]
    """Health checks: single ones always, streams up to a number."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._seats = _Seats(most)

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: CallContext) -> None:
        """Say when the health changes."""
        with self._seats.take() as seated:
            if not seated:
                await self._seats.refuse(context)
            await super().Watch(request, context)


class ReflectionCalls(ReflectionServicer):  # type: ignore[misc]
    """Reflection, by which clients ask what calls there are: for operators, in some streams."""

    def __init__(self, names: tuple[str, ...], access: Access, most: int) -> None:
        super().__init__(names)
        self._access = access
        self._seats = _Seats(most)

    async def ServerReflectionInfo(
        self, requests: AsyncIterable[reflection_pb2.ServerReflectionRequest], context: CallContext
    ) -> AsyncIterator[reflection_pb2.ServerReflectionResponse]:
        """Describe the services."""
        if not self._access.is_operator(context):
            await context.abort(grpc.StatusCode.PERMISSION_DENIED, REFUSAL)
        with self._seats.take() as seated:
            if not seated:
                await self._seats.refuse(context)
            async for answer in super().ServerReflectionInfo(requests, context):
                yield answer

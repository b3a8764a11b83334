"""Health checks and reflection, whose open streams are counted."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import grpc
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha._async import ReflectionServicer

from bridge.rpc.access import Access
from bridge.rpc.errors import RequestError, make_limit_error
from bridge.rpc.http2.call import Call

__all__ = ["HealthChecks", "ReflectionCalls"]


class _Seats:
    """Limit of watchers at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0

    @contextmanager
    def take(self) -> Iterator[None]:
        """Take a seat.

        Raises:
            RequestError: there is none.
        """
        if self._taken >= self._most:
            raise make_limit_error(
                "TOO_MANY_STREAMS",
                f"{self._most} streams of this kind are open, as many as this server takes: end "
                "some, or ask by single calls",
            )
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1


class HealthChecks:
    """Health checks: single ones always, streams up to a number.

    Args:
        services: names of the services.
        most: open streams.
    """

    def __init__(self, services: tuple[str, ...], most: int) -> None:
        self._services = services
        self._seats = _Seats(most)
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Report from now on that nothing is served."""
        self._stopping.set()

    async def Check(
        self, request: health_pb2.HealthCheckRequest, call: Call
    ) -> health_pb2.HealthCheckResponse:
        """Return the health of a service."""
        if request.service not in self._services:
            raise RequestError(
                grpc.StatusCode.NOT_FOUND, "UNKNOWN_SERVICE", "there is no such service"
            )
        return self._report(request)

    async def Watch(
        self, request: health_pb2.HealthCheckRequest, call: Call
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """Yield the health of a service, now and when it changes."""
        with self._seats.take():
            yield self._report(request)
            if not self._stopping.is_set():
                await self._stopping.wait()
                yield self._report(request)
            await asyncio.Event().wait()

    def _report(self, request: health_pb2.HealthCheckRequest) -> health_pb2.HealthCheckResponse:
        status = health_pb2.HealthCheckResponse.SERVING
        if request.service not in self._services:
            status = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
        elif self._stopping.is_set():
            status = health_pb2.HealthCheckResponse.NOT_SERVING
        return health_pb2.HealthCheckResponse(status=status)


class ReflectionCalls:
    """Reflection, by which clients ask what calls there are: for operators, in some streams.

    Args:
        names: of the services.
        access: who may ask.
        most: open streams.
    """

    def __init__(self, names: tuple[str, ...], access: Access, most: int) -> None:
        self._servicer = ReflectionServicer(names)
        self._access = access
        self._seats = _Seats(most)

    async def ServerReflectionInfo(self, call: Call) -> None:
        """Describe the services."""
        self._access.require_operator(call.metadata)
        with self._seats.take():
            requests = call.read_messages(reflection_pb2.ServerReflectionRequest)
            async for answer in self._servicer.ServerReflectionInfo(requests, None):
                await call.write(answer)

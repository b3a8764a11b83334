"""The gRPC server."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from bridge.episode.engines import LOCAL, Engines
from bridge.episode.rendering import SharedRenderer
from bridge.rpc import codec
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.access import Access
from bridge.rpc.credentials import ServerTls, add_port
from bridge.rpc.service import EpisodeServicer
from bridge.rpc.serving.episode_factory import EpisodeFactory
from bridge.rpc.serving.event_loop import WorkerPools, run_in_loop
from bridge.rpc.serving.handler import RequestHandler
from bridge.rpc.serving.health import HealthChecks, ReflectionCalls
from bridge.rpc.serving.leases import Leases
from bridge.rpc.serving.limits import (
    CONNECTION_IDLE_MS,
    HANDSHAKE_MS,
    MAX_REQUEST_BYTES,
    ServerLimits,
    raise_file_limit,
)
from bridge.rpc.serving.store import EpisodeStore
from bridge.rpc.serving.streams import Streams
from pysim.catalog import discover_families
from pysim.errors import InputError

__all__ = ["KEEPALIVE_MS", "SERVICE", "LubanServer"]

SERVICE = "luban.v1.EpisodeService"
KEEPALIVE_MS = 30_000
"""A connection over which nothing comes is asked this often whether its client still lives."""
STOPPING = 2.0
"""Seconds that calls under way have to finish when the server stops."""


class LubanServer:
    """A running server; a context manager.

    Args:
        runs: folder under which each episode gets a folder of its own.
        host: address to listen on; anything but a loopback address lets other machines in.
        port: 0 picks a free one.
        idle_timeout: seconds after which an episode that nobody touches is closed.
        renderer: ``auto``, ``egl``, ``tiny``, or one of the ``engines``' own.
        engines: the worlds and renderers that it can use.
        operator_key: what clients have to know to do more than play an episode that they hold the
            lease of, see :mod:`bridge.rpc.access`; empty if all may do everything. That is for
            programs whose clients are their own; ``luban serve`` makes a key.
        tls: the files for encrypted connections; None for plain ones, on whatever host.
        limits: what it takes on at once.

    Raises:
        InputError: the files are no good.
        OSError: the port is in use or the address is not this machine's.
    """

    def __init__(
        self,
        runs: Path,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        idle_timeout: float = 600.0,
        renderer: str = "auto",
        engines: Engines = LOCAL,
        operator_key: str = "",
        tls: ServerTls | None = None,
        limits: ServerLimits | None = None,
    ) -> None:
        if not idle_timeout > 0:
            raise InputError(f"an idle timeout is more than 0 seconds, not {idle_timeout}")
        # What is needed for an answer is loaded by now: later there may be no descriptor for it.
        for name in discover_families():
            discover_families()[name]
        self.limits = (limits or ServerLimits()).limit_to(raise_file_limit())
        self._idle_timeout = idle_timeout
        self._renderer = SharedRenderer(renderer, engines)
        self._pools = WorkerPools()
        self._leases = leases = Leases(runs)
        self._stopped = False
        self._store = EpisodeStore(
            EpisodeFactory(runs, self._renderer, engines, leases),
            leases,
            self._pools,
            self.limits,
            idle_timeout,
        )
        self._access = Access(operator_key)
        self._handler = RequestHandler(
            self._store, self._pools, self._renderer, engines, self._access, idle_timeout
        )
        self._streams = Streams(self.limits.streams)
        self._health = HealthChecks(self.limits.watchers)
        self.port = run_in_loop(self._start(f"{host}:{port}", tls))
        self.address = f"{host}:{self.port}"

    def stop(self) -> None:
        """Stop taking calls, let those under way finish (up to 2 s), close every episode."""
        if not self._stopped:
            self._stopped = True
            run_in_loop(self._stop())
            self._renderer.close()

    def wait(self) -> None:
        """Block until the server stops."""
        run_in_loop(self._wait())

    def __enter__(self) -> "LubanServer":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    async def _start(self, address: str, tls: ServerTls | None) -> int:
        """Listen; the port."""
        self._server = grpc.aio.server(
            options=_options(self.limits), maximum_concurrent_rpcs=self.limits.calls
        )
        services = _ByName(self._server)
        # Services are looked through in this order for each call.
        servicer = EpisodeServicer(self._handler, self._streams)
        pb_grpc.add_EpisodeServiceServicer_to_server(servicer, services)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, services)
        names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection_pb2_grpc.add_ServerReflectionServicer_to_server(
            ReflectionCalls(names, self._access, self.limits.watchers), services
        )
        try:
            listening = add_port(self._server, address, tls)
        except RuntimeError:
            raise OSError(
                f"can't listen on {address}: the port is in use or the address is not this "
                "machine's; --port 0 picks a free port"
            ) from None
        await self._pools.files.run(self._leases.take_over)
        await self._server.start()
        for service in ("", SERVICE):
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        seconds = min(1.0, self._idle_timeout / 4)
        self._tasks = [
            asyncio.create_task(self._store.look_after(seconds)),
            asyncio.create_task(self._look_after_streams()),
        ]
        return listening

    async def _stop(self) -> None:
        await self._health.enter_graceful_shutdown()
        self._streams.close_all()
        await self._server.stop(STOPPING)
        for task in self._tasks:
            task.cancel()
        await self._store.close("the server was stopped")
        self._pools.close()

    async def _wait(self) -> None:
        await self._server.wait_for_termination()

    async def _look_after_streams(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            self._streams.close_silent()


class _ByName:
    """Takes services for a server, which finds their methods by name for each call.

    Methods that are registered as well are waited for one by one: with all of ours that takes a
    twentieth of a millisecond for each call.
    """

    def __init__(self, server: grpc.aio.Server) -> None:
        self._server = server

    def add_generic_rpc_handlers(
        self, handlers: Sequence["grpc.GenericRpcHandler[Any, Any]"]
    ) -> None:
        """Take a service."""
        self._server.add_generic_rpc_handlers(tuple(handlers))

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, object]) -> None:
        """Its methods are found by name."""


def _options(limits: ServerLimits) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.keepalive_time_ms", KEEPALIVE_MS),
        ("grpc.max_connection_idle_ms", CONNECTION_IDLE_MS),
        ("grpc.server_handshake_timeout_ms", HANDSHAKE_MS),
        ("grpc.max_allowed_incoming_connections", limits.connections),
        # gRPC drops calls without a word of which more, or for longer, wait than that.
        ("grpc.server.max_pending_requests", limits.calls),
        ("grpc.server.max_pending_requests_hard_limit", 2 * limits.calls),
        ("grpc.server_max_unrequested_time_in_server", 300),
        ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
        ("grpc.max_send_message_length", codec.MAX_MESSAGE_BYTES),
    ]

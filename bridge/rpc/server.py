"""The gRPC server."""

import asyncio
import socket
from pathlib import Path

from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from bridge.episode.engines import LOCAL, Engines
from bridge.episode.rendering import SharedRenderer
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.access import Access
from bridge.rpc.credentials import ServerTls
from bridge.rpc.http2.admission import Admission, Quotas
from bridge.rpc.http2.connection import Site
from bridge.rpc.http2.listener import Listener, bind
from bridge.rpc.http2.services import make_methods
from bridge.rpc.http2.turns import Turns
from bridge.rpc.service import DOCUMENTS, EpisodeServicer
from bridge.rpc.serving.episode_factory import EpisodeFactory
from bridge.rpc.serving.event_loop import WorkerPools, run_in_loop
from bridge.rpc.serving.handler import RequestHandler, report_error
from bridge.rpc.serving.health import HealthChecks, ReflectionCalls
from bridge.rpc.serving.leases import Leases
from bridge.rpc.serving.limits import (
    FIRST_CALL,
    MAX_PLAIN_BYTES,
    MAX_REQUEST_BYTES,
    ServerLimits,
    raise_file_limit,
)
from bridge.rpc.serving.store import EpisodeStore
from bridge.rpc.serving.streams import Streams
from pysim.catalog import discover_families
from pysim.errors import InputError
from pysim.machine import release_memory

__all__ = ["SERVICE", "LubanServer"]

SERVICE = "luban.v1.EpisodeService"
STOPPING = 2.0
"""Seconds that calls under way have to finish when the server stops."""
_IDLE_RENDERER = 20.0
"""Seconds without a picture after which the memory for pictures is freed."""
_FREED = 32 << 20
"""Bytes of requests and answers given up after which memory is given back to the system."""


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
        descriptors = raise_file_limit()
        self.limits = (limits or ServerLimits()).limit_to(descriptors)
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
        names = (SERVICE, _HEALTH.full_name, _REFLECTION.full_name)
        self._health = HealthChecks(("", SERVICE), self.limits.watchers)
        self._admission = Admission(_make_quotas(self.limits, descriptors, self._access.is_open))
        servicer = EpisodeServicer(self._handler, self._streams)
        reflection = ReflectionCalls(names, self._access, self.limits.watchers)
        site = Site(
            methods={
                **make_methods(_EPISODES, servicer, servicer.report, DOCUMENTS),
                **make_methods(_HEALTH, self._health, lambda error, _: report_error(error, True)),
                **make_methods(_REFLECTION, reflection, lambda error, _: report_error(error, True)),
            },
            admission=self._admission,
            turns=Turns(),
            is_operator=self._access.is_operator,
            is_open=self._access.is_open,
            message_limit=MAX_PLAIN_BYTES,
            document_limit=MAX_REQUEST_BYTES,
        )
        self._listener = Listener(site, None if tls is None else tls.build_context())
        sockets = _bind(host, port)
        self.port = sockets[0].getsockname()[1]
        self.address = f"{host}:{self.port}"
        run_in_loop(self._start(sockets))

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

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def _start(self, sockets: list[socket.socket]) -> None:
        await self._pools.files.run(self._leases.take_over)
        await self._listener.listen(sockets)
        seconds = min(1.0, self._idle_timeout / 4)
        self._stopping = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._store.look_after(seconds)),
            asyncio.create_task(self._look_after_connections()),
        ]

    async def _stop(self) -> None:
        self._health.stop()
        self._streams.close_all()
        await self._listener.stop(STOPPING)
        for task in self._tasks:
            task.cancel()
        await self._store.close("the server was stopped")
        self._pools.close()
        self._stopping.set()

    async def _wait(self) -> None:
        await self._stopping.wait()

    async def _look_after_connections(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            self._streams.close_silent()
            self._listener.look_after()
            is_idle = self._renderer.release_idle_memory(_IDLE_RENDERER) is not None
            if is_idle or self._admission.freed > _FREED:
                self._admission.freed = 0
                self._pools.files.begin(release_memory, thoroughly=False)


_EPISODES = pb.DESCRIPTOR.services_by_name["EpisodeService"]
_HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"]
_REFLECTION = reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"]


def _bind(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen on an address.

    Raises:
        OSError: the port is in use, or the address is not this machine's.
    """
    try:
        return bind(host, port)
    except OSError:
        raise OSError(
            f"can't listen on {host}:{port}: the port is in use or the address is not this "
            "machine's; --port 0 picks a free port"
        ) from None


def _make_quotas(limits: ServerLimits, descriptors: int, is_open: bool) -> Quotas:
    """Return the places of a server; on one without a key nobody is a stranger.

    A stranger has the longer for a first call the more places there are; one that agrees on
    encryption takes 100 KB meanwhile.
    """
    if is_open:
        calls, connections = limits.calls, limits.connections
        return Quotas(connections, connections, connections, calls, calls, calls)
    return Quotas(
        connections=limits.connections,
        strange_connections=min(1280, descriptors // 4),
        peer_connections=min(1024, descriptors // 5),
        calls=limits.calls,
        strange_calls=min(512, limits.calls),
        connection_calls=128,
        first_call=FIRST_CALL,
    )

"""The gRPC server."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from bridge.episode.engines import LOCAL, Engines
from bridge.episode.rendering import SharedRenderer
from bridge.rpc import codec
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.access import Access
from bridge.rpc.credentials import ServerTls, add_port
from bridge.rpc.reflecting import add_reflection
from bridge.rpc.service import EpisodeServicer
from bridge.rpc.sessions import EpisodeStore
from pysim.errors import InputError

__all__ = ["KEEPALIVE_MS", "SERVICE", "THREADS", "LubanServer"]

SERVICE = "luban.v1.EpisodeService"
THREADS = 320
"""Calls served at once, an open Play stream counting as one; further ones are refused at once."""
KEEPALIVE_MS = 30_000
"""A connection over which nothing comes is asked this often whether its client still lives."""


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
    ) -> None:
        if not idle_timeout > 0:
            raise InputError(f"an idle timeout is more than 0 seconds, not {idle_timeout}")
        self._server = grpc.server(
            ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="luban-rpc"),
            options=[
                ("grpc.so_reuseport", 0),
                ("grpc.keepalive_time_ms", KEEPALIVE_MS),
                ("grpc.max_receive_message_length", codec.MAX_MESSAGE_BYTES),
                ("grpc.max_send_message_length", codec.MAX_MESSAGE_BYTES),
            ],
            maximum_concurrent_rpcs=THREADS,
        )
        self._health = health.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        access = Access(operator_key)
        add_reflection(names, self._server, access)
        try:
            self.port = add_port(self._server, f"{host}:{port}", tls)
        except RuntimeError:
            raise OSError(
                f"can't listen on {host}:{port}: the port is in use or the address is not this "
                "machine's; --port 0 picks a free port"
            ) from None
        self.address = f"{host}:{self.port}"
        self._renderer = SharedRenderer(renderer, engines)
        self._store = EpisodeStore(runs, idle_timeout, self._renderer, engines)
        servicer = EpisodeServicer(self._store, self._renderer, idle_timeout, engines, access)
        pb_grpc.add_EpisodeServiceServicer_to_server(servicer, self._server)
        self._server.start()
        for service in ("", SERVICE):
            self._health.set(service, health_pb2.HealthCheckResponse.SERVING)

    def stop(self) -> None:
        """Stop taking calls, let those under way finish (up to 2 s), close every episode."""
        self._health.enter_graceful_shutdown()
        self._server.stop(grace=2.0).wait()
        self._store.close("the server was stopped")
        self._renderer.close()

    def wait(self) -> None:
        """Block until the server stops."""
        self._server.wait_for_termination()

    def __enter__(self) -> "LubanServer":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

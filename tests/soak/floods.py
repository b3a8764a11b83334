"""Floods by clients without a key, and readers that take nothing, while an episode is played.

A case is one to three floods for some seconds. Each sends half calls, bodies that never end, empty
requests or nothing at all. Every other case floods a server with a certificate, with whole and half
handshakes, too. Meanwhile one who has the key begins an episode, one who has a lease comes back
to it, health checks are answered, and each step of an episode that goes on is answered in time.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from itertools import count

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bridge.rpc.client import RemoteEpisode, ServerError
from bridge.rpc.credentials import open_channel
from perf.flooding import FLOODS, TLS, TLS_FLOODS
from pysim.puzzle import ActionError
from tests.soak.budget import Budget, Finding, Row, make_rng
from tests.soak.memory import forget_peak, peak
from tests.soak.servers import ROOT, SECRET, ServerProcess, encrypted_server, running_server

__all__ = ["attack"]

LEVEL = "burr-three-bars"
SECONDS = 6.0
"""Length of a flood."""
PATIENT = 5.0
"""Seconds within which whoever comes is answered."""
GROWTH = 150 * 2**20
"""Bytes that a flood without a key may cost the server."""
SLOW = "slow-readers"


def attack(budget: Budget, seed: int) -> Row:
    """Flood a server ``budget.count`` times."""
    row = Row("floods", "floods without a key")
    with ExitStack() as servers:
        flooded = [
            servers.enter_context(_episode(running_server(budget.work("floods")))),
            servers.enter_context(_episode(encrypted_server(budget.work("encrypted")))),
        ]
        for case in budget.cases():
            server, episode = flooded[case % 2]
            random = make_rng(seed, "floods", case)
            known = [*FLOODS, SLOW, *(TLS_FLOODS if server.tls else ())]
            names = random.sample(known, random.randint(1, 3))
            forget_peak(server.process.pid)
            before = peak(server.process.pid)  # A renderer keeps what it once needed.
            with ExitStack() as stack:
                for name in names:
                    stack.enter_context(_flood(server, name))
                _play(budget, row, server, episode, (case, seed, names))
            held = peak(server.process.pid)
            row.worst = max(row.worst, held)
            if SLOW not in names and held > before + GROWTH:
                words = f"{', '.join(names)}: the server holds {held >> 20} MiB"
                budget.tell(row, Finding(case, "lost", words), seed)
            row.number += 1
            budget.watch(row)
            if not server.alive:
                budget.tell(row, Finding(case, "crashed", server.complaints()), seed)
                break
    return row


@contextmanager
def _episode(
    running: AbstractContextManager[ServerProcess],
) -> Iterator[tuple[ServerProcess, RemoteEpisode]]:
    """A server and an episode there that goes on."""
    with running as server, server.client() as client:
        yield (
            server,
            client.start(LEVEL, observation="state", budget=1_000_000, stream=False),
        )


@contextmanager
def _flood(server: ServerProcess, name: str) -> Iterator[None]:
    """A flood in a process of its own for as long as the body lasts."""
    key = [SECRET] if name == SLOW else []
    address = f"{TLS if server.tls else ''}{server.address}"
    command = [sys.executable, "-m", "perf.flooding", name, address, *key]
    with subprocess.Popen(command, cwd=ROOT) as process:
        try:
            yield
        finally:
            process.kill()


def _play(
    budget: Budget,
    row: Row,
    server: ServerProcess,
    episode: RemoteEpisode,
    case: tuple[int, int, list[str]],
) -> None:
    number, seed, names = case
    until = time.monotonic() + SECONDS
    for turn in count():
        if time.monotonic() > until:
            return
        for what, come in (
            ("a step", lambda: _step(episode)),
            ("a newcomer with the key", lambda: _begin(server)),
            ("a health check", lambda: _check(server)),
        ):
            began = time.monotonic()
            try:
                come()
            except (ServerError, grpc.RpcError) as error:
                words = f"{', '.join(names)}: {what}, turn {turn}: {error}"
                budget.tell(row, Finding(number, "lost", words), seed)
            took = time.monotonic() - began
            row.notes[f"longest: {what}"] = max(took, row.notes.get(f"longest: {what}", 0.0))
            if took > PATIENT:
                words = f"{', '.join(names)}: {what} took {took:.1f} s"
                budget.tell(row, Finding(number, "hung", words), seed)
        time.sleep(0.1)


def _step(episode: RemoteEpisode) -> None:
    with suppress(ActionError):  # Which is an answer.
        episode.step("slide", pieces=["red"], direction="+x", distance=1)


def _begin(server: ServerProcess) -> None:
    with server.client() as operator:
        begun = operator.start(LEVEL, observation="state")
        with server.client(key="") as agent:
            agent.join(begun.id, begun.lease).end()


def _check(server: ServerProcess) -> None:
    # A connection of its own, or it would be one that the server knows.
    options = [("grpc.use_local_subchannel_pool", 1)]
    with open_channel(server.address, server.tls, options) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        answer = health.Check(health_pb2.HealthCheckRequest(), timeout=20)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING

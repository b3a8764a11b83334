"""Players beside three floods at once: calls without requests, unfinished bodies, chatty streams.

The server runs in a process of its own with a key, each flood in one of its own without it. A
hundred players with the key make a step a second. Meanwhile newcomers over connections of their own
begin an episode with the key, come back to one by its lease, and ask for the server's health.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bridge.rpc._pb.luban.v1 import episode_pb2, episode_service_pb2_grpc
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.access import KEY
from perf.harness import Report, run_benchmark
from perf.load import PISTON, Tally, _note, _parts, _play, _resident, _settled

PLAYERS = 100
SECONDS = 60.0
SECRET = "the key of a benchmark"
FLOODS = ("half-calls", "unfinished-bodies", "chatty-streams")


@dataclass
class Newcomers:
    """Latencies and failures of those who come while the floods go on.

    Attributes:
        took: seconds of each call by its kind.
        errors: what went wrong -> how often.
    """

    took: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)


def measure(minutes: float) -> Report:
    """Play beside floods."""
    report = Report(
        "floods",
        targets={
            "errors": ("<=", 0),
            "step_p99_ms": ("<=", 250.0),
            "newcomer_errors": ("<=", 0),
            "most_mb": ("<=", 400.0),
            "afterwards_mb": ("<=", 200.0),
        },
    )
    with tempfile.TemporaryDirectory() as runs, _server(Path(runs)) as (address, process):
        asyncio.run(_measure(report, address, process, 60.0 * minutes))
    return report


async def _measure(report: Report, address: str, process: int, seconds: float) -> None:
    metadata = ((KEY, SECRET),)
    await _play(address, _parts(), Tally(), 1.0, 3.0, lambda: 0.0, metadata)
    report.figures["before_mb"] = _resident(process)
    tally, newcomers = Tally(), Newcomers()
    parts = [_parts()[number % 4] for number in range(PLAYERS)]
    with ExitStack() as stack:
        for name in FLOODS:
            stack.enter_context(flooding(name, address))
        await asyncio.sleep(2.0)
        coming = asyncio.create_task(_come(address, newcomers, time.monotonic() + seconds))
        report.figures["most_mb"] = await _play(
            address, parts, tally, 5.0, seconds, lambda: _resident(process), metadata
        )
        await coming
    _note(report, "", tally)
    for name, took in newcomers.took.items():
        report.figures[f"{name}_most_s"] = max(took)
        report.figures[f"{name}s"] = len(took)
    report.figures["newcomer_errors"] = sum(newcomers.errors.values())
    for what, count in sorted(newcomers.errors.items())[:5]:
        report.notes[f"newcomers, {count} times"] = what
    report.figures["afterwards_mb"] = await _settled(process, 200.0)


async def _come(address: str, newcomers: Newcomers, until: float) -> None:
    """Come as three newcomers every second."""
    begun: pb.StartEpisodeResponse | None = None
    while time.monotonic() < until:
        began = time.monotonic()
        options = [("grpc.use_local_subchannel_pool", 1)]
        for kind in ("start", "return", "check"):
            moment = time.monotonic()
            try:
                async with grpc.aio.insecure_channel(address, options) as channel:
                    stub = episode_service_pb2_grpc.EpisodeServiceStub(channel)
                    if kind == "start":
                        begun = await stub.StartEpisode(
                            _start(), metadata=((KEY, SECRET),), timeout=20
                        )
                    elif kind == "return" and begun is not None:
                        named = {"episode_id": begun.episode_id, "lease": begun.lease}
                        await stub.EndEpisode(pb.EndEpisodeRequest(**named), timeout=20)
                    else:
                        health = health_pb2_grpc.HealthStub(channel)
                        await health.Check(health_pb2.HealthCheckRequest(), timeout=20)
                newcomers.took.setdefault(kind, []).append(time.monotonic() - moment)
            except grpc.aio.AioRpcError as error:
                what = f"{kind}: {error.code().name}: {error.details()}"
                newcomers.errors[what] = newcomers.errors.get(what, 0) + 1
        await asyncio.sleep(max(0.0, began + 1.0 - time.monotonic()))


def _start() -> pb.StartEpisodeRequest:
    options = episode_pb2.EpisodeOptions(mode=episode_pb2.OBSERVATION_MODE_STATE)
    return pb.StartEpisodeRequest(level_id=PISTON, options=options)


@contextmanager
def flooding(name: str, address: str) -> Iterator[None]:
    """A flood in a process of its own for as long as the body lasts."""
    command = [sys.executable, "-m", "perf.flooding", name, address]
    with subprocess.Popen(command) as process:
        try:
            yield
        finally:
            process.kill()


@contextmanager
def _server(runs: Path) -> Iterator[tuple[str, int]]:
    """Address and process of a server with a key."""
    command = [sys.executable, "-m", "bridge.cli", "serve", "--json", "--runs", str(runs)]
    environment = os.environ | {"LUBAN_OPERATOR_KEY": SECRET}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["address"], process.pid
        finally:
            process.terminate()


if __name__ == "__main__":
    run_benchmark(
        measure,
        "Players beside three floods at once.",
        {"minutes": (SECONDS / 60, "how long they play")},
    )

"""A thousand episodes at once on one server: how long starts and steps take, and what they cost.

The server runs in a process of its own, as ``luban serve`` starts it. A thousand clients, each with
a stream of its own over one of fifty connections, begin an episode within ten seconds and then make
a step a second, so that there are a thousand steps a second in all. A step counts from when it was
due, not from when the client came to send it. Levels are of three families, actions are legal and
refused ones, all in the lattice world, logged as ever. One client in ten is gone in the end without
a word, the others end their episodes.

Then a hundred episodes in the world ``bullet`` that make a step in ten seconds, where a piece is
put into a box and falls, and at last one more of them than the server takes.
"""

import asyncio
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from bridge.episode.tools import ToolCall
from bridge.rpc._pb.luban.v1 import episode_pb2, episode_service_pb2, episode_service_pb2_grpc
from perf.harness import Report, run_benchmark
from pysim.catalog import find_level, list_shipped_levels
from pysim.families.burr.actions import Slide

EPISODES = 1000
BULLET_EPISODES = 100
CONNECTIONS = 50
ARRIVE = 10.0
"""Seconds within which all begin."""
PAUSE = 1.0
"""Seconds between two steps of one episode."""
BULLET_PAUSE = 10.0
"""The same in the world bullet: ten steps a second in all."""
PISTON = "burr-piston"

pb = episode_service_pb2
Action = tuple[str, str]


@dataclass
class Tally:
    """Latencies and failures that clients have seen.

    Attributes:
        starts: seconds that each start took.
        steps: when each step was due, and seconds from then until it was answered.
        errors: what went wrong -> how often.
    """

    starts: list[float] = field(default_factory=list)
    steps: list[tuple[float, float]] = field(default_factory=list)
    errors: dict[str, int] = field(default_factory=dict)

    def fail(self, what: str) -> None:
        """Something went wrong."""
        self.errors[what] = self.errors.get(what, 0) + 1


@dataclass(frozen=True)
class Part:
    """The work of one client.

    Attributes:
        level: id of a level.
        world: name of the world.
        actions: name and arguments of actions, again and again.
        pause: seconds between two steps.
    """

    level: str
    world: str
    actions: tuple[Action, ...]
    pause: float = PAUSE


def measure(minutes: float) -> Report:
    """Play, and see how long it takes and what it costs."""
    report = Report(
        "load",
        targets={
            "errors": ("<=", 0),
            "start_p99_s": ("<=", 1.0),
            "step_p99_ms": ("<=", 100.0),
            "steps_per_s": (">=", 0.95 * EPISODES / PAUSE),
            "episode_kib": ("<=", 300.0),
            "afterwards_mb": ("<=", 200.0),
            "bullet_errors": ("<=", 0),
            "refused_beyond_the_limit": (">=", 1),
        },
    )
    with tempfile.TemporaryDirectory() as runs, _server(Path(runs)) as (address, process):
        asyncio.run(_measure(report, address, process, 60.0 * minutes))
    return report


async def _measure(report: Report, address: str, process: int, seconds: float) -> None:
    figures = report.figures
    # What is loaded once is no episode's.
    await _play(address, [*_parts(), _bullet()], Tally(), 1.0, 3.0, lambda: 0.0)
    before = _resident(process)
    tally = Tally()
    parts = list(itertools.islice(itertools.cycle(_parts()), EPISODES))
    began = time.monotonic()
    most = await _play(address, parts, tally, ARRIVE, seconds, lambda: _resident(process))
    _note(report, "", tally)
    # From when all have begun.
    due = sum(began + ARRIVE + PAUSE <= when < began + seconds for when, _ in tally.steps)
    figures["steps_per_s"] = due / (seconds - ARRIVE - PAUSE)
    figures["episode_kib"] = (most - before) / EPISODES * 1024
    figures["before_mb"], figures["most_mb"] = before, most
    figures["afterwards_mb"] = await _settled(process, 200.0)
    tally = Tally()
    before = _resident(process)
    bullets = [_bullet()] * BULLET_EPISODES
    most = await _play(address, bullets, tally, ARRIVE / 2, 20.0, lambda: _resident(process))
    _note(report, "bullet_", tally)
    figures["bullet_episode_mib"] = (most - before) / BULLET_EPISODES
    figures["bullet_afterwards_mb"] = await _settled(process, before + 20.0)
    figures["refused_beyond_the_limit"] = await _beyond(address, report)


def _note(report: Report, kind: str, tally: Tally) -> None:
    figures = report.figures
    for name, values, scale in (
        ("start_{}_s", tally.starts, 1.0),
        ("step_{}_ms", [took for _, took in tally.steps], 1000.0),
    ):
        for share, label in ((0.5, "p50"), (0.99, "p99"), (1.0, "most")):
            figures[kind + name.format(label)] = scale * _quantile(values, share)
    figures[f"{kind}steps"] = len(tally.steps)
    figures[f"{kind}errors"] = sum(tally.errors.values())
    for what, count in sorted(tally.errors.items())[:5]:
        report.notes[f"{kind}{count} times"] = what


def _quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("inf")


def _parts() -> list[Part]:
    """A lock whose key goes to and fro, a box with a piece put in again and again, a cube."""
    box = next(level.id for level in list_shipped_levels() if level.family == "packing")
    cube = next(level.id for level in list_shipped_levels() if level.family == "rubik")
    return [
        Part(PISTON, "lattice", (*_to_and_fro(), ("slide", '{"pieces":["red"]}'))),
        Part(box, "lattice", _first(box)),
        Part(PISTON, "lattice", _to_and_fro()),
        Part(cube, "lattice", _first(cube)),
    ]


def _bullet() -> Part:
    """A box whose first piece is put in again and again: once it is done, then it is refused."""
    box = next(level.id for level in list_shipped_levels() if level.family == "packing")
    return Part(box, "bullet", _first(box), BULLET_PAUSE)


def _first(level: str) -> tuple[Action, ...]:
    plan = find_level(level).plan
    assert plan is not None
    call = ToolCall.of(plan.actions[0])
    return ((call.name, call.arguments_json()),)


def _to_and_fro() -> tuple[Action, ...]:
    plan = find_level(PISTON).plan
    assert plan is not None
    there = plan.actions[0]
    assert isinstance(there, Slide)
    back = Slide(there.pieces, there.direction.opposite, there.distance)
    return tuple(("slide", ToolCall.of(action).arguments_json()) for action in (there, back))


async def _play(
    address: str,
    parts: list[Part],
    tally: Tally,
    arrive: float,
    seconds: float,
    look: Callable[[], float],
    metadata: Sequence[tuple[str, str]] = (),
) -> float:
    """Play all parts at once over calls with some metadata; the most that ``look`` saw."""
    most = 0.0
    async with _stubs(address) as stubs:
        began = time.monotonic()
        playing = [
            asyncio.create_task(
                _client(
                    stubs[number % len(stubs)],
                    part,
                    tally,
                    began + arrive * number / len(parts),
                    began + seconds,
                    ends=number % 10 != 9,
                    metadata=metadata,
                )
            )
            for number, part in enumerate(parts)
        ]
        waiting: set[asyncio.Task[None]] = set(playing)
        while waiting:
            waiting = (await asyncio.wait(waiting, timeout=1.0))[1]
            most = max(most, look())
        for task in playing:
            task.result()
    return most


async def _client(
    stub: episode_service_pb2_grpc.EpisodeServiceStub,
    part: Part,
    tally: Tally,
    begin: float,
    until: float,
    *,
    ends: bool,
    metadata: Sequence[tuple[str, str]],
) -> None:
    """One client: begins, makes a step whenever one is due, ends or goes away."""
    await _sleep_until(begin)
    stream = stub.Play(metadata=metadata)
    try:
        await _session(stream, part, tally, begin, until, ends=ends)
    except grpc.aio.AioRpcError as error:
        tally.fail(f"{error.code().name}: {error.details()}")
    finally:
        stream.cancel()


async def _session(
    stream: "grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]",
    part: Part,
    tally: Tally,
    begin: float,
    until: float,
    *,
    ends: bool,
) -> None:
    options = episode_pb2.EpisodeOptions(
        mode=episode_pb2.OBSERVATION_MODE_STATE, world=part.world, budget=100_000
    )
    start = pb.StartEpisodeRequest(level_id=part.level, options=options)
    answer = await _asked(stream, pb.PlayRequest(start_episode=start))
    if answer.WhichOneof("response") != "start_episode":
        tally.fail(f"{answer.error.reason}: {answer.error.message}")
        return
    tally.starts.append(time.monotonic() - begin)
    due = begin
    for step in itertools.count():
        due += part.pause
        if due > until:
            break
        await _sleep_until(due)
        name, arguments = part.actions[step % len(part.actions)]
        request = pb.StepRequest(expected_step=step + 1)
        request.action.name, request.action.arguments_json = name, arguments
        answer = await _asked(stream, pb.PlayRequest(step=request))
        tally.steps.append((due, time.monotonic() - due))
        # A refused action is a step like any other.
        if answer.error.message and "error" not in answer.error.metadata:
            tally.fail(f"{answer.error.reason}: {answer.error.message}")
    await _sleep_until(until)
    if ends:
        answer = await _asked(stream, pb.PlayRequest(end_episode=pb.EndEpisodeRequest()))
        if answer.WhichOneof("response") != "end_episode":
            tally.fail(f"{answer.error.reason}: {answer.error.message}")


async def _asked(
    stream: "grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]", request: pb.PlayRequest
) -> pb.PlayResponse:
    await stream.write(request)
    answer = await stream.read()
    if not isinstance(answer, pb.PlayResponse):  # The stream has ended.
        answer = pb.PlayResponse()
        answer.error.reason, answer.error.message = "EOF", "the server ended the stream"
    return answer


async def _beyond(address: str, report: Report) -> float:
    """Begin more episodes in the world bullet than the server takes; how many it refuses."""
    async with _stubs(address) as stubs:
        part, refused, limit = _bullet(), 0, BULLET_EPISODES
        request = pb.StartEpisodeRequest(level_id=part.level)
        request.options.mode = episode_pb2.OBSERVATION_MODE_STATE
        request.options.world = part.world
        begun = []
        for _ in range(limit + 1):
            try:
                begun.append(await stubs[0].StartEpisode(request))
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
                    refused += 1
                    report.notes["beyond the limit"] = error.details() or ""
        for episode in begun:
            named = {"episode_id": episode.episode_id, "lease": episode.lease}
            await stubs[0].EndEpisode(pb.EndEpisodeRequest(**named))
    return refused


@asynccontextmanager
async def _stubs(
    address: str,
) -> AsyncIterator[list[episode_service_pb2_grpc.EpisodeServiceStub]]:
    """Connections, each its own."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(address, options) for _ in range(CONNECTIONS)]
    try:
        yield [episode_service_pb2_grpc.EpisodeServiceStub(channel) for channel in channels]
    finally:
        for channel in channels:
            await channel.close(None)


async def _sleep_until(moment: float) -> None:
    left = moment - time.monotonic()
    if left > 0:
        await asyncio.sleep(left)


async def _settled(process: int, goal: float) -> float:
    """Megabytes of the server once they are few, or after a minute."""
    limit = time.monotonic() + 60.0
    while (now := _resident(process)) > goal and time.monotonic() < limit:
        await asyncio.sleep(0.5)
    return now


def _resident(process: int) -> float:
    """Memory of a process in MiB, as the system counts it."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


@contextmanager
def _server(runs: Path) -> Iterator[tuple[str, int]]:
    """Address and process of a server."""
    command = [sys.executable, "-m", "bridge.cli", "serve", "--json", "--open", "--runs", str(runs)]
    command += ["--max-episodes", str(EPISODES), "--max-bullet-episodes", str(BULLET_EPISODES)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["address"], process.pid
        finally:
            process.terminate()


if __name__ == "__main__":
    run_benchmark(
        measure,
        "A thousand episodes at once on one server.",
        {"minutes": (0.5, "how long the thousand play")},
    )

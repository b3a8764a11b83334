"""Streams that say nothing, hold several episodes, or lose their client."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import connect
from bridge.rpc.errors import WireError
from bridge.rpc.server import LubanServer
from bridge.rpc.serving.event_loop import run_in_loop
from bridge.rpc.serving.limits import ServerLimits
from pysim.puzzle import Outcome
from tests.rpc.playing import EASY, PISTON, ended_log, gave_up, plan_of, play_plan
from tests.rpc.test_leases import VANISHING
from tests.waiting import wait_for

STATE = {"mode": 3}
SILENT = 1200


def test_a_thousand_silent_streams_shut_nobody_out(tmp_path: Path) -> None:
    with LubanServer(tmp_path) as server:
        threads = threading.active_count()
        channels, calls = run_in_loop(opened(server.address, SILENT))
        try:
            wait_for(lambda: len(server._streams._open) == SILENT or None)
            assert threading.active_count() < threads + 30
            with grpc.insecure_channel(server.address) as channel:
                health = health_pb2_grpc.HealthStub(channel)
                answer = health.Check(health_pb2.HealthCheckRequest(), timeout=60)
                assert answer.status == health_pb2.HealthCheckResponse.SERVING
            with connect(server.address) as client:
                for stream in (False, True):
                    episode = client.start(EASY, observation="state", stream=stream)
                    play_plan(episode, EASY)
                    assert episode.end().outcome is Outcome.SOLVED
        finally:
            run_in_loop(closed(channels, calls))


async def opened(address: str, count: int) -> tuple[list[grpc.aio.Channel], list[object]]:
    """Streams over twenty connections, in which nothing is said."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(address, options) for _ in range(20)]
    calls = [EpisodeServiceStub(channels[i % 20]).Play() for i in range(count)]
    await asyncio.gather(*(call.wait_for_connection() for call in calls[:20]))
    return channels, calls


async def closed(channels: list[grpc.aio.Channel], calls: list[object]) -> None:
    for call in calls:
        call.cancel()  # type: ignore[attr-defined]
    for channel in channels:
        await channel.close()


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LubanServer]:
    """A server that ends streams without an episode at once, and closes what is left."""
    monkeypatch.setattr("bridge.rpc.serving.streams.STREAM_IDLE", 0.5)
    monkeypatch.setattr("bridge.rpc.serving.store.GRACE", 1.0)
    with LubanServer(tmp_path) as server:
        yield server


def status_of(call: object) -> WireError:
    assert isinstance(call, Iterator)
    with pytest.raises(grpc.RpcError) as caught:
        next(call)
    return WireError.from_rpc_error(caught.value)


@pytest.mark.timing
def test_a_stream_without_an_episode_is_ended_and_one_with_an_episode_is_not(
    hasty: LubanServer,
) -> None:
    with grpc.insecure_channel(hasty.address) as channel:
        stub = EpisodeServiceStub(channel)
        quiet: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        playing: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        answers = stub.Play(iter(playing.get, None))
        playing.put(pb.PlayRequest(start_episode={"level_id": EASY, "options": STATE}))
        assert next(answers).start_episode.budget
        error = status_of(stub.Play(iter(quiet.get, None)))
        assert (error.code, error.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "STREAM_IDLE")
        assert "without an open episode" in error.message
        playing.put(pb.PlayRequest(observe=pb.ObserveRequest()))
        assert next(answers).observe.observation.budget_left
        playing.put(pb.PlayRequest(end_episode=pb.EndEpisodeRequest()))
        assert next(answers).end_episode.ending.steps == 0
        assert status_of(answers).reason == "STREAM_IDLE"
        quiet.put(None)
        playing.put(None)


@pytest.mark.slow
@pytest.mark.timing
def test_an_episode_that_was_ended_long_ago_ends_no_stream(tmp_path: Path) -> None:
    idle = 2.0
    with (
        LubanServer(tmp_path, idle_timeout=idle) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        asked: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        answers = EpisodeServiceStub(channel).Play(iter(asked.get, None))
        start = pb.PlayRequest(start_episode={"level_id": PISTON, "options": STATE})
        requests = [start, pb.PlayRequest(end_episode=pb.EndEpisodeRequest()), start]
        for request in requests:
            asked.put(request)
            assert not next(answers).error.code
        until = time.monotonic() + 2.5 * idle
        while time.monotonic() < until:
            time.sleep(idle / 8)
            asked.put(pb.PlayRequest(observe=pb.ObserveRequest()))
            assert not next(answers).error.code
        asked.put(None)


def test_more_streams_than_there_is_room_for_are_refused(tmp_path: Path) -> None:
    with (
        LubanServer(tmp_path, limits=ServerLimits(episodes=1)) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        server._streams._most = 2
        stub, quiet = EpisodeServiceStub(channel), SimpleQueue[pb.PlayRequest | None]()
        calls = [stub.Play(iter(quiet.get, None)) for _ in range(2)]
        wait_for(lambda: len(server._streams._open) == 2 or None)
        error = status_of(stub.Play(iter(quiet.get, None)))
        assert error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (error.reason, "end some" in error.message) == ("TOO_MANY_STREAMS", True)
        for call in calls:
            quiet.put(None)
            call.cancel()
        quiet.put(None)


def vanish(address: str, runs: Path) -> Path:
    """Begin an episode in a stream, make a step, and be killed; its log."""
    command = [sys.executable, "-c", VANISHING, address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        path = runs / client.stdout.readline().strip() / "episode.jsonl"
        client.kill()
    return path


def test_the_place_of_a_client_that_was_killed_is_free_soon(
    hasty: LubanServer, tmp_path: Path
) -> None:
    log = ended_log(vanish(hasty.address, tmp_path))
    assert (len(log.steps), gave_up(log)) == (1, "its client went away")
    wait_for(lambda: len(hasty._store) == 0 or None)


@pytest.mark.timing
def test_who_comes_back_by_the_lease_in_time_plays_on(hasty: LubanServer) -> None:
    with connect(hasty.address) as second:
        with connect(hasty.address) as first:
            episode = first.start(EASY, observation="state", stream=True)
            episode.step(plan_of(EASY)[0])
            episode.leave()
        again = second.join(episode.id, episode.lease)
        time.sleep(3.0)
        for action in plan_of(EASY)[1:]:
            again.step(action)
        assert again.end().outcome is Outcome.SOLVED


def test_a_server_that_stops_does_not_wait_for_silent_streams(tmp_path: Path) -> None:
    server = LubanServer(tmp_path)
    with grpc.insecure_channel(server.address) as channel:
        quiet: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        call = EpisodeServiceStub(channel).Play(iter(quiet.get, None))
        wait_for(lambda: server._streams._open or None)
        server.stop()
        error = status_of(call)
        assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "STOPPED")
        quiet.put(None)


def test_health_is_watched_by_as_many_as_there_are_seats(tmp_path: Path) -> None:
    with (
        LubanServer(tmp_path) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        server._health._seats._most = 1
        stub = health_pb2_grpc.HealthStub(channel)
        watching = stub.Watch(health_pb2.HealthCheckRequest())
        assert next(watching).status == health_pb2.HealthCheckResponse.SERVING
        assert status_of(stub.Watch(health_pb2.HealthCheckRequest())).code is (
            grpc.StatusCode.RESOURCE_EXHAUSTED
        )
        assert stub.Check(health_pb2.HealthCheckRequest()).status
        watching.cancel()


def test_what_is_no_request_ends_its_stream_and_nothing_else(hasty: LubanServer) -> None:
    with grpc.insecure_channel(hasty.address) as channel, connect(hasty.address) as client:
        episode = client.start(EASY, observation="state")
        play = channel.stream_stream("/luban.v1.EpisodeService/Play")
        error = status_of(play(iter([b"\xff\xff\xff"])))
        assert (error.code, error.reason) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "UNREADABLE_REQUEST",
        )
        play_plan(episode, EASY)
        assert episode.end().outcome is Outcome.SOLVED

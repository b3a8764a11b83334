"""Servers that can't start, can't write, stop or are killed; and answers that don't come."""

import os
import resource
import signal
import socket
import time
from pathlib import Path

import grpc
import pytest

from bridge.recording.log import read_log
from bridge.recording.replay import replay
from bridge.rpc.client import DEADLINE, Client, RemoteEpisode, ServerError, connect
from bridge.rpc.server import LubanServer
from pysim.puzzle import Outcome
from tests.needs import needs_pybullet
from tests.rpc.playing import EASY, PISTON, ended_log, gave_up, plan_of, wait_for
from tests.rpc.processes import running_server


def failure(call: object, *arguments: object) -> ServerError:
    """The error of a call, which comes before a client would have lost patience."""
    assert callable(call)
    began = time.monotonic()
    with pytest.raises(ServerError) as caught:
        call(*arguments)
    assert time.monotonic() - began < DEADLINE
    return caught.value


def is_stopped(pid: int) -> bool:
    """Whether every thread of a process has stopped; a signal takes a while to reach them."""
    states = [
        path.read_text().rpartition(")")[2] for path in Path(f"/proc/{pid}/task").glob("*/stat")
    ]
    return all(state.split()[0] == "T" for state in states)


@pytest.mark.slow
@pytest.mark.timing
def test_a_server_that_hangs_costs_no_more_than_the_deadline(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, connect(server.address, deadline=6.0) as client:
        episodes = [
            client.start(EASY, observation="state", stream=stream) for stream in (False, True)
        ]
        os.kill(server.process.pid, signal.SIGSTOP)
        wait_for(lambda: is_stopped(server.process.pid) or None)
        for episode in episodes:
            error = failure(episode.step, plan_of(EASY)[0])
            assert error.code is grpc.StatusCode.DEADLINE_EXCEEDED
        error = failure(lambda: client.start(EASY, observation="state"))
        assert error.code is grpc.StatusCode.DEADLINE_EXCEEDED
        os.kill(server.process.pid, signal.SIGCONT)
        assert client.start(EASY, observation="state").budget_left > 0


@pytest.mark.timing
def test_a_server_that_never_answers_is_given_up_on(stream: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with connect(address, deadline=1.0) as client:
            error = failure(lambda: client.start(EASY, stream=stream))
    assert error.code is grpc.StatusCode.DEADLINE_EXCEEDED


def test_a_server_that_is_not_there_is_unavailable(stream: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with connect(f"127.0.0.1:{port}") as client:
        error = failure(lambda: client.start(EASY, stream=stream))
    assert error.code is grpc.StatusCode.UNAVAILABLE


def test_a_port_in_use_is_said(server: LubanServer, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=f"127.0.0.1:{server.port}: the port is in use"):
        LubanServer(tmp_path, port=server.port)


def test_an_address_of_another_machine_is_said(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"can't listen on 192\.0\.2\.1:"):
        LubanServer(tmp_path, host="192.0.2.1")


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan")])
def test_an_idle_timeout_is_positive(tmp_path: Path, seconds: float) -> None:
    with pytest.raises(ValueError, match="more than 0 seconds"):
        LubanServer(tmp_path, idle_timeout=seconds)


def test_an_unknown_renderer_is_said_when_it_is_needed(tmp_path: Path) -> None:
    with LubanServer(tmp_path, renderer="crayon") as server, connect(server.address) as client:
        assert "'crayon' is no renderer" in str(failure(client.server_info))
        assert client.start(EASY, observation="state").end().outcome is Outcome.GAVE_UP


@pytest.mark.parametrize("place", ["file/runs", "file", "/proc/runs"])
def test_runs_that_can_not_be_written_are_said(tmp_path: Path, place: str) -> None:
    if place.startswith("/proc") and not Path("/proc").is_mount():
        pytest.skip("NOT TESTED: /proc is not mounted, so that it may be a folder like any other")
    (tmp_path / "file").write_text("not a folder")
    runs = tmp_path / place
    with LubanServer(runs) as server, connect(server.address) as client:
        error = failure(lambda: client.start(EASY, observation="state"))
        assert (error.code, error.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "RECORDING_FAILED",
        )
        assert str(runs) in str(error)


def test_stopping_ends_episodes_and_frees_the_port(tmp_path: Path) -> None:
    with LubanServer(tmp_path) as server, connect(server.address, reconnect=0) as client:
        episodes = [client.start(EASY, observation="state", stream=s) for s in (False, True)]
        for episode in episodes:
            episode.step(plan_of(EASY)[0])
        server.stop()
        for episode in episodes:
            assert failure(episode.step, plan_of(EASY)[1]).code is grpc.StatusCode.UNAVAILABLE
            log = read_log(tmp_path / episode.run_name / "episode.jsonl")
            assert gave_up(log) == "the server was stopped"
            assert len(log.steps) == 1
    with LubanServer(tmp_path, port=server.port) as again:
        assert again.port == server.port


@needs_pybullet
def test_a_killed_server_leaves_every_answered_step_in_the_log(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, connect(server.address, reconnect=0) as client:
        episodes = [
            client.start(PISTON, world=world, observation="state", stream=stream)
            for world, stream in (("lattice", False), ("bullet", True))
        ]
        for episode in episodes:
            for action in plan_of(PISTON)[:3]:
                episode.step(action)
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
        for episode in episodes:
            assert failure(episode.step, plan_of(PISTON)[3]).code is grpc.StatusCode.UNAVAILABLE
            assert failure(episode.observe).code in (
                grpc.StatusCode.UNAVAILABLE,
                grpc.StatusCode.CANCELLED,
            )
            assert episode.steps == 3
    for episode in episodes:
        log = read_log(tmp_path / episode.run_name / "episode.jsonl")
        assert (len(log.steps), log.ending, log.truncated) == (3, None, False)
        again = replay(log)
        assert (again.outcome, again.state_hash) == (None, episode.state_hash)


@pytest.mark.slow
def test_a_full_disk_costs_no_step_and_stops_nobody_else(tmp_path: Path) -> None:
    """The limit on the size of files stands for a full disk: writing fails half way."""
    options = ("--idle-timeout", "6")
    with running_server(tmp_path, *options) as server, connect(server.address) as client:
        episode = client.start(PISTON, observation="state")
        log = tmp_path / episode.run_name / "episode.jsonl"
        first = episode.step(plan_of(PISTON)[0])
        _limit(server.process.pid, log.stat().st_size + 20)
        error = failure(episode.step, plan_of(PISTON)[1])
        assert error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert error.reason == "RECORDING_FAILED"
        assert str(log) in str(error)
        assert episode.observe().step == 1
        _limit(server.process.pid, resource.RLIM_INFINITY)
        second = episode.step(plan_of(PISTON)[1])
        assert (first.step, second.step) == (1, 2)
        replay(read_log(log))
        _limit(server.process.pid, log.stat().st_size)
        wait_for(lambda: _closed(client, episode) or None)
        assert read_log(log).ending is None
        _limit(server.process.pid, resource.RLIM_INFINITY)
        later = client.start(EASY, observation="state")
        assert gave_up(ended_log(tmp_path / later.run_name / "episode.jsonl"))


def _limit(pid: int, size: int) -> None:
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def _closed(client: Client, episode: RemoteEpisode) -> bool:
    """Whether the server has forgotten an episode, found out without touching it."""
    with pytest.raises(ServerError) as caught:
        list(client.download_log(episode.id, "not the lease"))
    return caught.value.code is grpc.StatusCode.NOT_FOUND

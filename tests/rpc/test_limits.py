"""What a server takes on at once, and from one request."""

import json
import os
import resource
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest

from bridge.recording.log import read_log
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import Client, InvalidAction, ServerError, connect
from bridge.rpc.server import LubanServer
from bridge.rpc.serving.limits import ServerLimits
from pysim.catalog import encode_level, find_level
from pysim.errors import InputError
from pysim.puzzle import Outcome, Reason
from tests.needs import needs_pybullet
from tests.rpc.playing import EASY, PISTON, plan_of, play_plan
from tests.rpc.processes import running_server
from tests.waiting import wait_for

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
PLACES = 8


@pytest.fixture
def small(tmp_path: Path) -> Iterator[LubanServer]:
    limits = ServerLimits(episodes=PLACES, bullet_episodes=2, ended=3)
    with LubanServer(tmp_path / "runs", limits=limits) as server:
        yield server


def refusal(call: object, **options: object) -> ServerError:
    assert callable(call)
    with pytest.raises(ServerError) as caught:
        call(**options)
    return caught.value


def test_as_many_episodes_begin_at_once_as_there_are_places(small: LubanServer) -> None:
    def start(number: int) -> str:
        with connect(small.address) as client:
            try:
                client.start(EASY, observation="state", stream=False, run_name=f"try-{number}")
            except ServerError as error:
                assert (error.code, error.reason) == (EXHAUSTED, "TOO_MANY_EPISODES")
                assert "--max-episodes" in str(error)
                return "refused"
            return "begun"

    with ThreadPoolExecutor(32) as pool:
        assert Counter(pool.map(start, range(32))) == {"begun": PLACES, "refused": 32 - PLACES}


def test_the_end_of_an_episode_makes_room_for_another(small: LubanServer, stream: bool) -> None:
    with connect(small.address) as client:
        episodes = [client.start(EASY, observation="state", stream=stream) for _ in range(PLACES)]
        assert (
            refusal(client.start, level=EASY, observation="state", stream=stream).code is EXHAUSTED
        )
        episodes[0].end()
        wait_for(lambda: len(small._store) < PLACES or None)
        assert client.start(EASY, observation="state", stream=stream).budget_left


@needs_pybullet
def test_the_world_bullet_has_a_limit_of_its_own(small: LubanServer) -> None:
    with connect(small.address) as client:
        for _ in range(2):
            client.start(PISTON, world="bullet", observation="state")
        error = refusal(client.start, level=PISTON, world="bullet", observation="state")
        assert (error.code, "--max-bullet-episodes" in str(error)) == (EXHAUSTED, True)
        assert client.start(PISTON, observation="state").budget_left


def test_a_level_whose_name_can_not_be_sent_leaves_nothing_behind(
    small: LubanServer, tmp_path: Path, stream: bool
) -> None:
    document = encode_level(find_level(EASY)) | {"name": "\ud800"}
    with connect(small.address) as client:
        before = sorted((tmp_path / "runs").rglob("*"))
        for _ in range(2 * PLACES):
            error = refusal(
                client.start, level=json.dumps(document), observation="state", stream=stream
            )
            assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_LEVEL")
        assert sorted((tmp_path / "runs").rglob("*")) == before
        assert len(small._store) == 0
        assert client.start(EASY, observation="state").budget_left


def test_ended_episodes_are_kept_up_to_a_number(small: LubanServer, tmp_path: Path) -> None:
    with connect(small.address) as client:
        episodes = [client.start(EASY, observation="state") for _ in range(5)]
        for episode in episodes:
            episode.end()
        for number, episode in enumerate(episodes):
            path = tmp_path / f"{number}.jsonl"
            if number < 2:
                assert refusal(episode.save_log, path=path).reason == "EPISODE_NOT_FOUND"
            else:
                episode.save_log(path)
                assert read_log(path).ending is not None


def test_what_has_ended_holds_no_world(small: LubanServer) -> None:
    with connect(small.address) as client:
        episode = client.start(EASY, observation="state")
        play_plan(episode, EASY)
        episode.end()
        (session,) = small._store._ended.values()
        assert (session.episode, session.ending and session.ending.outcome) == (
            None,
            Outcome.SOLVED,
        )


@pytest.mark.parametrize("length", [81, 1_000_000])
def test_a_long_id_is_refused_without_a_look_at_the_levels(client: Client, length: int) -> None:
    error = refusal(client.start, level="x" * length, observation="state")
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "LEVEL_NOT_FOUND")
    assert "at most 80" in str(error)
    assert len(str(error)) < 300


def test_a_document_of_more_than_16_megabytes_is_refused_unread(client: Client) -> None:
    error = refusal(client.start, level="{" + " " * 16 * 2**20, observation="state")
    assert (error.reason, "16,777,216 bytes" in str(error)) == ("BAD_LEVEL", True)


def test_a_long_action_costs_a_step_and_takes_a_bounded_line(
    client: Client, runs: Path, stream: bool
) -> None:
    episode = client.start(PISTON, observation="state", stream=stream)
    log = runs / episode.run_name / "episode.jsonl"
    before = log.stat().st_size
    for name, arguments, reason in (
        ("slide" * 10**6, "{}", Reason.UNKNOWN_ACTION),
        ("slide", "x" * 10 * 2**20, Reason.MALFORMED),
    ):
        with pytest.raises(InvalidAction) as caught:
            episode.step_json(name, arguments)
        assert caught.value.reason is reason
        assert len(str(caught.value)) <= 300
    assert episode.steps == 2
    assert log.stat().st_size - before < 2000
    episode.end()


def test_calls_that_wait_for_one_episode_are_counted(
    client: Client, stub: EpisodeServiceStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge.rpc.serving.store.WAITING", 0)
    episode = client.start(PISTON, observation="state", stream=False)
    with pytest.raises(grpc.RpcError, match="wait for answers") as caught:
        stub.Observe(pb.ObserveRequest(episode_id=episode.id, lease=episode.lease))
    assert caught.value.code() is EXHAUSTED


@pytest.mark.parametrize("name", ["episodes", "bullet_episodes", "ended"])
def test_a_limit_is_positive(name: str) -> None:
    with pytest.raises(InputError, match="1 or more"):
        ServerLimits(**{name: 0})


def test_no_more_episodes_are_taken_on_than_there_are_files_for() -> None:
    assert ServerLimits().limit_to(1024).episodes < 512
    assert ServerLimits(episodes=10).limit_to(1024).episodes == 10
    assert ServerLimits().limit_to(10**6) == ServerLimits()


def test_without_a_descriptor_left_steps_are_answered_and_nothing_is_lost(tmp_path: Path) -> None:
    """Silent connections use up what there is; then play goes on, and later all is well."""
    with (
        running_server(tmp_path) as server,
        connect(server.address) as client,
        ExitStack() as silent,
    ):
        episodes = [
            client.start(PISTON, observation="state", stream=stream) for stream in (True, False)
        ]
        pid = server.process.pid
        used = len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (used + 5, used + 5))
        host, _, port = server.address.partition(":")
        for _ in range(50):
            silent.enter_context(socket.create_connection((host, int(port))))
        for episode in episodes:
            for action in plan_of(PISTON)[:3]:
                episode.step(action)
            with pytest.raises(InvalidAction):
                episode.step_json("smash", "{}")
            assert episode.steps == 4
            assert len(read_log(tmp_path / episode.run_name / "episode.jsonl").steps) == 4

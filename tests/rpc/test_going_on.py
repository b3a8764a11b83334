"""Steps whose answer was lost, and episodes whose server was killed: nothing is made twice."""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.episode.episode import Episode
from bridge.episode.records import StepResult
from bridge.recording.log import EpisodeLog, read_log
from bridge.recording.replay import replay
from bridge.rpc._pb.luban.v1 import episode_pb2
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import IllegalMove, ServerError, connect
from bridge.rpc.errors import RequestError, WireError
from bridge.rpc.server import LubanServer
from bridge.rpc.serving.leases import LeaseRecord, Leases, hash_lease
from bridge.rpc.serving.sessions import LogSync, Session
from pysim.catalog import find_level
from pysim.physics.factory import create_world
from pysim.puzzle import Outcome
from tests.rpc.playing import BLOCKED, EASY, PISTON, plan_of
from tests.rpc.processes import ServerProcess, running_server
from tests.waiting import wait_for

THERE = '{"pieces":["purple"],"direction":"+y","distance":1}'
BACK = '{"pieces":["purple"],"direction":"-y","distance":1}'
HELD = '{"pieces":["red"],"direction":"+x","distance":1}'
ACTIONS = [("slide", THERE), ("slide", BACK), ("slide", HELD), ("smash", "{}"), ("slide", "{")]


def killed(server: ServerProcess) -> str:
    """Kill a server; its port."""
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    return server.address.rpartition(":")[2]


@pytest.fixture
def started(stub: EpisodeServiceStub) -> Iterator[pb.StartEpisodeResponse]:
    yield stub.StartEpisode(pb.StartEpisodeRequest(level_id=PISTON, options={"mode": 3}))


def step(started: pb.StartEpisodeResponse, action: int, expected: int) -> pb.StepRequest:
    name, arguments = ACTIONS[action]
    return pb.StepRequest(
        episode_id=started.episode_id,
        lease=started.lease,
        action=episode_pb2.Action(name=name, arguments_json=arguments),
        expected_step=expected,
    )


def outcome(stub: EpisodeServiceStub, request: pb.StepRequest) -> object:
    try:
        return stub.Step(request)
    except grpc.RpcError as error:
        return WireError.from_rpc_error(error)


@pytest.mark.parametrize("action", range(len(ACTIONS)))
def test_a_step_that_is_sent_again_is_answered_again_and_made_once(
    stub: EpisodeServiceStub, started: pb.StartEpisodeResponse, action: int
) -> None:
    assert started.knows_expected_step
    answers = [outcome(stub, step(started, action, 1)) for _ in range(3)]
    assert answers[1:] == answers[:1] * 2
    look = pb.ObserveRequest(episode_id=started.episode_id, lease=started.lease)
    assert stub.Observe(look).observation.step == 1
    other = outcome(stub, step(started, (action + 1) % len(ACTIONS), 1))
    assert isinstance(other, WireError)
    assert (other.code, other.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "WRONG_STEP")


@pytest.mark.parametrize("expected", [-1, 0, 2, 2**31 - 1])
def test_a_step_that_can_not_have_its_number_costs_nothing(
    stub: EpisodeServiceStub, started: pb.StartEpisodeResponse, expected: int
) -> None:
    refused = outcome(stub, step(started, 0, expected))
    assert isinstance(refused, WireError)
    assert refused.reason == "WRONG_STEP"
    assert (refused.metadata["step"], refused.metadata["outcome"]) == ("0", "")


def test_the_last_step_is_answered_again_even_after_the_end(
    stub: EpisodeServiceStub,
) -> None:
    options = {"mode": 3, "budget": 1}
    begun = stub.StartEpisode(pb.StartEpisodeRequest(level_id=PISTON, options=options))
    first = outcome(stub, step(begun, 0, 1))
    stub.EndEpisode(pb.EndEpisodeRequest(episode_id=begun.episode_id, lease=begun.lease))
    assert outcome(stub, step(begun, 0, 1)) == first
    over = outcome(stub, step(begun, 0, 2))
    assert isinstance(over, WireError)
    assert over.reason == "EPISODE_OVER"


@given(sent=st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3)), max_size=12))
def test_however_often_steps_are_sent_the_log_is_that_of_each_once(
    sent: list[tuple[int, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        logs = []
        for again in (False, True):
            path = Path(folder) / f"{again}.jsonl"
            log = EpisodeLog(path)
            episode = Episode(find_level(PISTON), create_world("lattice"), listener=log)
            session = Session("", b"", path, episode, "lattice", "png", LogSync())
            for number, (action, times) in enumerate(sent, 1):
                name, arguments = ACTIONS[action]
                message = episode_pb2.Action(name=name, arguments_json=arguments)
                answers = [session.make_step(message, number) for _ in range(times if again else 1)]
                assert answers == answers[:1] * len(answers)
                assert isinstance(answers[0], StepResult | WireError)
                if number > 1:
                    with pytest.raises(RequestError, match="can't be number"):
                        session.make_step(message, number - 1)
            log.close()
            logs.append(path.read_bytes())
    assert logs[0] == logs[1]


def test_after_a_crash_play_goes_on_with_the_same_program(tmp_path: Path) -> None:
    plan = plan_of(EASY)
    with running_server(tmp_path) as first:
        client = connect(first.address, reconnect=300)
        episodes = [
            client.start(EASY, observation="state", stream=stream) for stream in (False, True)
        ]
        for episode in episodes:
            episode.step(plan[0])
            with pytest.raises(IllegalMove):
                episode.step("slide", **BLOCKED)
        port = killed(first)
    with client, running_server(tmp_path, "--port", port):
        for episode in episodes:
            for action in plan[1:]:
                episode.step(action)
            assert episode.steps == len(plan) + 1
            assert episode.end().outcome is Outcome.SOLVED
            log = read_log(tmp_path / episode.run_name / "episode.jsonl")
            assert [line.step for line in log.steps] == list(range(1, len(plan) + 2))
            assert replay(log).outcome is Outcome.SOLVED
        wait_for(lambda: not kept(tmp_path) or None)


def kept(runs: Path) -> list[Path]:
    """What is kept of open episodes."""
    return [
        path for path in (runs / ".leases").rglob("*") if len(path.name) == 16 and path.is_file()
    ]


def test_a_step_that_was_made_but_not_answered_is_not_made_again(tmp_path: Path) -> None:
    with (
        running_server(tmp_path, "--open") as first,
        grpc.insecure_channel(first.address) as channel,
    ):
        stub = EpisodeServiceStub(channel)
        begun = stub.StartEpisode(pb.StartEpisodeRequest(level_id=PISTON, options={"mode": 3}))
        answers = [outcome(stub, step(begun, 0, 1)), outcome(stub, step(begun, 2, 2))]
        port = killed(first)
    log = tmp_path / begun.run_name / "episode.jsonl"
    with log.open("ab") as file:
        file.write(b'{"type":"step","step":3,"ca')
    options = [("grpc.initial_reconnect_backoff_ms", 100)]
    with (
        running_server(tmp_path, "--open", "--port", port) as second,
        grpc.insecure_channel(second.address, options) as channel,
    ):
        stub = EpisodeServiceStub(channel)
        assert outcome(stub, step(begun, 2, 2)) == answers[1]
        other = outcome(stub, step(begun, 0, 2))
        assert isinstance(other, WireError)
        assert other.reason == "WRONG_STEP"
        assert isinstance(outcome(stub, step(begun, 1, 3)), pb.StepResponse)
        stub.EndEpisode(pb.EndEpisodeRequest(episode_id=begun.episode_id, lease=begun.lease))
    read = read_log(log)
    assert ([line.kind for line in read.steps], read.truncated) == (["ok", "illegal", "ok"], False)


def test_only_who_has_the_lease_goes_on(tmp_path: Path) -> None:
    with running_server(tmp_path) as first, connect(first.address, reconnect=0) as client:
        episode = client.start(PISTON, observation="state")
        episode.step(plan_of(PISTON)[0])
        killed(first)
    (path,) = kept(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert episode.lease not in path.read_text()
    with LubanServer(tmp_path) as second, connect(second.address) as client:
        for lease in ("", "a guess", hash_lease(episode.lease).hex(), "x" * 10_000):
            with pytest.raises(ServerError, match="no episode"):
                client.join(episode.id, lease)
        mine = client.join(episode.id, episode.lease)
        assert (mine.steps, mine.step(plan_of(PISTON)[1]).step) == (1, 2)
        mine.end()
    assert not (tmp_path / ".leases").exists()


def test_a_server_takes_nothing_over_from_one_that_lives(tmp_path: Path) -> None:
    with (
        LubanServer(tmp_path) as first,
        connect(first.address) as mine,
        running_server(tmp_path) as other,
        connect(other.address) as theirs,
    ):
        episode = mine.start(PISTON, observation="state")
        with pytest.raises(ServerError, match="no episode"):
            theirs.join(episode.id, episode.lease)
        assert episode.step(plan_of(PISTON)[0]).step == 1


def test_what_nobody_goes_on_with_is_forgotten(tmp_path: Path) -> None:
    with running_server(tmp_path) as first, connect(first.address, reconnect=0) as client:
        episode = client.start(PISTON, observation="state")
        killed(first)
    with LubanServer(tmp_path, idle_timeout=1.0) as second, connect(second.address) as client:
        wait_for(lambda: not kept(tmp_path) or None)
        with pytest.raises(ServerError, match="no episode"):
            client.join(episode.id, episode.lease)
    assert read_log(tmp_path / episode.run_name / "episode.jsonl").ending is None


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"{}", b"\xff", b'{"folder":"../x","lease":"00","pictures":"png"}', b"[" * 900],
)
def test_what_somebody_else_has_written_among_leases_is_passed_over(text: bytes) -> None:
    assert LeaseRecord.from_json(text) is None


def test_a_lease_is_read_as_it_was_written() -> None:
    written = LeaseRecord("run-2", hash_lease("secret"), "jpeg")
    assert LeaseRecord.from_json(written.to_json()) == written


def test_a_server_that_kept_nothing_leaves_nothing(tmp_path: Path) -> None:
    leases = Leases(tmp_path)
    assert leases.find("0" * 16) is None
    leases.keep("0" * 16, LeaseRecord("run", b"", "png"))
    leases.drop("0" * 16)
    leases.close()
    assert not list(tmp_path.iterdir())

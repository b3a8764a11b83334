"""A server with an operator's key: who does not have it plays, and does nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from bridge.episode.records import Obs
from bridge.episode.tools import ToolCall
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.access import ENVIRONMENT, KEY
from bridge.rpc.client import IllegalMove, RemoteEpisode, ServerError, connect
from bridge.rpc.errors import WireError
from bridge.rpc.server import LubanServer
from bridge.rpc.serving.event_loop import run_in_loop
from pysim.catalog import find_level
from pysim.puzzle import Outcome
from tests.adapters.secrets import always_secret, found_in, picture_texts, secret_in_pictures_only
from tests.rpc.playing import BLOCKED, EASY, PISTON, plan_of
from tests.rpc.processes import running_server

SECRET = "only operators know this"
AGENTS = {"GetServerInfo", "Step", "Observe", "EndEpisode", "Play"}
SERVICE = pb.DESCRIPTOR.services_by_name["EpisodeService"]


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LubanServer]:
    with LubanServer(tmp_path_factory.mktemp("keyed"), operator_key=SECRET) as server:
        yield server


@pytest.fixture
def agent(keyed: LubanServer) -> Iterator[pb_grpc.EpisodeServiceStub]:
    """Calls as an agent makes them that was given an episode's id and lease."""
    with grpc.insecure_channel(keyed.address) as channel:
        yield pb_grpc.EpisodeServiceStub(channel)


@pytest.fixture
def episode(keyed: LubanServer) -> Iterator[RemoteEpisode]:
    """An episode that an operator has begun for it."""
    with connect(keyed.address, operator_key=SECRET) as operator:
        yield operator.start(PISTON, observation="image", image_size=32, seed=918273645)


def refused(call: Any, request: Any, **options: Any) -> WireError:
    with pytest.raises(grpc.RpcError) as caught:
        answer = call(request, **options)
        if isinstance(answer, Iterator):
            next(answer)
    return WireError.from_rpc_error(caught.value)


def step(episode: RemoteEpisode, call: ToolCall) -> pb.StepRequest:
    request = pb.StepRequest(episode_id=episode.id, lease=episode.lease)
    request.action.name, request.action.arguments_json = call.name, call.arguments_json()
    return request


@pytest.mark.parametrize("key", [(), ((KEY, ""),), ((KEY, "a guess"),)])
@pytest.mark.parametrize("name", [m.name for m in SERVICE.methods if m.name not in AGENTS])
def test_every_call_that_is_not_for_agents_needs_the_key(
    agent: pb_grpc.EpisodeServiceStub, name: str, key: Any
) -> None:
    request = getattr(pb, f"{name}Request")()
    fault = refused(getattr(agent, name), request, metadata=key)
    assert (fault.code, fault.reason) == (grpc.StatusCode.PERMISSION_DENIED, "OPERATORS_ONLY")


def test_no_call_goes_back() -> None:
    names = {method.name for method in SERVICE.methods}
    assert names >= AGENTS
    assert not [
        n for n in names if any(word in n for word in ("Reset", "Rewind", "Undo", "Restart"))
    ]


def test_a_stream_without_the_key_begins_no_episode_but_plays_one(
    agent: pb_grpc.EpisodeServiceStub, episode: RemoteEpisode
) -> None:
    requests = [
        pb.PlayRequest(start_episode=pb.StartEpisodeRequest(level_id=EASY)),
        pb.PlayRequest(step=step(episode, ToolCall.of(plan_of(PISTON)[0]))),
        pb.PlayRequest(step=step(episode, ToolCall("slide", BLOCKED))),
    ]
    first, second, third = agent.Play(iter(requests))
    assert first.error.reason == "OPERATORS_ONLY"
    assert (second.step.result.step, second.step.result.state_hash) == (1, "")
    assert third.error.metadata["step"] == "2"
    assert "state_hash" not in third.error.metadata


def test_an_agent_joins_the_episode_that_it_is_given(
    keyed: LubanServer, episode: RemoteEpisode, tmp_path: Path
) -> None:
    episode.step(plan_of(PISTON)[0])
    with connect(keyed.address) as client:
        mine = client.join(episode.id, episode.lease)
        assert (mine.steps, mine.budget, mine.budget_left) == (
            1,
            episode.budget,
            episode.budget - 1,
        )
        assert (mine.level.id, mine.level.plan, mine.state_hash) == ("", None, "")
        result = mine.step(plan_of(PISTON)[1])
        assert (result.step, result.state_hash) == (2, "")
        with pytest.raises(IllegalMove):
            mine.step("slide", **BLOCKED)
        assert (mine.steps, mine.observe().step) == (3, 3)
        with pytest.raises(ServerError, match="operator's key"):
            client.start(PISTON)
        assert mine.end().outcome is Outcome.GAVE_UP
        with pytest.raises(ServerError, match="operator's key"):
            mine.save_log(tmp_path / "episode.jsonl")
        with pytest.raises(ServerError, match="another client"):
            client.join(episode.id, "a guess")


def test_what_an_agent_is_answered_has_nothing_secret_in_it(
    agent: pb_grpc.EpisodeServiceStub, episode: RemoteEpisode, keyed: LubanServer, tmp_path: Path
) -> None:
    calls = [
        ToolCall.of(plan_of(PISTON)[0]),
        ToolCall("slide", BLOCKED),
        ToolCall("reset", {}),
        ToolCall("slide", {"pieces": ["pink"]}),
    ]
    mine: dict[str, Any] = {"episode_id": episode.id, "lease": episode.lease}
    told: list[str | bytes] = [agent.Observe(pb.ObserveRequest(**mine)).SerializeToString()]
    for call in calls:
        try:
            told.append(agent.Step(step(episode, call)).SerializeToString())
        except grpc.RpcError as error:
            told += [str(error), repr(error.trailing_metadata())]  # type: ignore[attr-defined]
    told.append(agent.Observe(pb.ObserveRequest(**mine)).SerializeToString())
    told.append(agent.EndEpisode(pb.EndEpisodeRequest(**mine)).SerializeToString())
    level = find_level(PISTON)
    assert len(told) == 10
    assert found_in(told, always_secret(level, calls, tmp_path)) == set()
    assert found_in(told, secret_in_pictures_only(level, calls)) == set()
    assert len(picture_texts(told)) == 8
    ended = refused(agent.DownloadLog, pb.DownloadLogRequest(**mine))
    assert ended.reason == "OPERATORS_ONLY"


def test_a_failure_of_the_server_names_no_file_to_an_agent(
    agent: pb_grpc.EpisodeServiceStub, episode: RemoteEpisode, keyed: LubanServer
) -> None:
    session = run_in_loop(keyed._store.get(episode.id, episode.lease))
    listener: Any = session.get_episode()._listener
    listener.close()  # As a log is that can't even be cut back to its last whole line.
    fault = refused(agent.Step, step(episode, ToolCall.of(plan_of(PISTON)[0])))
    assert fault.reason == "RECORDING_FAILED"
    assert fault.message == "the server failed; its operator knows more"
    with pytest.raises(ServerError, match=r"episode\.jsonl"):
        episode.step(plan_of(PISTON)[0])


def test_an_operator_does_everything(
    keyed: LubanServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENVIRONMENT, SECRET)
    with connect(keyed.address) as operator:
        assert operator.levels("burr")
        for stream in (True, False):
            episode = operator.start(EASY, observation=Obs.STATE, stream=stream)
            hashes = {episode.step(action).state_hash for action in plan_of(EASY)}
            assert (episode.outcome, len(hashes)) == (Outcome.SOLVED, len(plan_of(EASY)))
            assert episode.end().state_hash in hashes
            episode.save_log(tmp_path / f"{stream}.jsonl")


def test_the_command_has_the_key_from_its_option(tmp_path: Path) -> None:
    options = ("--operator-key", SECRET)
    with running_server(tmp_path, *options) as server, connect(server.address) as stranger:
        with pytest.raises(ServerError, match="operator's key"):
            stranger.start(EASY, observation="state")
        with connect(server.address, operator_key=SECRET) as operator:
            assert operator.start(EASY, observation="state").end().outcome is Outcome.GAVE_UP

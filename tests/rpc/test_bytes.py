"""No byte that a client without the key gets holds what agents must not know.

Answers are kept as they come over the wire, before anybody has read them, with whatever else comes:
metadata, statuses and details of errors. What is looked for is looked for in many forms, see
:mod:`tests.adapters.secrets`.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from bridge.episode.records import Obs
from bridge.episode.tools import ToolCall
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.client import Client, RemoteEpisode, connect
from bridge.rpc.server import SERVICE, LubanServer
from pysim.catalog import find_level
from tests.adapters.secrets import (
    always_secret,
    every_form,
    found_in,
    hidden_cells,
    secret_in_pictures_only,
    without_pictures,
)
from tests.adapters.test_parity import script

LEVELS = ["burr-piston", "packing-easy-01", "cubebench-d03-1-face-view"]
SECRET = "only operators know this"
Told = list[str | bytes]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def server(runs: Path) -> Iterator[LubanServer]:
    with LubanServer(runs, operator_key=SECRET) as server:
        yield server


@pytest.fixture(scope="module")
def operator(server: LubanServer) -> Iterator[Client]:
    with connect(server.address, operator_key=SECRET) as client:
        yield client


class Wire:
    """Makes calls without the key, and keeps all that comes back."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.told: Told = []
        self._channel = channel

    def unary(self, method: str, request: Any) -> None:
        call = self._channel.unary_unary(method, request.__class__.SerializeToString, bytes)
        try:
            answer, about = call.with_call(request, timeout=60)
            self.told.append(answer)
        except grpc.RpcError as error:
            about = error
        self._keep(about)

    def stream(self, method: str, requests: list[Any]) -> None:
        kind = type(requests[0])
        call = self._channel.stream_stream(method, kind.SerializeToString, bytes)
        self._listen(call(iter(requests), timeout=60))

    def server_stream(self, method: str, request: Any) -> None:
        call = self._channel.unary_stream(method, type(request).SerializeToString, bytes)
        self._listen(call(request, timeout=60))

    def _listen(self, answers: Any) -> None:
        try:
            self.told.extend(answers)
        except grpc.RpcError as error:
            self.told.append(str(error))
        self._keep(answers)

    def _keep(self, about: Any) -> None:
        self.told.append(about.details() or "")
        for part in (*about.initial_metadata(), *about.trailing_metadata()):
            self.told += [part.key, part.value]


def steps_of(episode: RemoteEpisode, calls: list[ToolCall]) -> list[pb.StepRequest]:
    requests = []
    for call in calls:
        request = pb.StepRequest(episode_id=episode.id, lease=episode.lease)
        request.action.name, request.action.arguments_json = call.name, call.arguments_json()
        requests.append(request)
    return requests


def by_calls(wire: Wire, episode: RemoteEpisode, calls: list[ToolCall]) -> None:
    """Every call that there is, those that are refused as well."""
    mine: dict[str, Any] = {"episode_id": episode.id, "lease": episode.lease}
    wire.unary(f"/{SERVICE}/GetServerInfo", pb.GetServerInfoRequest())
    wire.unary(f"/{SERVICE}/ListLevels", pb.ListLevelsRequest())
    wire.unary(f"/{SERVICE}/StartEpisode", pb.StartEpisodeRequest(level_id=LEVELS[0]))
    wire.unary(f"/{SERVICE}/Observe", pb.ObserveRequest(**mine))
    for request in steps_of(episode, calls):
        wire.unary(f"/{SERVICE}/Step", request)
        wire.unary(f"/{SERVICE}/Observe", pb.ObserveRequest(**mine))
    wire.server_stream(f"/{SERVICE}/DownloadLog", pb.DownloadLogRequest(**mine))
    wire.unary(f"/{SERVICE}/EndEpisode", pb.EndEpisodeRequest(**mine))
    wire.server_stream(f"/{SERVICE}/DownloadLog", pb.DownloadLogRequest(**mine))
    wire.server_stream(f"/{SERVICE}/DownloadVideo", pb.DownloadVideoRequest(**mine))
    wire.unary(f"/{SERVICE}/Observe", pb.ObserveRequest(**mine))
    wire.unary("/grpc.health.v1.Health/Check", health_pb2.HealthCheckRequest(service=SERVICE))
    ask = reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE)
    wire.stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", [ask])


def in_a_stream(wire: Wire, episode: RemoteEpisode, calls: list[ToolCall]) -> None:
    """The same by one stream."""
    mine: dict[str, Any] = {"episode_id": episode.id, "lease": episode.lease}
    look = pb.PlayRequest(observe=pb.ObserveRequest(**mine))
    requests = [look, pb.PlayRequest(start_episode=pb.StartEpisodeRequest(level_id=LEVELS[0]))]
    for step in steps_of(episode, calls):
        requests += [pb.PlayRequest(step=step), look]
    end = pb.PlayRequest(end_episode=pb.EndEpisodeRequest(**mine))
    wire.stream(f"/{SERVICE}/Play", [*requests, end, look])


@pytest.mark.by_day(3)
@pytest.mark.parametrize("obs", [Obs.IMAGE, Obs.STATE])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("way", [by_calls, in_a_stream], ids=lambda way: way.__name__)
def test_no_byte_of_an_answer_tells_a_secret(
    way: Callable[[Wire, RemoteEpisode, list[ToolCall]], None],
    level: str,
    obs: Obs,
    server: LubanServer,
    runs: Path,
    operator: Client,
    tmp_path: Path,
) -> None:
    played = find_level(level)
    calls = [*script(played)[:6], ToolCall("reset", {}), ToolCall("slide", {"pieces": ["pink"]})]
    episode = operator.start(level, observation=obs, image_size=32, seed=918273645)
    with grpc.insecure_channel(server.address) as channel:
        wire = Wire(channel)
        way(wire, episode, calls)
    assert sum(map(len, wire.told)) > 1000
    told = without_pictures(wire.told)
    secrets = always_secret(played, calls, tmp_path, runs) | {SECRET, episode.run_name}
    assert found_in(told, every_form(secrets)) == set()
    state = every_form(secret_in_pictures_only(played, calls)) | hidden_cells(played, calls)
    assert bool(found_in(told, state)) == obs.has_state


@pytest.mark.parametrize("level", LEVELS)
def test_what_is_looked_for_is_in_what_operators_get(
    level: str, server: LubanServer, operator: Client
) -> None:
    """So that it can be found."""
    played = find_level(level)
    episode = operator.start(level, observation="state", seed=918273645)
    for call in script(played)[:6]:
        try:
            episode.step(call)
        except ValueError:
            continue
        except Exception as error:
            assert type(error).__name__ in ("IllegalMove", "InvalidAction")
    episode.end()
    log = b"".join(operator.download_log(episode.id, episode.lease))
    found = found_in([log], every_form(always_secret(played, [])))
    assert {played.id, played.hash} <= found
    assert len(found) > 5

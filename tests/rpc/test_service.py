"""What a server says of itself."""

import json
import re

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import Client, ServerError
from pysim.catalog import discover_families, list_level_paths, list_shipped_levels
from pysim.physics.factory import list_worlds
from pysim.suites import find_suite
from tests.rpc.playing import EASY

SERVICE = "luban.v1.EpisodeService"


def test_the_server_says_what_it_is(client: Client) -> None:
    info = client.server_info()
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", info.version)
    assert info.families == tuple(discover_families())
    assert info.worlds == list_worlds()
    assert re.match(r"(egl|tiny): \S+", info.renderer)
    assert info.idle_timeout_s == 600.0


def test_messages_up_to_64_megabytes_are_announced(stub: EpisodeServiceStub) -> None:
    assert stub.GetServerInfo(pb.GetServerInfoRequest()).max_message_bytes == 64 * 2**20


def test_the_levels_are_those_that_ship(client: Client) -> None:
    listed = client.levels()
    assert [(info.id, info.hash) for info in listed] == [
        (lv.id, lv.hash) for lv in list_shipped_levels()
    ]
    for info, level in zip(listed, list_shipped_levels(), strict=True):
        assert (info.family, info.name, info.tier) == (level.family, level.name, level.tier)
        assert (info.pieces, info.budget) == (len(level.colours), level.budget)
        assert (info.designer, info.reference) == (level.source.designer, level.source.reference)
        assert level.plan is not None
        assert (info.plan, info.plan_proof) == (len(level.plan), level.plan.proof)


def test_levels_can_be_had_by_suite_family_and_pattern(client: Client) -> None:
    assert tuple(info.id for info in client.levels("locks-32")) == find_suite("locks-32").level_ids
    assert {info.family for info in client.levels("burr")} == {"burr"}
    assert {info.id for info in client.levels(f"burr-p*,{EASY}")} >= {"burr-piston", EASY}
    for unknown in ("sudoku", str(list_level_paths()[0])):
        with pytest.raises(ServerError, match="no suite, family or level") as caught:
            client.levels(unknown)
        assert caught.value.code is grpc.StatusCode.NOT_FOUND
        assert caught.value.reason == "SUITE_NOT_FOUND"


def test_older_clients_ask_by_family(stub: EpisodeServiceStub) -> None:
    listed = stub.ListLevels(pb.ListLevelsRequest(family="burr")).levels
    assert {level.family for level in listed} == {"burr"}
    both = stub.ListLevels(pb.ListLevelsRequest(family="burr", suite="chain-109")).levels
    assert [level.id for level in both] == list(find_suite("locks-32").level_ids)
    with pytest.raises(grpc.RpcError, match="no family 'sudoku'") as caught:
        stub.ListLevels(pb.ListLevelsRequest(family="sudoku"))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_a_bug_of_the_server_is_told_by_name_and_its_traceback_is_logged(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr("bridge.rpc.serving.handler.select_levels", fail)
    with pytest.raises(ServerError, match="ValueError: a bug") as caught:
        client.levels("burr")
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert "raise ValueError" in caplog.text


def test_a_begun_episode_tells_all_that_an_agent_needs(client: Client) -> None:
    episode = client.start(EASY, observation="state", budget=7)
    assert (episode.level.id, episode.budget, episode.budget_left) == (EASY, 7, 7)
    assert episode.colours == ("red", "blue", "yellow", "green", "orange", "purple")
    assert [tool["function"]["name"] for tool in episode.tools] == ["slide", "bring", "rotate"]
    assert json.loads(json.dumps(episode.tools)) == episode.actions.schemas()
    assert "separated" in episode.instruction
    assert re.fullmatch("[0-9a-f]{64}", episode.state_hash)
    episode.end()


def test_the_health_service_says_serving(channel: grpc.Channel) -> None:
    stub = health_pb2_grpc.HealthStub(channel)
    for service in ("", SERVICE):
        answer = stub.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_reflection_lists_the_service(channel: grpc.Channel) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    (answer,) = stub.ServerReflectionInfo(iter([request]))
    assert SERVICE in [service.name for service in answer.list_services_response.service]

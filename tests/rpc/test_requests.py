"""Requests that are wrong, most of which only plain gRPC can send."""

import json
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from bridge.episode.records import Options
from bridge.recording.log import read_log
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import Client, ServerError
from pysim.catalog import encode_level, find_level, list_level_paths
from pysim.puzzle import Outcome
from tests.rpc.playing import EASY, play_plan

INVALID = grpc.StatusCode.INVALID_ARGUMENT
STATE = 3
"""The number of the observation mode that needs no renderer."""


def document(**changes: object) -> str:
    return json.dumps(encode_level(find_level(EASY)) | changes)


def refused(stub: EpisodeServiceStub, request: pb.StartEpisodeRequest) -> tuple[Any, str, str]:
    """Status, reason and message; the same in a stream."""
    with pytest.raises(grpc.RpcError) as caught:
        stub.StartEpisode(request)
    info = error_details_pb2.ErrorInfo()
    assert rpc_status.from_call(caught.value).details[0].Unpack(info)
    (answer,) = stub.Play(iter([pb.PlayRequest(start_episode=request)]))
    error = answer.error
    assert (error.code, error.reason) == (caught.value.code().value[0], info.reason)
    assert error.message == caught.value.details()
    return caught.value.code(), info.reason, error.message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"picture_size": 0}, "from 16 to 2048"),
        ({"picture_size": 5000}, "from 16 to 2048"),
        ({"picture_size": -1}, "from 16 to 2048"),
        ({"history_window": -1}, "from 0 to 1000"),
        ({"budget": 0}, "from 1 to 1000000"),
        ({"budget": 10**9}, "from 1 to 1000000"),
        ({"world": "matrix"}, "no world 'matrix'; known are lattice, bullet"),
        ({"mode": 99}, "no observation mode number 99"),
        ({"picture_format": 99}, "no picture format number 99"),
        ({"run_name": "../elsewhere"}, "run name"),
        ({"run_name": ".."}, "run name"),
        ({"run_name": "a/b"}, "run name"),
        ({"run_name": "a\n"}, "run name"),
        ({"run_name": "x" * 101}, "run name"),
    ],
)
def test_a_bad_option_is_refused(
    stub: EpisodeServiceStub, runs: Path, options: dict[str, Any], message: str
) -> None:
    options = {"mode": STATE} | options
    before = sorted(runs.parent.rglob("*"))
    answer = refused(stub, pb.StartEpisodeRequest(level_id=EASY, options=options))
    assert answer[:2] == (INVALID, "BAD_OPTION")
    assert message in answer[2]
    # What others have left may go meanwhile.
    assert set(runs.parent.rglob("*")) <= set(before)


@pytest.mark.parametrize(
    "options",
    [
        {"image_size": 15},
        {"history": -1},
        {"budget": 0},
        {"observation": "sound"},
        {"image_format": "gif"},
        {"seed": 2**64},
    ],
)
def test_the_client_refuses_a_bad_option_at_once(client: Client, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        client.start(EASY, **options)


def test_unset_options_have_their_documented_values(stub: EpisodeServiceStub, runs: Path) -> None:
    started = stub.StartEpisode(pb.StartEpisodeRequest(level_id=EASY))
    lease = {"episode_id": started.episode_id, "lease": started.lease}
    seen = stub.Observe(pb.ObserveRequest(**lease)).observation
    assert {(view.width, view.height, view.format) for view in seen.views} == {(512, 512, 1)}
    assert seen.HasField("state")
    stub.EndEpisode(pb.EndEpisodeRequest(**lease))
    header = read_log(runs / started.run_name / "episode.jsonl").header
    assert header.world[0] == "lattice"
    assert (header.options, header.budget) == (Options(), started.budget)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("burr-pistn", "did you mean burr-piston"),
        ("xyzzy", "`luban levels` lists them"),
        (f"{EASY}.json", f"did you mean {EASY}"),
        (str(list_level_paths()[0]), "no level"),
        (f"{list_level_paths()[0]}.json", "no level"),
        ("/etc/passwd.json.json", "no level"),
        ("x" * 100_000, "an id has at most 80 characters"),
    ],
    ids=range(7),
)
def test_an_unknown_level_is_not_found_and_no_file_is_read(
    stub: EpisodeServiceStub, name: str, message: str
) -> None:
    code, reason, text = refused(stub, pb.StartEpisodeRequest(level_id=name))
    assert (code, reason) == (grpc.StatusCode.NOT_FOUND, "LEVEL_NOT_FOUND")
    assert message in text


def test_a_request_without_a_level_is_refused(stub: EpisodeServiceStub) -> None:
    for request in (pb.StartEpisodeRequest(), pb.StartEpisodeRequest(level_id="")):
        code, reason, text = refused(stub, request)
        assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, "NO_LEVEL")
        assert "no level" in text


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "a level is a JSON object"),
        ("{}", "its format is None"),
        ('{"a":' + "[" * 200_000, "not JSON"),
        ("9" * 5000, "not JSON"),
        (document(budget=31), "does not match its hash"),
        (document(hash="sha256:0"), "does not match its hash"),
        (document(family="sudoku"), "no family 'sudoku'"),
        (document(id="../x"), "an id is made of"),
        (document(id="x" * 1_000_000), "'id' is a text of at most 1,000 characters"),
        (document(puzzle={}), EASY),
        (document(budget=0), "a budget is a whole number"),
        (document(format="é" * 1_000_000), "its format is"),
    ],
    ids=range(14),
)
def test_a_bad_level_document_is_refused(
    stub: EpisodeServiceStub, level: str, message: str
) -> None:
    code, reason, text = refused(stub, pb.StartEpisodeRequest(level_json=level))
    assert (code, reason) == (INVALID, "BAD_LEVEL")
    assert message in text
    assert len(text.encode()) <= 1000


def test_a_level_may_be_sent_as_a_document(client: Client, stream: bool) -> None:
    episode = client.start(document(id="my-own-level"), observation="state", stream=stream)
    assert episode.level.id == "my-own-level"
    assert episode.level.hash == find_level(EASY).hash
    play_plan(episode, EASY)
    assert episode.end().outcome is Outcome.SOLVED


def test_a_long_id_and_a_long_agent_still_make_a_folder(client: Client) -> None:
    level = document(id="a" * 80)
    episode = client.start(level, observation="state", agent="Some/Agent " * 30)
    assert len(episode.run_name) <= 100
    episode.end()


def test_runs_of_one_name_get_folders_of_their_own(client: Client, runs: Path) -> None:
    names = []
    for _ in range(3):
        episode = client.start(EASY, observation="state", run_name="same-name")
        names.append(episode.run_name)
        episode.end()
    assert names == ["same-name", "same-name-2", "same-name-3"]
    assert all((runs / name / "episode.jsonl").exists() for name in names)


def test_another_client_can_not_touch_an_episode(stub: EpisodeServiceStub) -> None:
    started = stub.StartEpisode(pb.StartEpisodeRequest(level_id=EASY, options={"mode": STATE}))
    for lease in ("", "guess", "é", started.lease[:-1]):
        named = {"episode_id": started.episode_id, "lease": lease}
        for call in (
            lambda named=named: stub.Step(pb.StepRequest(**named)),
            lambda named=named: stub.Observe(pb.ObserveRequest(**named)),
            lambda named=named: stub.EndEpisode(pb.EndEpisodeRequest(**named)),
            lambda named=named: list(stub.DownloadLog(pb.DownloadLogRequest(**named))),
            lambda named=named: list(stub.DownloadVideo(pb.DownloadVideoRequest(**named))),
        ):
            with pytest.raises(grpc.RpcError) as caught:
                call()
            assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED
        (answer,) = stub.Play(iter([pb.PlayRequest(step=pb.StepRequest(**named))]))
        assert (answer.error.code, answer.error.reason) == (7, "WRONG_LEASE")
    end = pb.EndEpisodeRequest(episode_id=started.episode_id, lease=started.lease)
    assert stub.EndEpisode(end).ending.steps == 0


@pytest.mark.parametrize("name", ["", "nobody", "x" * 10_000])
def test_an_unknown_episode_is_not_found(stub: EpisodeServiceStub, name: str) -> None:
    with pytest.raises(grpc.RpcError, match="there is no episode") as caught:
        stub.Step(pb.StepRequest(episode_id=name, lease="x"))
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


def test_a_stream_goes_on_after_requests_that_make_no_sense(stub: EpisodeServiceStub) -> None:
    requests = [
        pb.PlayRequest(),
        pb.PlayRequest(step=pb.StepRequest()),
        pb.PlayRequest(observe=pb.ObserveRequest(episode_id="nobody")),
        pb.PlayRequest(end_episode=pb.EndEpisodeRequest(lease="x")),
        pb.PlayRequest(start_episode=pb.StartEpisodeRequest(level_id=EASY, options={"mode": 3})),
        pb.PlayRequest(step=pb.StepRequest()),
        pb.PlayRequest(end_episode=pb.EndEpisodeRequest()),
        pb.PlayRequest(step=pb.StepRequest()),
        pb.PlayRequest(observe=pb.ObserveRequest()),
    ]
    answers = list(stub.Play(iter(requests)))
    assert [answer.error.reason for answer in answers] == [
        "EMPTY_REQUEST",
        "NO_EPISODE",
        "EPISODE_NOT_FOUND",
        "EPISODE_NOT_FOUND",
        "",
        "UNKNOWN_ACTION",
        "",
        "EPISODE_OVER",
        "EPISODE_OVER",
    ]


def test_an_episode_may_be_ended_twice_but_not_looked_at_then(stub: EpisodeServiceStub) -> None:
    started = stub.StartEpisode(pb.StartEpisodeRequest(level_id=EASY, options={"mode": STATE}))
    named = {"episode_id": started.episode_id, "lease": started.lease}
    endings = [stub.EndEpisode(pb.EndEpisodeRequest(**named)).ending for _ in range(2)]
    assert endings[0] == endings[1]
    for call in (
        lambda: stub.Observe(pb.ObserveRequest(**named)),
        lambda: stub.Step(pb.StepRequest(**named)),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            call()
        assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION


@pytest.mark.slow
def test_more_than_64_megabytes_are_refused_and_the_server_lives_on(
    stub: EpisodeServiceStub, client: Client
) -> None:
    huge = "x" * (64 * 2**20 + 1)
    with pytest.raises(grpc.RpcError) as caught:
        stub.StartEpisode(pb.StartEpisodeRequest(level_json=huge))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    with pytest.raises(ServerError) as refused:
        client.start("{" + huge)
    assert refused.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    episode = client.start(document() + " " * (5 * 2**20), observation="state")
    assert episode.end().outcome is Outcome.GAVE_UP

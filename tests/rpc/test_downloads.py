"""Logs and videos over the wire."""

from pathlib import Path

import av
import grpc
import pytest

from bridge.recording.log import read_log
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import Client, IllegalMove, ServerError
from pysim.puzzle import Outcome
from tests.rpc.playing import BLOCKED, EASY, PISTON, plan_of

KEY = "burr-chinese-cross-key"


def test_the_log_comes_complete_once_the_episode_has_ended(
    client: Client, stream: bool, runs: Path, tmp_path: Path
) -> None:
    episode = client.start(PISTON, observation="state", agent="tester", seed=3, stream=stream)
    with pytest.raises(IllegalMove):
        episode.step("slide", **BLOCKED)
    episode.step(plan_of(PISTON)[0])
    path = tmp_path / "new" / "log.jsonl"
    with pytest.raises(ServerError, match="once the episode has ended") as caught:
        episode.save_log(path)
    assert (caught.value.reason, list(path.parent.iterdir())) == ("EPISODE_RUNNING", [])
    episode.end()
    episode.save_log(path)
    assert path.read_bytes() == (runs / episode.run_name / "episode.jsonl").read_bytes()
    log = read_log(path)
    assert [step.kind.value for step in log.steps] == ["illegal", "ok"]
    assert (log.header.options.agent, log.header.options.seed) == ("tester", 3)
    assert log.ending is not None
    assert (log.ending.outcome, log.truncated) == (Outcome.GAVE_UP, False)


def test_a_solved_episode_may_be_downloaded_before_it_is_ended(
    client: Client, tmp_path: Path
) -> None:
    episode = client.start(KEY, observation="state")
    episode.step(plan_of(KEY)[0])
    assert episode.outcome is Outcome.SOLVED
    episode.save_log(tmp_path / "log.jsonl")
    assert read_log(tmp_path / "log.jsonl").ending is not None
    episode.end()


@pytest.mark.slow
def test_the_video_is_made_when_it_is_asked_for(client: Client, runs: Path, tmp_path: Path) -> None:
    episode = client.start(KEY, observation="state")
    path, made = tmp_path / "episode.mp4", []
    with pytest.raises(ServerError, match="once the episode has ended"):
        episode.save_video(path)
    episode.step(plan_of(KEY)[0])
    episode.end()
    episode.save_video(path, size=128, progress=lambda done, total: made.append((done, total)))
    assert made == sorted(made)
    assert made[-1][0] == made[-1][1]
    assert path.read_bytes() == (runs / episode.run_name / "episode.mp4").read_bytes()
    with av.open(str(path)) as video:
        stream = video.streams.video[0]
        assert (stream.codec_context.name, stream.width) == ("h264", 128)
        assert stream.frames == made[-1][1]


@pytest.mark.parametrize("size", [-2, 0, 126, 129, 1082])
def test_a_video_of_an_impossible_size_is_refused(stub: EpisodeServiceStub, size: int) -> None:
    options = {"mode": 3}
    started = stub.StartEpisode(pb.StartEpisodeRequest(level_id=KEY, options=options))
    named = {"episode_id": started.episode_id, "lease": started.lease}
    stub.EndEpisode(pb.EndEpisodeRequest(**named))
    with pytest.raises(grpc.RpcError, match="128 to 1080") as caught:
        list(stub.DownloadVideo(pb.DownloadVideoRequest(size=size, **named)))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_a_log_that_was_removed_is_missed(client: Client, runs: Path, tmp_path: Path) -> None:
    episode = client.start(EASY, observation="state")
    episode.end()
    (runs / episode.run_name / "episode.jsonl").unlink()
    with pytest.raises(ServerError, match=r"episode\.jsonl") as caught:
        episode.save_log(tmp_path / "log.jsonl")
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.NOT_FOUND, "FILE_GONE")
    assert not list(tmp_path.iterdir())


def test_a_client_that_can_not_write_says_so(client: Client, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    episode = client.start(EASY, observation="state")
    episode.end()
    with pytest.raises(OSError, match="file"):
        episode.save_log(tmp_path / "file" / "log.jsonl")

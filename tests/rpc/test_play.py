"""The same episode over single calls, over a stream, in this process and in replay."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.episode.episode import Episode, EpisodeOver
from bridge.episode.records import StepResult
from bridge.episode.tools import ToolCall
from bridge.recording.log import read_log
from bridge.recording.replay import replay
from bridge.rpc._pb.luban.v1 import episode_pb2
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import Client, RemoteEpisode
from pysim.catalog import find_level
from pysim.physics.factory import create_world, list_worlds
from pysim.puzzle import Outcome
from tests.rpc.playing import EASY, PISTON, plan_of, play_plan


def hashes_here(level: str, world: str) -> list[str]:
    episode = Episode(find_level(level), create_world(world))
    try:
        start = episode.state_hash
        return [start, *(episode.step(action).state_hash for action in plan_of(level))]
    finally:
        episode.close()


@pytest.mark.by_day(2)
@pytest.mark.parametrize("world", list_worlds())
@pytest.mark.parametrize("level", [EASY, PISTON, "burr-piston-assemble"])
def test_a_plan_gives_the_same_hashes_on_every_surface(
    client: Client, tmp_path: Path, level: str, world: str
) -> None:
    expected = hashes_here(level, world)
    for stream in (False, True):
        episode = client.start(level, world=world, observation="state", stream=stream)
        assert play_plan(episode, level) == expected
        ending = episode.end()
        assert (ending.outcome, ending.disagreements) == (Outcome.SOLVED, 0)
        assert ending.state_hash == expected[-1]
        path = tmp_path / f"{stream}.jsonl"
        episode.save_log(path)
        log = read_log(path)
        assert [log.header.state_hash, *(step.state_hash for step in log.steps)] == expected
        again = replay(log)
        assert (again.outcome, again.state_hash) == (Outcome.SOLVED, expected[-1])


def test_both_ways_to_play_answer_the_same(client: Client) -> None:
    answers = []
    for stream in (False, True):
        episode = client.start(EASY, observation="state", stream=stream)
        answers.append([episode.observe(), episode.step(plan_of(EASY)[0]), episode.observe()])
        answers[-1].append(episode.end())
    assert answers[0] == answers[1]


def test_an_action_may_be_given_in_four_ways(client: Client, stream: bool) -> None:
    action = plan_of(EASY)[0]
    ways: list[Callable[[RemoteEpisode, ToolCall], StepResult]] = [
        lambda episode, call: episode.step(action),
        lambda episode, call: episode.step(call),
        lambda episode, call: episode.step(call.name, **call.arguments),
        lambda episode, call: episode.step_json(call.name, call.arguments_json()),
    ]
    results = []
    for way in ways:
        episode = client.start(EASY, observation="state", stream=stream)
        results.append(way(episode, episode.actions.call(action)))
        episode.end()
    assert results == [results[0]] * 4


def test_the_client_keeps_count(client: Client, stream: bool) -> None:
    episode = client.start(EASY, observation="state", stream=stream)
    result = episode.step(plan_of(EASY)[0])
    assert (result.step, episode.steps) == (1, 1)
    assert result.budget_left == episode.budget_left == episode.budget - 1
    assert result.state_hash == episode.state_hash
    assert episode.outcome is None
    assert episode.end().outcome is episode.outcome is Outcome.GAVE_UP


def test_an_observation_reminds_of_the_last_turns(client: Client, stream: bool) -> None:
    episode = client.start(EASY, observation="state", history=2, stream=stream)
    play_plan(episode, EASY)
    seen = episode.observe()
    assert seen.outcome is Outcome.SOLVED
    assert seen.history.splitlines()[0] == "(3 earlier turns are not shown)"
    assert [line[0] for line in seen.history.splitlines()[1:]] == ["4", "5"]
    assert f"Step 5; {episode.budget_left} steps left." in seen.text()
    episode.end()


def test_the_budget_ends_an_episode(client: Client, stream: bool) -> None:
    episode = client.start(EASY, observation="state", budget=1, stream=stream)
    assert episode.step(plan_of(EASY)[0]).outcome is Outcome.OUT_OF_BUDGET
    assert episode.end().outcome is Outcome.OUT_OF_BUDGET


def test_a_finished_episode_takes_no_more_steps(client: Client, stream: bool) -> None:
    episode = client.start(EASY, observation="state", stream=stream)
    play_plan(episode, EASY)
    with pytest.raises(EpisodeOver, match="over"):
        episode.step(plan_of(EASY)[0])
    assert episode.steps == 5
    assert episode.end() == episode.end()
    for call in (episode.observe, lambda: episode.step("slide")):
        with pytest.raises(EpisodeOver, match="was ended"):
            call()


def test_a_stream_may_hold_several_episodes_and_means_the_last(stub: EpisodeServiceStub) -> None:
    options = {"mode": "OBSERVATION_MODE_STATE"}
    start = pb.PlayRequest(start_episode=pb.StartEpisodeRequest(level_id=EASY, options=options))
    unnamed = pb.PlayRequest(observe=pb.ObserveRequest())
    end = pb.PlayRequest(end_episode=pb.EndEpisodeRequest())
    first, second, seen, ended = stub.Play(iter([start, start, unnamed, end]))
    assert first.start_episode.episode_id != second.start_episode.episode_id
    assert seen.observe.observation.budget_left == second.start_episode.budget
    assert ended.end_episode.ending.outcome == episode_pb2.OUTCOME_GAVE_UP
    lease = first.start_episode
    stub.EndEpisode(pb.EndEpisodeRequest(episode_id=lease.episode_id, lease=lease.lease))

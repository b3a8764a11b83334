"""A server whose disk is full."""

from pathlib import Path

import pytest

from bridge.recording.log import read_log
from bridge.rpc.client import Client
from bridge.rpc.errors import ServerError
from pysim.puzzle import Outcome
from tests.recording.plays import full_disk
from tests.rpc.playing import EASY, plan_of


@pytest.mark.parametrize("stream", [False, True])
def test_a_step_that_solves_on_a_full_disk_was_never_made_and_is_tried_again(
    client: Client, runs: Path, stream: bool
) -> None:
    *first, last = plan_of(EASY)
    with client.start(EASY, observation="state", stream=stream) as episode:
        for action in first:
            episode.step(action)
        log = runs / episode.run_name / "episode.jsonl"
        size = log.stat().st_size
        for more in (10, 300):
            with full_disk(size + more), pytest.raises(ServerError) as caught:
                episode.step(last)
            assert caught.value.reason == "RECORDING_FAILED"
            assert log.stat().st_size == size
            assert (episode.outcome, episode.observe().step) == (None, len(first))
        result = episode.step(last)
        assert (result.outcome, result.step) == (Outcome.SOLVED, len(first) + 1)
        assert episode.end() == read_log(log).ending

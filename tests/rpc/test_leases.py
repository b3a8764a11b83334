"""Several clients, some of which stay away or vanish."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest

from bridge.recording.log import read_log
from bridge.recording.replay import replay
from bridge.rpc.client import Client, ServerError, connect
from bridge.rpc.server import LubanServer
from pysim.catalog import list_shipped_levels
from pysim.puzzle import Outcome
from tests.rpc.playing import EASY, PISTON, ended_log, gave_up, plan_of, play_plan
from tests.waiting import wait_for

IDLE = 4.0

VANISHING = """
import sys, time
from bridge.rpc.client import connect
client = connect(sys.argv[1])
episode = client.start("burr-piston", observation="state", stream=True)
episode.step("slide", pieces=["purple"], direction="+y", distance=1)
print(episode.run_name, flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def impatient_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("impatient")


@pytest.fixture(scope="module")
def impatient(impatient_runs: Path) -> Iterator[LubanServer]:
    with LubanServer(impatient_runs, idle_timeout=IDLE) as server:
        yield server


def test_an_episode_that_nobody_touches_is_closed_and_its_log_kept(
    impatient: LubanServer, impatient_runs: Path, stream: bool
) -> None:
    with connect(impatient.address) as client:
        episode = client.start(PISTON, observation="state", stream=stream)
        state_hash = episode.step(plan_of(PISTON)[0]).state_hash
        log = ended_log(impatient_runs / episode.run_name / "episode.jsonl")
        assert gave_up(log) == f"nobody touched it for {IDLE:g} s"
        assert (log.steps[-1].state_hash, replay(log).state_hash) == (state_hash, state_hash)
        # Its log has ended a moment before it is forgotten.
        wait_for(lambda: episode.id not in impatient._store._sessions or None)
        with pytest.raises(ServerError, match="closed") as caught:
            episode.step(plan_of(PISTON)[1])
        assert caught.value.code is grpc.StatusCode.NOT_FOUND
        assert caught.value.reason == "EPISODE_NOT_FOUND"


@pytest.mark.slow
@pytest.mark.timing
def test_looking_keeps_an_episode_open(impatient: LubanServer) -> None:
    with connect(impatient.address) as client:
        episode = client.start(PISTON, observation="state")
        for _ in range(6):
            time.sleep(IDLE / 4)
            episode.observe()
        assert episode.end().note == "given up by the agent"


def test_a_client_that_is_killed_in_mid_stream_harms_nobody(
    impatient: LubanServer, impatient_runs: Path
) -> None:
    command = [sys.executable, "-c", VANISHING, impatient.address]
    with (
        connect(impatient.address) as client,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as vanishing,
    ):
        assert vanishing.stdout is not None
        path = impatient_runs / vanishing.stdout.readline().strip() / "episode.jsonl"
        episode = client.start(EASY, observation="state", stream=True)
        episode.step(plan_of(EASY)[0])
        vanishing.kill()
        for action in plan_of(EASY)[1:]:
            episode.step(action)
        assert episode.end().outcome is Outcome.SOLVED
        log = ended_log(path)
    assert len(log.steps) == 1
    assert gave_up(log).startswith("nobody touched it")
    replay(log)


def test_a_stream_that_is_dropped_leaves_no_thread_behind(server: LubanServer) -> None:
    before = threading.active_count()
    for _ in range(3):
        with connect(server.address) as client:
            client.start(EASY, observation="state", stream=True)
    wait_for(lambda: "luban-deadline" not in [t.name for t in threading.enumerate()] or None)
    assert threading.active_count() <= before + 3  # the server's pool may have grown


def test_eight_clients_play_at_once_each_its_own_episodes(server: LubanServer) -> None:
    chosen = [level.id for level in list_shipped_levels()][:8]
    together = threading.Barrier(len(chosen))

    def play(number: int) -> list[tuple[Outcome, list[str]]]:
        played = []
        with connect(server.address) as client:
            together.wait()
            for stream in (False, True):
                episode = client.start(chosen[number], observation="state", stream=stream)
                hashes = play_plan(episode, chosen[number])
                played.append((episode.end().outcome, hashes))
        return played

    with ThreadPoolExecutor(len(chosen)) as pool:
        results = list(pool.map(play, range(len(chosen))))
    for unary, streamed in results:
        assert unary == streamed
        assert unary[0] is Outcome.SOLVED
    assert len({result[0][1][-1] for result in results}) == len(chosen)


def test_one_client_may_be_used_from_many_threads(client: Client) -> None:
    def play(stream: bool) -> str:
        episode = client.start(EASY, observation="image+state", image_size=32, stream=stream)
        assert episode.observe().views
        return [play_plan(episode, EASY)[-1], episode.end().outcome][0]

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(play, [False, True, False, True]))) == 1


def test_two_servers_know_nothing_of_each_other(server: LubanServer, tmp_path: Path) -> None:
    with (
        LubanServer(tmp_path) as second,
        connect(server.address) as here,
        connect(second.address) as there,
    ):
        assert second.port != server.port
        mine, yours = (c.start(EASY, observation="state", stream=True) for c in (here, there))
        assert play_plan(mine, EASY) == play_plan(yours, EASY)
        with pytest.raises(ServerError, match="no episode") as caught:
            list(there.download_log(mine.id, "x"))
        assert caught.value.code is grpc.StatusCode.NOT_FOUND
        mine.end()
        yours.end()
    assert read_log(tmp_path / yours.run_name / "episode.jsonl").ending is not None

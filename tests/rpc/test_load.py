"""The benchmark of a thousand episodes at once, with few of them; which steps are made at once."""

import time
from pathlib import Path

from bridge.recording.log import read_log
from bridge.recording.replay import replay
from bridge.rpc.client import Client
from bridge.rpc.errors import WireError
from bridge.rpc.server import LubanServer
from bridge.rpc.serving.event_loop import run_in_loop
from perf.load import Tally, _bullet, _parts, _play
from pysim.puzzle import Outcome
from tests.needs import needs_pybullet
from tests.rpc.playing import EASY, plan_of
from tests.rpc.test_requests import document


@needs_pybullet
def test_what_the_benchmark_plays_is_answered_without_an_error(tmp_path: Path) -> None:
    tally = Tally()
    parts = [*_parts() * 4, _bullet()]
    with LubanServer(tmp_path) as server:
        run_in_loop(
            _play(server.address, parts, tally, 0.5, 3.0, lambda: float(len(server._store)))
        )
    assert tally.errors == {}
    assert len(tally.starts) == len(parts)
    assert len(tally.steps) >= 2 * 16
    logs = [read_log(path) for path in tmp_path.glob("*/episode.jsonl")]
    assert sum(len(log.steps) for log in logs) == len(tally.steps)
    for log in logs:
        replay(log)


def test_steps_are_made_in_lanes_after_one_that_took_long(
    server: LubanServer, client: Client
) -> None:
    episode = client.start(EASY, observation="state")
    session = run_in_loop(server._store.get(episode.id, episode.lease))
    inline = server._handler.inline
    assert not inline.may_step(session), "the first may have to load something"
    episode.step(plan_of(EASY)[0])
    assert inline.may_step(session)

    def long() -> WireError:
        time.sleep(0.2)
        raise TimeoutError

    try:
        inline.make(long)
    except TimeoutError:
        assert not inline.may_step(session)
    for action in plan_of(EASY)[1:]:
        episode.step(action)
    assert episode.end().outcome is Outcome.SOLVED
    inline._not_before = 0.0


def test_levels_that_a_client_has_sent_are_never_played_at_once(
    server: LubanServer, client: Client
) -> None:
    episode = client.start(document(id="my-own-level"), observation="state")
    episode.step(plan_of(EASY)[0])
    session = run_in_loop(server._store.get(episode.id, episode.lease))
    assert not server._handler.inline.may_step(session)
    episode.end()

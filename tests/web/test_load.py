"""Many pages at once, and how soon the first one is there."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bridge.recording.log import read_log
from pysim.puzzle import Outcome
from tests.sampling import more
from tests.web.screens import open_screen
from tests.web.servers import Page, plan_calls, play_oracle, serve
from tests.web.test_playing import LOCK, SHORT

PAGES = more(12, night=100)
SOON = 2.0


@pytest.mark.timing
def test_many_pages_play_at_once(tmp_path: Path) -> None:
    calls = plan_calls(LOCK)
    waits: list[float] = []

    def play(number: int) -> str:
        with Page(server) as page:
            page.begin(type="start", level=0)
            for call in calls:
                begin = time.monotonic()
                turn = page.act(call)
                waits.append(time.monotonic() - begin)
        return str(turn["state"]["outcome"])

    with serve([LOCK.id], tmp_path) as server, ThreadPoolExecutor(PAGES) as pages:
        assert set(pages.map(play, range(PAGES))) == {Outcome.SOLVED}
    logs = [read_log(path) for path in tmp_path.glob("*/episode.jsonl")]
    assert len(logs) == PAGES
    assert all([s.state_hash for s in log.steps] == play_oracle(LOCK) for log in logs)
    assert sorted(waits)[int(0.95 * len(waits))] < SOON


@pytest.mark.timing
def test_first_page_is_there_soon(browser: Any, tmp_path: Path) -> None:
    with (
        serve([SHORT[0].id, SHORT[1].id], tmp_path) as server,
        open_screen(browser, server.address) as screen,
    ):
        begin = time.monotonic()
        screen.begin()
        screen.page.wait_for_selector("canvas[data-frames]")
        assert time.monotonic() - begin < 2 * SOON  # Two seconds on two quiet cores.

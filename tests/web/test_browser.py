"""Games in a real browser, played with the mouse, a finger or the keyboard alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.episode.tools import ToolCall
from bridge.recording.log import read_log
from pysim.catalog import find_level
from pysim.puzzle import Outcome
from tests.browsing import browser
from tests.web.screens import Screen, open_screen
from tests.web.servers import Server, plan_calls, play_oracle, read_only_log, serve
from tests.web.test_playing import SHORT

__all__ = ["browser"]

PISTON = find_level("burr-piston")
WAYS = {
    "+x": (1, 0, 0),
    "-x": (-1, 0, 0),
    "+y": (0, 1, 0),
    "-y": (0, -1, 0),
    "+z": (0, 0, 1),
    "-z": (0, 0, -1),
}
PHONE = {"viewport": {"width": 400, "height": 800}, "color_scheme": "dark", "has_touch": True}
LEVELS = [PISTON, *SHORT]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve([level.id for level in LEVELS], tmp_path_factory.mktemp("runs")) as started:
        yield started


def newest_log(server: Server, level_id: str) -> Path:
    logs = server.runs.glob(f"{level_id}-human*/episode.jsonl")
    return max(logs, key=lambda path: path.stat().st_mtime_ns)


def hashes(server: Server, level_id: str) -> list[str]:
    return [step.state_hash for step in read_log(newest_log(server, level_id)).steps]


def test_piston_is_solved_by_dragging(browser: Any, server: Server) -> None:
    dragged = 0
    with open_screen(browser, server.address) as screen:
        screen.begin()
        for call in plan_calls(PISTON):
            distance = call.arguments["distance"]
            if isinstance(distance, int):
                screen.drag(call.arguments["pieces"], WAYS[str(call.arguments["direction"])], distance)
                dragged += 1
            else:
                screen.act(call)
        screen.page.wait_for_selector(".banner.good")
        assert "Solved" in screen.text(".banner")
    assert dragged >= 10
    assert hashes(server, PISTON.id) == play_oracle(PISTON)


@pytest.mark.parametrize("number", range(len(SHORT)), ids=[level.family for level in SHORT])
def test_every_family_is_solved_with_the_panel(browser: Any, server: Server, number: int) -> None:
    level = SHORT[number]
    with open_screen(browser, server.address) as screen:
        screen.begin(level=1 + number)
        for call in plan_calls(level):
            screen.act(call)
        screen.page.wait_for_selector(".banner.good")
    assert hashes(server, level.id) == play_oracle(level)

"""Games over the WebSocket, played by a scripted page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.episode.tools import ToolCall
from bridge.recording.log import read_log
from pysim.catalog import discover_families, list_shipped_levels
from pysim.puzzle import Outcome
from tests.web.servers import Page, Server, plan_calls, play_oracle, serve

SHORT = [
    min(
        (
            level
            for level in list_shipped_levels(family)
            if level.plan is not None and len(level.plan) > 2
        ),
        key=lambda level: (len(level.plan), level.id),
    )
    for family in discover_families()
]
"""Of each family the level with the shortest plan of at least three steps."""
LOCK = next(level for level in SHORT if level.family == "burr")
BLOCKED = ToolCall("slide", {"pieces": [LOCK.colours[0]], "direction": "+z", "distance": "out"})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve([level.id for level in SHORT], tmp_path_factory.mktemp("runs")) as started:
        yield started


def find_log(server: Server, level_id: str) -> Path:
    """The newest log of a level."""
    logs = server.runs.glob(f"{level_id}-human*/episode.jsonl")
    return max(logs, key=lambda path: path.stat().st_mtime_ns)


@pytest.mark.parametrize("number", range(len(SHORT)), ids=[level.family for level in SHORT])
def test_plan_over_websocket_gives_the_hashes_of_the_oracle(server: Server, number: int) -> None:
    level = SHORT[number]
    with Page(server) as page:
        head, _ = page.begin(type="start", level=number)
        turn: dict[str, Any] = {}
        for call in plan_calls(level):
            turn = page.act(call)
            assert turn["refusal"] is None
        assert turn["state"]["outcome"] == Outcome.SOLVED
        assert head["budget"] - turn["state"]["budget_left"] == len(plan_calls(level))
    log = read_log(find_log(server, level.id))
    assert [step.state_hash for step in log.steps] == play_oracle(level)
    assert log.header.options.agent == "human-3d"
    assert log.ending is not None


def test_refused_action_costs_a_step_and_names_culprits(server: Server) -> None:
    with Page(server) as page:
        _, before = page.begin(type="start", level=SHORT.index(LOCK))
        turn = page.act(BLOCKED)
        assert turn["refusal"]["culprits"]
        assert set(turn["refusal"]["culprits"]) <= set(LOCK.colours)
        assert turn["motions"]
        assert turn["state"]["scene"] == before["scene"]
        assert turn["state"]["budget_left"] == before["budget_left"] - 1


def test_meaningless_action_costs_a_step(server: Server) -> None:
    with Page(server) as page:
        _, before = page.begin(type="start", level=0)
        turn = page.ask(type="act", name="fly", arguments={"to": "the moon"})
        assert "no action" in turn["refusal"]["words"]
        assert turn["state"]["budget_left"] == before["budget_left"] - 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"type": 7}',
        '{"type": "fly"}',
        '{"type": "start"}',
        '{"type": "start", "level": 99}',
        '{"type": "start", "level": -1}',
        '{"type": "resume", "key": "../../etc/passwd"}',
        '{"type": "act", "name": "slide"}',
        '{"type": "act", "name": "slide", "arguments": []}',
        "[" * 100_000,
    ],
)
def test_request_that_is_none_gets_an_error_and_the_page_goes_on(server: Server, text: str) -> None:
    with Page(server) as page:
        page.send_text(text)
        assert page.hear()["type"] == "error"
        assert page.begin(type="start", level=0)[0]["type"] == "episode"


def test_request_that_is_too_long_ends_the_connection_alone(server: Server) -> None:
    with Page(server) as page:
        page.send_text("x" * 1_000_000)
        with pytest.raises(Exception, match="1009"):
            page.hear()
    with Page(server) as page:
        assert page.begin(type="start", level=0)[0]["type"] == "episode"


def test_reloaded_page_goes_on_where_it_was(server: Server) -> None:
    first, *rest = plan_calls(LOCK)
    with Page(server) as page:
        head, _ = page.begin(type="start", level=SHORT.index(LOCK))
        left = page.act(first)["state"]
    with Page(server) as page:
        again, state = page.begin(type="resume", key=head["key"])
        assert again["key"] == head["key"]
        assert state == left | {"type": "state"}
        for call in rest:
            turn = page.act(call)
        assert turn["state"]["outcome"] == Outcome.SOLVED
    assert [s.state_hash for s in read_log(find_log(server, LOCK.id)).steps] == play_oracle(LOCK)


def test_second_page_takes_an_episode_over_and_the_first_is_told(server: Server) -> None:
    with Page(server) as first, Page(server) as second:
        head, _ = first.begin(type="start", level=0)
        second.begin(type="resume", key=head["key"])
        told = first.hear()
        assert told["type"] == "error"
        assert "another tab" in told["words"]
        assert first.ask(type="act", name="fly", arguments={})["gone"]
        assert second.ask(type="look")["step"] == 0


def test_key_of_another_secret_opens_nothing(server: Server) -> None:
    with Page(server) as page, Page(server) as thief:
        head, _ = page.begin(type="start", level=0)
        number, _, _ = head["key"].partition(".")
        answer, _ = thief.begin(type="resume", key=f"{number}.wrong")
        assert answer["type"] == "error"
        assert answer["gone"]


def test_killed_server_leaves_an_episode_that_the_next_one_goes_on_with(tmp_path: Path) -> None:
    first, *rest = plan_calls(LOCK)
    with serve([LOCK.id], tmp_path) as server:
        with Page(server) as page:
            head, _ = page.begin(type="start", level=0)
            left = page.act(first)["state"]
        server.process.kill()
        server.process.wait()
    with serve([LOCK.id], tmp_path) as server, Page(server) as page:
        _, state = page.begin(type="resume", key=head["key"])
        assert state == left | {"type": "state"}
        for call in rest:
            page.act(call)
    log = read_log(find_log(server, LOCK.id))
    assert [step.state_hash for step in log.steps] == play_oracle(LOCK)


def test_given_up_episode_has_an_end_in_its_log(server: Server) -> None:
    with Page(server) as page:
        page.begin(type="start", level=SHORT.index(LOCK))
        assert page.ask(type="give_up")["outcome"] == Outcome.GAVE_UP
        assert page.act(BLOCKED)["type"] == "error"
    ending = read_log(find_log(server, LOCK.id)).ending
    assert ending is not None
    assert ending.outcome is Outcome.GAVE_UP


def test_undone_practice_is_as_before_and_leaves_no_log(tmp_path: Path) -> None:
    with serve([LOCK.id], tmp_path) as server, Page(server) as page:
        head, before = page.begin(type="start", level=0, practice=True)
        assert head["practice"]
        assert head["budget"] is None
        assert page.ask(type="undo")["type"] == "error"
        for call in plan_calls(LOCK):
            solved = page.act(call)["state"]
        assert solved["outcome"] == Outcome.SOLVED
        page.act(BLOCKED)
        for _ in plan_calls(LOCK):
            state = page.ask(type="undo")
        assert state == before
    assert not list(tmp_path.glob("*/*.jsonl"))


def test_page_of_pictures_gets_no_scene(server: Server) -> None:
    with Page(server) as page:
        head, state = page.begin(type="start", level=SHORT.index(LOCK), pictures=True)
        turn = page.act(BLOCKED)
    assert head["pictures"]
    for seen in (state, turn["state"]):
        assert seen["scene"] is None
        assert seen["words"] is None
        assert all(one["url"].startswith("data:image/png;base64,") for one in seen["pictures"])
        assert seen["pictures"]
    assert turn["motions"] == []
    assert "cells" not in json.dumps([head, state, turn])
    header = read_log(find_log(server, LOCK.id)).header
    assert header.options.agent == "human"
    assert header.renderer is not None


def test_step_of_an_undoable_episode_is_refused(server: Server) -> None:
    with Page(server) as page:
        page.begin(type="start", level=0)
        assert "count" in page.ask(type="undo")["words"]

"""The model agent against a real server that speaks the OpenAI protocol and misbehaves."""

import base64
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="NOT TESTED: no openai")

from bridge.agents.chat import ModelError
from bridge.agents.journal import Journal, sum_usage
from bridge.agents.registry import create_agent
from bridge.agents.usage import Usage
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.episode.tools import ToolCall
from bridge.runs.play import Mode, StepReport, play_episode
from pysim.catalog import find_level
from pysim.errors import InputError
from pysim.puzzle import Outcome
from pysim.render.factory import create_renderer
from tests.agents.server import Chat, Reply, calling, chat_server, saying
from tests.commands import Luban
from tests.sampling import these_by_day

LEVEL = find_level("burr-three-bars")
assert LEVEL.plan is not None
PLAN = [ToolCall.of(action) for action in LEVEL.plan.actions]
QUICK = {"pause": "0.001", "timeout": "120", "retries": "2"}


def planned(number: int) -> Reply:
    return calling(PLAN[number].name, PLAN[number].arguments_json())


def play(
    chat: Chat, folder: Path, mode: Mode = Mode.INTERACTIVE, budget: int = 6, **settings: str
) -> tuple[Outcome, list[StepReport], Usage]:
    turns: list[StepReport] = []
    journal = folder / "agent.jsonl"
    given = {**QUICK, "base_url": chat.url, **settings}
    agent = create_agent("openai:tall", LEVEL, settings=given, journal=Journal(journal))
    options = Options(obs=Obs.STATE, budget=budget)
    with Episode(LEVEL, options=options) as episode:
        ending = play_episode(episode, agent, mode=mode, watch=turns.append)
    return ending.outcome, turns, sum_usage(journal)


def test_a_model_that_knows_the_plan_solves_the_level(tmp_path: Path) -> None:
    with chat_server(lambda request, number: planned(number)) as chat:
        outcome, turns, usage = play(chat, tmp_path)
    assert (outcome, len(turns)) == (Outcome.SOLVED, len(PLAN))
    assert usage == Usage(len(PLAN), 100 * len(PLAN), 7 * len(PLAN))
    first, *_ = chat.requests
    assert sorted(first) == ["messages", "model", "parallel_tool_calls", "tool_choice", "tools"]
    assert (first["tool_choice"], first["parallel_tool_calls"]) == ("required", False)
    assert first["model"] == "tall"
    assert [tool["function"]["name"] for tool in first["tools"]] == ["slide", "bring", "rotate"]
    assert chat.headers[0]["path"] == "/v1/chat/completions"
    system, user = (message["content"] for message in chat.requests[1]["messages"])
    assert "tools" in system
    assert "Last turns:\n1. slide" in user[0]["text"]


def test_what_was_asked_and_said_is_written_down_without_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "sesame")
    with chat_server(lambda request, number: planned(number)) as chat:
        play(chat, tmp_path, api_key_env="SECRET")
    assert chat.headers[0]["Authorization"] == "Bearer sesame"
    text = (tmp_path / "agent.jsonl").read_text()
    assert "sesame" not in text
    note = json.loads(text.splitlines()[0])
    assert (note["agent"], note["model"], note["step"]) == ("model 3", "tall", 1)
    assert note["calls"] == [{"name": PLAN[0].name, "arguments": PLAN[0].arguments_json()}]
    assert note["user"] == chat.requests[0]["messages"][1]["content"][0]["text"]


MISTAKES: dict[str, tuple[Reply, str]] = {
    "no call": (saying("I would push the red one."), "NO_CALL"),
    "nothing": (saying(""), "NO_CALL"),
    "no JSON": (calling("slide", '{"pieces": ["red"], "dire'), "MALFORMED"),
    "a list": (calling("slide", "[1]"), "MALFORMED"),
    "not a number": (calling("slide", '{"distance": NaN}'), "MALFORMED"),
    "unknown action": (calling("fly", "{}"), "UNKNOWN_ACTION"),
    "no name": (calling(None, "{}"), "UNKNOWN_ACTION"),
    "a number for a name": (calling(7, None), "UNKNOWN_ACTION"),
    "missing field": (calling("slide", '{"pieces": ["red"]}'), "MISSING_FIELD"),
    "unknown colour": (
        calling("slide", '{"pieces": ["mauve"], "direction": "+x", "distance": 1}'),
        "UNKNOWN_COLOUR",
    ),
    "deeply nested": (calling("slide", '{"pieces":' + "[" * 5000 + "]" * 5000 + "}"), "MALFORMED"),
    "reset": (calling("reset", "{}"), "UNKNOWN_ACTION"),
    "half a character": (calling("sl\ud800de", '{"pieces": ["\ud800"]}'), "UNKNOWN_ACTION"),
    "a number without end": (
        calling("slide", '{"pieces": ["red"], "direction": "+x", "distance": 1' + "0" * 5000 + "}"),
        "MALFORMED",
    ),
    "far too much": (calling("slide", '{"pieces": "' + "x" * 2**20 + '"}'), "MALFORMED"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_the_model_costs_exactly_one_step(mistake: str, tmp_path: Path) -> None:
    reply, reason = MISTAKES[mistake]
    with chat_server(lambda request, n: reply if n == 0 else planned(n - 1)) as chat:
        outcome, turns, usage = play(chat, tmp_path, budget=len(PLAN) + 1)
    assert outcome is Outcome.SOLVED
    assert [turn.ok for turn in turns] == [False] + [True] * len(PLAN)
    assert turns[0].result.startswith(reason)
    assert turns[0].budget_left == len(PLAN)
    assert usage.calls == len(PLAN) + 1


def test_a_model_that_only_talks_runs_out_of_budget(tmp_path: Path) -> None:
    with chat_server(lambda request, number: saying("Let me think.")) as chat:
        outcome, turns, _ = play(chat, tmp_path, budget=3)
    assert (outcome, len(turns)) == (Outcome.OUT_OF_BUDGET, 3)


def test_arguments_as_an_object_are_taken(tmp_path: Path) -> None:
    with chat_server(lambda r, n: calling(PLAN[n].name, dict(PLAN[n].arguments))) as chat:
        assert play(chat, tmp_path)[0] is Outcome.SOLVED


FAULTS: dict[str, Callable[[], Reply]] = {
    "too many requests": lambda: Reply("slow down", 429, {"Retry-After": "0"}),
    "a date to come back": lambda: Reply("later", 429, {"Retry-After": "Fri, 31 Dec 1999"}),
    "server error": lambda: Reply("oh", 500),
    "bad gateway": lambda: Reply("<html>", 502),
    "silence": lambda: Reply(planned(0).body, silence=15.0),
    "truncated": lambda: Reply(planned(0).body, cut=20),
    "no JSON": lambda: Reply("<html>"),
    "no choices": lambda: Reply('{"choices": []}'),
    "null": lambda: Reply("null"),
    "no message": lambda: Reply('{"choices": [{"message": null}]}'),
    "a stream that breaks off": lambda: Reply(planned(0).body, cut=20, chunks=7),
    "no text": lambda: Reply("\ud800"),
    "deeply nested": lambda: Reply("[" * 100_000),
    "a trickle": lambda: Reply(planned(0).body, chunks=400, pause=0.05),
    "far too much": lambda: Reply(" " * 2**24 + "x"),
    "not what it says": lambda: Reply("plain", headers={"Content-Encoding": "gzip"}),
}


SLOW = ("silence", "a trickle")


@pytest.mark.parametrize(
    "fault", these_by_day([fault for fault in FAULTS if fault not in SLOW], FAULTS)
)
def test_a_fault_of_the_server_is_tried_again_and_costs_nothing(fault: str, tmp_path: Path) -> None:
    def answer(request: Any, number: int) -> Reply:
        return FAULTS[fault]() if number == 0 else planned(number - 1)

    patience = "6" if fault in SLOW else "120"
    with chat_server(answer) as chat:
        outcome, turns, usage = play(chat, tmp_path, timeout=patience, longest=patience)
    assert (outcome, len(turns)) == (Outcome.SOLVED, len(PLAN))
    assert len(chat.requests) == len(PLAN) + 1
    assert usage.calls == len(PLAN)
    note = json.loads((tmp_path / "agent.jsonl").read_text().splitlines()[0])
    assert note["tries"] == 2


@pytest.mark.timing
def test_a_server_that_says_when_to_come_back_is_obeyed(tmp_path: Path) -> None:
    busy = Reply("busy", 429, {"Retry-After": "0.6"})
    times: list[float] = []

    def answer(request: Any, number: int) -> Reply:
        times.append(time.monotonic())
        return busy if number == 0 else planned(number - 1)

    with chat_server(answer) as chat:
        assert play(chat, tmp_path, pause="60")[0] is Outcome.SOLVED
    assert 0.6 <= times[1] - times[0] < 60


@pytest.mark.parametrize(
    "usage", [None, [], {"prompt_tokens": -1, "completion_tokens": "7"}, {"prompt_tokens": True}]
)
def test_tokens_that_are_no_counts_are_not_counted(usage: object, tmp_path: Path) -> None:
    def answer(request: Any, number: int) -> Reply:
        return calling(PLAN[number].name, PLAN[number].arguments_json(), usage)

    with chat_server(answer) as chat:
        assert play(chat, tmp_path)[2] == Usage(len(PLAN), 0, 0)


def test_text_in_parts_is_read_like_text(tmp_path: Path) -> None:
    text = plan_text(PLAN)
    parts = [{"type": "text", "text": text[:9]}, {"type": "image"}, {"text": text[9:]}]
    with chat_server(lambda request, number: saying(parts)) as chat:
        assert play(chat, tmp_path, Mode.ONE_SHOT)[0] is Outcome.SOLVED


def test_who_may_sign_for_servers_is_read_once_and_not_for_each_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Reading it took 30 ms, longer than many an answer of a model on the same machine.
    def answer(request: object, number: int) -> Reply:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
        return planned(number)

    with chat_server(answer) as chat:
        outcome, turns, _ = play(chat, tmp_path)
    assert (outcome, len(turns)) == (Outcome.SOLVED, len(PLAN))


def test_a_server_that_stays_broken_is_given_up(tmp_path: Path) -> None:
    with (
        chat_server(lambda request, number: Reply("oh", 503)) as chat,
        pytest.raises(ModelError, match="no answer after 3 tries: status 503: oh"),
    ):
        play(chat, tmp_path)
    assert len(chat.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_is_not_tried_again(status: int, tmp_path: Path) -> None:
    with (
        chat_server(lambda request, number: Reply("no such model", status)) as chat,
        pytest.raises(ModelError, match=f"status {status}: no such model"),
    ):
        play(chat, tmp_path)
    assert len(chat.requests) == 1


@pytest.mark.parametrize(
    ("url", "error", "words"),
    [
        ("http://127.0.0.1:9/v1", ModelError, "3 tries: ConnectError"),
        ("tall", InputError, "begins with http:// or https://"),
    ],
)
def test_an_address_without_a_server_is_said(
    url: str, error: type[Exception], words: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words):
        play(Chat(url, lambda request, number: saying("")), tmp_path)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"warmth": "1"}, "no setting 'warmth'"),
        ({"temperature": "hot"}, "temperature is a number from 0 up, not 'hot'"),
        ({"retries": "-1"}, "from 0 up"),
        ({"timeout": "nan"}, "from 0 up"),
    ],
)
def test_a_setting_that_does_not_exist_is_said(settings: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        create_agent("openai:tall", LEVEL, settings=settings)


def test_pictures_are_sent_and_nothing_else_in_image_mode(tmp_path: Path) -> None:
    renderer, _ = create_renderer()
    options = Options(obs=Obs.IMAGE, picture_size=32)
    with chat_server(lambda request, number: planned(number)) as chat:
        agent = create_agent("openai:tall", LEVEL, settings={**QUICK, "base_url": chat.url})
        with Episode(LEVEL, renderer=renderer, options=options) as episode:
            play_episode(episode, agent)
    renderer.close()
    content = chat.requests[0]["messages"][1]["content"]
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    assert len(urls) == 4
    head, _, data = urls[0].partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(data).startswith(b"\x89PNG")
    said = json.dumps([part for part in content if part["type"] == "text"])
    for hidden in ("State:", "cells", LEVEL.id, LEVEL.hash, LEVEL.name, str(tmp_path)):
        assert hidden not in said


def plan_text(calls: list[ToolCall]) -> str:
    return json.dumps({"actions": [{"name": c.name, "arguments": c.arguments} for c in calls]})


@pytest.mark.parametrize("frame", ["{}", "Here it is:\n```json\n{}\n```\nDone."])
def test_one_shot_carries_out_the_whole_answer(frame: str, tmp_path: Path) -> None:
    reply = saying(frame.replace("{}", plan_text(PLAN)))
    with chat_server(lambda request, number: reply) as chat:
        outcome, turns, usage = play(chat, tmp_path, Mode.ONE_SHOT)
    assert (outcome, len(turns), usage.calls) == (Outcome.SOLVED, len(PLAN), 1)
    assert "tools" not in chat.requests[0]
    assert '"slide"' in chat.requests[0]["messages"][0]["content"]


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("I can't.", 1),
        ('{"actions": 3}', 1),
        ('{"actions": []}', 0),
        ('{"actions": ["slide", {"name": 1}, {"name": "slide"}]}', 3),
    ],
)
def test_a_plan_that_is_none_costs_what_it_holds(text: str, steps: int, tmp_path: Path) -> None:
    with chat_server(lambda request, number: saying(text)) as chat:
        outcome, turns, _ = play(chat, tmp_path, Mode.ONE_SHOT)
    assert (outcome, len(turns)) == (Outcome.GAVE_UP, steps)
    assert not any(turn.ok for turn in turns)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I can't.", "no plan: it holds no JSON object"),
        (plan_text(PLAN)[:-30], "no plan: it was cut off before its plan"),
        (
            f"{plan_text(PLAN)} or {plan_text(PLAN[:1])}",
            "no plan: it offers several different plans",
        ),
    ],
)
def test_one_shot_answer_without_a_readable_plan_costs_one_step_and_gives_the_reason(
    text: str, reason: str, tmp_path: Path
) -> None:
    with chat_server(lambda request, number: saying(text)) as chat:
        outcome, turns, _ = play(chat, tmp_path, Mode.ONE_SHOT)
    assert (outcome, len(turns)) == (Outcome.GAVE_UP, 1)
    assert reason in turns[0].action


def test_a_run_with_a_model_counts_tokens_and_goes_on_after_an_outage(
    luban: Luban, tmp_path: Path
) -> None:
    broken = True

    def answer(request: Any, number: int) -> Reply:
        text = request["messages"][1]["content"][0]["text"]
        step = int(text.partition("Step ")[2].partition(";")[0])
        return Reply("oh", 500) if broken and step == 1 else planned(step)

    with chat_server(answer) as chat:
        run = ["eval", LEVEL.id, "--model", "openai:tall", "--base-url", chat.url]
        run += ["--set", "pause=0.001", "--set", "retries=1", "--k", "3", "--workers", "3"]
        run += ["--observation", "state", "--out", "run", "--json"]
        failed = luban(*run)
        assert failed.status == 1
        assert "3 of 3 episodes failed" in failed.err
        assert "status 500" in failed.err
        broken = False
        document = luban(*run).json()
    assert (document["episodes"], document["solved"]) == (3, 3)
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert results["score"]["usage"]["calls"] == 3 * len(PLAN)
    assert len(list((tmp_path / "run").rglob("1-cut-off-1/agent.jsonl"))) == 1

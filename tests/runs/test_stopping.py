"""Runs with a model that stop early: refused by its server, at a limit, or killed."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="NOT TESTED: no openai")

from tests.agents.providers import complaining, reasoning_model, words
from tests.agents.reasoning import USAGE, drawing, thinking
from tests.agents.server import Reply, Request, chat_server
from tests.agents.test_model import LEVEL, PLAN, plan_text
from tests.commands import ROOT, Luban
from tests.waiting import PATIENCE

EACH = USAGE["total_tokens"]


def answer(request: Request, number: int) -> Reply:
    """The next action of the plan, whatever was tried before."""
    step = int(words(request).partition("Step ")[2].partition(";")[0])
    return thinking(PLAN[step].name, PLAN[step].arguments_json())


def play(luban: Luban, url: str, *more: object, levels: str = LEVEL.id) -> Any:
    return luban(
        "eval", levels, "--agent", "openai:tall", "--base-url", url, "--observation", "state",
        "--set", "pause=0.001", "--set", "retries=0", "--workers", 1, "--out", "run", "--json",
        *more,
    )  # fmt: skip


def ask(luban: Luban, url: str, *more: object) -> Any:
    return luban(
        "eval", "euclifold", "--agent", "openai:tall", "--base-url", url, "--limit", 3,
        "--observation", "text", "--task", "matching", "--n", 3, "--workers", 1, "--out", "run",
        "--set", "pause=0.001", "--set", "retries=0", "--json", *more,
    )  # fmt: skip


def warm(reply: Reply) -> Callable[[Request, int], Reply]:
    """A server that takes no temperature."""

    def answered(request: Request, number: int) -> Reply:
        if "temperature" in request:
            return complaining(400, "Unsupported parameter: 'temperature'", param="temperature")
        return reply if reply.body else answer(request, number)

    return answered


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3])
def test_run_that_is_refused_ends_at_once_and_takes_the_corrected_setting(
    workers: int, luban: Luban, tmp_path: Path
) -> None:
    more = ("--k", 20, "--workers", workers)
    with chat_server(warm(Reply(""))) as chat:
        refused = play(luban, chat.url, *more, "--set", "temperature=0.6")
        assert refused.status == 1 and len(chat.requests) <= workers
        assert "Unsupported parameter: 'temperature'" in refused.err
        assert "leave out --set temperature; nothing is finished" in refused.err
        assert "--out run takes the corrected command" in refused.err
        document = play(luban, chat.url, *more).json()
    assert (document["episodes"], document["solved"]) == (20, 20)
    assert json.loads((tmp_path / "run/run.json").read_text())["options"].get("temperature") is None


def test_corrected_model_and_key_are_taken_too(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    def strict(request: Request, number: int) -> Reply:
        if chat.headers[number].get("Authorization") != "Bearer sesame":
            return complaining(401, "Incorrect API key provided.")
        if request["model"] != "tall":
            return complaining(404, "The model `small` does not exist.")
        return answer(request, number)

    with chat_server(strict) as chat:
        assert "Incorrect API key" in play(luban, chat.url, "--set", "api_key_env=MINE").err
        monkeypatch.setenv("MINE", "sesame")
        mine = ("--set", "api_key_env=MINE")
        assert (
            "`small` does not exist" in play(luban, chat.url, *mine, "--agent", "openai:small").err
        )
        assert play(luban, chat.url, *mine).json()["solved"] == 1
        assert "another run" in play(luban, chat.url, *mine, "--agent", "openai:big").err


def test_run_with_a_finished_episode_goes_on_after_a_refusal_with_the_same_settings(
    luban: Luban,
) -> None:
    closed = False

    def answered(request: Request, number: int) -> Reply:
        return complaining(401, "expired") if closed else answer(request, number)

    with chat_server(answered) as chat:
        play(luban, chat.url, "--k", 2, "--max-tokens", EACH * len(PLAN))
        closed = True
        stopped = play(luban, chat.url, "--k", 2)
        assert "1 of 2 episodes are finished; --out run goes on" in stopped.err
        closed = False
        assert play(luban, chat.url, "--k", 2).json()["solved"] == 2


def test_refusal_of_one_request_fails_its_episode_alone(luban: Luban) -> None:
    """The words are strange, but the server has answered others."""

    def picky(request: Request, number: int) -> Reply:
        return Reply("no", 400) if number == 2 else answer(request, number)

    with chat_server(picky) as chat:
        failed = play(luban, chat.url, "--k", 3)
        assert "1 of 3 episodes failed" in failed.err
        assert play(luban, chat.url, "--k", 3).json()["solved"] == 3
    assert len(chat.requests) == 3 * len(PLAN) + 1


def test_questions_that_are_refused_end_the_run_and_take_the_corrected_setting(
    luban: Luban,
) -> None:
    with chat_server(warm(drawing("Answer: True"))) as chat:
        refused = ask(luban, chat.url, "--set", "temperature=1")
        assert (refused.status, len(chat.requests)) == (1, 1)
        assert "'temperature'" in refused.err and "takes the corrected command" in refused.err
        assert ask(luban, chat.url).json()["accuracy"] >= 0
        assert len(chat.requests) == 4
        assert "another run" in ask(luban, chat.url, "--set", "temperature=1").err


def test_judge_that_is_refused_takes_the_corrected_setting(luban: Luban) -> None:
    ranking = drawing('{"ranking": ["A", "B"]}')
    with chat_server(warm(Reply(""))) as chat:
        play(luban, chat.url, "--k", 2).json()
    judge = ("select", "run", "--by", "judge:openai:wise", "--json", "--base-url")
    with chat_server(warm(ranking)) as chat:
        assert "'temperature'" in luban(*judge, chat.url, "--set", "temperature=1").err
        luban(*judge, chat.url).json()
        assert "scores of" in luban(*judge, chat.url, "--set", "temperature=1").err
    assert len(chat.requests) == 2


def test_limit_that_is_raised_goes_on_where_it_stopped(luban: Luban, tmp_path: Path) -> None:
    """Step by step: each run may pay for one more answer, and none is paid for twice."""
    with chat_server(reasoning_model(answer)) as chat:
        for paid in range(1, 2 * len(PLAN)):
            stopped = play(luban, chat.url, "--k", 2, "--max-tokens", paid * EACH)
            assert "stopped after" in stopped.err
        document = play(luban, chat.url, "--k", 2, "--max-tokens", 9 * EACH).json()
        assert document["solved"] == 2
        answered = [request for request in chat.requests if "input" in request]
        assert len(answered) == 2 * len(PLAN)
    results = json.loads((tmp_path / "run/results.json").read_text())
    assert results["score"]["usage"]["calls"] == 2 * len(PLAN)
    journal = tmp_path / "run/episodes" / LEVEL.id / "2/agent.jsonl"
    note = json.loads(journal.read_text().splitlines()[0])
    assert note["from_cache"] is True and note["api"] == "responses"


def test_answers_of_another_question_are_not_taken(luban: Luban) -> None:
    with chat_server(answer) as chat:
        play(luban, chat.url, "--max-tokens", 1)
        assert play(luban, chat.url, "--set", "temperature=1").json()["solved"] == 1
        assert len(chat.requests) == 1 + len(PLAN)


def test_plan_that_was_paid_for_is_carried_out_after_a_fault(luban: Luban, tmp_path: Path) -> None:
    with chat_server(lambda request, number: drawing(plan_text(PLAN))) as chat:
        assert play(luban, chat.url, "--mode", "one-shot").json()["solved"] == 1
        log = tmp_path / "run/episodes" / LEVEL.id / "1/episode.jsonl"
        log.write_bytes(log.read_bytes()[:-60])  # A power cut.
        assert play(luban, chat.url, "--mode", "one-shot").json()["solved"] == 1
    assert len(chat.requests) == 1


def test_question_that_was_paid_for_is_not_asked_again_after_a_kill(
    luban: Luban, tmp_path: Path
) -> None:
    with chat_server(lambda request, number: drawing("Answer: True")) as chat:
        first = ask(luban, chat.url).json()
        log = tmp_path / "run/items.jsonl"
        lines = log.read_bytes().splitlines(keepends=True)
        assert b'"type":"answer"' in lines[-1]
        log.write_bytes(b"".join(lines[:-1]))  # Its answer is in the journal alone.
        assert ask(luban, chat.url).json() == first
    assert len(chat.requests) == 3
    assert len((tmp_path / "run/agent.jsonl").read_text().splitlines()) == 3  # None is noted twice.


def test_run_that_was_killed_pays_for_no_step_twice(luban: Luban, tmp_path: Path) -> None:
    last, over = threading.Event(), threading.Event()

    def answered(request: Request, number: int) -> Reply:
        if number == len(PLAN) + 1:
            last.set()
            over.wait(PATIENCE)
        return answer(request, number)

    command = [
        sys.executable, "-m", "bridge.cli", "eval", LEVEL.id, "--agent", "openai:tall",
        "--observation", "state", "--k", "2", "--workers", "1",
        "--out", str(tmp_path / "run"), "--base-url",
    ]  # fmt: skip
    with chat_server(answered) as chat:
        killed = subprocess.Popen([*command, chat.url], cwd=ROOT, stderr=subprocess.DEVNULL)
        assert last.wait(PATIENCE)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        over.set()
        before = len(chat.requests)
        chat.answer = answer
        assert play(luban, chat.url, "--k", 2).json()["solved"] == 2
        assert len(chat.requests) - before == 1  # The one that the kill left unanswered.


def test_package_that_is_missing_ends_the_run(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "bridge.agents.servers.transport", raising=False)
    monkeypatch.setitem(sys.modules, "openai", None)
    missing = play(luban, "http://127.0.0.1:9/v1", "--k", 3).err
    assert missing.count("pip install 'luban[openai]'") >= 1

"""A model in turns, against a real server that speaks the OpenAI protocol and misbehaves."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="NOT TESTED: no openai")

from bridge.agents.chat import ModelError
from bridge.agents.journal import Journal, sum_usage
from bridge.agents.registry import create_agent
from bridge.agents.usage import Usage
from bridge.benches.cubebench.protocol import End, TurnMode, TurnProtocol, end_of
from bridge.benches.cubebench.sandbox.interpreter import Strength
from bridge.recording.log import Log
from pysim.catalog import AnyLevel
from pysim.families.rubik.strings import Order, format_cube
from pysim.puzzle import Outcome
from tests.agents.providers import cut, reasoning_model
from tests.agents.server import Chat, Reply, calling, chat_server, saying
from tests.benches.cubebench.playing import level, play
from tests.commands import Luban

LEVEL = level(2)
assert LEVEL.plan is not None
PLAN = [str(action.move) for action in LEVEL.plan.actions]  # type: ignore[attr-defined]
SOLVING = f"I know this one.\n```python\nfor m in {PLAN!r}: print(make_move(m))\n```"
QUICK = {"pause": "0.001", "timeout": "120", "retries": "2"}
WEAK = TurnProtocol(turns=4, sandbox=Strength.WEAK)
"""What keeps code in is tested elsewhere."""


def run(
    chat: Chat, folder: Path, mode: TurnMode = TurnMode.CODE, played: AnyLevel = LEVEL
) -> tuple[Log, Usage]:
    journal = folder / "agent.jsonl"
    settings = {**QUICK, "base_url": chat.url}
    agent = create_agent("openai:tall", played, settings=settings, journal=Journal(journal))
    _, log = play(played, agent, folder, mode=mode, protocol=WEAK)
    return log, sum_usage(journal)


def outcome(log: Log) -> Outcome:
    assert log.ending is not None
    return log.ending.outcome


def test_a_model_that_writes_the_right_code_solves_the_cube(tmp_path: Path) -> None:
    with chat_server(lambda request, number: saying(SOLVING)) as chat:
        log, usage = run(chat, tmp_path)
    assert (outcome(log), len(log.steps)) == (Outcome.SOLVED, len(PLAN))
    assert usage == Usage(1, 100, 7)
    (request,) = chat.requests
    assert "tools" not in request
    assert sorted(request) == ["messages", "model"] and request["model"] == "tall"
    text = request["messages"][1]["content"][0]["text"]
    for words in ("make_move(move)", "get_observation()", "```python", "4 of them", "30 minutes"):
        assert words in text


def test_the_conversation_carries_on(tmp_path: Path) -> None:
    answers = [saying("```python\nprint(6 * 7)\n```"), saying("Hm."), saying(SOLVING)]
    with chat_server(lambda request, number: answers[number]) as chat:
        log, _ = run(chat, tmp_path)
    assert outcome(log) is Outcome.SOLVED
    messages = chat.requests[2]["messages"]
    assert [m["role"] for m in messages] == ["system", *["user", "assistant"] * 2, "user"]
    assert messages[2]["content"] == "```python\nprint(6 * 7)\n```"
    assert messages[3]["content"] == [{"type": "text", "text": "42\n"}]
    assert "Nothing was run" in messages[5]["content"][0]["text"]


def test_without_code_calls_and_their_results_follow_each_other(tmp_path: Path) -> None:
    two = json.loads(calling("get_observation", "{}").body)
    two["choices"][0]["message"]["tool_calls"].append(
        {"id": "x", "type": "function", "function": {"name": "get_observation", "arguments": ""}}
    )
    answers = [Reply(json.dumps(two)), calling("make_move", json.dumps({"moves": PLAN}))]
    with chat_server(lambda request, number: answers[number]) as chat:
        log, usage = run(chat, tmp_path, TurnMode.NO_CODE)
    assert (outcome(log), usage.calls) == (Outcome.SOLVED, 2)
    names = [tool["function"]["name"] for tool in chat.requests[0]["tools"]]
    assert names == ["make_move", "get_observation"]
    said, *told = chat.requests[1]["messages"][2:]
    ids = [one["id"] for one in said["tool_calls"]]
    seen = format_cube(LEVEL.puzzle.start, Order.DRAWN)
    assert told == [{"role": "tool", "tool_call_id": one, "content": seen} for one in ids]
    assert len(set(ids)) == 2


def test_without_code_calls_in_the_text_are_answered_in_words(tmp_path: Path) -> None:
    answers = [saying('{"moves": ["U", "U\'"]}'), saying(json.dumps({"moves": PLAN}))]
    with chat_server(lambda request, number: answers[number]) as chat:
        log, _ = run(chat, tmp_path, TurnMode.NO_CODE)
    assert outcome(log) is Outcome.SOLVED
    told = chat.requests[1]["messages"][3]
    assert told == {
        "role": "user",
        "content": [{"type": "text", "text": "2 moves made, rewards 0 0"}],
    }


def test_conversation_through_responses_carries_its_reasoning(tmp_path: Path) -> None:
    looks = calling("get_observation", "{}")
    answers = [looks, looks, calling("make_move", json.dumps({"moves": PLAN}))]
    with chat_server(reasoning_model(lambda request, number: answers[number - 1])) as chat:
        log, usage = run(chat, tmp_path, TurnMode.NO_CODE)
    assert (outcome(log), usage.calls, len(chat.requests)) == (Outcome.SOLVED, 3, 4)
    items = chat.requests[-1]["input"]
    kinds = [item.get("type", item.get("role")) for item in items]
    turn = ["reasoning", "function_call", "function_call_output"]
    assert kinds == ["user", *turn, *turn]
    assert items[1]["encrypted_content"] and items[2]["call_id"] == items[3]["call_id"]
    assert "tool_choice" not in chat.requests[-1]


def test_answer_cut_at_the_token_limit_is_told_so_in_the_next_turn(tmp_path: Path) -> None:
    answers = [cut(saying("First I")), cut(calling("get_observation", "{}"))]
    with chat_server(lambda r, number: answers[number] if number < 2 else saying(SOLVING)) as chat:
        run(chat, tmp_path, TurnMode.NO_CODE)
    for request in chat.requests[1:3]:
        last = request["messages"][-1]
        assert last["role"] == "user"
        assert last["content"][0]["text"] == "Your last answer was cut at the token limit."


def test_run_in_turns_goes_on_from_its_journal_when_its_limit_is_raised(
    luban: Luban, tmp_path: Path
) -> None:
    looks = calling("get_observation", "{}")
    answers = [looks, looks, calling("make_move", json.dumps({"moves": PLAN}))]
    with chat_server(reasoning_model(lambda r, n: answers[min(n - 1, 2)])) as chat:
        args = ["eval", LEVEL.id, "--agent", "openai:tall", "--mode", "no-code", "--base-url"]
        args += [chat.url, "--out", "run", "--json", "--max-tokens"]
        for paid in (1, 2):
            assert "stopped after" in luban(*args, paid * 107).err
            assert len(chat.requests) == 1 + paid
        assert luban(*args, 10_000).json()["solved"] == 1
    assert len(chat.requests) == 1 + len(answers)


MISTAKES = {
    "nothing": saying(""),
    "words": saying("I would turn the top."),
    "no JSON": calling("make_move", '{"moves": ["U"'),
    "another tool": calling("reset", "{}"),
    "no name": calling(None, "{}"),
    "no move": calling("make_move", '{"moves": ["U2"]}'),
    "deeply nested": calling("make_move", "[" * 5000),
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("mode", [TurnMode.CODE, TurnMode.NO_CODE])
def test_a_mistake_of_the_model_costs_exactly_one_turn(
    mistake: str, mode: TurnMode, tmp_path: Path
) -> None:
    with chat_server(lambda request, number: MISTAKES[mistake]) as chat:
        log, usage = run(chat, tmp_path, mode)
    assert log.ending is not None
    assert end_of(log.ending.outcome, log.ending.note) is End.TURNS
    assert (usage.calls, log.steps) == (4, ())
    for request in chat.requests:
        for message in request["messages"]:
            assert message["content"] or message["tool_calls"]
            for one in message.get("tool_calls", ()):
                assert isinstance(json.loads(one["function"]["arguments"]), dict)


FAULTS = {
    "too many requests": Reply("slow down", 429, {"Retry-After": "0"}),
    "server error": Reply("oh", 500),
    "truncated": Reply(saying(SOLVING).body, cut=20),
    "no choices": Reply('{"choices": []}'),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_server_costs_no_turn(fault: str, tmp_path: Path) -> None:
    with chat_server(lambda r, n: FAULTS[fault] if n == 0 else saying(SOLVING)) as chat:
        log, usage = run(chat, tmp_path)
    assert (outcome(log), usage.calls, len(chat.requests)) == (Outcome.SOLVED, 1, 2)
    assert chat.requests[0] == chat.requests[1]


def test_a_server_that_stays_broken_is_given_up_and_nothing_is_counted(tmp_path: Path) -> None:
    with (
        chat_server(lambda request, number: Reply("oh", 503)) as chat,
        pytest.raises(ModelError, match="no answer after 3 tries"),
    ):
        run(chat, tmp_path)
    assert '"end"' not in (tmp_path / "episode.jsonl").read_text()


@pytest.mark.parametrize("mode", [TurnMode.CODE, TurnMode.NO_CODE])
def test_pictures_that_were_looked_at_are_sent(mode: TurnMode, tmp_path: Path) -> None:
    played = level(2, "full-visual")
    looking = [
        saying("```python\nx = get_observation()\n```"),
        calling("get_observation", "{}"),
    ][mode is TurnMode.NO_CODE]
    with chat_server(lambda request, number: looking) as chat:
        run(chat, tmp_path, mode, played)
    assert "image_url" not in json.dumps(chat.requests[0])
    parts = chat.requests[1]["messages"][-1]["content"]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    assert len(urls) == 1
    assert urls[0].startswith("data:image/png;base64,")
    said = (tmp_path / "agent.jsonl").read_text() + json.dumps(chat.requests[-1])
    for hidden in (format_cube(played.puzzle.start, Order.DRAWN), played.id, str(tmp_path)):
        assert hidden not in said


def test_what_was_asked_and_said_is_written_down_without_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sesame")
    with chat_server(lambda request, number: saying(SOLVING)) as chat:
        run(chat, tmp_path)
    assert chat.headers[0]["Authorization"] == "Bearer sesame"
    text = (tmp_path / "agent.jsonl").read_text()
    assert "sesame" not in text
    asked, turn = map(json.loads, text.splitlines())
    assert (asked["type"], asked["model"], asked["text"]) == ("call", "tall", SOLVING)
    assert (turn["type"], turn["turn"], turn["answer"]) == ("turn", 1, SOLVING)
    assert (turn["moves"], turn["observation"]) == (len(PLAN), None)


def test_a_run_with_a_model_goes_on_after_an_outage(luban: Luban, tmp_path: Path) -> None:
    broken = True

    def answer(request: Any, number: int) -> Reply:
        return Reply("oh", 500) if broken and len(request["messages"]) > 2 else saying(SOLVING)

    other = level(2, state=2)
    with chat_server(answer) as chat:
        args = ["eval", f"{LEVEL.id},{other.id}", "--model", "openai:tall", "--mode", "code"]
        args += ["--base-url", chat.url, "--set", "pause=0.001", "--set", "retries=1"]
        args += ["--turns", "2", "--sandbox", "weak", "--workers", "2", "--out", "run", "--json"]
        failed = luban(*args)
        assert failed.status == 1
        assert "1 of 2 episodes failed" in failed.err
        broken = False
        document = luban(*args).json()
    assert (document["episodes"], document["solved"]) == (2, 1)
    cubes = document["cubebench"]
    assert cubes["full-symbolic"]["short"]["pass_rate"] == 0.5
    assert (cubes["tokens_in"], cubes["tokens_out"]) == (300, 21)
    assert len(list((tmp_path / "run").rglob("1-cut-off-1/agent.jsonl"))) == 1
    prices = tmp_path / "prices.json"
    prices.write_text('{"tall": {"input": 1000, "output": 1000}}')
    luban("report", "run", "--prices", "prices.json", "--out", "report.html", "--json").json()
    tables = {t["title"]: t for t in json.loads((tmp_path / "report.json").read_text())["tables"]}
    assert tables["CubeBench: cost"]["rows"] == [["run", "300", "21", "321", "0.32"]]

"""Models that reason: their servers refuse what they don't know, think long, and count apart."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="NOT TESTED: no openai")

from bridge.agents.chat import ModelError
from bridge.agents.streaming import BrokenStream, join_stream
from bridge.agents.usage import Usage
from bridge.runs.play import Mode
from pysim.puzzle import Outcome
from tests.agents.reasoning import ACCEPTED, drawing, streamed, strict, thinking
from tests.agents.server import Reply, Request, chat_server
from tests.agents.test_model import LEVEL, PLAN, plan_text, play
from tests.commands import Luban

ONE = Usage(1, 1000, 300, 640, 256)


def answer(request: Request, number: int) -> Reply:
    """The next action of the plan, whatever was tried before."""
    text = request["messages"][1]["content"][0]["text"]
    step = int(text.partition("Step ")[2].partition(";")[0])
    return thinking(PLAN[step].name, PLAN[step].arguments_json())


def times(count: int) -> Usage:
    return sum([ONE] * count, Usage())


@pytest.mark.parametrize("stream", ["0", "1"])
def test_a_model_that_takes_no_temperature_is_asked_without_one(
    stream: str, tmp_path: Path
) -> None:
    with chat_server(strict(answer)) as chat:
        outcome, turns, usage = play(chat, tmp_path, stream=stream)
    assert (outcome, len(turns), usage) == (Outcome.SOLVED, len(PLAN), times(len(PLAN)))
    assert all(ACCEPTED.issuperset(request) for request in chat.requests)
    notes = [json.loads(line) for line in (tmp_path / "agent.jsonl").read_text().splitlines()]
    assert all("temperature" not in note for note in notes)
    assert notes[0]["usage"] == {
        "tokens_in": 1000, "tokens_out": 300, "tokens_cached": 640, "tokens_reasoning": 256
    }  # fmt: skip


def test_what_is_set_is_sent_and_told_in_the_journal(tmp_path: Path) -> None:
    said: dict[str, Any] = {"reasoning_effort": "high", "max_completion_tokens": 900}
    with chat_server(strict(answer)) as chat:
        play(chat, tmp_path, **{name: str(value) for name, value in said.items()})
    note = json.loads((tmp_path / "agent.jsonl").read_text().splitlines()[0])
    for name, value in said.items():
        assert chat.requests[0][name] == note[name] == value


def test_zero_is_a_temperature_too(tmp_path: Path) -> None:
    with chat_server(answer) as chat:
        play(chat, tmp_path, temperature="0", top_p="0.5")
    assert (chat.requests[0]["temperature"], chat.requests[0]["top_p"]) == (0, 0.5)


def test_a_refusal_is_told_in_the_servers_words(tmp_path: Path) -> None:
    words = (
        "status 400: Unsupported parameter: 'temperature' is not supported with this model.; "
        "leave out --set temperature"
    )
    with chat_server(strict(answer)) as chat, pytest.raises(ModelError) as refused:
        play(chat, tmp_path, temperature="0.6")
    assert str(refused.value) == words
    assert len(chat.requests) == 1


@pytest.mark.parametrize(
    "body", ["", "null", '{"error": null}', '{"error": "gone"}', '{"error": {"code": 3}}', "[" * 9]
)
def test_a_refusal_in_any_form_is_one_line(body: str, tmp_path: Path) -> None:
    with chat_server(lambda r, n: Reply(body, 400)) as chat, pytest.raises(ModelError) as refused:
        play(chat, tmp_path)
    assert str(refused.value).startswith("status 400: ") and "\n" not in str(refused.value)


def test_busy_servers_are_asked_again_until_they_answer(tmp_path: Path) -> None:
    faults = [Reply("", 429, {"Retry-After": "0"}), Reply('{"error": "overloaded"}', 503)]

    def busy(request: Request, number: int) -> Reply:
        return faults[number] if number < len(faults) else answer(request, number)

    with chat_server(strict(busy)) as chat:
        outcome, _, usage = play(chat, tmp_path)
    assert (outcome, usage) == (Outcome.SOLVED, times(len(PLAN)))
    assert len(chat.requests) == len(PLAN) + len(faults)


@pytest.mark.parametrize("stream", ["0", "1"])
def test_pictures_in_an_answer_are_passed_over(stream: str, tmp_path: Path) -> None:
    with chat_server(strict(lambda request, number: drawing(plan_text(PLAN)))) as chat:
        assert play(chat, tmp_path, Mode.ONE_SHOT, stream=stream)[0] is Outcome.SOLVED


def test_a_stream_that_breaks_off_is_asked_for_again(tmp_path: Path) -> None:
    def cut(request: Request, number: int) -> Reply:
        reply = answer(request, number)
        return streamed(reply, cut=4) if number == 0 else streamed(reply)

    with chat_server(cut) as chat:
        assert play(chat, tmp_path, stream="1")[0] is Outcome.SOLVED
    assert len(chat.requests) == len(PLAN) + 1


def test_a_server_that_knows_no_streams_is_read_all_the_same(tmp_path: Path) -> None:
    with chat_server(answer) as chat:
        assert play(chat, tmp_path, stream="1")[0] is Outcome.SOLVED


@pytest.mark.slow
@pytest.mark.timing
def test_a_model_that_thinks_for_long_is_waited_for_if_it_is_heard_of(tmp_path: Path) -> None:
    """Nine pieces, each after more than a third of the time that silence may take."""

    def slow(request: Request, number: int) -> Reply:
        reply = answer(request, number)
        piece = streamed(reply)
        return Reply(piece.body, headers=piece.headers, chunks=9, pause=0.8 if number == 0 else 0)

    with chat_server(slow) as chat:
        assert play(chat, tmp_path, stream="1", timeout="4")[0] is Outcome.SOLVED
    assert len(chat.requests) == len(PLAN)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "broke off"),
        ('data: {"choices": [{"delta": {"content": "a"}}]}\n\n', "broke off"),
        ('data: {"error": {"message": "no room"}}\n\n', "no room"),
        ('data: {"error": "no room"}\n\ndata: [DONE]\n\n', "no room"),
    ],
)
def test_a_stream_without_an_end_is_none(text: str, words: str) -> None:
    with pytest.raises(BrokenStream, match=words):
        join_stream(text)


def test_strange_pieces_of_a_stream_hurt_nobody() -> None:
    strange = [
        [], 3, {"choices": 3}, {"choices": [3]}, {"choices": [{"delta": 3}]},
        {"choices": [{"delta": {"content": 3, "tool_calls": [3, {}, {"function": {"name": 4}}]}}]},
    ]  # fmt: skip
    end = {"choices": [{"delta": {"content": "x"}, "finish_reason": "stop"}]}
    text = "".join(f"data: {json.dumps(piece)}\r\n\r\n" for piece in [*strange, end])
    assert join_stream(text)["choices"][0]["message"]["content"] == "x"


def run(luban: Luban, url: str, out: str, *more: object) -> Any:
    return luban(
        "eval", LEVEL.id, "--agent", "openai:tall", "--base-url", url,
        "--observation", "state", "--k", 2,
        "--video", "none", "--set", "pause=0.001", "--set", "retries=0", "--workers", 1,
        "--out", out, "--json", *more,
    )  # fmt: skip


def test_a_run_that_is_made_again_pays_for_nothing_twice(luban: Luban, tmp_path: Path) -> None:
    cache = ("--set", f"cache={tmp_path / 'answers'}")
    with chat_server(strict(answer)) as chat:
        run(luban, chat.url, "one", *cache).json()
        asked = len(chat.requests)
        again = run(luban, chat.url, "two", *cache).json()
        assert (asked, len(chat.requests)) == (2 * len(PLAN), asked)
    assert again["solved"] == 2
    one, two = (json.loads((tmp_path / n / "results.json").read_text()) for n in ("one", "two"))
    assert one["score"] == two["score"] and one["episodes"] == two["episodes"]
    usage = one["score"]["usage"]
    assert (usage["tokens_cached"], usage["tokens_reasoning"]) == (640 * asked, 256 * asked)
    with (tmp_path / "two/results.csv").open() as file:
        counts = [
            (int(r["tokens_cached"]), int(r["tokens_reasoning"])) for r in csv.DictReader(file)
        ]
    assert counts == [(640 * len(PLAN), 256 * len(PLAN))] * 2
    notes = (tmp_path / "two/episodes" / LEVEL.id / "1/agent.jsonl").read_text().splitlines()
    assert all(json.loads(note)["from_cache"] for note in notes)


def test_a_damaged_answer_in_a_cache_is_named(luban: Luban, tmp_path: Path) -> None:
    cache = ("--set", f"cache={tmp_path / 'answers'}")
    with chat_server(strict(answer)) as chat:
        run(luban, chat.url, "one", *cache).json()
        file = next((tmp_path / "answers").glob("*/*.json"))
        for each in (tmp_path / "answers").glob("*/*.json"):
            each.write_text("{}")
        complaint = run(luban, chat.url, "two", *cache).complaint()
    assert "no answer of a model" in complaint and file.parent.parent.name in complaint


def test_another_attempt_is_another_question_to_a_cache(luban: Luban, tmp_path: Path) -> None:
    with chat_server(strict(answer)) as chat:
        run(luban, chat.url, "one", "--set", f"cache={tmp_path / 'answers'}").json()
    first = [request["messages"] for request in chat.requests]
    assert first[0] == first[len(PLAN)]  # Both attempts begin alike, and both were asked.


def test_a_run_goes_on_at_another_address_with_another_patience(
    luban: Luban, tmp_path: Path
) -> None:
    down = Reply("down", 503)
    with chat_server(lambda request, number: down) as chat:
        assert "2 of 2 episodes failed" in run(luban, chat.url, "run").err
    with chat_server(strict(answer)) as chat:
        moved = run(luban, chat.url, "run", "--set", "timeout=30", "--set", "stream=1").json()
        assert moved["solved"] == 2
        other = run(luban, chat.url, "run", "--set", "reasoning_effort=low").complaint()
    assert "another run (options was {" in other or "reasoning_effort" in other

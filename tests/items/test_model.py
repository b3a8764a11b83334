"""Models that are asked items, over a real server that speaks the OpenAI protocol."""

import base64
import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bridge.agents.usage import Usage

pytest.importorskip("openai", reason="NOT TESTED: no openai")

from bridge.items.log import LOG_NAME
from tests.agents.server import Chat, Reply, chat_server, saying
from tests.commands import Luban


def run(luban: Luban, chat: Chat, *options: object) -> Any:
    command = [
        "eval",
        "cube-bench",
        "--agent",
        "openai:tall",
        "--base-url",
        chat.url,
        "--out",
        "run",
    ]
    command += [
        "--set",
        "pause=0.001",
        "--set",
        "retries=1",
        "--image-size",
        "64",
        *map(str, options),
    ]
    return luban(*command, "--json")


def scores(document: Any) -> dict[str, Any]:
    return {part["variant"]: part["scores"] for part in document["parts"]}


def test_a_model_is_asked_with_pictures_and_with_what_is_set(luban: Luban, tmp_path: Path) -> None:
    with chat_server(lambda request, number: saying("<ANSWER> B </ANSWER>")) as chat:
        greedy = ("--set", "temperature=0")
        document = run(luban, chat, "--task", "move-prediction", "--n", 3, *greedy).json()
    assert len(chat.requests) == 9
    for part in scores(document).values():
        assert part["parse_rate"] == 1.0
    assert document["usage"] == asdict(Usage(9, 900, 63))
    request = chat.requests[0]
    assert sorted(request) == ["messages", "model", "temperature"]
    assert (request["model"], request["temperature"]) == ("tall", 0.0)
    notes = [json.loads(x) for x in (tmp_path / "run" / "agent.jsonl").read_text().splitlines()]
    answers = [json.loads(x) for x in (tmp_path / "run" / LOG_NAME).read_text().splitlines()[1:]]
    asked = {line["item"] for line in answers if line["type"] == "answer"}
    assert {note["item"] for note in notes} == asked
    assert len(asked) == 9
    system, user = request["messages"]
    assert "<ANSWER> X </ANSWER>" in system["content"]
    kinds = sorted(
        tuple(part["type"] for part in request["messages"][1]["content"])
        for request in chat.requests
    )
    assert kinds == [("text",)] * 3 + [("text", "text", "image_url")] * 6
    pictures = [p for p in user["content"] if p["type"] == "image_url"]
    for picture in pictures:
        head, _, data = picture["image_url"]["url"].partition(",")
        assert head == "data:image/png;base64"
        assert base64.b64decode(data).startswith(b"\x89PNG")


def test_what_a_model_costs_is_said(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "prices.json").write_text('{"tall": {"input": 100, "output": 1000}}')
    with chat_server(lambda request, number: saying("ANSWER: A")) as chat:
        command = [
            "eval",
            "cube-bench",
            "--task",
            "move-prediction",
            "--observation",
            "text",
            "--n",
            "5",
        ]
        command += ["--agent", "openai:tall", "--base-url", chat.url, "--prices", "prices.json"]
        printed = luban(*command).out
    # Five calls of 100 and 7 tokens.
    assert "cost: 535 tokens" in printed
    assert "cost: 0.09 USD" in printed


def test_each_phase_of_a_reflection_has_its_tokens_and_seconds(luban: Luban) -> None:
    with chat_server(lambda request, number: saying("ANSWER: A")) as chat:
        document = run(luban, chat, "--task", "reflection", "--n", 2, "--json").json()
    (table,) = (t for t in document["tables"] if t["title"].startswith("Reflection: tokens"))
    assert table["groups"][1:] == [["Draft", 3], ["Reflection", 3], ["Re-answer", 3]]
    (row,) = table["rows"]
    assert row[1::3] == ["100.0"] * 3
    assert row[2::3] == ["7.0"] * 3
    assert all(float(seconds) >= 0 for seconds in row[3::3])


def test_what_a_model_is_asked_does_not_tell_the_answer(luban: Luban, tmp_path: Path) -> None:
    with chat_server(lambda request, number: saying("ANSWER: A")) as chat:
        run(luban, chat, "--task", "move-prediction", "--observation", "image", "--n", 2)
    for request in chat.requests:
        said = json.dumps([m["content"] for m in request["messages"] if m["role"] == "system"])
        said += "".join(p["text"] for p in request["messages"][1]["content"] if p["type"] == "text")
        for hidden in ("State:", "move-prediction", "seed", "gold", str(tmp_path), "cube-bench"):
            assert hidden not in said


def test_a_model_that_thinks_before_it_reads_well(luban: Luban) -> None:
    """A model that solves the question by trying all four moves, over the wire."""
    from pysim.families.rubik.cube import SOLVED
    from pysim.families.rubik.moves import Move
    from pysim.families.rubik.strings import draw_net

    nets = {draw_net(SOLVED.turn([move])): move.inverse for move in map(Move.parse, MOVES)}

    def answer(request: Any, number: int) -> Reply:
        text = request["messages"][1]["content"][0]["text"]
        net = "\n".join(text.partition("State:\n")[2].splitlines()[:9])
        options = dict(re.findall(r"^([A-D]): (\S+)$", text, re.M))
        letter = next(k for k, word in options.items() if Move.parse(word) == nets[net])
        return saying(f"Let me see.\nANSWER: {letter}")

    with chat_server(answer) as chat:
        document = run(
            luban, chat, "--task", "move-prediction", "--observation", "text", "--n", 20
        ).json()
    assert next(iter(scores(document).values()))["accuracy"] == 1.0


MOVES = [face + turn for face in "URFDLB" for turn in ("", "2", "'")]


def test_words_around_an_answer_and_answers_that_are_none(luban: Luban) -> None:
    said = ["Answer: Yes", "answer: no", "Perhaps.", "Yes"]
    with chat_server(lambda request, number: saying(said[number % 4])) as chat:
        document = run(luban, chat, "--task", "verification", "--n", 8, "--workers", 1).json()
    (part,) = scores(document).values()
    assert (part["parse_rate"], part["yes_rate"]) == (0.5, 0.5)


def test_a_run_goes_on_after_an_outage_with_nothing_asked_twice(
    luban: Luban, tmp_path: Path
) -> None:
    broken = True

    def answer(request: Any, number: int) -> Reply:
        return Reply("oh", 503) if broken and number >= 4 else saying("<ANSWER> A </ANSWER>")

    options = [
        "--task",
        "reflection",
        "--task-setting",
        "reflection=redacted",
        "--n",
        3,
        "--workers",
        1,
    ]
    with chat_server(answer) as chat:
        failed = run(luban, chat, *options)
        assert failed.status == 1
        assert "2 of 3 trials failed" in failed.err
        assert "503" in failed.err
        lines = (tmp_path / "run" / LOG_NAME).read_text().splitlines()
        answered = sum(json.loads(line)["type"] == "answer" for line in lines)
        assert answered == 4
        broken, before = False, len(chat.requests)
        document = run(luban, chat, *options).json()
        assert len(chat.requests) - before == 9 - 4
    assert next(iter(scores(document).values()))["trials"] == 3
    assert document["usage"]["calls"] == 9


def test_the_key_is_written_nowhere(
    luban: Luban, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "sesame")
    with chat_server(lambda request, number: saying("ANSWER: A")) as chat:
        run(
            luban,
            chat,
            "--task",
            "closed-loop",
            "--depth",
            1,
            "--n",
            2,
            "--set",
            "api_key_env=SECRET",
        )
    assert chat.headers[0]["Authorization"] == "Bearer sesame"
    for path in (tmp_path / "run").iterdir():
        assert b"sesame" not in path.read_bytes()


def test_a_setting_that_does_not_exist_is_said(luban: Luban) -> None:
    with chat_server(lambda request, number: saying("")) as chat:
        assert "takes the setting 'warmth'" in run(luban, chat, "--set", "warmth=1").complaint()

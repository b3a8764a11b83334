"""No answer of a model, whatever is in it, keeps its run from having a verdict."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="NOT TESTED: no openai")

from bridge.agents.chat import ChatClient, ContextFull, ModelError
from bridge.agents.journal import Journal
from bridge.agents.registry import create_agent
from bridge.agents.turns import TurnAnswer
from bridge.benches.cubebench.protocol import TurnMode, TurnProtocol
from bridge.benches.cubebench.sandbox.interpreter import Interpreter, Strength
from bridge.recording.log import Log
from bridge.recording.replay import replay
from pysim.puzzle import Outcome
from tests.agents.server import Reply, calling, chat_server, saying
from tests.benches.cubebench.playing import Script, call, code, level, play
from tests.commands import Luban
from tests.hostile import TEXTS
from tests.sampling import these_by_day
from tests.waiting import PATIENCE


def texts_by_day(first: int) -> pytest.MarkDecorator:
    """Every third text by day, and so each of them in one test or another; all by night."""
    kinds = list(TEXTS)
    return pytest.mark.parametrize("kind", these_by_day(kinds[first::3], kinds))


WEAK = TurnProtocol(turns=3, sandbox=Strength.WEAK)
QUICK = {"pause": "0.001", "timeout": "120", "retries": "1"}
LEVEL = level(3)


def in_turns(url: str, folder: Path, mode: TurnMode) -> Log:
    journal = Journal(folder / "agent.jsonl")
    agent = create_agent("openai:x", LEVEL, settings={**QUICK, "base_url": url}, journal=journal)
    return play(LEVEL, agent, folder, mode=mode, protocol=WEAK)[1]


def verdict(log: Log) -> Outcome:
    assert log.ending is not None
    replay(log)
    return log.ending.outcome


def is_well_formed(request: object) -> bool:
    json.dumps(request, ensure_ascii=False).encode("utf-8")
    return True


@texts_by_day(0)
def test_hostile_words_go_back_to_the_model_and_the_run_goes_on(kind: str, tmp_path: Path) -> None:
    text = TEXTS[kind]
    with chat_server(lambda request, number: saying(text)) as chat:
        assert verdict(in_turns(chat.url, tmp_path, TurnMode.CODE)) is Outcome.OUT_OF_BUDGET
    assert len(chat.requests) == WEAK.turns
    assert all(map(is_well_formed, chat.requests))


@texts_by_day(1)
def test_hostile_calls_go_back_to_the_model_and_the_run_goes_on(kind: str, tmp_path: Path) -> None:
    text = TEXTS[kind]
    answers = [calling(text, text), calling("make_move", json.dumps({"moves": [text], text: 1}))]
    with chat_server(lambda request, number: answers[number % 2]) as chat:
        assert verdict(in_turns(chat.url, tmp_path, TurnMode.NO_CODE)) is Outcome.OUT_OF_BUDGET
    assert all(map(is_well_formed, chat.requests))
    for message in chat.requests[-1]["messages"]:
        for made in message.get("tool_calls", ()):
            name = made["function"]["name"]
            assert 0 < len(name) <= 64
            assert name.replace("_", "").replace("-", "").isalnum() or set(name) <= set("_-")
            assert is_well_formed(json.loads(made["function"]["arguments"]))


@texts_by_day(2)
def test_what_code_prints_and_raises_goes_back_to_the_model(kind: str, tmp_path: Path) -> None:
    text = TEXTS[kind]
    program = f"t = {text[:1000]!a}\nprint(t)\nprint(t, end='')\nraise ValueError(t)"
    with chat_server(lambda request, number: saying(f"```python\n{program}\n```")) as chat:
        assert verdict(in_turns(chat.url, tmp_path, TurnMode.CODE)) is Outcome.OUT_OF_BUDGET
    assert all(map(is_well_formed, chat.requests))
    told = chat.requests[1]["messages"][-1]["content"][0]["text"]
    assert "ValueError" in told
    assert not any(sign in told for sign in "\x00\x1b\u202e")


HOSTILE_CODE = {
    "moves that are none": "for m in ('\\ud800', 'x' * 10**5, None, [[]], 1e300, '\\x00'):\n"
    "    try: make_move(m)\n    except ValueError as error: print(error)",
    "too much": "make_move('x' * 10**7)",
    "too deep": "x = []\nfor _ in range(9000): x = [x]\nmake_move(x)",
    "a huge number": "make_move(10**5000)",
    "no number": "make_move(float('nan'))",
    "other arguments": "make_move(**{'\\ud800': 1})",
    "an error of odd words": "class E(Exception):\n"
    "    def __str__(self): return '\\ud800' * 10**6\nraise E",
    "code that is none": "\ud800 = '\x00'",
    "much to say": "print('\\udfff' * 10**7)",
    "an end": "import os\nos._exit(3)",
    "noise on every pipe": "import os\nfor n in range(3, 40):\n    try: os.write(n, b'\\xff{\\n')\n"
    "    except OSError: pass",
    "a frame with half a pair": "import os\nfor n in range(3, 40):\n    try: os.write(n, "
    'b\'{"output": "\\\\\\\\ud800", "error": "\\\\\\\\udfff"}\\n\')\n    except OSError: pass',
}


@pytest.mark.by_day(2)
@pytest.mark.parametrize("program", HOSTILE_CODE.values(), ids=HOSTILE_CODE)
def test_hostile_code_uses_up_its_turn_and_no_more(program: str, tmp_path: Path) -> None:
    script = Script([code(program)] * 3)
    _, log = play(LEVEL, script, tmp_path, mode=TurnMode.CODE, protocol=WEAK)
    assert verdict(log) is Outcome.OUT_OF_BUDGET
    assert [prompt.turn for prompt in script.prompts] == [1, 2, 3]
    for prompt in script.prompts:
        prompt.text.encode("utf-8")
        assert len(prompt.text) < 40_000


@pytest.mark.slow
def test_a_loop_of_long_moves_writes_what_the_documentation_says(tmp_path: Path) -> None:
    program = "while True:\n    try: make_move('x' * 250_000)\n    except ValueError: pass"
    _, log = play(LEVEL, Script([code(program)]), tmp_path, mode=TurnMode.CODE, budget=500)
    assert verdict(log) is Outcome.OUT_OF_BUDGET
    assert len(log.steps) == 500
    assert log.path.stat().st_size < 500 * 1000 + 20_000


@texts_by_day(0)
def test_answers_of_agents_of_other_packages_are_made_harmless(kind: str, tmp_path: Path) -> None:
    text = TEXTS[kind]
    script = Script([TurnAnswer(text, [call(text, text)])] * 2)
    for mode in (TurnMode.CODE, TurnMode.NO_CODE):
        (tmp_path / mode).mkdir()
        _, log = play(LEVEL, script, tmp_path / mode, mode=mode, protocol=WEAK)
        assert verdict(log) is Outcome.GAVE_UP
        journal = (tmp_path / mode / "agent.jsonl").read_text()
        assert all(is_well_formed(json.loads(line)) for line in journal.splitlines())


UNREADABLE = {
    "nested without end": Reply("[" * 100_000),
    "a number without end": Reply('{"choices": [' + "9" * 5000 + "]}"),
    "far too much": Reply(" " * 2**24 + "x"),
}


@pytest.mark.parametrize("reply", UNREADABLE.values(), ids=UNREADABLE)
def test_an_answer_that_nobody_can_read_is_an_answer_without_words(reply: Reply) -> None:
    with chat_server(lambda request, number: reply) as chat:
        answer = ChatClient(chat.url, "", retries=1, pause=0.001).ask({})
    assert (answer.text, answer.calls, answer.finish) == ("", (), "unreadable")
    assert (answer.usage.calls, answer.tries, len(chat.requests)) == (1, 2, 2)


def full(request: Any, number: int) -> Reply:
    error = {"message": "too long", "code": "context_length_exceeded"}
    return Reply(json.dumps({"error": error}), 400)


def test_a_model_that_talks_until_its_context_is_full_has_given_up(tmp_path: Path) -> None:
    def answer(request: Any, number: int) -> Reply:
        return saying("Hm. " * 100) if number < 2 else full(request, number)

    with chat_server(answer) as chat:
        assert verdict(in_turns(chat.url, tmp_path, TurnMode.CODE)) is Outcome.GAVE_UP
    assert len(chat.requests) == 3
    assert '"type":"full"' in (tmp_path / "agent.jsonl").read_text()


def test_a_task_that_does_not_fit_into_the_context_is_no_fault_of_the_model(tmp_path: Path) -> None:
    with chat_server(full) as chat, pytest.raises(ContextFull):
        in_turns(chat.url, tmp_path, TurnMode.CODE)


def test_other_refusals_of_the_server_are_told_harmlessly() -> None:
    with (
        chat_server(lambda request, number: Reply("\x1b[2J\ud800", 400)) as chat,
        pytest.raises(ModelError) as caught,
    ):
        ChatClient(chat.url, "").ask({})
    assert not isinstance(caught.value, ContextFull)
    assert "\x1b" not in str(caught.value)


@texts_by_day(1)
def test_an_eval_counts_every_episode_of_a_hostile_model(
    kind: str, luban: Luban, tmp_path: Path
) -> None:
    text = TEXTS[kind]
    with chat_server(lambda request, number: calling(text, json.dumps({text: text}))) as chat:
        given = [f"{name}={value}" for name, value in {**QUICK, "base_url": chat.url}.items()]
        settings = [word for one in given for word in ("--set", one)]
        options = ["--agent", "openai:x", "--observation", "state", "--budget", 2, "--out", "run"]
        done = luban("eval", "burr-three-bars", "--video", "none", *options, *settings)
    assert (done.status, "failed" in done.err) == (0, False)
    (result,) = json.loads((tmp_path / "run" / "results.json").read_text())["episodes"]
    assert result["outcome"] == "OUT_OF_BUDGET"
    assert luban("report", "run", "--out", "page.html").status == 0
    (tmp_path / "page.html").read_text(encoding="utf-8")


def test_the_sandbox_hands_over_nothing_harmful() -> None:
    heard: list[object] = []

    def tell(word: object) -> None:
        heard.append(word)

    with Interpreter({"tell": tell}, Strength.WEAK) as interpreter:
        ran = interpreter.run(
            "tell({'\\ud800': ['\\x00', '\\u202e']})\nprint('\\x1b[2J')",
            time.monotonic() + PATIENCE,
        )
    assert heard == [{"\ufffd": ["\ufffd", "\ufffd"]}]
    assert (ran.output, ran.error) == ("\ufffd[2J\n", None)

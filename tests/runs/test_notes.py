"""Notes that agents keep from attempt to attempt at a level, and the score by attempt."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bridge.agents.journal import read_notes
from bridge.runs.store import RunFolder
from bridge.scoring.metrics import compute_attempt_gain, compute_pass_by_attempt
from tests.adapters.offline_model import plan_of
from tests.agents.server import Reply, calling, chat_server, saying
from tests.commands import Luban

LEVELS = ["sight-canary-01", "sight-canary-02"]
PLANS = {name: [str(call.arguments["move"]) for call in plan_of(name)] for name in LEVELS}
NOTES = "Your notes of earlier attempts:"
COMMAND = (
    *("eval", ",".join(LEVELS), "--observation", "none", "--workers", "1"),
    *("--set", "retries=0", "--agent", "openai:tall"),
)


class Learner:
    """A model that learns the moves of levels in turn, one by one: each note has one more."""

    def __init__(self) -> None:
        self.noted = 0

    def answer(self, request: Any, number: int) -> Reply:
        text = request["messages"][-1]["content"][0]["text"]
        known = re.findall(r"move: (\S+)", text.partition(NOTES)[2])
        if "tools" not in request:
            plan = PLANS[LEVELS[self.noted % len(LEVELS)]]
            self.noted += 1
            return saying(" ".join(f"move: {move}" for move in plan[: len(known) + 1]))
        step = int(re.search(r"Step (\d)", text)[1])  # type: ignore[index]
        return calling("make_move", json.dumps({"move": (known + ["F", "F"])[step]}))


def test_agent_gets_its_notes_back_and_the_report_shows_what_it_gains(
    luban: Luban, tmp_path: Path
) -> None:
    learner = Learner()
    with chat_server(learner.answer) as chat:
        run = (*COMMAND, "--base-url", chat.url, "--k", "3", "--notes", "--out", "run")
        told = luban(*run, "--json").json()
        assert told["solved"] == 2
        asked = len(chat.requests)
        assert luban(*run, "--json").json() == told and len(chat.requests) == asked
    folder = RunFolder.read(Path("run"))
    assert folder.settings.notes
    results = folder.read_results()
    assert compute_pass_by_attempt(results) == [0, 0, 1]
    gain = compute_attempt_gain(results, 3)
    assert gain is not None and gain.difference == 1
    for level in LEVELS:
        moves = PLANS[level]
        assert folder.read_kept_notes(level, 1) == ""
        assert folder.read_kept_notes(level, 2) == f"move: {moves[0]}"
        assert folder.read_kept_notes(level, 3) == f"move: {moves[0]} move: {moves[1]}"
        last = read_notes(folder.locate_episode(level, 3) / "agent.jsonl")
        assert not any(note.get("type") == "kept" for note in last)
    luban("report", "run", "--out", "report.html", "--pictures", "0")
    document = json.loads(Path("report.json").read_text())
    (table,) = [t for t in document["tables"] if t["title"] == "Learning across attempts"]
    assert table["rows"][0][1:5] == ["0.0", "0.0", "100.0", "+100.0"]


def test_attempt_that_was_cut_off_before_its_notes_is_played_again(
    luban: Luban, tmp_path: Path
) -> None:
    with chat_server(Learner().answer) as chat:
        run = (*COMMAND, "--base-url", chat.url, "--k", "2", "--notes", "--out", "run")
        luban(*run, "--limit", "1", "--json")
        journal = Path("run/episodes") / LEVELS[0] / "1/agent.jsonl"
        lines = journal.read_text().splitlines(keepends=True)
        assert '"kept"' in lines[-1]
        journal.write_text("".join(lines[:-1]))
        assert RunFolder.read(Path("run")).read_result(LEVELS[0], 1) is None
        asked = len(chat.requests)
        luban(*run, "--limit", "1", "--json")
        assert len(chat.requests) == asked
    assert RunFolder.read(Path("run")).read_kept_notes(LEVELS[0], 2)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--notes",), "`--notes` requires `--k` of at least 2"),
        (("--notes", "--k", "2", "--beam", "2"), "`--notes` means nothing with `--beam`"),
        (("--notes", "--k", "2", "--agent", "random"), "the agent random keeps no notes"),
    ],
)
def test_notes_that_nobody_would_keep_are_refused(
    luban: Luban, words: tuple[str, ...], complaint: str
) -> None:
    done = luban("eval", LEVELS[0], "--observation", "state", "--out", "run", *words)
    assert done.status == 1
    assert complaint in done.err + done.out


def test_gain_of_no_results_is_none() -> None:
    assert compute_attempt_gain([], 2) is None
    assert compute_pass_by_attempt([]) == []

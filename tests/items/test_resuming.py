"""Runs of questions that ended before their time go on, and are not mixed with others."""

import json
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bridge.items.log import LOG_NAME, ItemLog
from tests.commands import Luban
from tests.items.answering import ask, scores
from tests.waiting import PATIENCE


def test_a_finished_run_is_not_asked_again(luban: Luban, tmp_path: Path, notes: Path) -> None:
    options = ["--task", "move-prediction", "--observation", "text", "--n", 5, "--out", "run"]
    first = ask(luban, *options, "--agent", f"scribe:{notes}")
    before = (notes / "asked").read_text()
    log = tmp_path / "run" / LOG_NAME
    written = log.read_bytes()
    assert ask(luban, *options, "--agent", f"scribe:{notes}") == first
    assert ((notes / "asked").read_text(), log.read_bytes()) == (before, written)


def test_a_line_that_was_cut_off_is_asked_again_and_nothing_else(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    options = [
        "--task",
        "closed-loop",
        "--depth",
        3,
        "--observation",
        "text",
        "--n",
        8,
        "--out",
        "run",
    ]
    first = ask(luban, *options, "--agent", f"scribe:{notes}", "--workers", 1)
    log = tmp_path / "run" / LOG_NAME
    whole = log.read_bytes()
    asked = (notes / "asked").read_text().splitlines()
    log.write_bytes(whole[:-25])
    assert ask(luban, *options, "--agent", f"scribe:{notes}", "--workers", 1) == first
    assert log.read_bytes() == whole
    assert (notes / "asked").read_text().splitlines() == [*asked, asked[-1]]


LOOPS = ["--task", "closed-loop", "--observation", "text", "--n", "20", "--workers", "3", "--json"]


def start(folder: Path, notes: Path) -> subprocess.Popen[str]:
    (notes / "slow").touch()
    command = [sys.executable, "-m", "bridge.cli", "eval", "cube-bench", *LOOPS]
    command += ["--agent", f"scribe:{notes}", "--out", str(folder)]
    return subprocess.Popen(
        command, cwd=folder.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for_answers(process: subprocess.Popen[str], folder: Path, count: int) -> None:
    deadline = time.monotonic() + PATIENCE
    log = folder / LOG_NAME
    while not (log.exists() and log.read_bytes().count(b"\n") > count):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_killed_run_goes_on_and_no_question_that_was_answered_is_asked_twice(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    run = tmp_path / "run"
    with start(run, notes) as process:
        wait_for_answers(process, run, 20)
        process.kill()
    answered = (run / LOG_NAME).read_bytes().rpartition(b"\n")[0].splitlines()[1:]
    document = luban(
        "eval", "cube-bench", *LOOPS, "--agent", f"scribe:{notes}", "--out", run
    ).json()
    lines = [json.loads(line) for line in (run / LOG_NAME).read_bytes().splitlines()]
    assert [json.dumps(line, separators=(",", ":")).encode() for line in lines[1:]][
        : len(answered)
    ] == answered
    steps = Counter((line["trial"], line["step"]) for line in lines[1:])
    assert set(steps.values()) == {1}
    asked = (notes / "asked").read_text().splitlines()
    assert len(asked) - len(set(asked)) <= 3  # Those under way when it was killed.
    assert [part["trials"] for part in scores(document).values()] == [20] * 5


@pytest.mark.slow
def test_an_interrupted_run_says_how_to_go_on(luban: Luban, tmp_path: Path, notes: Path) -> None:
    run = tmp_path / "run"
    with start(run, notes) as process:
        wait_for_answers(process, run, 10)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert f"the same command with --out {run} resumes the run" in err
    assert "Traceback" not in err
    assert (run / LOG_NAME).read_bytes().endswith(b"\n")
    (notes / "slow").unlink()
    again = luban("eval", "cube-bench", *LOOPS, "--agent", f"scribe:{notes}", "--out", run)
    assert (again.status, again.err) == (0, "")


def test_two_processes_do_not_ask_the_same_run(luban: Luban, tmp_path: Path) -> None:
    options = ["--task", "face-reconstruction", "--n", 2, "--out", "run"]
    ask(luban, *options)
    with ItemLog.read(tmp_path / "run").lock():
        complaint = luban("eval", "cube-bench", *options).complaint()
    assert "another process is at work on this run" in complaint


def test_a_full_disk_ends_the_run_and_leaves_the_log_whole(luban: Luban, tmp_path: Path) -> None:
    options = ["--task", "move-prediction", "--observation", "text", "--n", 100, "--out", "run"]
    whole = ask(luban, *options)
    log = tmp_path / "run" / LOG_NAME
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:4]))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(b"".join(lines[:6])) + 10, limits[1]))
    try:
        complaint = luban("eval", "cube-bench", *options).complaint()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "File too large" in complaint or "disk is full" in complaint
    assert log.read_bytes() == b"".join(lines[:6])
    assert ask(luban, *options) == whole


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--agent", "random"], "another run (other agent)"),
        (["--n", 3], "another run (other parts)"),
        (["--task-setting", "metric=qtm"], "another run (other parts)"),
        (["--seed", 1], "another run (other seed)"),
    ],
)
def test_another_run_is_not_mixed_with_one_that_is_there(
    luban: Luban, options: list[object], words: str
) -> None:
    first = ["--task", "face-reconstruction", "--n", 2, "--out", "run"]
    ask(luban, *first)
    assert words in luban("eval", "cube-bench", *first, *options).complaint()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda text: "", "its format is None"),
        (lambda text: text.replace("luban-items/1", "luban-items/9"), "'luban-items/9'"),
        (lambda text: text.replace('"parts"', '"party"'), "header is damaged"),
        (lambda text: text.replace('"parts":[', '"parts":[7,'), "header is damaged"),
        (lambda text: "[]" + text[2:], "items.jsonl"),
        (lambda text: text.replace('"step":0', '"step":4', 1), "step 4 of"),
        (lambda text: text.replace('"type":"answer"', '"typo":"answer"', 1), "no line of a log"),
        (lambda text: text.replace('"digest":"sha256:', '"digest":"sha256:0', 1), "not what this"),
    ],
)
def test_a_damaged_log_is_said(luban: Luban, tmp_path: Path, damage: Any, words: str) -> None:
    options = ["--task", "face-reconstruction", "--n", 2, "--out", "run"]
    ask(luban, *options)
    log = tmp_path / "run" / LOG_NAME
    log.write_text(damage(log.read_text()))
    assert words in luban("eval", "cube-bench", *options).complaint()


def test_a_folder_with_other_files_is_left_alone(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "letter.txt").touch()
    complaint = luban("eval", "cube-bench", "--out", "run").complaint()
    assert "other files in it" in complaint

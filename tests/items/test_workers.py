"""Threads, processes and Ray answer questions alike: nothing that comes out differs."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bridge.agents.usage import Usage
from bridge.items.log import LOG_NAME
from tests.agents.strangers import install_agents
from tests.cli.test_processes import interrupt
from tests.cli.test_processes import luban as started
from tests.commands import Luban
from tests.rpc.playing import wait_for
from tests.sampling import more
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
THINKERS = '''
"""Agents that compute, in a package that is not Luban's."""

import os, pathlib, signal, time


class Thinker:
    """Notes which process it thinks in, and tells its journal what it costs; says A."""

    def __init__(self, briefing):
        self.briefing = briefing

    def answer(self, question):
        folder = pathlib.Path(self.briefing.argument)
        time.sleep(0.1 if (folder / "slow").exists() else 0.0)
        grave = folder / "grave"
        if (folder / "mortal").exists() and not grave.exists():
            grave.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        with (folder / "asked").open("a") as file:
            file.write(f"{os.getpid()}\\\\n")
        self.briefing.journal.record({"usage": {"tokens_in": 3, "tokens_out": 1}})
        seen = [view.data[:4].hex() for view in question.pictures]
        return f"{seen}\\\\n<ANSWER> A </ANSWER>"


class Unmade:
    """Can't be made."""

    def __init__(self, briefing):
        raise ValueError("no such weights")

    def answer(self, question):
        raise AssertionError
'''.replace("\\\\", "\\")


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which agents of another package note what they do."""
    from bridge.agents import registry

    site, folder = tmp_path / "site", tmp_path / "notes"
    site.mkdir()
    folder.mkdir()
    install_agents(site, "thinking_agents", THINKERS, ("Thinker", "Unmade"))
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), str(ROOT)]))
    registry.discover_agents.cache_clear()
    yield folder
    registry.discover_agents.cache_clear()


TRIALS = more(4, night=12)
LOOPS = ("eval", "cube-bench", "--task", "closed-loop", "--depth", 2, "--image-size", 64)


def command(notes: Path, out: str, *options: object) -> list[str]:
    return [
        str(word)
        for word in (*LOOPS, "--n", TRIALS, "--agent", f"thinker:{notes}", "--out", out, *options)
    ]


def lines(folder: Path) -> list[Any]:
    """Those of the log but for the header, in the order of trials and steps."""
    found = [json.loads(line) for line in (folder / LOG_NAME).read_bytes().splitlines()[1:]]
    return sorted(found, key=lambda line: (line["type"], line.get("trial"), line.get("step")))


def processes(notes: Path) -> Counter[str]:
    return Counter((notes / "asked").read_text().splitlines())


def test_agents_that_compute_get_processes_of_their_own(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    one = luban(*command(notes, "one", "--workers", 1), "--json").json()
    assert list(processes(notes)) == [str(os.getpid())]
    (notes / "asked").unlink()
    two = luban(*command(notes, "two", "--workers", 2), "--json").json()
    assert str(os.getpid()) not in processes(notes)
    assert {**one, "out": ""} == {**two, "out": ""}
    calls = processes(notes).total()
    assert one["usage"] == asdict(Usage(calls, 3 * calls, calls))
    assert lines(tmp_path / "one") == lines(tmp_path / "two")
    assert [line["type"] for line in lines(tmp_path / "two")].count("renderer") == 1


@pytest.mark.slow
def test_a_trial_whose_process_died_is_asked_again(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    (notes / "mortal").touch()
    luban(*command(notes, "run", "--workers", 2), "--json").json()
    assert (notes / "grave").exists()
    answers = [line for line in lines(tmp_path / "run") if line["type"] == "answer"]
    assert len(answers) == len({(a["trial"], a["step"]) for a in answers})
    assert len({a["trial"] for a in answers}) == TRIALS


@pytest.mark.slow
def test_what_processes_have_answered_is_not_asked_again(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    whole = luban(*command(notes, "run", "--workers", 2), "--json").json()
    log = tmp_path / "run" / LOG_NAME
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:9]))
    kept = len([line for line in lines(tmp_path / "run") if line["type"] == "answer"])
    before = processes(notes).total()
    again = luban(*command(notes, "run", "--workers", 1), "--json").json()
    assert again["parts"] == whole["parts"]
    assert processes(notes).total() - before == before - kept


def test_ctrl_c_loses_no_answer_of_processes(tmp_path: Path, notes: Path) -> None:
    (notes / "slow").touch()
    words = ["eval", "cube-bench", "--task", "closed-loop", "--depth", "5", "--observation", "text"]
    words += ["--agent", f"thinker:{notes}", "--workers", "2", "--out", "run"]
    with started(tmp_path, *words) as process:
        asked = notes / "asked"
        wait_for(lambda: (asked.exists() and processes(notes).total() > 11) or None)
        assert interrupt(process)[0] == 130
    answers = [line for line in lines(tmp_path / "run") if line["type"] == "answer"]
    assert len(answers) == processes(notes).total()


@pytest.mark.by_day(1)
@pytest.mark.parametrize("workers", [1, 2])
def test_an_agent_that_cannot_be_made_says_why(luban: Luban, notes: Path, workers: int) -> None:
    complaint = luban(*LOOPS, "--agent", "unmade", "--workers", workers).complaint()
    assert "no such weights" in complaint


@pytest.mark.slow
def test_answers_from_ray_are_those_given_here(luban: Luban, tmp_path: Path, notes: Path) -> None:
    (notes / "mortal").touch()
    done = subprocess.run(
        [sys.executable, "-m", "bridge.cli", *command(notes, "ray", "--json")]
        + ["--ray", "local", "--workers", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert (notes / "grave").exists()
    here = luban(*command(notes, "here", "--workers", 1), "--json").json()
    assert {**json.loads(done.stdout), "out": ""} == {**here, "out": ""}
    assert lines(tmp_path / "ray") == lines(tmp_path / "here")


def test_a_limit_takes_the_first_trials_of_each_condition(luban: Luban) -> None:
    few = luban("eval", "cube-bench", "--n", 9, "--limit", 2, "--json").json()
    assert {part["count"] for part in few["parts"]} == {2}
    assert {part["scores"]["trials"] for part in few["parts"]} == {2}
    whole = luban("eval", "cube-bench", "--n", 2, "--json").json()
    assert few["parts"] == whole["parts"]

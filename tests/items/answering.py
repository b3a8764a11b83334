"""Asking the questions of a suite, and agents of another package that answer them."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.agents.strangers import install_agents
from tests.commands import Luban

__all__ = ["ask", "notes", "scores"]

ROOT = Path(__file__).resolve().parents[2]
ANSWERERS = '''
"""Agents that answer questions, in a package that is not Luban's."""

import pathlib, time


class Scribe:
    """Takes a moment for each question, longer if it is to be slow, and notes it; says A."""

    waits = True

    def __init__(self, briefing):
        self.briefing = briefing

    def answer(self, question):
        folder = pathlib.Path(self.briefing.argument)
        time.sleep(0.1 if (folder / "slow").exists() else 0.003)
        with (folder / "asked").open("a") as file:
            file.write(f"{question.text!r}\\\\n")
        return "<ANSWER> A </ANSWER>"


class Onlooker:
    """Says what it was shown."""

    def __init__(self, briefing):
        pass

    def answer(self, question):
        seen = [(v.name, v.width, v.format, v.data[:4].hex()) for v in question.pictures]
        return f"{seen}\\\\n<ANSWER>B</ANSWER>"


class Slipping:
    """Has a fault, as long as there is a banana skin; else it answers something odd."""

    def __init__(self, briefing):
        self.folder = pathlib.Path(briefing.argument)

    def answer(self, question):
        if (self.folder / "banana").exists():
            raise RuntimeError("slipped")
        return 7 if (self.folder / "seven").exists() else "\\\\ud800 ANSWER: C"


class Doubter:
    """Does not know."""

    def __init__(self, briefing):
        pass

    def answer(self, question):
        return "I don't know."


class Player:
    """Plays, but does not answer."""

    def __init__(self, briefing):
        pass

    def act(self, observation):
        raise AssertionError


def nothing(briefing):
    """Makes no agent."""
'''.replace("\\\\", "\\")


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which agents of another package note what they do."""
    from bridge.agents import registry

    site, folder = tmp_path / "site", tmp_path / "notes"
    site.mkdir()
    folder.mkdir()
    install_agents(
        site, "answering_agents", ANSWERERS, ("Scribe", "Onlooker", "Slipping", "Doubter", "Player")
    )
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), str(ROOT)]))
    registry.discover_agents.cache_clear()
    yield folder
    registry.discover_agents.cache_clear()


def ask(luban: Luban, *options: object) -> dict[str, Any]:
    document: dict[str, Any] = luban("eval", "cube-bench", *options, "--json").json()
    return document


def scores(document: Mapping[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    return {(part["variant"], part["depth"]): part["scores"] for part in document["parts"]}

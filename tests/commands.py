"""Running commands in this process, which is quicker than in one of their own."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from bridge.cli import main
from tests.agents.strangers import install_strangers


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str

    def json(self) -> Any:
        """What a command with --json printed: one JSON value on stdout and nothing else."""
        assert self.status == 0, self.err
        return json.loads(self.out)

    def complaint(self, *, of_former: bool = False) -> str:
        """The one line of an error, after a notice if the command has former spellings."""
        assert self.status == 1
        assert self.out == ""
        lines = self.err.splitlines()
        if of_former and lines[0].endswith("the next version refuses former spellings"):
            del lines[0]
        assert len(lines) == 1, self.err
        assert lines[0].startswith("luban: ")
        return lines[0]


ROOT = Path(__file__).resolve().parents[1]
Luban = Callable[..., Result]


def call(*arguments: object) -> None:
    """Run a command that has to succeed, for fixtures that have nothing to do with its output."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["luban", *map(str, arguments)])
        try:
            main()
        except SystemExit as stop:
            assert not stop.code


@pytest.fixture
def luban(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Luban:
    """Runs the command ``luban`` in an empty folder; ``stdin`` is what a person types."""

    def run(*arguments: object, stdin: str = "") -> Result:
        monkeypatch.setattr(sys, "argv", ["luban", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", StringIO(stdin))
        capfd.readouterr()
        try:
            main()
            status = 0
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 0
        return Result(status, *capfd.readouterr())

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRPC_VERBOSITY", "NONE")
    monkeypatch.setenv("COLUMNS", "80")
    return run


@pytest.fixture
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which agents of another package note what they do."""
    from bridge.agents import registry

    site, notes = tmp_path / "site", tmp_path / "notes"
    site.mkdir()
    notes.mkdir()
    install_strangers(site)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), str(ROOT)]))
    registry.discover_agents.cache_clear()
    yield notes
    registry.discover_agents.cache_clear()

"""``luban solve`` of puzzles whose shortest solutions another package finds."""

from pathlib import Path

import pytest

from tests.commands import Luban

SOURCE = '''
from pysim.errors import InputError
from pysim.shortest import Searched


class Ladders:
    """Rungs, each written as a ``%``: as many steps as there are lead down."""

    family, metrics, units = "ladders", ("steps",), ("steps",)

    def read(self, text):
        if not text.startswith("%"):
            return None
        if set(text) != {"%"}:
            raise InputError("a ladder has rungs only")
        return text

    def of(self, puzzle):
        raise AssertionError("no level is a ladder")

    def prepare(self, puzzle, metric, progress):
        pass

    def search(self, puzzle, metric, *, everything):
        yield Searched(len(puzzle), len(puzzle), 0, 1.0, ("down " * len(puzzle),), over=True)


SHORTEST = Ladders()
'''


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a package lies that solves ladders."""
    (tmp_path / "laddered.py").write_text(SOURCE)
    info = tmp_path / "laddered-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: laddered\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[luban.solvers]\nladders = laddered:SHORTEST\n")
    monkeypatch.syspath_prepend(tmp_path)
    return info


@pytest.mark.usefixtures("offered")
def test_a_text_goes_to_the_package_that_can_read_it(luban: Luban) -> None:
    found = luban("solve", "%%%", "--json").json()
    assert (found["metric"], found["at_least"], found["finished"]) == ("steps", 3, True)
    assert luban("solve", "R U F", "--json").json()["metric"] == "htm"
    assert "rungs only" in luban("solve", "%x").complaint()
    assert "there is no level" in luban("solve", "ladder").complaint()


def test_what_finds_nothing_is_refused_with_its_name(luban: Luban, offered: Path) -> None:
    (offered / "entry_points.txt").write_text("[luban.solvers]\nladders = laddered:SOURCE\n")
    assert "ladders" in luban("solve", "%%%").complaint()

"""Designs: which family a file or a level belongs to, and what other packages add."""

from pathlib import Path

import pytest

from bridge.cli.errors import CommandError
from bridge.cli.handlers.designs import find_designs
from pysim.catalog import discover_families
from pysim.families.burr.files.xmpuzzle import write_xmpuzzle
from pysim.families.burr.sixpiece import make_six_piece_design
from tests.commands import Luban

SOURCE = '''
from collections import Counter

from pysim.designs import DesignError, Solved


class Knots:
    """A design of another package: each ``o`` in the file is an assembly, the last comes apart."""

    family, reads, writes, goals = "knots", (".knot",), ".knot", ("untie",)
    problems = ("",)

    def read(self, path):
        self.text = path.read_text()
        if set(self.text) - {"o"}:
            raise DesignError("this is no knot")
        return self

    def search(self, problem, *, everything, rotations):
        return self

    def __iter__(self):
        count = len(self.text)
        return ((i, int(i == count)) for i in range(1, count + 1))

    def found(self):
        return Solved(len(self.text), len(self.text), 1, Counter(["4.2"]))


DESIGNS = Knots()
'''


@pytest.fixture
def knots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that reads ``.knot`` files."""
    (tmp_path / "knotted.py").write_text(SOURCE)
    info = tmp_path / "knotted-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: knotted\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[luban.designs]\nknots = knotted:DESIGNS\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize("level", ["packing-soma", "jigsaw-easy-1"])
def test_a_level_of_a_family_without_designs_is_refused_in_one_line(
    luban: Luban, level: str
) -> None:
    complaint = luban("export", level, "--out", "x.xmpuzzle").complaint()
    assert complaint.startswith("luban: the family ") and "has no designs" in complaint
    assert not Path("x.xmpuzzle").exists()


def test_designs_have_the_name_of_their_family() -> None:
    with_designs = []
    for name in discover_families():
        try:
            assert find_designs(name).family == name
            with_designs.append(name)
        except CommandError:
            continue
    assert with_designs == ["burr"]


@pytest.mark.usefixtures("knots")
def test_a_file_goes_to_the_package_that_reads_its_like(luban: Luban) -> None:
    Path("x.knot").write_text("ooo")
    assert luban("solve", "x.knot").out == "3 assemblies, 1 solutions\n     1 x 4.2\n"
    assert luban("solve", "x.knot", "--json").json()["levels"] == {"4.2": 1}
    Path("y.knot").write_text("no knot")
    assert luban("solve", "y.knot").complaint() == "luban: y.knot: this is no knot"


@pytest.mark.usefixtures("knots")
def test_a_file_of_a_name_that_nobody_reads_is_what_its_content_says(luban: Luban) -> None:
    Path("x.txt").write_text("ooo")
    assert luban("solve", "x.txt").out.startswith("3 assemblies")
    Path("y.txt").write_bytes(write_xmpuzzle(make_six_piece_design((1, 256, 824, 928, 975, 1024))))
    assert luban("solve", "y.txt").out.startswith("a solution of level 1")
    Path("z.txt").write_text("neither")
    assert "X Y Z" in luban("solve", "z.txt").complaint()
    assert "nothing.txt" in luban("solve", "nothing.txt").complaint()

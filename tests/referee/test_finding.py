"""Which referee judges a level: the one that is called as its family is."""

import json
from importlib import import_module
from pathlib import Path

import pytest

from bridge.episode.engines import LOCAL
from bridge.verifying.checker import Depth, check_content
from bridge.verifying.referees import find_prover, find_referee
from pysim.catalog import discover_families

SOURCE = """
from bridge.referee.findings import JudgementBuilder


def judge(document, *, deep=False):
    builder = JudgementBuilder()
    builder.decide("beauty", deep, "it is plain")
    return builder.build()


def proof_of(document):
    return {"level": document["id"]}
"""


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that judges the family ``strange``."""
    (tmp_path / "strange_referee.py").write_text(SOURCE)
    info = tmp_path / "strange_referee-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: strange-referee\nVersion: 1\n")
    groups = {"luban.referees": "judge", "luban.proofs": "proof_of"}
    lines = [f"[{group}]\nstrange = strange_referee:{name}" for group, name in groups.items()]
    (info / "entry_points.txt").write_text("\n".join([*lines, ""]))
    monkeypatch.syspath_prepend(tmp_path)


def test_every_family_that_ships_has_a_referee() -> None:
    own = {name: import_module(f"bridge.referee.{name}").judge for name in discover_families()}
    assert {name: find_referee(name) for name in discover_families()} == own
    assert [name for name in discover_families() if find_prover(name) is not None] == ["burr"]


@pytest.mark.parametrize("name", ["films", "documents", "findings", "nothing", "", ".burr"])
def test_what_is_no_family_has_none(name: str) -> None:
    assert find_referee(name) is None and find_prover(name) is None


@pytest.mark.usefixtures("stranger")
def test_another_package_brings_the_referee_of_its_family() -> None:
    judge, prove = find_referee("strange"), find_prover("strange")
    assert judge is not None and prove is not None
    assert judge({}, deep=True).confirmed == ("beauty",)
    assert [finding.found for finding in judge({}).false] == ["it is plain"]
    assert prove({"id": "x"}) == {"level": "x"}


def test_a_level_without_a_referee_is_played_and_otherwise_undecided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge.referee.__path__", [str(tmp_path)])
    path = Path("assets/burr/burr-half-lap.json")
    found = check_content(str(path), path.read_bytes(), Depth(films=False), LOCAL)
    assert found.level == json.loads(path.read_text())["id"]
    assert found.confirmed == ("document", "hash", "plan in lattice")
    assert [finding.claim for finding in found.undecided] == ["referee"]
    assert not found.false

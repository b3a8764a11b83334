"""``luban demo``, also where there is no PyBullet."""

import json
import os
import sys
from pathlib import Path

import pytest

from pysim.errors import describe_missing_pybullet
from pysim.physics.factory import explain_unavailable, list_worlds
from tests.commands import ROOT, Luban

BEST = "bullet" if not explain_unavailable("bullet") else "lattice"


@pytest.fixture
def no_pybullet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither this process nor those that it starts can import PyBullet."""
    site = tmp_path / "site"
    site.mkdir()
    site.joinpath("pybullet.py").write_text("raise ImportError('not here')\n")
    monkeypatch.setitem(sys.modules, "pybullet", None)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), str(ROOT)]))


@pytest.mark.slow
def test_the_demo_makes_no_videos_if_told_so(luban: Luban) -> None:
    episodes = luban("demo", "--video", "none", "--json").json()["episodes"]
    assert [episode["level"] for episode in episodes] == ["burr-chinese-cross", "burr-piston"]
    for episode in episodes:
        assert (episode["outcome"], episode["disagreements"]) == ("SOLVED", 0)
        assert (episode["world"], episode["video"]) == (BEST, None)
        folder = Path(episode["log"]).parent
        assert {path.name for path in folder.iterdir()} == {"episode.jsonl", "views.png"}


@pytest.mark.usefixtures("no_pybullet")
def test_without_pybullet_the_demo_plays_on_the_lattice_and_says_so(luban: Luban) -> None:
    result = luban("demo", "--renderer", "tiny", "--json")
    for episode in result.json()["episodes"]:
        assert (episode["outcome"], episode["world"]) == ("SOLVED", "lattice")
        assert episode["video"] is None
    assert f"warning: {describe_missing_pybullet()}. This server makes no pictures." in result.err
    first, second = (line for line in result.err.splitlines() if line.startswith("note: "))
    assert describe_missing_pybullet() in first and first.endswith("Playing in the world lattice.")
    assert describe_missing_pybullet() in second and second.endswith("without pictures and video.")


@pytest.mark.usefixtures("no_pybullet")
def test_without_pybullet_the_physical_world_says_what_to_do(luban: Luban) -> None:
    complaint = luban("play", "burr-piston", "--world", "bullet", "--video", "none").complaint()
    assert complaint == f"luban: there is no world bullet here; {describe_missing_pybullet()}"
    log = luban(
        "play", "burr-three-bars", "--video", "none", "--observation", "state", "--json"
    ).json()["log"]
    lines = Path(log).read_text().splitlines()
    header = json.loads(lines[0])
    header["world"] |= {"name": "bullet"}
    Path(log).write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    assert luban("replay", log).complaint() == complaint


@pytest.mark.usefixtures("no_pybullet")
def test_without_pybullet_the_doctor_finds_luban_well_but_limited(luban: Luban) -> None:
    findings = {found["part"]: found for found in luban("doctor", "--json").json()["findings"]}
    assert findings["pybullet"]["health"] == "limited"
    assert findings["pybullet"]["advice"] == describe_missing_pybullet()


@pytest.mark.usefixtures("no_pybullet")
def test_only_the_physical_world_needs_pybullet() -> None:
    assert [name for name in list_worlds() if explain_unavailable(name)] == ["bullet"]


def test_what_to_do_about_pybullet_depends_on_the_python() -> None:
    assert describe_missing_pybullet((3, 11)).startswith("PyBullet is not installed: pip install")
    assert "not for 3.13: use that, or compile it" in describe_missing_pybullet((3, 13))

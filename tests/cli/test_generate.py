"""``luban generate``: batches from the command line."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from bridge.generating.folder import TIMINGS
from bridge.operations.generation import GenerationRequest, find_generator, generate_levels
from pysim.catalog import read_level
from pysim.errors import MissingPackage
from pysim.manifests import list_family_manifests
from pysim.puzzle import Tier
from pysim.render.palette import COLOURS
from tests.cli.test_processes import luban as started
from tests.commands import Luban
from tests.rpc.playing import wait_for
from tests.waiting import PATIENCE

BOXES = ("generate", "burr", "--kind", "cube", "--level", "2", "--seed", "3")
ALONE = ("--workers", "1")
"""A process less, where their number is not the point."""


def files(folder: Path) -> dict[str, bytes]:
    """The files of a batch, but for what differs from run to run."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != TIMINGS}


def test_generate_makes_levels_that_can_be_played(luban: Luban, tmp_path: Path) -> None:
    told = luban(*BOXES, *ALONE, "--count", "2", "--out", "mine", "--json").json()
    assert told["out"] == "mine" and len(told["levels"]) == 2
    assert sum(told["rejected"].values()) == told["attempts"] - 2
    for name in told["levels"]:
        level = read_level(tmp_path / "mine" / f"{name}.json")
        assert (level.id, level.source.seed) == (name, 3)
        assert level.source.generator == "burr/cube 1"
        assert level.source.reference.startswith("luban generate burr --kind cube --pieces 3")
        assert {"pieces", "level", "assemblies", "solutions", "legal_moves"} <= set(level.facts)
        picture = (tmp_path / "mine" / f"{name}.png").read_bytes()
        assert picture.startswith(b"\x89PNG")
    path = f"mine/{told['levels'][0]}.json"
    played = luban("play", path, "--observation", "state", "--video", "none", "--json").json()
    assert played["outcome"] == "SOLVED" and played["steps"] == played["plan"]


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(luban: Luban, tmp_path: Path) -> None:
    for workers in (1, 2):
        out = ("--out", str(workers), "--workers", workers, "--count", "3")
        assert luban(*BOXES, *out).status == 0
    assert files(tmp_path / "1") == files(tmp_path / "2")


@pytest.mark.slow
def test_a_killed_batch_goes_on_where_it_was(luban: Luban, tmp_path: Path) -> None:
    arguments = (*BOXES, "--count", "4")
    with started(tmp_path, *arguments, *ALONE, "--out", "killed") as process:
        wait_for(lambda: list(tmp_path.glob("killed/burr-*.json")) or None)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert luban(*arguments, "--out", "killed", "--workers", "2").status == 0
    assert luban(*arguments, *ALONE, "--out", "whole").status == 0
    assert files(tmp_path / "killed") == files(tmp_path / "whole")


def test_ctrl_c_says_what_is_there_and_leaves_no_process(tmp_path: Path) -> None:
    with started(tmp_path, *BOXES, "--count", "5000", "--out", "mine", "--json") as process:
        wait_for(lambda: list(tmp_path.glob("mine/burr-*.json")) or None)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "")
    told = json.loads(out)
    assert told["interrupted"] is True and told["levels"]
    summary = json.loads((tmp_path / "mine" / "summary.json").read_text())
    assert [entry["id"] for entry in summary["levels"]] == told["levels"]
    written = {path.stem for path in (tmp_path / "mine").glob("burr-*.json")}
    assert written == set(told["levels"])
    assert not list((tmp_path / "mine").glob(".*"))


def test_generate_tells_people_what_came_of_it(luban: Luban) -> None:
    words = ("--kind", "rods", "--pieces", "3", "--level", "50", "--attempts", "2")
    result = luban("generate", "burr", *words, *ALONE, "--out", "none")
    assert result.status == 1
    assert result.out.splitlines() == [
        "none: 2 attempts, 0 levels, best level so far 2",
        "       2 x level too low",
    ]
    assert result.err.splitlines() == [
        "luban: 1 of 1 levels are missing: allow more --attempts, or ask for a lower --level or a "
        "longer --climb; the best attempt reached 2",
    ]


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ("jigsaw --tier hard --attempts 2", "--no-whole"),
        ("packing --tier medium --size 2x2x2 --attempts 2", "a larger --size"),
        ("packing --tier easy --size 2x2x2 --attempts 9", "a larger --size: few puzzles are so"),
        ("portal --difficulty 1 --seed 13 --attempts 2", "another --seed or a lower --difficulty"),
        ("rubik --moves 1 --attempts 40", "more --moves: few cubes are so near home"),
    ],
)
def test_generate_that_finds_too_little_reports_the_option_to_change(
    luban: Luban, options: str, advice: str
) -> None:
    result = luban("generate", *options.split(), *ALONE, "--count", "20", "--out", "few")
    assert result.status == 1
    assert f"allow more --attempts, or ask for {advice}" in result.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--kind", "ring"], "one of six-piece, board, cube, rods, not 'ring'"),
        (["--kind", "cube", "--size", "big"], "as in 6 or 4x4x5, not 'big'"),
        (["--kind", "cube", "--size", "4x"], "as in 6 or 4x4x5"),
        (["--kind", "cube", "--size", "99999"], "as in 6 or 4x4x5"),
        (["--kind", "cube", "--pieces", "13"], "2 to 12 pieces, not 13"),
        (["--kind", "cube", "--level", "0"], "1 to 1,000, not 0"),
        (["--kind", "cube", "--seed", "-1"], "0 or more, not -1"),
        (["--kind", "rods", "--sequential"], "goes with the kind cube"),
        (["--kind", "six-piece", "--size", "7"], "even length"),
        (["--kind", "cube", "--renderer", "crayons"], "is no renderer"),
    ],
)
def test_what_can_not_be_made_is_refused_in_one_line(
    luban: Luban, tmp_path: Path, options: list[str], complaint: str
) -> None:
    assert complaint in luban("generate", "burr", *options, "--out", "mine").complaint()
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    "options",
    [
        ["--tier", "easy"],
        ["--kind", "cube"],
        ["--kind", "cube", "--out", "mine", "--count", "0"],
        ["--kind", "cube", "--out", "mine", "--workers", "0"],
        ["--kind", "cube", "--out", "mine", "--attempts", "-1"],
        ["--kind", "cube", "--out", "mine", "--pieces", "-1"],
    ],
)
def test_wrong_options_exit_with_2(luban: Luban, options: list[str]) -> None:
    result = luban("generate", "burr", *options)
    assert (result.status, result.out) == (2, "")


def test_folders_of_others_are_refused(luban: Luban, tmp_path: Path) -> None:
    assert luban(*BOXES, *ALONE, "--out", "mine").status == 0
    before = files(tmp_path / "mine")
    other = luban(*BOXES[:-1], "4", "--out", "mine").complaint()
    assert "mine holds levels made with seed 3; choose another folder" in other
    assert files(tmp_path / "mine") == before
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("")
    assert "is not empty" in luban(*BOXES, "--out", "full").complaint()


def test_generate_has_help_for_what_can_be_made(luban: Luban) -> None:
    assert " burr " in luban("generate", "--help").out
    assert "--json" in luban("generate", "burr", "--help").out


@pytest.mark.parametrize("family", [n for n, m in list_family_manifests().items() if m.generator])
def test_a_missing_compiler_is_told_before_a_folder_is_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, family: str
) -> None:
    plugin = find_generator(family)
    (options, *_) = plugin.ladder[Tier.EASY].options
    monkeypatch.setitem(sys.modules, "numba", None)
    if not plugin.extras:  # It makes levels without.
        assert plugin.make(options, 0, COLOURS).attempt(0)
        return
    with pytest.raises(MissingPackage, match=r"new levels need numba: pip install 'luban\[solve"):
        generate_levels(plugin, options, GenerationRequest(out=tmp_path / "out"))
    assert not (tmp_path / "out").exists()

"""``luban generate packing`` from the command line."""

import json
import os
import signal
from pathlib import Path

import pytest

from pysim.catalog import read_level
from tests.cli.test_generate import ALONE, files
from tests.cli.test_processes import luban as started
from tests.commands import Luban
from tests.needs import needs_pybullet
from tests.rpc.playing import wait_for
from tests.waiting import PATIENCE

BOXES = ("generate", "packing", "--size", "2x3x3", "--tier", "medium", "--seed", "3")
as_of_locks = pytest.mark.slow
"""Batches are made alike whoever generates; by day those of locks show how they are resumed."""
FORMERLY = ("generate", "packing", "--size", "2x3x3", "--mode", "mid", "--seed", "3")
"""The same, as levels name the command."""


@needs_pybullet
def test_boxes_are_made_that_can_be_played(luban: Luban, tmp_path: Path) -> None:
    told = luban(*BOXES, *ALONE, "--count", "2", "--out", "mine", "--json").json()
    assert len(told["levels"]) == 2
    for name in told["levels"]:
        level = read_level(tmp_path / "mine" / f"{name}.json")
        assert (level.family, level.source.generator) == ("packing", "packing/mid 2")
        assert level.source.reference.startswith(" ".join(("luban", *FORMERLY)))
        assert {"nodes_per_solution", "solutions", "signature"} <= set(level.facts)
        assert (tmp_path / "mine" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    path = f"mine/{told['levels'][0]}.json"
    played = luban(
        "play", path, "--observation", "state", "--video", "none", "--world", "bullet", "--json"
    )
    assert played.json()["outcome"] == "SOLVED" and played.json()["disagreements"] == 0


@as_of_locks
def test_the_number_of_workers_changes_nothing(luban: Luban, tmp_path: Path) -> None:
    for workers in (1, 2):
        out = ("--out", str(workers), "--workers", workers, "--count", "4")
        assert luban(*BOXES, *out).status == 0
    assert files(tmp_path / "1") == files(tmp_path / "2")


def test_the_command_that_levels_name_makes_them_again(luban: Luban, tmp_path: Path) -> None:
    for out, command in (("now", BOXES), ("then", FORMERLY)):
        assert luban(*command, *ALONE, "--out", out).status == 0
    assert files(tmp_path / "now") == files(tmp_path / "then")
    told = luban("generate", "packing", "--help").out
    assert "--tier" in told and "--mode" not in told


@as_of_locks
def test_a_killed_batch_goes_on_where_it_was(luban: Luban, tmp_path: Path) -> None:
    with started(tmp_path, *BOXES, "--count", "400", "--out", "killed") as process:
        wait_for(lambda: list(tmp_path.glob("killed/packing*.json")) or None)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    there = len(json.loads((tmp_path / "killed" / "summary.json").read_text())["levels"])
    count = ("--count", str(there + 2))
    assert luban(*BOXES, *count, "--out", "killed", "--workers", "2").status == 0
    assert luban(*BOXES, *count, "--out", "whole").status == 0
    assert files(tmp_path / "killed") == files(tmp_path / "whole")


@pytest.mark.slow
def test_two_processes_with_one_registry_never_make_the_same_puzzle(tmp_path: Path) -> None:
    arguments = (*BOXES, *ALONE, "--count", "4", "--attempts", "60", "--registry", "shared")
    with (
        started(tmp_path, *arguments, "--out", "one") as one,
        started(tmp_path, *arguments, "--out", "other") as other,
    ):
        assert [process.wait(PATIENCE) for process in (one, other)] == [0, 0]
    keys = [
        entry["key"]
        for out in ("one", "other")
        for entry in json.loads((tmp_path / out / "summary.json").read_text())["levels"]
    ]
    assert len(keys) == len(set(keys)) == 8


@as_of_locks
def test_two_processes_do_not_share_one_folder(tmp_path: Path, luban: Luban) -> None:
    with started(tmp_path, *BOXES, "--count", "5000", "--out", "mine"):
        wait_for(lambda: list(tmp_path.glob("mine/packing*.json")) or None)
        assert "another run is at work in mine" in luban(*BOXES, "--out", "mine").complaint()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--size", "0x3x3"], "1 to 8 cells, unlike 0x3x3"),
        (["--size", "-2x3x3"], "1 to 8 cells, unlike -2x3x3"),
        (["--size", "1x1x1"], "4 to 128 cells; 1x1x1 has 1"),
        (["--size", "20x20x20"], "1 to 8 cells, unlike 20x20x20"),
        (["--size", "3x3"], "written as in 3x3x4, not '3x3'"),
        (["--size", "big"], "written as in 3x3x4, not 'big'"),
        (["--size", "3x3x4x"], "written as in 3x3x4"),
        (["--tier", "brutal"], "--tier is one of easy, medium, hard, expert, not 'brutal'"),
    ],
)
def test_what_can_not_be_made_is_refused_in_one_line(
    luban: Luban, tmp_path: Path, options: list[str], complaint: str
) -> None:
    defaults = {"--size": "2x2x3", "--out": "mine", "--tier": "easy"}
    defaults[options[0]] = options[1]
    words = [word for pair in defaults.items() for word in pair]
    assert complaint in luban("generate", "packing", *words).complaint()
    assert not (tmp_path / "mine").exists()


def test_a_box_of_which_nothing_comes_tells_why(luban: Luban) -> None:
    words = ("--size", "1x2x2", "--tier", "hard", "--attempts", "2", "--out", "none", "--json")
    result = luban("generate", "packing", *words)
    told = json.loads(result.out)
    assert told["levels"] == [] and sum(told["rejected"].values()) == 2
    assert result.status == 1 and result.err.startswith("luban: 1 of 1 levels are missing")

"""The command line with a player: play, replay, doctor, and luban-player itself."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.sampling import by_day
from tests.unity.standins import ROOT
from tests.waiting import PATIENCE

CROSS = "burr-chinese-cross"


def run(*arguments: str | Path, module: str = "bridge.cli", **env: str) -> Any:
    command = [sys.executable, "-m", module, *map(str, arguments)]
    paths = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
    return subprocess.run(
        command, env=paths | env, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )


def output(*arguments: str | Path, **env: str) -> Any:
    done = run(*arguments, "--json", **env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_level_is_played_drawn_and_replayed_in_a_player(player: Path, tmp_path: Path) -> None:
    options = ["--unity-player", player]
    played = output("play", CROSS, "--world", "unity", "--video", "none", "--image-size", "64",
                    "--renderer", "unity", "--runs", tmp_path, *options)  # fmt: skip
    assert (played["world"], played["outcome"], played["disagreements"]) == ("unity", "SOLVED", 0)
    again = output("replay", played["log"], LUBAN_UNITY_PLAYER=str(player))
    assert again["state_hash"] == played["state_hash"]


@pytest.mark.by_day(1)
@pytest.mark.parametrize("option", ["--world", "--renderer"])
def test_unity_without_a_player_says_how_to_name_one(option: str, tmp_path: Path) -> None:
    done = run("play", CROSS, option, "unity", "--runs", tmp_path)
    assert done.returncode == 1 and "--unity-player PATH" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_player_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    done = run("play", CROSS, "--world", "unity", "--unity-player", "/no/such", "--runs", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("luban: there is no player '/no/such'")


def test_the_doctor_knows_every_part_and_starts_the_player(player: Path) -> None:
    report = output("doctor", "--unity-player", player)
    parts = {finding["part"]: finding for finding in report["findings"]}
    assert report["healthy"]
    assert {"python", "pybullet", "av", "egl", "mlagents-envs", "unity", "mono"} <= set(parts)
    assert parts["unity"]["health"] == "ok" and "Luban stand-in" in parts["unity"]["found"]


def test_the_doctor_says_what_to_do_about_what_is_missing() -> None:
    for env in ({}, {"LUBAN_UNITY_PLAYER": "/no/such"}):
        report = output("doctor", **env)
        for finding in report["findings"]:
            assert finding["health"] == "ok" or finding["advice"], finding
        (unity,) = [f for f in report["findings"] if f["part"] == "unity"]
        assert unity["health"] == "missing" and not unity["required"]
    assert "/no/such" in unity["found"]
    done = run("doctor")
    assert done.returncode == 0 and "mlagents-envs" in done.stdout


def test_the_player_explains_itself() -> None:
    done = run("--help", module="bridge.unity.reference_player")
    assert done.returncode == 0
    for word in ("--mlagents-port", "--world", "-nographics", "--fault", "oversized"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--world", "narnia"], "narnia"),
        (["--fault", "boredom"], "boredom"),
        (["--mlagents-port", "x"], "x"),
    ],
)
def test_the_player_refuses_options_without_sense(options: list[str], word: str) -> None:
    done = run(*options, module="bridge.unity.reference_player")
    assert done.returncode != 0
    assert word in done.stderr.splitlines()[-1] and "Traceback" not in done.stderr


@pytest.mark.parametrize("workers", by_day([2, 1]))
def test_a_suite_is_played_in_players(player: Path, tmp_path: Path, workers: int) -> None:
    run_folder = tmp_path / "run"
    options = ["--observation", "state", "--out", run_folder, "--workers", str(workers)]
    unity = ["--world", "unity", "--unity-player", player]
    report = output("eval", f"{CROSS},burr-piston", *options, *unity)
    results = [
        json.loads(path.read_text().splitlines()[0])
        for path in sorted(run_folder.rglob("episode.jsonl"))
    ]
    assert len(results) == 2 and report["disagreements"] == 0
    assert all("stand-in" in json.dumps(head) for head in results)

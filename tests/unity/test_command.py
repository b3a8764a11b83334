"""The command line with a player: play, replay, doctor, and luban-player itself."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.unity.reference_player.command import main
from tests.commands import Luban, Result
from tests.sampling import by_day

CROSS = "burr-chinese-cross"


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the person who runs the tests names a player."""
    monkeypatch.setenv("HOME", "/nonexistent")
    monkeypatch.delenv("LUBAN_UNITY_PLAYER", raising=False)


@pytest.fixture
def run_player(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Result]:
    """Runs ``luban-player`` with arguments with which it does not play."""

    def run(*arguments: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["luban-player", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        return Result(int(stop.value.code or 0), *capsys.readouterr())

    return run


def test_a_level_is_played_drawn_and_replayed_in_a_player(
    luban: Luban, player: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--unity-player", player]
    played = luban(
        "play",
        CROSS,
        "--world",
        "unity",
        "--video",
        "none",
        "--image-size",
        "64",
        "--renderer",
        "unity",
        "--runs",
        tmp_path,
        *options,
        "--json",
    ).json()
    assert (played["world"], played["outcome"], played["disagreements"]) == ("unity", "SOLVED", 0)
    monkeypatch.setenv("LUBAN_UNITY_PLAYER", str(player))
    again = luban("replay", played["log"], "--json").json()
    assert again["state_hash"] == played["state_hash"]


@pytest.mark.by_day(1)
@pytest.mark.parametrize("option", ["--world", "--renderer"])
def test_unity_without_a_player_says_how_to_name_one(luban: Luban, option: str) -> None:
    assert "--unity-player PATH" in luban("play", CROSS, option, "unity").complaint()


def test_a_player_that_is_not_there_is_one_clear_line(luban: Luban) -> None:
    done = luban("play", CROSS, "--world", "unity", "--unity-player", "/no/such")
    assert done.complaint().startswith("luban: there is no player '/no/such'")


def test_the_doctor_knows_every_part_and_starts_the_player(luban: Luban, player: Path) -> None:
    report = luban("doctor", "--unity-player", player, "--json").json()
    parts = {finding["part"]: finding for finding in report["findings"]}
    assert report["healthy"]
    assert {"python", "pybullet", "av", "egl", "mlagents-envs", "unity", "mono"} <= set(parts)
    assert parts["unity"]["health"] == "ok" and "Luban stand-in" in parts["unity"]["found"]


def test_the_doctor_says_what_to_do_about_what_is_missing(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    for env in ({}, {"LUBAN_UNITY_PLAYER": "/no/such"}):
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        report = luban("doctor", "--json").json()
        for finding in report["findings"]:
            assert finding["health"] == "ok" or finding["advice"], finding
        (unity,) = [f for f in report["findings"] if f["part"] == "unity"]
        assert unity["health"] == "missing" and not unity["required"]
    assert "/no/such" in unity["found"]
    done = luban("doctor")
    assert done.status == 0 and "mlagents-envs" in done.out


def test_the_player_explains_itself(run_player: Callable[..., Result]) -> None:
    done = run_player("--help")
    assert done.status == 0
    for word in ("--mlagents-port", "--world", "-nographics", "--fault", "oversized"):
        assert word in done.out


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--world", "narnia"], "narnia"),
        (["--fault", "boredom"], "boredom"),
        (["--mlagents-port", "x"], "x"),
    ],
)
def test_the_player_refuses_options_without_sense(
    run_player: Callable[..., Result], options: list[str], word: str
) -> None:
    done = run_player(*options)
    assert done.status != 0
    assert word in done.err.splitlines()[-1] and "Traceback" not in done.err


@pytest.mark.parametrize("workers", by_day([2, 1]))
def test_a_suite_is_played_in_players(
    luban: Luban, player: Path, tmp_path: Path, workers: int
) -> None:
    run_folder = tmp_path / "run"
    options = ["--observation", "state", "--out", run_folder, "--workers", str(workers)]
    unity = ["--world", "unity", "--unity-player", player]
    report = luban("eval", f"{CROSS},burr-piston", *options, *unity, "--json").json()
    results = [
        json.loads(path.read_text().splitlines()[0])
        for path in sorted(run_folder.rglob("episode.jsonl"))
    ]
    assert len(results) == 2 and report["disagreements"] == 0
    assert all("stand-in" in json.dumps(head) for head in results)

"""The commands: luban eval in turns, and what luban report makes of it."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from bridge.benches.cubebench.bench import BENCH
from bridge.benches.cubebench.protocol import TurnProtocol, read_protocol
from bridge.benches.cubebench.sandbox.interpreter import SandboxError
from bridge.runs.folders import RunError
from bridge.runs.settings import RunSettings
from bridge.runs.store import RunFolder
from pysim.catalog import find_level
from tests.benches.cubebench.playing import level
from tests.commands import Luban

LEVELS = ",".join(level(depth).id for depth in (1, 2, 8))
TURNS = ["eval", LEVELS, "--workers", "1"]
PROTOCOL = asdict(TurnProtocol())


def test_the_oracle_without_code_needs_the_plan_and_no_more(luban: Luban, tmp_path: Path) -> None:
    found = luban(*TURNS, "--mode", "no-code", "--out", "run", "--json").json()
    assert (found["episodes"], found["solved"]) == (3, 3)
    plans = [plan for depth in (1, 2, 8) if (plan := level(depth).plan) is not None]
    short, long = (found["cubebench"]["full-symbolic"][h] for h in ("short", "long"))
    assert (short["pass_rate"], long["pass_rate"]) == (1.0, 1.0)
    assert short["moves"] == (len(plans[0]) + len(plans[1])) / 2
    assert long["ratio"] == len(plans[2]) / 8
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert results["cubebench"] == found["cubebench"]
    assert results["settings"]["protocol"]["setup"] == "basic"
    assert results["episodes"][0]["end"] == "solved"


def test_the_same_command_goes_on_and_another_protocol_is_refused(luban: Luban) -> None:
    run = [*TURNS, "--mode", "no-code", "--out", "run"]
    first = luban(*run, "--json").json()
    assert luban(*run, "--json").json() == first
    complaint = luban(*run, "--reward", "face", "--json").complaint()
    assert "reward was none, not face" in complaint
    assert "turns was 20, not 3" in luban(*run, "--turns", "3", "--json").complaint()
    other = luban("eval", LEVELS, "--out", "run", "--json").complaint()
    assert "mode was no-code, not interactive" in other


def test_the_table_in_a_terminal_has_a_line_for_each_setting(luban: Luban) -> None:
    out = luban(*TURNS, "--mode", "no-code", "--agent", "random", "--turns", "1").out
    assert "#MM" in out
    assert [
        line.split()[:3] for line in out.splitlines() if line.split()[:1] == ["full-symbolic"]
    ] == [
        ["full-symbolic", "short", "2"],
        ["full-symbolic", "long", "1"],
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--mode", "code", "--setup", "best"],
            "--setup is one of basic, standard-",
        ),
        (
            ["--mode", "code", "--reward", "gold"],
            "--reward is one of none, sticker, ",
        ),
        (["--mode", "code", "--sandbox", "none"], "--sandbox is one of strong, weak"),
        (["--mode", "code", "--seconds", "0"], "more than 0"),
        (["--mode", "code", "--turns", "0"], "from 1 to 1000"),
        (["--mode", "no-code", "--observation", "state"], "leave out --observation"),
        (["--mode", "no-code", "--feedback", "none"], "leave out --feedback"),
        (["--reward", "face"], "go with --mode code or no-code"),
        (["--mode", "coding"], "--mode is one of interactive, one-shot, code, no-code"),
    ],
)
def test_options_that_do_not_fit_are_told(arguments: list[str], words: str, luban: Luban) -> None:
    assert words in luban("eval", LEVELS, "--json", *arguments).complaint()


def test_only_cubes_are_played_in_turns(luban: Luban) -> None:
    complaint = luban("eval", "burr-three-bars", "--mode", "no-code", "--json").complaint()
    assert "--mode is one of interactive, one-shot, not 'no-code'" in complaint
    with pytest.raises(RunError, match=r"is for Rubik's cubes; burr-three-bars is none"):
        BENCH.check(
            RunSettings("x", (("x", "y"),), "oracle", mode="code", extras={"protocol": PROTOCOL}),
            [find_level("burr-three-bars")],
        )


def test_without_a_sandbox_nothing_is_played(
    luban: Luban, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(strength: object) -> None:
        raise SandboxError("no sandbox for code: this kernel has no Landlock")

    monkeypatch.setattr("bridge.benches.cubebench.bench.check_sandbox", refuse)
    complaint = luban(*TURNS, "--mode", "code", "--out", "run", "--json").complaint()
    assert "no Landlock" in complaint
    assert not (tmp_path / "run").exists()


def test_a_run_of_before_there_were_turns_is_still_read(luban: Luban, tmp_path: Path) -> None:
    luban("eval", level(1).id, "--observation", "state", "--out", "run", "--json").json()
    file = tmp_path / "run" / "run.json"
    document = json.loads(file.read_text())
    assert "protocol" not in document and document.pop("bench") == "cubebench"
    file.write_text(json.dumps(document))
    assert read_protocol(RunFolder.read(tmp_path / "run").settings) is None
    luban("eval", level(1).id, "--observation", "state", "--out", "run", "--json").json()


@pytest.mark.parametrize(
    "protocol", [{}, {"setup": "best"}, 7, {"setup": "basic", "reward": "none", "turns": "x"}]
)
def test_a_damaged_protocol_is_told(protocol: object, luban: Luban, tmp_path: Path) -> None:
    luban(*TURNS, "--mode", "no-code", "--out", "run", "--json").json()
    file = tmp_path / "run" / "run.json"
    document = json.loads(file.read_text())
    document["protocol"] = protocol
    file.write_text(json.dumps(document))
    again = luban(*TURNS, "--mode", "no-code", "--out", "run", "--json").complaint()
    assert "another run" in again or "damaged" in again
    assert "damaged" in luban("report", "run", "--out", "page.html", "--json").complaint()


def test_a_report_has_the_papers_tables(luban: Luban, tmp_path: Path) -> None:
    runs = {
        "code": ["--mode", "code"],
        "calls": ["--mode", "no-code"],
        "face": ["--mode", "no-code", "--reward", "face"],
        "ideal": ["--mode", "no-code", "--setup", "ideal-solver"],
    }
    for name, more in runs.items():
        luban(*TURNS, *more, "--out", name, "--json").json()
    luban("report", *runs, "--out", "report.html", "--pictures", 0, "--json").json()
    tables = {t["title"]: t for t in json.loads((tmp_path / "report.json").read_text())["tables"]}
    names = [name for name in tables if name.startswith("CubeBench")]
    assert names == [
        "CubeBench Table 2: basic agents",
        "CubeBench Table 2: MLP (policy gradient)",
        "CubeBench: number of moves",
        "CubeBench Table 3: rewards",
        "CubeBench Table 4: solvers",
        "CubeBench Table 5: move ratios of basic agents",
        "CubeBench Table 6: without code and with it",
        "CubeBench: Pass rate by depth",
        "CubeBench: #MR by depth",
    ]
    basic = tables["CubeBench Table 2: basic agents"]["rows"]
    assert [row[0] for row in basic] == ["code", "calls"]
    (policy,) = tables["CubeBench Table 2: MLP (policy gradient)"]["rows"]
    assert policy[1:] == ["0.83", "0.00", *["–"] * 6, "5.63", "400.00", *["–"] * 6]
    rewards = tables["CubeBench Table 3: rewards"]["rows"]
    assert [row[:5] for row in rewards] == [
        ["oracle", "no-code", "no reward", "1.00", "1.00"],
        ["oracle", "no-code", "face", "1.00", "1.00"],
    ]
    assert [row[2] for row in tables["CubeBench Table 4: solvers"]["rows"]] == [
        "basic",
        "ideal-solver",
    ]
    plans = [plan for depth in (1, 2) if (plan := level(depth).plan) is not None]
    ratio = f"{(len(plans[0]) / 1 + len(plans[1]) / 2) / 2:.2f}"
    assert tables["CubeBench Table 6: without code and with it"]["rows"] == [
        ["oracle", "1.00", ratio, "1.00", ratio]
    ]
    assert tables["CubeBench: Pass rate by depth"]["head"] == ["Run", "Setting", "1", "2", "8"]
    page = (tmp_path / "report.html").read_text()
    assert all(name in page for name in names)
    assert "CubeBench: pass rate by depth, full symbolic" in page
    assert "CubeBench: pass rate by depth, full visual" not in page


def test_a_report_of_other_levels_says_nothing_of_cubes(luban: Luban, tmp_path: Path) -> None:
    luban("eval", "burr-three-bars", "--observation", "state", "--out", "run", "--json").json()
    luban("report", "run", "--out", "report.html", "--pictures", 0, "--json").json()
    assert "CubeBench" not in (tmp_path / "report.html").read_text()


def test_levels_may_be_named_by_a_pattern(luban: Luban) -> None:
    pattern = "cubebench-d0[1-2]-*-full-symbolic"
    found = luban("eval", pattern, "--mode", "no-code", "--workers", "1", "--json").json()
    assert found["cubebench"]["full-symbolic"]["short"]["runs"] == 10
    assert luban("eval", "cubebench-d99-*", "--json").status == 1


@pytest.mark.slow
def test_of_an_episode_with_many_moves_the_report_shows_both_ends(
    luban: Luban, tmp_path: Path
) -> None:
    run = ["eval", level(8).id, "--mode", "no-code", "--agent", "first-legal", "--out", "run"]
    luban(*run, "--turns", "150", "--workers", "1", "--json").json()
    luban("report", "run", "--out", "report.html", "--pictures", 0, "--json").json()
    page = (tmp_path / "report.html").read_text()
    # Of the 20 moves of each turn the first six and the last six.
    assert page.count('<td class="text">make_move F</td>') == 150 * 12
    assert page.count("8 steps are left out; the log has them") == 150

"""``luban.evaluate``, ``generate``, ``verify`` and ``score_videos`` do what the commands do."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import luban
from tests.commands import ROOT, Luban
from tests.needs import needs_pybullet

LEVELS = "burr-half-lap,burr-three-bars"


@pytest.fixture(name="luban_command")
def fixture_luban_command(request: pytest.FixtureRequest) -> Luban:
    """Give the command; ``luban`` is the package here."""
    command: Luban = request.getfixturevalue("luban")
    return command


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run_files(folder: Path) -> dict[str, Any]:
    results = json.loads((folder / "results.json").read_text())
    return {"score": results["score"], "settings": json.loads((folder / "run.json").read_text())}


def test_evaluate_levels_gives_the_run_of_the_command(luban_command: Luban) -> None:
    seen: list[tuple[int, int]] = []
    found = luban.evaluate(
        LEVELS,
        "noisy-oracle:0.3",
        observation="state",
        k=2,
        seed=5,
        workers=1,
        out="here",
        progress=lambda done, total: seen.append((done, total)),
    )
    told = luban_command(
        "eval", LEVELS, "--agent", "noisy-oracle:0.3", "--observation", "state", "--k", 2,
        "--seed", 5, "--workers", 1, "--out", "there", "--json",
    ).json()  # fmt: skip
    assert run_files(Path("here")) == run_files(Path("there"))
    assert found.score is not None and found.items is None
    assert (found.score.episodes, found.score.solved) == (told["episodes"], told["solved"])
    assert (found.bench, found.suite, found.out) == ("chain", LEVELS, Path("here"))
    assert len(found.episodes) == 4 and seen == [(n, 4) for n in (1, 2, 3, 4)]


def test_evaluate_resumes_a_run_of_the_command(luban_command: Luban) -> None:
    run = ("eval", LEVELS, "--observation", "state", "--workers", 1, "--out", "run")
    assert luban_command(*run).status == 0
    before = sorted(Path("run").rglob("episode.jsonl"))
    times = [path.stat().st_mtime_ns for path in before]
    found = luban.evaluate(LEVELS, observation="state", out="run")
    assert len(found.episodes) == 2
    assert [path.stat().st_mtime_ns for path in before] == times


def test_evaluate_items_gives_the_results_of_the_command(luban_command: Luban) -> None:
    found = luban.evaluate("mcube-easy", "random", n=6, observation="text", seed=2, out="here")
    luban_command(
        "eval", "mcube-easy", "--agent", "random", "--n", 6, "--observation", "text",
        "--seed", 2, "--out", "there",
    )  # fmt: skip
    here, there = (json.loads(Path(p, "results.json").read_text()) for p in ("here", "there"))
    assert here["parts"] == there["parts"]
    assert found.score is None and found.episodes == ()
    assert found.items is not None and found.items.tables


def test_evaluate_preset_is_that_of_the_command(luban_command: Luban) -> None:
    luban.evaluate("cube-bench", n=1, task="verification", preset="paper", out="here")
    luban_command(
        "eval", "cube-bench", "--n", 1, "--task", "verification", "--preset", "paper",
        "--out", "there",
    )  # fmt: skip
    here, there = (Path(p, "items.jsonl").read_text().splitlines()[0] for p in ("here", "there"))
    assert json.loads(here) == json.loads(there)
    assert "paper" in here


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"suite": "chain-108"}, "did you mean chain-109"),
        ({"suite": "burr-piston", "obsevation": "state"}, "did you mean observation"),
        ({"suite": "burr-piston", "observation": "smell"}, "observation"),
        ({"suite": "burr-piston", "history": "many"}, "history"),
        ({"suite": "burr-piston", "preset": "pape"}, "no preset 'pape'"),
        ({"suite": "burr-piston", "agent": "nobody"}, "no agent 'nobody'"),
        ({"suite": "burr-piston", "world": "moon"}, "no world 'moon'"),
        ({"suite": "burr-piston", "world": "unity"}, "unity needs a player"),
        ({"suite": "burr-piston", "agent": "human"}, "a person plays"),
        ({"suite": "burr-piston", "settings": {"heat": "1"}}, "heat"),
        ({"suite": "burr-piston", "max_usd": 1.0}, "price"),
        ({"suite": "cube-bench", "depth": (99,)}, "99"),
    ],
)
def test_evaluate_bad_argument_is_refused_and_leaves_nothing(
    arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(luban.errors.LubanError, match=words):
        luban.evaluate(**arguments)
    assert not list(Path().rglob("*.json*"))


@needs_pybullet
def test_generate_gives_the_levels_of_the_command(luban_command: Luban) -> None:
    found = luban.generate("packing", "here", size="2x2x3", tier="easy", count=2, renderer="tiny")
    luban_command(
        "generate", "packing", "--size", "2x2x3", "--tier", "easy", "--count", 2,
        "--renderer", "tiny", "--workers", 1, "--out", "there",
    )  # fmt: skip
    assert len(found.levels) == 2
    for entry in found.levels:
        name = f"{entry.id}.json"
        assert Path("here", name).read_bytes() == Path("there", name).read_bytes()
    (first, second) = luban.verify("here", films=False, worlds=("lattice",), workers=1)
    assert (first.false, second.false) == ((), ()) and first.confirmed


@pytest.mark.by_day(3)
@pytest.mark.parametrize(
    ("family", "options", "words"),
    [
        ("bur", {}, "burr"),
        ("burr", {}, "give --kind"),
        ("packing", {"size": "3x3", "tier": "easy"}, "3x3x4"),
        ("packing", {"size": (2, 2, 3), "tier": "brutal"}, "tier"),
        ("rubik", {"depht": 3}, "no option 'depht'"),
    ],
)
def test_generate_bad_argument_is_refused_and_leaves_nothing(
    family: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(luban.errors.LubanError, match=words):
        luban.generate(family, "out", **options)
    assert not Path("out").exists()


def test_verify_finds_a_false_claim_and_resumes(luban_command: Luban) -> None:
    source = json.loads((ROOT / "assets/burr/burr-half-lap.json").read_text())
    fact = next(name for name, value in source["facts"].items() if isinstance(value, int))
    source["facts"][fact] += 1
    Path("false.json").write_text(json.dumps(source))
    seen: list[tuple[int, int]] = []
    options: dict[str, Any] = {"films": False, "worlds": ["lattice"], "certificates": "done.jsonl"}
    for _ in range(2):
        found = luban.verify(
            "false.json", "burr-three-bars", progress=lambda *n: seen.append(n), **options
        )
    assert [bool(one.false) for one in found] == [True, False]
    assert seen == [(1, 2), (2, 2)] * 2
    assert len(Path("done.jsonl").read_text().splitlines()) == 2
    with pytest.raises(luban.errors.LubanError, match="no world 'moon'"):
        luban.verify("burr-half-lap", worlds=["moon"])


def test_score_videos_gives_the_scores_of_the_command(luban_command: Luban) -> None:
    small = ("--film-size", "128x112", "--fps", 6, "--first-steps", 1)
    assert luban_command("bundle", "burr-piston", *small, "--out", "bundles").status == 0
    film = next(Path("bundles/burr-piston").glob("*.mp4"))
    Path("broken.mp4").write_bytes(b"no video")
    seen: list[tuple[int, int]] = []
    told = luban_command(
        "score-video", "bundles/burr-piston", film, "broken.mp4", "--out", "there", "--json",
        "--workers", 1,
    ).json()  # fmt: skip
    found = luban.score_videos(
        "bundles/burr-piston",
        [film, "broken.mp4"],
        "here",
        workers=1,
        progress=lambda *n: seen.append(n),
    )
    assert seen == [(0, 2), (1, 2), (2, 2)]
    true, broken = found.scores
    assert (true.error, true.violations, true.video) == ("", 0, film)
    assert (true.model, true.level, true.task, true.physics) == ("burr-piston", "burr-piston", 1, 1)
    assert broken.error and not broken.document and not broken.task
    assert {row.model: row.score.value for row in found.models}["burr-piston"] == 1.0
    assert found.is_any_scored and found.floors == ()
    here = json.loads(Path("here/leaderboard.json").read_text())
    assert here == {name: value for name, value in told.items() if name != "out"}
    assert found.agreement is None and found.annotation_page is None
    with pytest.raises(luban.errors.RunError, match="none of the videos"):
        luban.score_videos(["bundles"], ["broken.mp4"], "elsewhere", workers=1)
    assert json.loads(Path("elsewhere/leaderboard.json").read_text())["unscorable"]
    with pytest.raises(luban.errors.InputError, match="floors are one of auto, always, never"):
        luban.score_videos("bundles", ["broken.mp4"], "elsewhere", floors="some")


def test_suites_are_those_that_ship() -> None:
    found = {suite.name: suite for suite in luban.suites()}
    assert len(found["chain-109"].level_ids) == 109


def test_results_are_frozen() -> None:
    for kind in (luban.Evaluation, luban.VideoScore, luban.ScoredVideos, luban.BatchSummary):
        assert dataclasses.is_dataclass(kind)
        assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]


SCRIPT = """
from pathlib import Path

import luban

episode: luban.Episode = luban.start("burr-piston", observation="state")
seen: luban.Observation = episode.observe()
views: tuple[luban.View, ...] = tuple(seen.views)
result: luban.StepResult = episode.step("slide", pieces=["purple"], direction="+y", distance=1)
outcome: luban.Outcome | None = episode.outcome
plan: luban.Plan | None = luban.load("burr-piston").plan
found: luban.Evaluation = luban.evaluate("locks-32", "random", k=2, observation="state")
solved: int = 0 if found.score is None else found.score.solved
steps: list[int] = [one.steps for one in found.episodes]
batch: luban.BatchSummary = luban.generate("burr", Path("locks"), kind="board")
claims: tuple[luban.Certificate, ...] = luban.verify("locks")
scored: luban.ScoredVideos = luban.score_videos("bundle", ["a.mp4"], "scores")
first: luban.VideoScore = scored.scores[0]
names: list[str] = [suite.name for suite in luban.suites()]
try:
    luban.load("nothing")
except luban.errors.LevelError as error:
    print(error)
reveal_type(found.items)
luban.evaluate("locks-32", limit="many")
"""


@pytest.mark.slow
def test_script_of_a_user_is_typed(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "script.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"MYPYPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("script.py")]
    assert len(lines) == 2, done.stdout
    assert "ItemResults | None" in lines[0]
    assert 'Argument "limit" to "evaluate" has incompatible type "str"' in lines[1]

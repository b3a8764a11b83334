"""``luban select`` and ``luban eval --beam``."""

import json
import shutil
from pathlib import Path

import pytest

from bridge.runs.store import RunFolder
from bridge.scoring.metrics import compute_mean_pass_at
from tests.agents.server import Reply, chat_server, saying
from tests.commands import Luban

LEVELS = "burr-three-bars,burr-piston-key,burr-half-lap"
EVAL = ["eval", LEVELS, "--agent", "noisy-oracle:0.4", "--observation", "state", "--budget", 14]
EVAL += ["--workers", 1, "--json"]


@pytest.fixture
def run(luban: Luban, tmp_path: Path) -> Path:
    luban(*EVAL, "--k", 4, "--out", "run").json()
    return tmp_path / "run"


@pytest.mark.slow
def test_a_verifier_chooses_as_pass_at_k_says(luban: Luban, run: Path) -> None:
    results = RunFolder.read(run).read_results()
    for k in (2, 4):
        rows = luban("select", "run", "--by", "verifier", "--by", "progress", "--k", k, "--json")
        average, verifier, progress = rows.json()["strategies"]
        assert average["name"] == "Avg@4"
        assert average["accuracy"] == pytest.approx(compute_mean_pass_at(results, 1))
        assert verifier["accuracy"] == pytest.approx(compute_mean_pass_at(results, k), abs=1e-15)
        assert 0 < average["accuracy"] < verifier["accuracy"] == progress["accuracy"]
        assert verifier["steps"] == pytest.approx(k * average["steps"])
    assert verifier["gain"] == pytest.approx(verifier["accuracy"] - average["accuracy"])
    luban("report", "run", "--out", "report.html", "--pictures", 0, "--json").json()
    tables = json.loads((run.parent / "report.json").read_text())["tables"]
    rows = next(table["rows"] for table in tables if table["title"].startswith("Table 4"))
    assert [row[1] for row in rows] == [
        "Avg@4",
        "Pass@1",
        "Pass@2",
        "Pass@4",
        "progress@4",
        "verifier@4",
    ]
    assert rows[4][2:] == rows[2][2:]
    table = luban("select", "run")
    assert (table.status, "verifier@4" in table.out) == (0, True)


def test_a_judge_is_asked_once_for_each_level_and_its_cost_is_told(
    luban: Luban, run: Path, tmp_path: Path
) -> None:
    (tmp_path / "prices.json").write_text('{"wise": {"input": 10, "output": 100}}')
    with chat_server(lambda r, n: saying('{"ranking": ["B", "A"]}')) as chat:
        command = ["select", "run", "--by", "judge:openai:wise", "--base-url", chat.url]
        command += ["--prices", "prices.json", "--workers", 2, "--json"]
        first = luban(*command).json()
        assert luban(*command).json() == first
        assert len(chat.requests) == 3
        judge = first["strategies"][1]
        assert judge["scorer_usage"] == {
            "calls": 3,
            "tokens_in": 300,
            "tokens_out": 21,
            "tokens_cached": 0,
            "tokens_reasoning": 0,
        }
        assert judge["usd"] == pytest.approx((300 * 10 + 21 * 100) / 1e6 / 3)
        # Scores that a killed process left half written are made of the judgement that it noted.
        kept = run / "selections" / "judge-openai-wise.jsonl"
        *lines, _ = kept.read_bytes().splitlines(keepends=True)
        kept.write_bytes(b"".join(lines) + b'{"type": "sco')
        again = luban(*command).json()["strategies"][1]
        assert (again, len(chat.requests)) == (judge, 3)
        assert "holds scores of" in luban(*command, "--seed", 1).complaint()


def test_a_judge_that_stops_answering_is_told_and_asked_for_the_rest_later(
    luban: Luban, run: Path
) -> None:
    def answer(request: object, number: int) -> Reply:
        return Reply("out of money", 402) if number == 1 else saying('{"ranking": ["A"]}')

    with chat_server(answer) as chat:
        command = ["select", "run", "--by", "judge:openai:wise", "--base-url", chat.url, "--json"]
        complaint = luban(*command).complaint()
        assert "status 402: out of money" in complaint and "resumes" in complaint
        assert luban(*command).json()["strategies"][1]["scorer_usage"]["calls"] == 3
        assert len(chat.requests) == 4


def test_what_can_not_be_chosen_from_is_said(luban: Luban, run: Path, tmp_path: Path) -> None:
    assert "no scorer 'luck'" in luban("select", "run", "--by", "luck").complaint()
    assert "4 attempts at a level, not 5" in luban("select", "run", "--k", 5).complaint()
    assert "holds no run" in luban("select", "none").complaint()
    assert "the scorer verifier takes none" in luban("select", "run", "--set", "a=1").complaint()
    (run / "selections").mkdir()
    (run / "selections" / "progress.jsonl").write_text('{"format": "luban-selection/9"}\n')
    assert "this version reads" in luban("select", "run", "--by", "progress").complaint()
    (run / "selections" / "progress.jsonl").write_text("{\n")
    assert "holds no scores" in luban("select", "run", "--by", "progress").complaint()
    shutil.rmtree(run / "episodes" / "burr-half-lap" / "3")
    assert "1 of 12 episodes are not finished" in luban("select", "run").complaint()


@pytest.mark.slow
def test_a_beam_is_a_run_like_any_other_and_says_what_it_tried(
    luban: Luban, tmp_path: Path
) -> None:
    noisy = [*EVAL[:3], "noisy-oracle:0.7", *EVAL[4:]]
    alone = luban(*noisy, "--out", "alone").json()
    one = luban(*noisy, "--beam", 1, "--out", "one").json()
    wide = luban(*noisy, "--beam", 3, "--branch", 4, "--out", "wide").json()
    logs = "episodes/*/1/episode.jsonl"
    assert [p.read_bytes() for p in sorted((tmp_path / "one").glob(logs))] == [
        p.read_bytes() for p in sorted((tmp_path / "alone").glob(logs))
    ]
    assert one["solved"] == alone["solved"] < wide["solved"] == 3
    assert luban(*noisy, "--beam", 3, "--branch", 4, "--out", "wide").json() == wide
    found = json.loads((tmp_path / "wide" / "results.json").read_text())
    assert found["settings"]["search"] == {"width": 3, "branch": 4, "scorer": "progress"}
    assert found["score"]["tried"] > sum(row["steps"] for row in found["episodes"])
    assert "another run" in luban(*noisy, "--beam", 2, "--out", "wide").complaint()
    luban("report", "alone", "wide", "--out", "report.html", "--pictures", 0, "--json").json()
    tables = json.loads((tmp_path / "report.json").read_text())["tables"]
    (row,) = next(table["rows"] for table in tables if table["title"].startswith("Table 4"))
    gain = 100 * (1 - alone["pass_at_1"])
    assert row == ["wide", "beam 3 of 4 by progress", "100.0", "100.0", f"{gain:+.1f}"]


def test_a_judge_can_steer_a_beam_and_its_tokens_are_counted_apart(
    luban: Luban, tmp_path: Path
) -> None:
    command = [
        "eval",
        "burr-three-bars",
        "--agent",
        "random",
        "--observation",
        "state",
        "--budget",
        4,
    ]
    command += ["--workers", 1, "--beam", 1, "--branch", 3, "--scorer", "judge:openai:wise"]
    with chat_server(lambda r, n: saying('{"ranking": ["A"]}')) as chat:
        luban(*command, "--base-url", chat.url, "--out", "run", "--json").json()
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert results["score"]["usage"]["calls"] == 0
    assert results["score"]["scorer_usage"]["tokens_in"] == 100 * len(chat.requests) > 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--branch", 2], "give --beam too"),
        (["--beam", 2, "--scorer", "luck"], "no scorer 'luck'"),
        (["--beam", 2, "--mode", "one-shot"], "a beam needs interactive play"),
        (["--prices", "none.json"], "none.json"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(
    luban: Luban, options: list[object], words: str
) -> None:
    assert words in luban("eval", "burr-half-lap", "--observation", "state", *options).complaint()


def test_scores_of_a_file_choose_and_another_file_is_not_taken_for_it(
    luban: Luban, run: Path, tmp_path: Path
) -> None:
    results = RunFolder.read(run).read_results()
    lines = [
        {"level": r.level, "attempt": r.attempt, "score": 1.0 if r.solved else 0.5} for r in results
    ]
    (tmp_path / "reward.jsonl").write_text("\n".join(map(json.dumps, lines)))
    command = ["select", "run", "--by", "verifier", "--by", "file:reward.jsonl"]
    _, verifier, reward = luban(*command, "--json").json()["strategies"]
    assert (reward["name"], reward["usd"]) == ("file:reward.jsonl@4", 0.0)
    assert reward["accuracy"] == verifier["accuracy"]
    assert reward["family_mean"] == reward["accuracy"]  # One family.
    assert reward["family_gain"] == pytest.approx(reward["gain"])
    (tmp_path / "reward.jsonl").write_text("\n".join(json.dumps(line) for line in lines[::-1]))
    assert "holds scores of" in luban(*command).complaint()
    refused = luban(*EVAL, "--beam", 2, "--scorer", "file:reward.jsonl", "--out", "beam")
    assert "scores whole attempts" in refused.complaint()
    luban("report", "run", "--out", "report.html", "--pictures", 0, "--json").json()
    tables = json.loads((tmp_path / "report.json").read_text())["tables"]
    rows = next(table["rows"] for table in tables if table["title"].startswith("Table 4"))
    assert "file:reward.jsonl@4" in [row[1] for row in rows]


@pytest.mark.slow
def test_usd_of_a_search_has_its_judges_tokens(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "prices.json").write_text('{"wise": {"input": 10, "output": 100}}')
    with chat_server(lambda r, n: saying('{"better": "A"}')) as chat:
        command = [*EVAL, "--beam", 2, "--branch", 4, "--out", "beam"]
        model = [
            "--scorer",
            "pairwise:openai:wise",
            "--base-url",
            chat.url,
            "--prices",
            "prices.json",
        ]
        luban(*command, *model).json()
        asked = len(chat.requests)
    score = json.loads((tmp_path / "beam" / "results.json").read_text())["score"]
    assert score["scorer_usage"]["calls"] == asked > 0
    assert score["cost_usd"] == pytest.approx(asked * (100 * 10 + 7 * 100) / 1e6)
    solved = score["solved"]
    assert score["solved_per_usd"] == pytest.approx(solved / score["cost_usd"])

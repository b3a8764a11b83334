"""Runs with a model that stop when they have used up what they may, and go on with more."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("openai", reason="NOT TESTED: no openai")

from bridge.agents.usage import Usage
from bridge.report.tables import build_session_table
from bridge.runs.provenance import PROVENANCE_NAME, describe_provenance, read_sessions
from bridge.scoring.metrics import Price
from bridge.scoring.spending import SpendingLimits
from tests.agents.reasoning import USAGE, drawing, strict
from tests.agents.server import chat_server
from tests.agents.test_model import PLAN
from tests.agents.test_reasoning import answer, run
from tests.commands import ROOT, Luban

EACH = USAGE["total_tokens"]
PRICES = {"tall": {"input": 2.0, "output": 10.0, "cached": 0.5}}
COST = (360 * 2.0 + 640 * 0.5 + 300 * 10.0) / 1e6
"""Of one answer, worked out by hand."""


@pytest.mark.parametrize("by", ["tokens", "usd"])
def test_a_run_stops_when_it_has_used_up_what_it_may_and_goes_on(
    by: str, luban: Luban, tmp_path: Path
) -> None:
    (tmp_path / "prices.json").write_text(json.dumps(PRICES))
    steps = len(PLAN) + 1  # The second attempt has begun.
    limit = {"tokens": steps * EACH, "usd": steps * COST - 1e-9}[by]
    allowed = ("--prices", "prices.json", f"--max-{by}")
    with chat_server(strict(answer)) as chat:
        complaint = run(luban, chat.url, "run", *allowed, limit).complaint()
        assert len(chat.requests) == steps
        assert complaint.endswith("the same command with --out run and more goes on")
        assert "1 of 2 episodes are finished" in complaint
        results = json.loads((tmp_path / "run" / "results.json").read_text())
        assert (results["score"]["episodes"], results["score"]["solved"]) == (1, 1)
        # What the attempt that was cut off has cost counts too: this is enough for nothing more.
        assert "stopped after" in run(luban, chat.url, "run", *allowed, limit).err
        assert len(chat.requests) == steps
        assert run(luban, chat.url, "run", *allowed, 10 * limit).json()["solved"] == 2
        assert len(chat.requests) == 2 * len(PLAN)  # No step is paid for twice.


def test_a_run_of_questions_stops_and_asks_none_twice(luban: Luban, tmp_path: Path) -> None:
    def asked(out: str, *more: object) -> Any:
        return luban(
            "eval", "euclifold", "--agent", "openai:tall", "--base-url", chat.url, "--limit", 2,
            "--observation", "text", "--task", "matching", "--n", 3, "--workers", 1, "--out", out,
            "--json", *more,
        )  # fmt: skip

    with chat_server(strict(lambda request, number: drawing("Answer: True"))) as chat:
        complaint = asked("run", "--max-tokens", EACH).complaint()
        assert "1 of 2 trials are finished" in complaint and f"{EACH:,} of {EACH:,}" in complaint
        assert asked("run").json()["accuracy"] == 0.5
    assert len(chat.requests) == 2


def test_what_came_from_a_cache_is_not_paid_for(luban: Luban, tmp_path: Path) -> None:
    cache = ("--set", f"cache={tmp_path / 'answers'}")
    with chat_server(strict(answer)) as chat:
        run(luban, chat.url, "one", *cache).json()
        assert run(luban, chat.url, "two", *cache, "--max-tokens", 1).json()["solved"] == 2


def test_usd_need_a_price(luban: Luban) -> None:
    complaint = run(luban, "http://127.0.0.1:9/v1", "run", "--max-usd", 1).complaint()
    assert "--max-usd needs the model's price: give --prices" in complaint


counts = st.integers(0, 10**9)


@given(counts, counts, counts, counts)
def test_cached_tokens_cost_what_they_cost_and_reasoning_is_part_of_the_answer(
    tokens_in: int, tokens_out: int, cached: int, reasoning: int
) -> None:
    cached, reasoning = min(cached, tokens_in), min(reasoning, tokens_out)
    usage = Usage(1, tokens_in, tokens_out, cached, reasoning)
    assert usage.tokens == tokens_in + tokens_out
    alike, less = Price(2.0, 10.0).compute_cost(usage), Price(2.0, 10.0, 0.5).compute_cost(usage)
    assert alike == pytest.approx((2 * tokens_in + 10 * tokens_out) / 1e6)
    assert alike - less == pytest.approx(1.5 * cached / 1e6, abs=1e-9)
    assert SpendingLimits(usd=less, price=Price(2.0, 10.0, 0.5)).is_exceeded(usage)


def test_a_run_tells_with_what_where_and_when_it_was_made(luban: Luban, tmp_path: Path) -> None:
    run_of = (
        "eval",
        "burr-three-bars",
        "--observation",
        "state",
        "--video",
        "none",
        "--json",
        "--out",
    )
    for _ in range(2):
        luban(*run_of, "run").json()
    (first,) = read_sessions(tmp_path / "run")  # Both on one day, with the same, at the same place.
    path = tmp_path / "run" / PROVENANCE_NAME
    path.write_text(json.dumps({**first, "python": "3.0"}) + "\n")
    luban(*run_of, "run").json()
    assert len(read_sessions(tmp_path / "run")) == 1  # Nothing is left to do.
    shutil.rmtree(next((tmp_path / "run" / "episodes").iterdir()))
    luban(*run_of, "run").json()
    _, second = read_sessions(tmp_path / "run")
    assert second["python"] == first["python"]
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    if head.returncode == 0:
        assert str(first["commit"]).rstrip("+") == head.stdout.strip()
    assert str(first["began"]) <= str(second["began"])
    packages = first["packages"]
    assert isinstance(packages, dict) and "numpy" in packages
    assert {"python", "system", "processor", "cores", "luban"} < first.keys()
    told = luban("report", "run", "--out", "page.html", "--pictures", 0, "--json").json()
    table = next(
        t for t in json.loads(Path(tmp_path, told["json"]).read_text())["tables"]
        if t["title"] == "With what, where and when"
    )  # fmt: skip
    assert [row[0] for row in table["rows"]] == ["run"]
    assert str(first["began"])[:10] == table["rows"][0][1][:10] and table["rows"][0][2] == "2"


def test_session_table_shows_a_long_processor_and_its_cores_whole(tmp_path: Path) -> None:
    processor = "Intel(R) Xeon(R) Processor, cpu family 6, model 167, stepping 11"
    (tmp_path / PROVENANCE_NAME).write_text(
        json.dumps({"processor": processor, "cores": 128}) + "\n"
    )
    (row,) = build_session_table({"run": tmp_path}).rows
    name, _, model = processor.partition(", ")
    assert row[-3:] == [name, model, "128"]


def test_a_damaged_line_about_a_session_is_passed_over(tmp_path: Path) -> None:
    damaged = b'[]\n{"began"\n' + b"[" * 9999 + b'\n{"began": "x"}\n'
    (tmp_path / PROVENANCE_NAME).write_bytes(damaged)
    assert read_sessions(tmp_path) == [{"began": "x"}]
    assert read_sessions(tmp_path / "none") == []


def test_neither_host_nor_user_is_told() -> None:
    import getpass
    import platform

    told = json.dumps({k: v for k, v in describe_provenance().items() if k != "packages"})
    names = {platform.node(), getpass.getuser()} - {"", "root", "linux"}
    assert not any(name in told for name in names)

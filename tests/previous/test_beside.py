"""Runs of the previous version are shown beside the papers, too."""

import json
from pathlib import Path

from tests.commands import Luban


def test_previous_runs_fill_the_published_tables(luban: Luban, finished: Path) -> None:
    names = ("interactive", "code", "no-code", "items")
    runs = [f"runs/{name}" for name in names]
    made = luban("report", *runs, "--beside", "paper", "--out", "page.html", "--pictures", 0)
    assert made.status == 0, made.err
    tables = json.loads((finished / "page.json").read_text(encoding="utf-8"))["tables"]
    (overview,) = (table for table in tables if table["title"] == "Beside the papers")
    shown = {name: titles for name, titles, _ in overview["rows"]}
    assert {name.partition(",")[0] for name in shown} == {"CHAIN", "CubeBench", "Cube Bench"}
    for table in ("Table 1", "Table 2"):
        assert shown[f"CHAIN, {table}"].startswith(f"{table}: ")
    for table in ("Table 2", "Table 5"):
        assert shown[f"CubeBench, {table}"].startswith(f"CubeBench {table}: ")

"""One page of all figures of speed, of reports that are kept."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands import ROOT
from tools import report_speed
from tools.report_speed import BENCHMARKS, Benchmark, format_page, main, run_benchmark

REPORT = {
    "benchmark": "tasks",
    "machine": "A processor, 2 cores, Python 3.11.7",
    "figures": {"read_per_second": 12345.678, "ratio": 0.5},
    "targets": {"ratio": {"value": 0.5, "op": ">=", "goal": 0.6, "met": False}},
    "notes": {},
}
KEPT = {"date": "2026-11-26", "load": [1.5, 2.5], "seconds": 61.0, "failed": "", "report": REPORT}


def test_every_benchmark_of_the_folder_is_on_the_page() -> None:
    measured = {
        path.stem for path in (ROOT / "perf").glob("*.py") if "run_benchmark(" in path.read_text()
    }
    videos = {"video_gate", "video_score"}  # Measure how often a score is wrong, and no speed.
    assert measured - videos - {"harness"} == {benchmark.name for benchmark in BENCHMARKS}


def test_page_names_machine_load_figures_and_targets() -> None:
    page = format_page({"tasks": KEPT})
    assert "A processor, 2 cores, Python 3.11.7. Load 1.5 before, 2.5 after." in page
    assert "| `read_per_second` | 12,346 |  |" in page
    assert "| `ratio` | 0.5 | >= 0.6, missed |" in page
    assert page.count("Not measured yet.") == len(BENCHMARKS) - 1


def test_benchmark_that_fails_is_on_the_page_with_its_words() -> None:
    found = {**KEPT, "report": None, "failed": "no GPU"}
    assert "Not measured: no GPU." in format_page({"render": found})


def test_run_of_a_benchmark_that_is_missing_returns_its_last_words() -> None:
    found = run_benchmark(Benchmark("nothing_like_it", "Nothing"))
    assert found["report"] is None and "nothing_like_it" in found["failed"]


def test_benchmark_that_takes_too_long_is_stopped() -> None:
    assert "stopped after 0 s" in run_benchmark(BENCHMARKS[0], longest=0.01)["failed"]


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the benchmarks that were measured, with the page in an empty folder."""
    names: list[str] = []

    def measure(benchmark: Benchmark) -> dict[str, Any]:
        names.append(benchmark.name)
        return dict(KEPT)

    monkeypatch.setattr(report_speed, "run_benchmark", measure)
    monkeypatch.setattr(report_speed, "ROOT", tmp_path)
    monkeypatch.setattr(report_speed, "FOLDER", tmp_path / "speed")
    monkeypatch.setattr(report_speed, "PAGE", tmp_path / "speed.md")
    return names


def test_stopped_command_goes_on_with_what_is_missing(
    counted: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "speed").mkdir()
    (tmp_path / "speed" / "rpc.json").write_text(json.dumps(KEPT))
    monkeypatch.setattr(sys, "argv", ["report_speed"])
    main()
    assert counted == [b.name for b in BENCHMARKS if b.name != "rpc"]
    assert "perf.rpc is there" in capsys.readouterr().out
    assert "Not measured" not in (tmp_path / "speed.md").read_text()
    counted.clear()
    monkeypatch.setattr(sys, "argv", ["report_speed", "--again", "rpc"])
    main()
    assert counted == ["rpc"]


def test_page_of_the_documents_has_each_benchmark() -> None:
    page = (ROOT / "docs" / "results" / "speed.md").read_text(encoding="utf-8")
    assert all(f"## {benchmark.title}\n" in page for benchmark in BENCHMARKS)

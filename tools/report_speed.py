"""Write one page of all figures of speed: ``python -m tools.report_speed`` (``make report-speed``).

Each benchmark of ``perf`` runs in turn in a process of its own, with peers where it has any. Its
report is kept in ``build/speed`` with the machine and its load before and after, so that the same
command goes on where it was stopped. ``--again NAME`` measures one anew, ``--only NAME`` no others,
``--page`` writes the page of what is there.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["BENCHMARKS", "Benchmark", "format_page", "main", "run_benchmark"]

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "speed"
PAGE = ROOT / "docs" / "results" / "speed.md"
LONGEST = 3600.0
"""Seconds after which a benchmark is stopped."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A module of ``perf``.

    Attributes:
        name: of the module.
        title: what is measured, and the peer that stands beside it.
        options: given to it besides ``--json``.
    """

    name: str
    title: str
    options: Sequence[str] = ()


BENCHMARKS = (
    Benchmark("solving", "The start of `luban solve`, and many assemblies beside BurrTools"),
    Benchmark("packing", "Exact covers beside xcover and exact-cover"),
    Benchmark("burr", "The solver of locks beside BurrTools, on files with reference counts"),
    Benchmark("rubik", "Shortest solutions of cubes beside H48", ("--peers",)),
    Benchmark("cube_bench", "Items of Cube Bench"),
    Benchmark("tasks", "Tasks of the pools that ship"),
    Benchmark("batches", "Batches of puzzles beside the environment of one episode"),
    Benchmark("steps", "Steps of single episodes beside CartPole"),
    Benchmark(
        "render", "Pictures beside PyBullet's and other renderers", ("--peers", "--families")
    ),
    Benchmark("eval", "Episodes of an evaluation, with one and two workers"),
    Benchmark("rpc", "Steps of a server beside a bare gRPC echo"),
    Benchmark("load", "A thousand episodes at once on one server"),
    Benchmark("floods", "Players beside floods"),
    Benchmark("unity_wire", "The wire of Unity beside ML-Agents"),
    Benchmark("web", "Pages in a browser beside trimesh's"),
)
"""In the order of the page."""

HEAD = """# Speed

See how fast Luban is beside other programs, and measure it on your machine:

```sh
make report-speed
```

The command runs every benchmark of `perf` in turn, which takes hours, and goes on where it was
stopped. It writes this page. A load above the number of cores makes times longer, and ratios to a
peer of the same run are fair all the same. [Speed, in detail](speed-notes.md) has measurements of
single parts.
"""


def main() -> None:
    """Run what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = [one.name for one in BENCHMARKS]
    parser.add_argument("--only", action="append", choices=names, help="run this one alone")
    parser.add_argument("--again", action="append", choices=names, help="measure it anew")
    parser.add_argument("--page", action="store_true", help="measure nothing, write the page")
    given = parser.parse_args()
    again = given.again or []
    chosen = [b for b in BENCHMARKS if b.name in (given.only or again or names)]
    for number, benchmark in enumerate([] if given.page else chosen, start=1):
        path = FOLDER / f"{benchmark.name}.json"
        place = f"{number} of {len(chosen)}: perf.{benchmark.name}"
        if path.exists() and benchmark.name not in again:
            print(f"{place} is there; --again {benchmark.name} measures it anew", flush=True)
            continue
        print(f"{place} ...", flush=True)
        kept = run_benchmark(benchmark)
        FOLDER.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".part")
        draft.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        draft.replace(path)
        print(f"{place}: {kept['failed'] or 'done'} in {kept['seconds']:.0f} s", flush=True)
    PAGE.write_text(format_page(read_kept()), encoding="utf-8")
    print(PAGE.relative_to(ROOT))


def run_benchmark(benchmark: Benchmark, *, longest: float = LONGEST) -> dict[str, Any]:
    """Run a benchmark, and return its report with the circumstances.

    ``failed`` is empty, or the last line of its words where it has no report.
    """
    before, began = os.getloadavg()[0], time.monotonic()
    command = [sys.executable, "-m", f"perf.{benchmark.name}", *benchmark.options, "--json"]
    report, failed = None, ""
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=longest, check=False
        )
        lines = done.stdout.strip().splitlines()
        if lines and lines[-1].startswith("{"):
            report = json.loads(lines[-1])
        else:
            words = [line.strip() for line in done.stderr.splitlines() if line.strip()]
            failed = words[-1][:200] if words else f"it ended with status {done.returncode}"
    except subprocess.TimeoutExpired:
        failed = f"it was stopped after {longest:.0f} s"
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "load": [round(before, 1), round(os.getloadavg()[0], 1)],
        "seconds": round(time.monotonic() - began, 1),
        "failed": failed,
        "report": report,
    }


def read_kept() -> dict[str, dict[str, Any]]:
    """Return the kept reports by the names of their benchmarks."""
    paths = [FOLDER / f"{benchmark.name}.json" for benchmark in BENCHMARKS]
    return {path.stem: json.loads(path.read_text("utf-8")) for path in paths if path.exists()}


def format_page(kept: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page of some kept reports."""
    return "\n".join([HEAD, *(part for b in BENCHMARKS for part in format_part(b, kept))])


def format_part(benchmark: Benchmark, kept: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the section of a benchmark."""
    command = " ".join(["python -m", f"perf.{benchmark.name}", *benchmark.options])
    yield f"## {benchmark.title}\n"
    found = kept.get(benchmark.name)
    if found is None or found["report"] is None:
        reason = "Not measured yet" if found is None else f"Not measured: {found['failed']}"
        yield f"{reason}. The command is `{command}`.\n"
        return
    report, (before, after) = found["report"], found["load"]
    yield (
        f"`{command}`, {found['date']}, {found['seconds']:.0f} s. {report['machine']}. "
        f"Load {before} before, {after} after.\n"
    )
    rows = [format_figure(name, value, report) for name, value in report["figures"].items()]
    yield "| figure | value | target |\n|---|---:|---|\n" + "\n".join(rows) + "\n"


def format_figure(name: str, value: float, report: Mapping[str, Any]) -> str:
    """Return the row of a figure."""
    shown = f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    target = report["targets"].get(name)
    met = "" if target is None else "met" if target["met"] else "missed"
    goal = "" if target is None else f"{target['op']} {target['goal']:g}, {met}"
    return f"| `{name}` | {shown} | {goal} |"


if __name__ == "__main__":
    main()

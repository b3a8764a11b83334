"""H48 on the same states as our solver of the cube: nissy-core's own tool ``solve_file``.

The tool is built by whoever measures, as nissy-core says; ``NISSY_SOLVE_FILE`` names it. Its tables
are made in the folder ``tables`` beside it, of the size that is nearest to ours on a scale of
octaves. The time is the one that the tool prints, without reading the table.
"""

import math
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.harness import Report

__all__ = ["add_h48"]

_TOOL = "NISSY_SOLVE_FILE"
_SMALLEST = 29.4
"""Megabytes of the table h0; each next one is twice as large."""
_LARGEST = 11


def add_h48(report: Report, megabytes: float, states: Mapping[int, Sequence[str]]) -> None:
    """Add H48's means, or a note of why there are none.

    Args:
        megabytes: of our tables.
        states: for each distance the scrambles that lead to states so far away.
    """
    tool = os.environ.get(_TOOL)
    if not tool:
        report.notes["h48"] = f"not measured: {_TOOL} names no tool of nissy-core"
        return
    step = min(max(round(math.log2(megabytes / _SMALLEST)), 0), _LARGEST)
    report.notes["h48"] = f"h48h{step}, {_SMALLEST * 2**step:,.0f} MB"
    for depth, scrambles in states.items():
        seconds = _seconds(Path(tool).resolve(), f"h48h{step}", scrambles)
        report.figures[f"h48_mean_{depth}_moves_s"] = seconds
        report.targets[f"of_h48_{depth}_moves"] = ("<=", 1.0)
        report.figures[f"of_h48_{depth}_moves"] = report.figures[f"mean_{depth}_moves_s"] / seconds


def _seconds(tool: Path, solver: str, scrambles: Sequence[str]) -> float:
    """The mean of the states; the first time its tables are made."""
    (tool.parent / "tables").mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{scramble}\n" for scramble in scrambles))
        file.flush()
        command = [str(tool), solver, file.name, "1", "0"]
        done = subprocess.run(command, cwd=tool.parent, check=True, capture_output=True, text=True)
    found = re.search(r"Total time: ([\d.]+)s", done.stdout)
    if found is None:
        raise AssertionError(f"H48 told no time: {done.stdout[-500:]}")
    lengths = {len(line.split()) for line in re.findall(r"Solutions:\n(.*)", done.stdout)}
    if lengths != {len(scrambles[0].split())}:
        raise AssertionError(f"H48 finds other lengths: {lengths}")
    return float(found[1]) / len(scrambles)

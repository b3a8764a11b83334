"""H48 on the same states as our solver of the cube: nissy-core's own tool ``solve_file``.

The tool is built by whoever measures, as nissy-core says; ``NISSY_SOLVE_FILE`` names it. Its table
is made in the folder ``tables`` beside it, of the size that is nearest to ours on a scale of
octaves; that takes from minutes to hours, and the tool says on stderr how far it is. Times are the
one that it prints, without reading the table, and that of its CPU less what a run without states
takes.
"""

import math
import os
import re
import resource
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from perf.harness import Report
from pysim.families.rubik.cube import make_cube
from pysim.families.rubik.moves import parse_moves

__all__ = ["add_h48"]

_TOOL = "NISSY_SOLVE_FILE"
_SMALLEST = 29.4
"""Megabytes of the table h0, about; each next one is twice as large."""
_LARGEST = 11


def add_h48(report: Report, megabytes: float, states: Mapping[int, Sequence[str]]) -> None:
    """Add H48's means, or a note of why there are none.

    Args:
        megabytes: of our tables.
        states: for each distance the scrambles that lead to states so far away.
    """
    named = os.environ.get(_TOOL)
    if not named:
        report.notes["h48"] = f"not measured: {_TOOL} names no tool of nissy-core"
        return
    tool = Path(named).resolve()
    step = min(max(round(math.log2(megabytes / _SMALLEST)), 0), _LARGEST)
    solver, folder = f"h48h{step}", tool.parent / "tables"
    folder.mkdir(exist_ok=True)
    _run(tool, solver, [], tell=True)  # Makes the table.
    report.notes["h48"] = solver
    report.figures["h48_tables_mb"] = (folder / solver).stat().st_size / 1e6
    _, reading = _run(tool, solver, [])
    for depth, scrambles in states.items():
        told, cpu = _run(tool, solver, scrambles)
        seconds = _checked(told, scrambles) / len(scrambles)
        report.figures[f"h48_mean_{depth}_moves_s"] = seconds
        report.figures[f"h48_mean_{depth}_moves_cpu_s"] = max(cpu - reading, 0.0) / len(scrambles)
        report.targets[f"of_h48_{depth}_moves"] = ("<=", 1.0)
        report.figures[f"of_h48_{depth}_moves"] = report.figures[f"mean_{depth}_moves_s"] / seconds


def _run(
    tool: Path, solver: str, scrambles: Sequence[str], *, tell: bool = False
) -> tuple[str, float]:
    """Run the tool: its output, and its seconds of CPU; ``tell`` shows its messages meanwhile."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{scramble}\n" for scramble in scrambles))
        file.flush()
        began = _children()
        command = [str(tool), solver, file.name, "1", "0"]
        done = subprocess.run(
            command,
            cwd=tool.parent,
            stdout=subprocess.PIPE,
            stderr=None if tell else subprocess.DEVNULL,
            text=True,
            check=False,
        )
    if done.returncode:
        raise AssertionError(f"{tool} {solver} ends with {done.returncode}: {done.stdout[-500:]}")
    return done.stdout, _children() - began


def _children() -> float:
    """Return seconds of CPU of all processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _checked(told: str, scrambles: Sequence[str]) -> float:
    """Return the seconds that the tool tells, if its solutions are right and as long as ours."""
    found = re.search(r"Total time: ([\d.]+)s", told)
    solutions = re.findall(r"Solutions:\n(.*)", told)
    if found is None or len(solutions) != len(scrambles):
        raise AssertionError(f"H48 told no time, or not all solutions: {told[-500:]}")
    for scramble, solution in zip(scrambles, solutions, strict=True):
        moves = parse_moves(solution)
        if not make_cube(parse_moves(scramble)).turn(moves).solved:
            raise AssertionError(f"H48's moves do not solve {scramble}: {solution}")
        if len(moves) != len(scramble.split()):
            raise AssertionError(f"H48 needs {len(moves)} turns for {scramble}")
    return float(found[1])

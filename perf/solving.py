"""CPU time of ``luban solve``: its start, and a design of many assemblies.

Whole processes are measured, user and system time, the median of several runs after one that is not
counted. The design of many assemblies is the six-piece burr of :data:`STICKS` with two more cells
off most sticks and a goal that may have holes. It has 19,631 assemblies, nearly all of which come
apart. BurrTools (C++, one thread) took 0.58 s on the machine of the note; 3.7 s for 22,016
assemblies of another design are what the target is made of.
"""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from perf.harness import Report, run_benchmark
from pysim.families.burr.files.design import Design, DrawnShape
from pysim.families.burr.files.xmpuzzle import write_xmpuzzle
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.geometry import Voxels

STICKS = (512, 704, 768, 928, 960, 1024)
SMALL = (1, 256, 824, 928, 975, 1024)
ASSEMBLIES = 19_631
RUNS = 5
PER_ASSEMBLY_MS = 1.3 * 3700 / 22_016
"""1.3 times what BurrTools takes."""


def measure() -> Report:
    """Solve both designs several times."""
    report = Report("solving")
    with tempfile.TemporaryDirectory() as folder:
        small, many = Path(folder, "small.xmpuzzle"), Path(folder, "many.xmpuzzle")
        small.write_bytes(write_xmpuzzle(make_six_piece_design(SMALL)))
        many.write_bytes(write_xmpuzzle(loose_design()))
        report.figures["start_cpu_s"] = _cpu(str(small))[0]
        seconds, printed = _cpu(str(many), "--all", "--json")
    found = json.loads(printed)["assemblies"]
    report.figures |= {
        "many_cpu_s": seconds,
        "many_assemblies": found,
        "many_ms_per_assembly": 1000 * seconds / found,
    }
    report.targets = {
        "start_cpu_s": ("<=", 0.4),
        "many_ms_per_assembly": ("<=", round(PER_ASSEMBLY_MS, 3)),
        "many_assemblies": (">=", ASSEMBLIES),
    }
    report.notes["start_cpu_s"] = f"the Chinese cross; load average {os.getloadavg()[0]:.1f}"
    return report


def loose_design(seed: int = 3) -> Design:
    """Sticks that lost cells, in a goal that may have holes."""
    rng = random.Random(seed)
    design = make_six_piece_design(STICKS)
    (problem,) = design.problems
    shapes = [
        shape if i == problem.goal else _worn(shape, rng) for i, shape in enumerate(design.shapes)
    ]
    goal = shapes[problem.goal]
    shapes[problem.goal] = replace(goal, filled=frozenset(), variable=goal.filled | goal.variable)
    return replace(design, shapes=tuple(shapes))


def _worn(shape: DrawnShape, rng: random.Random) -> DrawnShape:
    """Return a shape without two of its cells, unless it would fall apart."""
    for _ in range(2):
        rest = shape.filled - {rng.choice(sorted(shape.filled))}
        if Voxels.from_cells(rest).is_connected:
            shape = replace(shape, filled=rest)
    return shape


def _cpu(*arguments: str) -> tuple[float, str]:
    """Return seconds of user and system time that ``luban solve`` takes, and what it prints."""
    seconds = []
    for _ in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-m", "bridge.cli", "solve", *arguments],
            capture_output=True,
            check=True,
            text=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds[1:]), done.stdout


if __name__ == "__main__":
    run_benchmark(measure, "CPU time of luban solve: its start, and many assemblies.")

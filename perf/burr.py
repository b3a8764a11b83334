"""CPU time of the burr solver over files with reference counts, against BurrTools.

The reference times are those of BurrTools (C++, one thread) that stand beside the counts; they were
taken on the same class of machine, but not in this run. Files are read, solved whole and counted;
compilation is done before. Bedlam, a packing without levels, is left out.
"""

import csv
import resource
import sys
import time
from pathlib import Path

from perf.harness import Report, run_benchmark
from pysim.families.burr.files.design import Design
from pysim.families.burr.files.puz import read_design
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.families.burr.solver import AssemblyTally, solve

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SMALL = "xmpuzzle/burr6_ChineseCross.xmpuzzle"
LARGE = "xmpuzzle/SolidSixPieceBurrs.xmpuzzle"


def measure() -> Report:
    """Solve everything once."""
    table = DATA / "reference_counts.tsv"
    if not table.exists():
        sys.exit(f"the reference files are not here: {table} is missing")
    design = make_six_piece_design((88, 512, 768, 922, 1008, 1008))
    _count(design, 0)
    report = Report("burr")
    total = reference = 0.0
    different = 0
    with table.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if "Bedlam" not in row["file"]]
    for row in rows:
        path, problem = DATA / row["file"], int(row["problem"])
        began = time.process_time()
        tally = _count(read_design(path), problem)
        seconds = time.process_time() - began
        total += seconds
        reference += float(row["reference_cpu_s"])
        counts = (int(row["assemblies"]), int(row["solutions"]))
        different += (tally.assemblies, tally.solutions) != counts
        if row["file"] in (SMALL, LARGE):
            report.figures[f"{path.stem}_cpu_s"] = seconds
    report.figures |= {
        "problems": len(rows),
        "different_counts": different,
        "total_cpu_s": total,
        "reference_cpu_s": reference,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    report.targets = {
        "total_cpu_s": ("<=", round(reference, 3)),
        "different_counts": ("<=", 0),
        "burr6_ChineseCross_cpu_s": ("<=", 0.2),
        "peak_memory_mb": ("<=", 1000),
    }
    return report


def _count(design: Design, problem: int) -> AssemblyTally:
    tally = AssemblyTally()
    for assembly in solve(design, design.problems[problem]):
        tally.add(assembly)
    return tally


if __name__ == "__main__":
    run_benchmark(measure, "CPU time of the burr solver against BurrTools.")

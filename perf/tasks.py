"""Tasks a second: prepared ones read from the pools that ship, and fresh ones.

A pool is read as in training: its tasks in random order, each with its level, its plan and its
certificate. Times are of this process's CPU. ``--fresh`` also makes new tasks, with a seed of its
own, for some seconds at each difficulty.
"""

import random
import time
from pathlib import Path

from perf.harness import Report, run_benchmark
from pysim.catalog import discover_families, list_asset_folders
from pysim.generation import Rejected
from pysim.tasks import TaskSource
from pysim.tasks.pool import SHIPPED, Pool
from pysim.tasks.recipe import TaskRecipe, has_tasks

READS = 20_000
SECONDS = 5.0


def measure(*, fresh: bool) -> Report:
    """Read the pools of all families; with ``fresh``, make tasks too."""
    report = Report("tasks")
    families = [name for name in discover_families() if has_tasks(name)]
    paths = {name: list_asset_folders()[name] / SHIPPED for name in families}
    for name, path in paths.items():
        _measure_pool(report, name, path)
    least = min(report.figures[f"first_read_per_s_{name}"] for name in families)
    report.figures["read_per_s"] = least
    report.targets["read_per_s"] = (">=", 20_000.0)
    report.figures["tasks_of_smallest_pool"] = min(
        report.figures[f"tasks_{name}"] for name in families
    )
    report.targets["tasks_of_smallest_pool"] = (">=", 2_000.0)
    report.figures["megabytes"] = sum(path.stat().st_size for path in paths.values()) / 2**20
    report.targets["megabytes"] = ("<=", 10.0)
    if fresh:
        for name in families:
            _measure_fresh(report, name)
    return report


def _measure_pool(report: Report, family: str, path: Path) -> None:
    began = time.process_time()
    source = TaskSource(family, pool=path)
    source.get_task("train", 0)
    report.figures[f"open_ms_{family}"] = 1000 * (time.process_time() - began)
    counts = {split: source.count_prepared(split) for split in source.splits}
    report.figures[f"tasks_{family}"] = sum(counts.values())
    report.figures[f"bytes_per_task_{family}"] = path.stat().st_size / len(Pool(path))
    places = [(split, index) for split, count in counts.items() for index in range(count)]
    random.Random(0).shuffle(places)
    began = time.process_time()
    for split, index in places:
        source.get_task(split, index)
    report.figures[f"first_read_per_s_{family}"] = len(places) / (time.process_time() - began)
    began = time.process_time()
    for k in range(READS):
        source.get_task(*places[k % len(places)])
    report.figures[f"read_per_s_{family}"] = READS / (time.process_time() - began)


def _measure_fresh(report: Report, family: str) -> None:
    recipe = TaskRecipe(family, 1)
    for difficulty in range(1, len(recipe.generators) + 1):
        recipe.attempt(difficulty, 0)  # Compiles what is compiled once.
        made, number, began = 0, 1, time.process_time()
        while time.process_time() - began < SECONDS:
            made += not isinstance(recipe.attempt(difficulty, number), Rejected)
            number += 1
        rate = made / (time.process_time() - began)
        report.figures[f"fresh_per_s_{family}_{difficulty}"] = rate


if __name__ == "__main__":
    run_benchmark(measure, "Tasks a second, read and made.", fresh="make fresh tasks as well")

"""Episodes per minute of the oracle in the lattice world, with and without pictures.

Played are the levels of ``chain-109``, several times over where there are no pictures. Runs with
one and with two workers take turns, and the best of each counts, so that a machine whose speed
drifts, or that does other work now and then, is fair to both; the notes say how busy it was. The
clock starts when every worker has started and loaded what it needs, and, without pictures, has
seen the levels: what they keep is worked out when they are first played. A renderer in software
draws in the worker's own thread in every run, so that two workers are compared with one and not
with one that takes all cores already. Each log is forced to the disk when it ends; how long a disk
takes for that, and for two at once, is not the workers' affair, so runs lie in memory where the
system has a folder there; the notes say where.
"""

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bridge.episode.records import Obs
from bridge.jobs.worker_process import use_one_core
from bridge.runs.results import EpisodeResult
from bridge.runs.run_player import play_run
from bridge.runs.settings import RunSettings
from bridge.runs.store import RunFolder
from perf.harness import Report, run_benchmark
from pysim.catalog import AnyLevel
from pysim.suites import find_suite, load_levels

SUITE = "chain-109"
ROUNDS = {Obs.STATE: 5, Obs.IMAGE_STATE: 2}
ATTEMPTS = {Obs.STATE: 16, Obs.IMAGE_STATE: 1}
WARM_UP = {Obs.STATE: 3 * 109, Obs.IMAGE_STATE: 30}
"""Episodes before the clock starts."""
PICTURE = 128
MEMORY = "/dev/shm"


def measure() -> Report:
    """Return both kinds of run with one and with two workers."""
    use_one_core()
    levels = load_levels(find_suite(SUITE))
    report = Report("eval", targets={"scaling_2_workers": (">=", 1.7)})
    report.figures["levels"] = len(levels)
    report.notes["folder"] = MEMORY if _place() else tempfile.gettempdir()
    report.notes["load"] = f"{os.getloadavg()[0]:.1f} processes wanted to run before"
    for mode, name in ((Obs.STATE, "state"), (Obs.IMAGE_STATE, "pictures")):
        rates = dict.fromkeys((1, 2), 0.0)
        for _ in range(ROUNDS[mode]):
            for workers in rates:
                rates[workers] = max(rates[workers], _rate(levels, mode, workers))
        for workers, rate in rates.items():
            report.figures[f"{name}_{workers}_workers_episodes_per_min"] = rate
        report.figures[f"{name}_scaling_2_workers"] = rates[2] / rates[1]
    report.figures["scaling_2_workers"] = min(
        report.figures[f"{name}_scaling_2_workers"] for name in ("state", "pictures")
    )
    return report


def _rate(levels: Sequence[AnyLevel], mode: Obs, workers: int) -> float:
    """Episodes per minute of one run, once it is under way; every one of them is solved."""
    settings = RunSettings(
        suite=SUITE,
        levels=tuple((level.id, level.hash) for level in levels),
        agent="oracle",
        attempts=ATTEMPTS[mode],
        obs=mode,
        picture_size=PICTURE,
    )
    with tempfile.TemporaryDirectory(dir=_place()) as out:
        folder = RunFolder.begin(Path(out), settings)
        finished: list[float] = []
        done = play_run(
            folder,
            levels,
            workers=workers,
            watch=lambda one: finished.append(time.perf_counter()),
        )
    assert all(isinstance(one, EpisodeResult) and one.solved for one in done)
    began, *counted = finished[WARM_UP[mode] - 1 :]
    return len(counted) / (counted[-1] - began) * 60


def _place() -> str | None:
    return MEMORY if os.access(MEMORY, os.W_OK) else None


if __name__ == "__main__":
    run_benchmark(measure, "Episodes per minute of a whole suite.")

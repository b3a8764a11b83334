"""Measure whether true films raise alarms: of every level, as a user bundles and scores them.

For each level the command's own bundle is made, and the film that a browser plays is judged as any
video is. It may break no rule, and all steps must be read. Levels are those that ship and generated
ones, which are tasks of the split ``test``. Each fifth level is tried at 416x240, with one step and
with all steps, too.

With ``--out FOLDER`` each film is kept as it is done, and the same command goes on where it was
stopped. The default is a sample of all families; ``--full`` takes all levels.
"""

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from bridge.jobs.processes import Processes
from bridge.jobs.threads import Inline
from bridge.jobs.worker_process import use_one_core
from bridge.recording.files import append_line
from bridge.video.reference.bundle import VIDEO, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from bridge.video.reference.film import read_true_film
from bridge.video.report.scorable import UnscorableError, check_scorable
from bridge.video.tracking.footage import open_footage
from bridge.video.verdict.judged_footage import judge_footage
from perf.harness import Report, run_benchmark
from pysim.catalog import list_shipped_levels
from pysim.level_selection import load_level
from pysim.machine import count_cores
from pysim.manifests import list_family_manifests
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer
from pysim.tasks.recipe import has_tasks
from pysim.tasks.splits import Split

SAMPLE = 30
"""Each so manieth level is in the sample."""
GENERATED = 34
"""Generated levels of each family."""


@dataclass(frozen=True, slots=True)
class Film:
    """A film that is tried.

    Attributes:
        level: id of the level.
        steps: first steps of the plan that it shows; 0 for all.
        width, height: size in pixels.
    """

    level: str
    steps: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a film.

    Attributes:
        alarms: violations.
        undecided: frames that are undecided.
        steps: steps that were read.
        seen: steps of the film; 0 where it shows nothing of any.
        unscorable: whether it is too small to be scored by the command.
    """

    alarms: int
    undecided: int
    steps: int
    seen: int
    unscorable: bool


@dataclass(frozen=True, slots=True)
class _Trying:
    """Makes films and scores them."""

    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "_Trier":
        use_one_core()
        return _Trier()

    def report_lost(self, job: Film, message: str) -> Outcome:
        sys.exit(f"{job.level}: {message}")


class _Trier:
    def __init__(self) -> None:
        self._renderer: Renderer = create_renderer()[0]

    def perform(self, job: Film) -> Outcome:
        request = BundleRequest(size=(job.width, job.height), first_steps=job.steps or None)
        with TemporaryDirectory() as folder:
            path = Path(folder, job.level)
            make_bundle(load_level(job.level), path, request, self._renderer)
            return self._try(path)

    def _try(self, path: Path) -> Outcome:
        bundle = read_bundle(path)
        seen = len(bundle.manifest.steps) if len(read_true_film(bundle).frames) > 1 else 0
        footage = open_footage(path / VIDEO, bundle.camera.width / bundle.camera.height)
        judged = judge_footage(bundle, footage)
        ruling, undecided = judged.ruling, int(judged.undecided.sum())
        unscorable = False
        try:
            check_scorable(bundle, footage)
        except UnscorableError:
            unscorable = True
        steps = len(ruling.reading.moves)
        return Outcome(len(ruling.violations), undecided, steps, seen, unscorable)

    def close(self) -> None:
        self._renderer.close()


def list_films(full: bool) -> list[Film]:
    """Return the films that are tried."""
    shipped = [level.id for level in list_shipped_levels() if level.plan is not None]
    chosen = [*shipped, *_list_generated()][:: 1 if full else SAMPLE]
    films = [Film(level, 2, 832, 480) for level in chosen]
    for steps, width, height in ((2, 416, 240), (1, 832, 480), (0, 832, 480)):
        films += [Film(level, steps, width, height) for level in chosen[::5]]
    return films


def _list_generated() -> list[str]:
    families = [name for name in list_family_manifests() if has_tasks(name)]
    return [f"{name}-{Split.TEST}-{number}" for name in families for number in range(GENERATED)]


def measure(full: bool, out: str, workers: float) -> Report:
    """Try all films."""
    films = list_films(full)
    log = Path(out, "films.jsonl") if out else None
    done = {} if log is None else _read(log)
    _run([film for film in films if film not in done], round(workers), log, done)
    report = Report("video_gate")
    tried = {film: done[film] for film in films}
    wrong = {film.level for film, outcome in tried.items() if outcome.alarms}
    short = {film.level for film, outcome in tried.items() if outcome.steps != outcome.seen}
    report.figures = {
        "films": len(tried),
        "films_with_alarms": len(wrong),
        "plans_not_whole": len(short),
        "films_with_undecided_frames": sum(outcome.undecided > 0 for outcome in tried.values()),
        "unscorable": sum(outcome.unscorable for outcome in tried.values()),
    }
    report.targets = {"films_with_alarms": ("<=", 0), "plans_not_whole": ("<=", 0)}
    report.notes = {"levels with alarms": ", ".join(sorted(wrong)) or "none"}
    report.notes["levels with a plan that is not whole"] = ", ".join(sorted(short)) or "none"
    return report


def _run(films: Sequence[Film], workers: int, log: Path | None, done: dict[Film, Outcome]) -> None:
    count = workers or count_cores()
    executor = Inline() if count == 1 else Processes(count)
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
    with closing(executor.run(_Trying(), films)) as results:
        for film, outcome in results:
            done[film] = outcome
            if log is not None:
                append_line(log, json.dumps([asdict(film), asdict(outcome)]).encode() + b"\n")
            if sys.stderr.isatty():
                print(f"\r{len(done)} films", end="", file=sys.stderr)


def _read(log: Path) -> dict[Film, Outcome]:
    if not log.exists():
        return {}
    rows = (json.loads(line) for line in log.read_bytes().split(b"\n")[:-1])
    return {Film(**film): Outcome(**outcome) for film, outcome in rows}


if __name__ == "__main__":
    run_benchmark(
        measure,
        "Alarms on true films of all levels, and plans that are not read whole.",
        {"workers": (0, "processes; 0 for one to each core")},
        {"out": "a folder that keeps each film, so that the same command goes on after a stop"},
        **{"full": "every level"},
    )

"""All cases of a run, in one process or more, and what is kept of them where it is stopped.

A folder holds ``settings.json``, ``bundles``, ``clips`` with a label beside each, and for each
version of the scorer ``outcomes-*.jsonl``: another version scores the same clips.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import cv2

from bridge.jobs.processes import Processes
from bridge.jobs.threads import Threads
from bridge.jobs.work import Executor
from bridge.jobs.worker_process import use_one_core
from bridge.recording.files import append_line
from bridge.runs.folders import RunError, begin_file
from bridge.video.reference.bundle import read_bundle
from perf.clips.cases import RANKED, Case
from perf.clips.judging import Outcome, judge_clip, read_outcome
from perf.clips.making import make_clip, read_label, write_label
from perf.clips.ranking import make_models, rank
from perf.clips.scorer import JUDGES
from perf.clips.sources import Source, SourcePlan, make_source, plan_sources
from pysim.catalog import find_level
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer

__all__ = ["Limits", "make_bundles", "run_cases"]

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = "settings.json"
_MAKERS = ("altering", "cases", "corruptions", "degradations", "making", "ranking", "sources")
"""Modules that clips depend on."""
_JUDGING = ("perf/clips/judging.py", "perf/clips/scorer.py")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a run: processes, and seconds after which no case is begun."""

    workers: int
    seconds: float


def run_cases(
    cases: Sequence[Case],
    seed: int,
    out: Path,
    limits: Limits,
    progress: Callable[[Outcome, int], None],
    *,
    score: bool = True,
) -> list[Outcome]:
    """Judge all cases that a folder does not have yet, and return all that were asked for.

    Args:
        score: whether clips are scored; else they are only made.

    Raises:
        RunError: the folder holds something else, or clips of other settings.
    """
    plans = make_bundles(sorted({case.family for case in cases}), seed, out)
    log = out / f"outcomes-{_digest([*JUDGES, *_JUDGING])}.jsonl"
    done = _read(log) if score else {}
    missing = [case for case in cases if case not in done]
    before, until = len(cases) - len(missing), time.monotonic() + limits.seconds
    executor: Executor = Processes(limits.workers) if limits.workers > 1 else Threads(1)
    work = _Judging(seed, str(out), plans, score)
    with closing(executor.run(work, missing if limits.seconds > 0.0 else [])) as results:
        for count, (case, outcome) in enumerate(results, 1):
            done[case] = outcome
            if score:
                append_line(log, json.dumps(outcome.to_json()).encode() + b"\n")
            progress(outcome, before + count)
            if time.monotonic() >= until:
                break
    return [done[case] for case in cases if case in done]


def make_bundles(families: Sequence[str], seed: int, out: Path) -> dict[str, list[SourcePlan]]:
    """Begin a folder, make the bundles of some families, and return what they are."""
    settings = {"seed": seed, "code": _digest([f"perf/clips/{name}.py" for name in _MAKERS])}
    begin_file(out, SETTINGS, json.dumps(settings) + "\n")
    if json.loads((out / SETTINGS).read_text(encoding="utf-8")) != settings:
        raise RunError(f"{out} holds clips of another seed or version; give another folder")
    (out / "clips").mkdir(exist_ok=True)
    plans = {family: _plan_kept(family, seed, out) for family in families}
    renderer, _ = create_renderer()
    with closing(renderer):
        for plan in (plan for some in plans.values() for plan in some):
            make_source(plan, find_level(plan.level), out / "bundles", renderer)
    return plans


def _plan_kept(family: str, seed: int, out: Path) -> list[SourcePlan]:
    """Return the bundles of a family as they were planned before."""
    path = out / f"{family}.json"
    with suppress(FileNotFoundError):
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [SourcePlan(level, steps, (size[0], size[1])) for level, steps, size in rows]
    plans = plan_sources(family, seed)
    rows = [[plan.level, plan.steps, plan.size] for plan in plans]
    path.write_text(json.dumps(rows) + "\n", encoding="utf-8")
    return plans


def _digest(places: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for place in places:
        path = ROOT / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def _read(log: Path) -> dict[Case, Outcome]:
    lines = log.read_bytes().split(b"\n")[:-1] if log.exists() else []
    rows = [read_outcome(json.loads(line)) for line in lines]
    return {row.case: row for row in rows}


@dataclass(frozen=True, slots=True)
class _Judging:
    """Makes and judges clips in a process."""

    seed: int
    folder: str
    plans: Mapping[str, Sequence[SourcePlan]]
    score: bool
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "_Judge":
        use_one_core()
        cv2.setNumThreads(1)
        return _Judge(self)

    def report_lost(self, job: Case, message: str) -> Outcome:
        return Outcome(job, error=message)


class _Judge:
    def __init__(self, work: _Judging) -> None:
        self._work, self._out = work, Path(work.folder)
        self._renderer: Renderer | None = None

    def perform(self, job: Case) -> Outcome:
        # A renderer belongs to the thread that made it, so it is made here.
        self._renderer = self._renderer or create_renderer()[0]
        if job.group == RANKED:
            return self._rank(job, self._renderer)
        video = self._out / "clips" / f"{job.name}.mp4"
        beside = video.with_suffix(".json")
        if not beside.exists():
            label = make_clip(job, self._sources(job), self._work.seed, self._renderer, video)
            self._renderer.release_memory()
            write_label(beside, label)
        label = read_label(beside)
        if not self._work.score:
            return Outcome(job, label.bundle, label.recipe)
        return judge_clip(label, self._source(label.bundle) if label.bundle else None, video)

    def _rank(self, job: Case, renderer: Renderer) -> Outcome:
        folder = self._out / "clips" / job.name
        beside = folder / "bundle"
        if not beside.exists():
            source = make_models(job, self._sources(job), self._work.seed, renderer, folder)
            renderer.release_memory()
            folder.mkdir(exist_ok=True)
            name = source.bundle.path.name if source is not None else ""
            beside.write_text(name, encoding="utf-8")
        name = beside.read_text(encoding="utf-8")
        if not self._work.score:
            return Outcome(job, name)
        return rank(job, self._source(name) if name else None, folder)

    def _sources(self, job: Case) -> list[Source]:
        # Pictures are many, so none is kept from case to case.
        return [self._source(plan.folder) for plan in self._work.plans[job.family]]

    def _source(self, folder: str) -> Source:
        return Source(read_bundle(self._out / "bundles" / folder, check=False))

    def close(self) -> None:
        """Renderers end with their thread."""

"""All cases of a run, and what is kept of them where it is stopped.

Clips are made in this process and scored in others, which do nothing else: their time and memory
are what users of ``luban score-video`` need.

A folder holds ``settings.json``, ``bundles``, ``clips`` with a label beside each, and for each
version of the scorer ``outcomes-*.jsonl``: another version scores the same clips.
"""

import hashlib
import json
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple, overload

import cv2

from bridge.jobs.processes import Processes
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

__all__ = ["Limits", "run_cases"]

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = "settings.json"
BUNDLES = "bundles"
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
    plans = _plan_bundles(sorted({case.family for case in cases}), seed, out)
    log = out / f"outcomes-{_digest([*JUDGES, *_JUDGING])}.jsonl"
    done = _read(log) if score else {}
    missing = [case for case in cases if case not in done]
    before, until = len(cases) - len(missing), time.monotonic() + limits.seconds
    made = map(_Maker(seed, out, plans).make, missing if limits.seconds > 0.0 else [])
    with closing(_judge(out, made, limits.workers) if score else _read_made(out, made)) as results:
        for count, (case, outcome) in enumerate(results, 1):
            done[case] = outcome
            if score:
                append_line(log, json.dumps(outcome.to_json()).encode() + b"\n")
            progress(outcome, before + count)
            if time.monotonic() >= until:
                break
    return [done[case] for case in cases if case in done]


def _plan_bundles(families: Sequence[str], seed: int, out: Path) -> dict[str, list[SourcePlan]]:
    """Begin a folder, and return the bundles of some families, which are made when used."""
    settings = {"seed": seed, "code": _digest([f"perf/clips/{name}.py" for name in _MAKERS])}
    begin_file(out, SETTINGS, json.dumps(settings) + "\n")
    if json.loads((out / SETTINGS).read_text(encoding="utf-8")) != settings:
        raise RunError(f"{out} holds clips of another seed or version; give another folder")
    (out / "clips").mkdir(exist_ok=True)
    return {family: _plan_kept(family, seed, out) for family in families}


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


class _Maker:
    """Makes clips, and keeps those that are there."""

    def __init__(self, seed: int, out: Path, plans: Mapping[str, Sequence[SourcePlan]]) -> None:
        self._seed, self._out, self._plans = seed, out, plans
        cv2.setNumThreads(1)

    @cached_property
    def _renderer(self) -> Renderer:
        return create_renderer()[0]

    def make(self, case: Case) -> Case:
        """Make what is missing of a case; return the case."""
        clip = _Clip.of(self._out, case)
        if clip.label.exists():
            return case
        sources = _Sources(self._plans[case.family], self._out / BUNDLES, self._renderer)
        if case.group == RANKED:
            source = make_models(case, sources, self._seed, self._renderer, clip.video)
            clip.video.mkdir(exist_ok=True)
            name = source.bundle.path.name if source is not None else ""
            clip.label.write_text(name, encoding="utf-8")
        else:
            label = make_clip(case, sources, self._seed, self._renderer, clip.video)
            write_label(clip.label, label)
        self._renderer.release_memory()
        return case


class _Sources(Sequence[Source]):
    """Sources of a case, each made when it is asked for.

    Their pictures are many, so none is kept from case to case.
    """

    def __init__(self, plans: Sequence[SourcePlan], folder: Path, renderer: Renderer) -> None:
        self._plans, self._folder, self._renderer = plans, folder, renderer
        self._made: dict[int, Source] = {}

    def __len__(self) -> int:
        return len(self._plans)

    @overload
    def __getitem__(self, index: int) -> Source: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Source]: ...
    def __getitem__(self, index: int | slice) -> Source | Sequence[Source]:
        if isinstance(index, slice):
            return [self[k] for k in range(len(self))[index]]
        if index not in self._made:
            plan = self._plans[index]
            level = find_level(plan.level)
            self._made[index] = make_source(plan, level, self._folder, self._renderer)
        return self._made[index]


class _Clip(NamedTuple):
    """Files of a case: a video with a label beside it, or a folder of videos that holds it."""

    video: Path
    label: Path

    @staticmethod
    def of(out: Path, case: Case) -> "_Clip":
        folder = out / "clips" / case.name
        if case.group == RANKED:
            return _Clip(folder, folder / "bundle")
        return _Clip(folder.with_name(f"{case.name}.mp4"), folder.with_name(f"{case.name}.json"))


def _open_source(out: Path, folder: str) -> Source:
    return Source(read_bundle(out / BUNDLES / folder, check=False))


def _read_made(out: Path, made: Iterable[Case]) -> Generator[tuple[Case, Outcome]]:
    """Yield clips that were made, without a score."""
    for case in made:
        clip = _Clip.of(out, case)
        if case.group == RANKED:
            yield case, Outcome(case, clip.label.read_text(encoding="utf-8"))
        else:
            label = read_label(clip.label)
            yield case, Outcome(case, label.bundle, label.recipe)


def _judge(out: Path, made: Iterable[Case], workers: int) -> Generator[tuple[Case, Outcome]]:
    return Processes(workers).run(_Judging(str(out)), made)


@dataclass(frozen=True, slots=True)
class _Judging:
    """Judges clips in processes."""

    folder: str
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "_Judge":
        cv2.setNumThreads(1)
        return _Judge(Path(self.folder))

    def report_lost(self, job: Case, message: str) -> Outcome:
        return Outcome(job, error=message)


class _Judge:
    def __init__(self, out: Path) -> None:
        self._out = out

    def perform(self, job: Case) -> Outcome:
        clip = _Clip.of(self._out, job)
        if job.group == RANKED:
            return rank(job, self._find_source(clip.label.read_text(encoding="utf-8")), clip.video)
        label = read_label(clip.label)
        return judge_clip(label, self._find_source(label.bundle), clip.video)

    def _find_source(self, folder: str) -> Source | None:
        return _open_source(self._out, folder) if folder else None

    def close(self) -> None:
        """Nothing is open between clips."""

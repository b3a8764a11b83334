"""All cases of a run, in one process or more, and what is kept of them where it is stopped.

A folder holds ``settings.json``, which say what makes cases what they are, and ``cases.jsonl``, one
line for each case that was judged. Which cases are asked for is no setting: a folder may be given
again with more of them.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import cv2

from bridge.jobs.processes import Processes
from bridge.jobs.threads import Threads
from bridge.jobs.work import Executor
from bridge.jobs.worker_process import use_one_core
from bridge.recording.files import append_line
from bridge.runs.folders import RunError, RunLock, begin_file
from bridge.video.reference.bundle import Bundle
from perf.video.cases import Case
from perf.video.clips import Clip, bundles
from perf.video.judged import Judged, judged, read_judged
from perf.video.turned.cases import is_turned
from perf.video.turned.clips import turned_bundles
from perf.video.turned.judging import judged_turned
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer

__all__ = ["Limits", "Settings", "run_cases", "settings_now"]

SETTINGS, CASES = "settings.json", "cases.jsonl"
ROOT = Path(__file__).resolve().parents[2]
JUDGES = ("bridge/compare", "bridge/video", "perf/video")
"""Where the code is of which a case is a measurement."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything besides its name that the outcome of a case depends on.

    Attributes:
        seed: of what is drawn.
        code: digest of what makes clips, tracks and judges them.
        renderer: its name and version.
    """

    seed: int
    code: str
    renderer: str

    def text(self) -> str:
        """As it is kept."""
        return json.dumps(asdict(self), indent=1) + "\n"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a run.

    Attributes:
        workers: processes.
        seconds: after so many no case is begun any more.
    """

    workers: int
    seconds: float


def settings_now(seed: int) -> Settings:
    """Return the settings of a run by this code, on this machine."""
    digest = hashlib.sha256()
    for place in JUDGES:
        for path in sorted((ROOT / place).rglob("*.py")):
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    renderer, _ = create_renderer()
    with closing(renderer):
        return Settings(seed, digest.hexdigest()[:16], f"{renderer.name} {renderer.version}")


def run_cases(
    cases: Sequence[Case],
    seed: int,
    out: Path | None,
    limits: Limits,
    progress: Callable[[Judged, int], None],
) -> list[Judged]:
    """Judge all cases that a folder does not have yet.

    Args:
        out: the folder; None if nothing is kept.
        progress: is told of each case that is new, and of how many there are by then.

    Returns:
        All that were asked for and are done, in their order.

    Raises:
        RunError: the folder holds something else, or a run of other settings.
    """
    if out is not None:
        _begin(out, settings_now(seed))
    with nullcontext() if out is None else RunLock(out):
        done = {} if out is None else _done(out)
        missing = [case for case in cases if case not in done]
        before = len(cases) - len(missing)
        for count, result in enumerate(_new(missing, seed, limits), 1):
            _keep(out, result)
            done[result.case] = result
            progress(result, before + count)
    return [done[case] for case in cases if case in done]


def _new(cases: Sequence[Case], seed: int, limits: Limits) -> Iterator[Judged]:
    """Judge cases, as long as there is time."""
    until = time.monotonic() + limits.seconds
    if not cases or limits.seconds <= 0.0:
        return
    with TemporaryDirectory() as folder:
        _made(Path(folder), cases)  # Here, so that workers find them.
        work = _Judging(seed, folder)
        count = limits.workers
        executor: Executor = Processes(count) if count > 1 else Threads(1)
        with closing(executor.run(work, cases)) as results:
            for _, result in results:
                yield result
                if time.monotonic() >= until:
                    return


def _made(folder: Path, cases: Sequence[Case]) -> None:
    """Make the bundles that some cases need."""
    kinds = {is_turned(case.kind) for case in cases}
    if False in kinds:
        bundles(folder)
    if True in kinds:
        turned_bundles(folder)


def _begin(out: Path, settings: Settings) -> None:
    """Make a folder, or see that it is one of these settings."""
    begin_file(out, SETTINGS, settings.text())
    there = json.loads((out / SETTINGS).read_text(encoding="utf-8"))
    for name, now in asdict(settings).items():
        if there.get(name) != now:
            raise RunError(
                f"{out}: its cases have another {name} ({there.get(name)}, not {now}); "
                "give --out another folder"
            )


def _done(out: Path) -> dict[Case, Judged]:
    """Read the cases that a folder has already."""
    lines = (out / CASES).read_bytes().split(b"\n")[:-1] if (out / CASES).exists() else []
    rows = [read_judged(json.loads(line)) for line in lines]
    return {row.case: row for row in rows}


def _keep(out: Path | None, result: Judged) -> None:
    if out is not None:
        append_line(out / CASES, json.dumps(result.to_json()).encode() + b"\n")


@dataclass(frozen=True, slots=True)
class _Judging:
    """Judges cases in a process.

    Attributes:
        seed: of what is drawn.
        folder: has the bundles, and room for videos.
    """

    seed: int
    folder: str
    can_pause: ClassVar[bool] = True

    def open(self, stopped: Callable[[], bool]) -> "_Judge":
        use_one_core()
        cv2.setNumThreads(1)
        return _Judge(self)

    def report_lost(self, job: Case, message: str) -> Judged:
        return Judged(job, nowhere=message)


class _Judge:
    def __init__(self, work: _Judging) -> None:
        self._work = work
        self._known: list[Clip] = []
        self._turned: list[Bundle] = []
        self._renderer: Renderer | None = None

    def perform(self, job: Case) -> Judged:
        folder, seed = Path(self._work.folder), self._work.seed
        video = folder / f"{os.getpid()}.mp4"
        # A renderer belongs to the thread that made it, so it is made here.
        if is_turned(job.kind):
            self._turned = self._turned or turned_bundles(folder)
            self._renderer = self._renderer or create_renderer()[0]
            return judged_turned(job, seed, self._turned, self._renderer, video)
        self._known = self._known or bundles(folder)
        return judged(job, seed, self._known, video)

    def close(self) -> None:
        """Renderers end with their thread."""

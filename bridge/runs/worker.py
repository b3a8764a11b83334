"""Worker that plays one episode, writes it down, and makes its video."""

import copy
import hashlib
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from bridge.agents.chat import ModelRefusal
from bridge.agents.journal import JOURNAL_NAME, Journal
from bridge.agents.protocol import NoteTaker
from bridge.agents.registry import create_agent, find_agent
from bridge.agents.usage import NO_USAGE, Usage
from bridge.agents.usage_meter import SpendingLimit, UsageMeter
from bridge.episode.engines import Engines, OpenEngines, open_local_engines
from bridge.episode.episode import Episode
from bridge.episode.records import Ending, LiveStep, Start
from bridge.episode.rendering import SharedRenderer
from bridge.episode.sanitize import sanitize_text
from bridge.recording.files import write_whole
from bridge.recording.film import film_episode
from bridge.recording.log import EpisodeLog, Log, read_log
from bridge.recording.replay import replay
from bridge.recording.times import TIMES_NAME, TimeLog
from bridge.runs.decoys import add_decoy
from bridge.runs.options import VideoPolicy
from bridge.runs.play import PlayStopped
from bridge.runs.protocol import Attempt, make_play
from bridge.runs.results import EpisodeResult
from bridge.runs.store import LOG_NAME, VIDEO_NAME, RunFolder, find_earlier_notes
from pysim.errors import InputError, MissingPackage
from pysim.puzzle import Level
from pysim.render.camera import list_cameras
from pysim.render.renderer import Renderer
from pysim.render.views import encode, observe, tile
from pysim.scene import Scene

__all__ = [
    "Failure",
    "Job",
    "JobResult",
    "KeepsNoNotes",
    "PlayWork",
    "PlayWorker",
    "Unfilmed",
    "derive_episode_seed",
]

ERROR_NAME = "error.txt"
PICTURE_SIZE = 256
MAX_NOTES = 8000
"""Characters of an agent's notes for its next attempt; the rest is cut."""


class KeepsNoNotes(InputError):
    """The agent keeps no notes for its next attempt."""


@dataclass(frozen=True, slots=True)
class Job:
    """One attempt at a level, from 1; small, for it is sent to a worker process.

    Attributes:
        level, attempt: which.
        notes: those that the agent kept after the attempt before.
    """

    level: str
    attempt: int
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """An episode that could not be played to its end.

    Attributes:
        level, attempt: which.
        message: what went wrong.
        ends_run: whether every other episode would fail for the same reason.
    """

    level: str
    attempt: int
    message: str
    ends_run: bool = False


@dataclass(frozen=True, slots=True)
class Unfilmed:
    """An episode that was played to its end, and whose video could not be made.

    Attributes:
        result: the episode, exactly as with a video.
        message: why there is no video.
    """

    result: EpisodeResult
    message: str


JobResult = EpisodeResult | Failure
"""One attempt, played or not."""


def derive_episode_seed(seed: int, level: str, attempt: int) -> int:
    """Return the seed of an episode's agent: 31 bits, the same whoever plays it and when."""
    digest = hashlib.sha256(f"{seed}/{level}/{attempt}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


class PlayWorker:
    """Plays the episodes of one run; safe to use from many threads.

    Args:
        folder: of the run.
        levels: those of the run. They are given once, because they keep what is worked out of them.
        video: of which episodes videos are made.
        renderer: as for :class:`~bridge.episode.rendering.SharedRenderer`.
        stopped: asked between steps whether to stop.
        open_engines: gives the worlds and renderers, until the worker is closed.
        meter: counts what models are asked; when it is spent, play stops between two steps.
    """

    def __init__(
        self,
        folder: RunFolder,
        levels: Sequence[Level[Any]],
        video: VideoPolicy,
        renderer: str,
        stopped: Callable[[], bool],
        open_engines: OpenEngines = open_local_engines,
        meter: UsageMeter | None = None,
    ) -> None:
        self._folder = folder
        self._levels = {level.id: level for level in levels}
        self._settings = folder.settings
        self._video = video
        self._open = ExitStack()
        self._engines = self._open.enter_context(open_engines())
        self._renderer = SharedRenderer(renderer, self._engines)
        self._meter = meter or UsageMeter()
        self._interrupted = stopped

    def _stopped(self) -> bool:
        return self._interrupted() or self._meter.is_spent

    def copy_to(self, folder: RunFolder) -> "PlayWorker":
        """The same worker, with the same renderer and engines, in another folder of the run."""
        twin = copy.copy(self)
        twin._folder = folder
        return twin

    def perform(self, job: Job) -> JobResult | Unfilmed | None:
        """Do what is left to do of a job; None if it was stopped.

        A failure concerns this episode alone and is returned, not raised. Its traceback is in
        ``error.txt`` beside the log. A video that fails leaves the episode's result as it is.
        """
        if self._stopped():
            return None
        try:
            result = self._result(job)
        except PlayStopped:
            return None
        except Exception as error:
            return self._fail(job, error)
        return self._filmed(job, result)

    def close(self) -> None:
        """Free the renderer and the engines."""
        self._renderer.close()
        self._open.close()

    def _filmed(self, job: Job, result: EpisodeResult) -> EpisodeResult | Unfilmed:
        if not self._video.needs_video(solved=result.solved):
            return result
        try:
            self._picture(job)
        except Exception as error:
            return Unfilmed(result, self._note_error(job, error))
        return result

    def _result(self, job: Job) -> EpisodeResult:
        result = self._folder.read_result(job.level, job.attempt)
        if result is None:
            self._folder.set_aside(job.level, job.attempt)
            self._play(job)
            result = self._folder.read_result(job.level, job.attempt)
            assert result is not None
        return result

    def _play(self, job: Job) -> None:
        settings = self._settings
        level = self._levels[job.level]
        seed = derive_episode_seed(settings.seed, job.level, job.attempt)
        folder = self._folder.locate_episode(job.level, job.attempt)
        folder.mkdir(parents=True)
        play = make_play(settings)
        options = play.options(level, settings.make_episode_options(seed, level))
        options = add_decoy(options, level, list(self._levels.values()))
        earlier = find_earlier_notes(folder, JOURNAL_NAME)
        journal = Journal(folder / JOURNAL_NAME, self._meter, earlier)
        agent = create_agent(
            settings.agent,
            level,
            seed=seed,
            obs=options.obs,
            settings=find_agent(settings.agent).select_own(settings.options),
            journal=journal,
            notes=job.notes,
        )
        keeps_notes = settings.notes and job.attempt < settings.attempts
        if keeps_notes and not isinstance(agent, NoteTaker):
            raise KeepsNoNotes(
                f"the agent {settings.agent} keeps no notes: leave out `--notes`, or give it a "
                "method take_notes"
            )
        with (
            EpisodeLog(folder / LOG_NAME) as log,
            TimeLog(folder / TIMES_NAME, log) as timed,
            Episode(
                level,
                settings.world,
                self._renderer if options.obs.has_images else None,
                options,
                timed,
                engines=self._engines,
            ) as episode,
        ):
            play.perform(
                Attempt(level, episode, agent, settings, seed, journal, folder, self._stopped)
            )
            if keeps_notes and isinstance(agent, NoteTaker):
                notes = sanitize_text(agent.take_notes(episode.observe()))[:MAX_NOTES]
                journal.record({"type": "kept", "kept": notes})

    def _picture(self, job: Job) -> None:
        """Video and pictures; what is there is not made anew, and the video comes last."""
        folder = self._folder.locate_episode(job.level, job.attempt)
        if (folder / VIDEO_NAME).exists():
            return
        for left in folder.glob(f".{VIDEO_NAME}.*"):  # By a process that was killed.
            left.unlink()
        log = read_log(folder / LOG_NAME)
        _save_pictures(log, folder, self._renderer, self._engines)
        film_episode(log, self._renderer, folder / VIDEO_NAME, engines=self._engines)
        (folder / ERROR_NAME).unlink(missing_ok=True)

    def _fail(self, job: Job, error: Exception) -> Failure:
        message = self._note_error(job, error)
        return Failure(job.level, job.attempt, message, self._concerns_all(error))

    def _note_error(self, job: Job, error: Exception) -> str:
        """Write an error's traceback beside the log, and return the error in one line."""
        text = "".join(traceback.format_exception(error))
        folder = self._folder.locate_episode(job.level, job.attempt)
        with suppress(OSError):  # The disk may be what is wrong; that is told anyway.
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / ERROR_NAME, sanitize_text(text).encode())
        return sanitize_text(f"{type(error).__name__}: {error}")

    def _concerns_all(self, error: Exception) -> bool:
        """Return whether an error would meet every episode: a wrong key, model or setting."""
        if isinstance(error, ModelRefusal):
            answered = self._meter.has_counted or self._folder.read_usage().calls
            return error.certain or not answered
        return isinstance(error, MissingPackage | KeepsNoNotes)


@dataclass(frozen=True, slots=True)
class PlayWork:
    """Plays the episodes of a run; see :class:`~bridge.jobs.work.Work`.

    Attributes:
        folder: of the run.
        levels: those of its settings, in order.
        video: of which episodes videos are made.
        renderer: as for :class:`~bridge.episode.rendering.SharedRenderer`.
        open_engines: gives the worlds and renderers, in every process anew.
        allowance: what may be used up in all; None for any amount.
        paid: what was used up before.
    """

    folder: RunFolder
    levels: Sequence[Level[Any]]
    video: VideoPolicy
    renderer: str
    open_engines: OpenEngines
    allowance: SpendingLimit | None = None
    paid: Usage = NO_USAGE
    can_pause: ClassVar[bool] = True

    def open(self, stopped: Callable[[], bool]) -> PlayWorker:
        """Plays in this process."""
        meter = None if self.allowance is None else UsageMeter(self.allowance, self.paid)
        return PlayWorker(
            self.folder, self.levels, self.video, self.renderer, stopped, self.open_engines, meter
        )

    def report_lost(self, job: Job, message: str) -> Failure:
        """The episode has failed."""
        return Failure(job.level, job.attempt, message)


class _EndScenes:
    """Keeps the first and the last scene of an episode."""

    def record_start(self, start: Start) -> None:
        self.first: Scene = start.scene
        self.last = start.scene

    def record_step(self, record: LiveStep) -> None:
        self.last = record.scene

    def record_end(self, ending: Ending) -> None:
        """Nothing to see."""


def _save_pictures(log: Log, folder: Path, renderer: Renderer, engines: Engines) -> None:
    ends = _EndScenes()
    replay(log, listener=ends, engines=engines)
    for name, scene in (("first", ends.first), ("last", ends.last)):
        # Whatever the agent was shown, people see all of it.
        views = [v.rgb for v in observe(renderer, scene, PICTURE_SIZE, cameras=list_cameras(scene))]
        write_whole(folder / f"{name}.png", encode(tile(views, 2), "png"))

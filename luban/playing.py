"""Playing in this process: which levels there are, and an episode that frees what it holds."""

import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from bridge.episode.engines import LOCAL, Engines
from bridge.episode.episode import Episode
from bridge.episode.protocol import EpisodeRunning
from bridge.episode.records import Ending, Feedback, Obs, Options
from bridge.episode.rendering import Loan, RendererPool
from bridge.recording import log as logs
from bridge.recording.files import write_whole
from bridge.recording.lines import LogInMemory
from bridge.recording.log import EpisodeLog
from pysim.errors import InputError
from pysim.former_names import accept_former_keywords
from pysim.level_selection import load_level, select_levels
from pysim.limits import quote
from pysim.physics.world import World
from pysim.puzzle import Level
from pysim.render.views import FORMATS
from pysim.viewpoints import Views

__all__ = ["StartedEpisode", "levels", "load", "read_log", "start"]

_RENDERERS = RendererPool()


def levels(suite: str = "") -> tuple[Level[Any], ...]:
    """Return the levels of a suite or of a family, or those with some ids.

    Args:
        suite: a suite, a family, an id, a pattern of ids such as ``*-d01-*`` or a level file, or
            several with commas between them; empty for all that ship.

    Raises:
        SuiteError: something is none of these; the message names what is like it.
        LevelError: a file can't be read or holds no level.
    """
    return select_levels(suite)


def load(level: str | Path) -> Level[Any]:
    """Return the level with an id, or in a file whose name ends with ``.json``.

    Raises:
        LevelError: there is none; the message names similar ids.
    """
    return load_level(str(level))


@accept_former_keywords(
    obs="observation",
    history_window="history",
    picture_size="image_size",
    picture_format="image_format",
)
def start(
    level: str | Path | Level[Any],
    *,
    observation: Obs | str = Obs.IMAGE_STATE,
    world: str = "lattice",
    budget: int | None = None,
    history: int = 5,
    image_size: int = 512,
    image_format: str = "png",
    seed: int = 0,
    agent: str = "",
    log: Path | str | None = None,
    renderer: str = "auto",
    feedback: Feedback | str = Feedback.FULL,
    views: Views | str = Views.COMPOSED,
    camera: str = "",
    engines: Engines = LOCAL,
) -> "StartedEpisode":
    """Begin an episode in this process.

    Args:
        level: a level, its id, or a level file.
        observation: what is seen: ``image``, ``image+state``, ``state`` or ``none``; ``pictures``
            and ``text`` are read as ``image`` and ``state``. ``wrong`` is for suites, see
            ``luban eval``.
        world: ``lattice`` (exact), ``bullet``, or another one of ``engines``.
        budget: number of steps; None for the level's own.
        history: past turns that observations remind of.
        image_size: edge of each view in pixels.
        image_format: ``png``, ``jpeg`` or ``raw``.
        seed, agent: for the record.
        log: a new file for the log, written step by step; None keeps it in memory, for
            :meth:`StartedEpisode.save_log`.
        renderer: ``auto``, ``egl`` or ``tiny``. Where ``auto`` has to take a plain software
            renderer, a warning says why.
        feedback: how much is told of what came of an action: ``none``, ``legal`` (whether it was
            accepted), ``reason`` (also which rule it broke) or ``full``.
        views: how pictures are composed: ``composed``, ``sheet`` (all in one picture), ``single``
            (one fixed view) or ``classic``, as in earlier versions.
        camera: one of your own in place of all views, for observations and videos: ``9,-7,6``
            stands there and looks at the middle of what is there at the beginning, ``9,-7,6:2,2,1``
            looks at a point. It stands still.
        engines: make the world, of the episode and of its video. Those of
            :func:`bridge.unity.engines.open_unity_engines` have ``unity``.

    Raises:
        LevelError: there is no such level.
        InputError: an option that does not exist or is out of range.
        RendererUnavailable, WorldUnavailable: it can't be used here; the message says why.
        RecordingError: the log exists already or can't be written.
    """
    options = Options(
        Obs(observation),
        history,
        image_size,
        budget,
        seed,
        agent,
        Feedback(feedback),
        Views(views),
        camera,
    )
    if image_format not in FORMATS:
        raise InputError(
            f"there is no format {quote(image_format)}; there are {', '.join(FORMATS)}"
        )
    chosen = level if isinstance(level, Level) else load(level)
    return StartedEpisode(chosen, world, renderer, options, image_format, log, engines)


def read_log(path: Path | str) -> logs.Log:
    """Read the log of an episode; one without an end is fine.

    Raises:
        LogError: the file can't be read, is no log, or is damaged.
    """
    return logs.read_log(Path(path))


class StartedEpisode(Episode):
    """An episode in this process that frees what it holds when it is ended, left or forgotten.

    It has all that :class:`~bridge.episode.protocol.PlayedEpisode` says, and may be used from any
    thread, one at a time; begin it with :func:`start`.
    """

    def __init__(
        self,
        level: Level[Any],
        world: str,
        renderer: str,
        options: Options,
        image_format: str,
        log: Path | str | None,
        engines: Engines = LOCAL,
    ) -> None:
        self._kind = renderer
        loan = _RENDERERS.borrow(renderer)
        self._log: EpisodeLog | LogInMemory | None
        self._log = LogInMemory() if log is None else _new_log(Path(log))
        drawing = loan.renderer if options.obs.has_images else None
        try:
            super().__init__(level, world, drawing, options, self._log, image_format, engines)
        except BaseException:
            loan.give_back()
            raise
        self._hold(loan)
        if drawing is not None and drawing.note:
            warnings.warn(drawing.note, RuntimeWarning, stacklevel=3)

    def end(self, note: str = "given up by the agent") -> Ending:
        """End the episode and free what it holds; gives up if it has not ended.

        Asked again it says the same.

        Raises:
            EpisodeOver: the episode was left without an end.
            RecordingError: the end can't be written into the log; it may be tried again.
        """
        if self.outcome is None:
            self._require_open()
        ending = super().end(note)
        self._free(wait=True)
        return ending

    def leave(self) -> None:
        """Free what it holds and leave the episode without an end, as if it was cut off."""
        self._free(wait=True)

    def fork(self) -> Self:
        """Return an independent copy from here, written down nowhere; it is to be left."""
        twin = super().fork()
        twin._log = None
        twin._hold(_RENDERERS.borrow(self._kind))
        return twin

    def save_log(self, path: Path | str) -> None:
        """Write the log of the ended episode to a file, over what is there.

        Raises:
            EpisodeRunning: it has not ended.
            OSError: the file can't be written; what was there is as before.
        """
        path = Path(path)
        if self.outcome is None:
            raise EpisodeRunning("the log can be had once the episode has ended")
        if isinstance(self._log, LogInMemory):
            self._log.save(path)
        elif self._log is not None and path.resolve() != self._log.path.resolve():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, self._log.path.read_bytes())

    def save_video(
        self,
        path: Path | str,
        *,
        size: int = 512,
        camera: str = "",
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Make the video of the ended episode from its log; an older one is replaced.

        Args:
            path: the file, MP4.
            size: edge in pixels, 128 to 1080, even.
            camera: one of your own, as ``9,-7,6``, which looks at the middle, or ``9,-7,6:2,2,1``,
                which looks at a point; empty for the episode's, or else one that sees every body.
            progress: told of the number of frames made and in all.

        Raises:
            EpisodeRunning: it has not ended.
            InputError: the size can't be encoded.
            WorldError: the world's engine fails.
            RendererUnavailable: no renderer can be used here.
            RecordingError: the video can't be written.
        """
        from bridge.recording.film import film_episode

        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix="luban-") as folder:
            log = Path(folder) / "episode.jsonl"
            self.save_log(log)
            with _RENDERERS.borrow(self._kind) as renderer:
                film_episode(
                    read_log(log),
                    renderer,
                    Path(path),
                    size=size,
                    engines=self._engines,
                    camera=camera,
                    progress=progress,
                )

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None and self._open:
                self.end("closed before the end")
        finally:
            self._free(wait=True)

    def _hold(self, loan: Loan) -> None:
        """Be sure that all is freed, also if nobody ends the episode."""
        log = self._log if isinstance(self._log, EpisodeLog) else None
        self._holding = weakref.finalize(self, _let_go, self._world, loan, log)
        self._holding.atexit = False  # The system does it then; the renderer's thread has ended.

    def _free(self, *, wait: bool) -> None:
        self._open = False
        held = self._holding.detach()
        if held is not None:
            _let_go(*held[2], wait=wait)


def _let_go(world: World, loan: Loan, log: EpisodeLog | None, *, wait: bool = False) -> None:
    """Free a world, give a renderer back and close a log, whatever fails."""
    try:
        world.close()
    finally:
        loan.give_back(wait=wait)
        if log is not None:
            log.close()


def _new_log(path: Path) -> EpisodeLog:
    path.parent.mkdir(parents=True, exist_ok=True)
    return EpisodeLog(path)

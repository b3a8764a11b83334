"""The folder of a run: what was to be played, and what has been.

::

    run.json                             the settings, written once
    episodes/LEVEL/ATTEMPT/episode.jsonl the log; an episode is finished when its log has an end
                           agent.jsonl   the agent's journal, if it keeps one
                           search.jsonl  the journal of a search, if there was one
                           episode.mp4, first.png, last.png
    episodes/LEVEL/ATTEMPT-cut-off-N/    what was under way when a run was killed; not counted

The logs are the only record of what is done, so that nothing can be lost between two files.
"""

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Any

from bridge.agents.journal import JOURNAL_NAME, usage_of
from bridge.benches.cubebench.protocol import TurnProtocol
from bridge.episode.records import ObservationMode, Options
from bridge.recording.fields import Fields, json_object
from bridge.recording.log import read_log
from bridge.runs.play import Mode
from bridge.runs.results import EpisodeResult, result_of
from bridge.scoring.selection.beam import SEARCH_NAME, BeamSettings, search_cost
from pysim.catalog import check_id
from pysim.errors import InputError

__all__ = ["FORMAT", "LOG_NAME", "VIDEO_NAME", "RunError", "RunFolder", "RunSettings"]

FORMAT = "luban-run/1"
LOG_NAME = "episode.jsonl"
VIDEO_NAME = "episode.mp4"


class RunError(InputError):
    """A run can't be begun, gone on with or read; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What is played, by whom and how: everything that results depend on.

    Attributes:
        suite: what the user called the levels.
        levels: id and content hash of each, in order.
        agent: its name, with its argument.
        attempts: at each level.
        mode: how often the agent is asked.
        observation: what it sees.
        world: in which world.
        budget: steps; None for each level's own.
        seed: of the whole run.
        picture_size: edge of each view in pixels.
        history_window: turns that observations remind of.
        options: what the agent was given besides, name -> text.
        luban: version of the program.
        search: how steps are searched for; None if the agent just plays.
        protocol: how agents play in turns; None in the modes in which they don't.
    """

    suite: str
    levels: tuple[tuple[str, str], ...]
    agent: str
    attempts: int = 1
    mode: Mode = Mode.INTERACTIVE
    observation: ObservationMode = ObservationMode.IMAGE_STATE
    world: str = "lattice"
    budget: int | None = None
    seed: int = 0
    picture_size: int = 512
    history_window: int = 5
    options: Mapping[str, str] = field(default_factory=dict)
    luban: str = ""
    search: BeamSettings | None = None
    protocol: TurnProtocol | None = None

    def __post_init__(self) -> None:
        if not self.levels:
            raise RunError("there is no level to play")
        if not 1 <= self.attempts <= 1000:
            raise RunError(f"a level is attempted 1 to 1000 times, not {self.attempts}")
        if self.search is not None and self.mode is not Mode.INTERACTIVE:
            raise RunError(
                f"mode {self.mode} leaves nothing to search for: a beam needs interactive play"
            )
        if self.mode.in_turns != (self.protocol is not None):
            raise RunError(f"mode {self.mode} and how turns are played do not fit")
        self.episode_options(0)

    def episode_options(self, seed: int) -> Options:
        """The options of an episode whose agent has a seed."""
        return Options(
            mode=self.observation,
            history_window=self.history_window,
            picture_size=self.picture_size,
            budget=self.budget,
            seed=seed,
            agent=self.agent,
        )

    def document(self) -> dict[str, object]:
        """What :meth:`from_document` reads."""
        return {"format": FORMAT, **asdict(self)}

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> "RunSettings":
        """The settings in a ``run.json``.

        Raises:
            RunError: it is none.
        """
        if document.get("format") != FORMAT:
            raise RunError(f"its format is {document.get('format')!r}; this version reads {FORMAT}")
        try:
            _check_types(Fields(document))
            later = ("search", "protocol")  # Not there in older runs.
            values = {f.name: document[f.name] for f in fields(RunSettings) if f.name not in later}
            values |= {name: document.get(name) for name in later}
            if values["search"] is not None:
                values["search"] = BeamSettings(**values["search"])
            values["levels"] = tuple((check_id(name), str(it)) for name, it in values["levels"])
            values["mode"] = Mode(values["mode"])
            values["observation"] = ObservationMode(values["observation"])
            if values["protocol"] is not None:
                values["protocol"] = TurnProtocol.from_document(values["protocol"])
            return RunSettings(**values)
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"its settings are damaged: {error}") from None


def _check_types(document: Fields) -> None:
    for name in ("suite", "agent", "world", "luban"):
        document.text(name)
    for name in ("attempts", "picture_size", "history_window"):
        document.whole(name, 0)
    document.integer("seed")
    if not document.is_null("budget"):
        document.whole("budget", 1)
    options = document.inner("options")
    for name in document.mapping("options"):
        options.text(name)


class RunFolder:
    """A run on disk.

    Attributes:
        path: the folder.
        settings: of the run.
    """

    def __init__(self, path: Path, settings: RunSettings) -> None:
        self.path = path
        self.settings = settings

    @staticmethod
    def begin(path: Path, settings: RunSettings) -> "RunFolder":
        """The folder for these settings: a new one, or one in which the same run was begun.

        Raises:
            RunError: there is something else in it.
            OSError: it can't be made.
        """
        path.mkdir(parents=True, exist_ok=True)
        if not (path / "run.json").exists():
            if any(entry.name != ".lock" for entry in path.iterdir()):
                raise RunError(f"{path} has other files in it; give --out an empty or new folder")
            draft = path / ".run.json.part"
            draft.write_text(json.dumps(settings.document(), indent=1) + "\n", encoding="utf-8")
            draft.replace(path / "run.json")
        folder = RunFolder.read(path)
        _require_same(path, folder.settings, settings)
        return folder

    @staticmethod
    def read(path: Path) -> "RunFolder":
        """The run in a folder.

        Raises:
            RunError: there is none.
        """
        file = path / "run.json"
        try:
            return RunFolder(path, RunSettings.from_document(json_object(file.read_bytes())))
        except OSError as error:
            raise RunError(f"{path} holds no run: {file.name}: {error.strerror}") from None
        except InputError as error:
            raise RunError(f"{file}: {error}") from None

    def episode(self, level: str, attempt: int) -> Path:
        """The folder of an episode."""
        return self.path / "episodes" / level / str(attempt)

    def result(self, level: str, attempt: int) -> EpisodeResult | None:
        """The result of an episode; None if it is not finished.

        Raises:
            LogError, ValueError: its log or journal is damaged.
        """
        folder = self.episode(level, attempt)
        log_path = folder / LOG_NAME
        if not _has_end(log_path):
            return None
        log = read_log(log_path)
        usage = usage_of(folder / JOURNAL_NAME)
        return result_of(log, attempt, usage, search_cost(folder / SEARCH_NAME))

    def results(self) -> list[EpisodeResult]:
        """The results of all finished episodes: levels in order, then attempts."""
        attempts = range(1, self.settings.attempts + 1)
        found = (self.result(level, n) for level, _ in self.settings.levels for n in attempts)
        return [result for result in found if result is not None]

    def set_aside(self, level: str, attempt: int) -> None:
        """Put what an unfinished episode has left behind out of the way."""
        folder = self.episode(level, attempt)
        if not folder.exists():
            return
        number = 1
        while (aside := folder.with_name(f"{attempt}-cut-off-{number}")).exists():
            number += 1
        folder.rename(aside)

    def lock(self) -> "RunLock":
        """Keeps other processes from playing this run at the same time; a context manager."""
        return RunLock(self.path / ".lock")


class RunLock:
    """An advisory lock that ends with the process at the latest.

    Raises (when it is entered):
        RunError: another process has it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1

    def __enter__(self) -> "RunLock":
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise RunError(f"{self._path.parent}: another process is at work on this run") from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._file)


def _require_same(path: Path, there: RunSettings, wanted: RunSettings) -> None:
    before, now = _flat(there), _flat(wanted)
    differing = [name for name in now if before.get(name) != now[name]]
    if differing:
        names = ", ".join(_difference(name, before.get(name), now[name]) for name in differing)
        raise RunError(f"{path} holds another run ({names}); give --out another folder")


def _flat(settings: RunSettings) -> dict[str, object]:
    """The settings, those of turns among the others."""
    document = settings.document()
    del document["protocol"]
    return document if settings.protocol is None else document | asdict(settings.protocol)


def _difference(name: str, before: object, now: object) -> str:
    if isinstance(before, Sequence) and not isinstance(before, str):
        return f"other {name}"
    return f"{name} was {before}, not {now}"


_TAIL = 64 * 1024


def _has_end(log: Path) -> bool:
    """Whether the last line of a log is an end line; looks at the end of the file only."""
    try:
        with log.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL))
            tail = file.read()
    except OSError:
        return False
    last = tail.rstrip(b"\n").rpartition(b"\n")[2]
    return tail.endswith(b"\n") and last.startswith(b'{"type":"end"')

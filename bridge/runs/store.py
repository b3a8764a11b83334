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
from pathlib import Path
from types import TracebackType

from bridge.agents.journal import JOURNAL_NAME, usage_of
from bridge.recording.log import read_log
from bridge.runs.protocol import measures_of
from bridge.runs.results import SEARCH_NAME, EpisodeResult, result_of, search_cost
from bridge.runs.settings import RunError, RunSettings

__all__ = ["LOG_NAME", "VIDEO_NAME", "RunFolder", "RunLock"]

LOG_NAME = "episode.jsonl"
VIDEO_NAME = "episode.mp4"


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
            document = json.loads(file.read_bytes())
        except OSError as error:
            raise RunError(f"{path} holds no run: {file.name}: {error.strerror}") from None
        except ValueError:
            raise RunError(f"{file} is no JSON") from None
        if not isinstance(document, dict):
            raise RunError(f"{file} is no JSON object")
        try:
            return RunFolder(path, RunSettings.from_document(document))
        except RunError as error:
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
        search = search_cost(folder / SEARCH_NAME)
        return result_of(log, attempt, usage, search, measures_of(log))

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
    if differing := there.differences(wanted):
        names = ", ".join(differing)
        raise RunError(f"{path} holds another run ({names}); give --out another folder")


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

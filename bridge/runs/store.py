"""The folder of a run: what was to be played, and what has been.

::

    run.json                             the settings; they bind once an episode is finished
    episodes/LEVEL/ATTEMPT/episode.jsonl the log; an episode is finished when its log has an end
                           times.jsonl   the times of its steps
                           agent.jsonl   the agent's journal, if it keeps one
                           search.jsonl  the journal of a search, if there was one
                           episode.mp4, first.png, last.png
    study.jsonl                          the journal of a study with people
    episodes/LEVEL/ATTEMPT-cut-off-N/    what was under way when a run was killed; not counted, but
                                         the next try takes the answers from its journals

The logs are the only record of what is done, so that nothing can be lost between two files.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bridge.agents.journal import (
    JOURNAL_NAME,
    EarlierNotes,
    read_kept_notes,
    sum_paid_usage,
    sum_usage,
)
from bridge.agents.usage import Usage
from bridge.recording.fields import json_object
from bridge.recording.files import write_whole
from bridge.recording.log import LOG_FILE, read_log
from bridge.runs.folders import RunError, RunLock, begin_file
from bridge.runs.protocol import measure_log
from bridge.runs.results import SEARCH_NAME, EpisodeResult, make_result, read_search_cost
from bridge.runs.settings import RunSettings
from pysim.errors import InputError
from pysim.untrusted import (
    MIB,
    FileKind,
    FileRefused,
    open_untrusted,
    read_untrusted,
    refuse_leaving_links,
)

__all__ = [
    "JOURNAL_NAMES",
    "LOG_NAME",
    "RUN_NAME",
    "STUDY_NAME",
    "VIDEO_NAME",
    "RunFolder",
    "find_earlier_notes",
]

RUN_NAME = "run.json"
SETTINGS_FILE = FileKind("a file of settings", 64 * MIB)
LOG_NAME = "episode.jsonl"
VIDEO_NAME = "episode.mp4"
STUDY_NAME = "study.jsonl"
"""Journal of a study with people; only their runs have one."""
JOURNAL_NAMES = (JOURNAL_NAME, SEARCH_NAME)
"""Files of an episode in which answers of models are noted."""
_CUT_OFF = "-cut-off-"


class RunFolder:
    """A run on disk.

    Attributes:
        path: the folder.
        settings: of the run.
    """

    def __init__(self, path: Path, settings: RunSettings) -> None:
        self.path = path
        self.settings = settings

    @property
    def is_study(self) -> bool:
        """Whether people play it, each of whom is an attempt."""
        return (self.path / STUDY_NAME).is_file()

    @staticmethod
    def begin(path: Path, settings: RunSettings) -> "RunFolder":
        """Return the folder for these settings: a new one, or one in which the same run was begun.

        What results don't depend on is as it is now. As long as no episode is finished, so is
        everything else: settings that a model's server refuses may be corrected.

        Raises:
            RunError: there is something else in it, or another process plays the run.
            OSError: it can't be made.
        """
        text = json.dumps(settings.to_document(), indent=1) + "\n"
        begin_file(path, RUN_NAME, text)
        folder = RunFolder.read(path)
        if folder.settings.list_differences(settings):
            with folder.lock():
                if folder.has_results():
                    _require_same(path, folder.settings, settings)
                write_whole(path / RUN_NAME, text.encode())
            return RunFolder(path, settings)
        return RunFolder(path, replace(folder.settings, options=settings.options))

    @staticmethod
    def read(path: Path) -> "RunFolder":
        """Return the run in a folder.

        Raises:
            RunError: there is none.
        """
        file = path / RUN_NAME
        try:
            refuse_leaving_links(path)
            document = json_object(read_untrusted(file, SETTINGS_FILE))
            return RunFolder(path, RunSettings.from_document(document))
        except FileRefused:
            raise
        except OSError as error:
            raise RunError(f"{path} holds no run: {file.name}: {error.strerror}") from None
        except InputError as error:
            raise RunError(f"{file}: {error}") from None

    def locate_episode(self, level: str, attempt: int) -> Path:
        """Return the folder of an episode."""
        return self.path / "episodes" / level / str(attempt)

    def read_result(self, level: str, attempt: int) -> EpisodeResult | None:
        """Return the result of an episode; None if it is not finished.

        Raises:
            LogError, InputError: its log or journal is damaged.
        """
        folder = self.locate_episode(level, attempt)
        log_path = folder / LOG_NAME
        if not _has_end(log_path) or self._lacks_notes(level, attempt):
            return None
        log = read_log(log_path)
        usage = sum_usage(folder / JOURNAL_NAME)
        search = read_search_cost(folder / SEARCH_NAME)
        return make_result(log, attempt, usage, search, measure_log(log))

    def read_kept_notes(self, level: str, attempt: int) -> str:
        """Return the notes with which an attempt begins; empty without any."""
        journal = self.locate_episode(level, attempt - 1) / JOURNAL_NAME
        return (read_kept_notes(journal) or "") if self.settings.notes and attempt > 1 else ""

    def _lacks_notes(self, level: str, attempt: int) -> bool:
        """Return whether notes for the next attempt are still to be taken."""
        if not self.settings.notes or attempt == self.settings.attempts:
            return False
        return read_kept_notes(self.locate_episode(level, attempt) / JOURNAL_NAME) is None

    def read_results(self) -> list[EpisodeResult]:
        """Return the results of all finished episodes: levels in order, then attempts."""
        attempts = range(1, self.settings.attempts + 1)
        found = (self.read_result(level, n) for level, _ in self.settings.levels for n in attempts)
        return [result for result in found if result is not None]

    def has_results(self) -> bool:
        """Return whether any episode is finished."""
        logs = self.path.glob(f"episodes/*/*/{LOG_NAME}")
        return any(_has_end(log) for log in logs if _CUT_OFF not in log.parent.name)

    def read_usage(self) -> Usage:
        """Read the usage so far, of episodes that were cut off as well.

        Raises:
            InputError: a journal is damaged.
        """
        return sum(map(sum_paid_usage, self._journals()), Usage())

    def _journals(self) -> Iterator[Path]:
        return (path for name in JOURNAL_NAMES for path in self.path.glob(f"episodes/*/*/{name}"))

    def set_aside(self, level: str, attempt: int) -> None:
        """Put what an unfinished episode has left behind out of the way."""
        folder = self.locate_episode(level, attempt)
        if not folder.exists():
            return
        number = 1
        while (aside := folder.with_name(f"{attempt}{_CUT_OFF}{number}")).exists():
            number += 1
        folder.rename(aside)

    def lock(self) -> RunLock:
        """Keeps other processes from playing this run at the same time; a context manager."""
        return RunLock(self.path)


def find_earlier_notes(folder: Path, name: str) -> EarlierNotes:
    """Return the notes of an episode's earlier tries, which were cut off.

    Args:
        folder: of the episode.
        name: of the journal.
    """
    tries = folder.parent.glob(f"{folder.name}{_CUT_OFF}*")
    in_order = sorted(tries, key=lambda path: (len(path.name), path.name))
    return EarlierNotes(tuple(path / name for path in in_order))


def _require_same(path: Path, there: RunSettings, wanted: RunSettings) -> None:
    if differing := there.list_differences(wanted):
        names = ", ".join(differing)
        raise RunError(f"{path} holds another run ({names}); give --out another folder")


_TAIL = 64 * 1024


def _has_end(log: Path) -> bool:
    """Return whether the last line of a log is an end line; looks at the end of the file only."""
    try:
        with open_untrusted(log, LOG_FILE) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL))
            tail = file.read()
    except FileRefused:
        raise
    except OSError:
        return False
    last = tail.rstrip(b"\n").rpartition(b"\n")[2]
    return tail.endswith(b"\n") and last.startswith(b'{"type":"end"')

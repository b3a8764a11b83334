"""Wall-clock times of an episode, in ``times.jsonl`` beside its log.

A log holds no times, so that equal play gives equal logs. This file holds them: a line when the
episode begins, one for each step, and one for its end. Nothing depends on it: it may be deleted,
and an episode goes on where it can't be written.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path

from bridge.episode.records import Ending, Listener, LiveStep, Start
from bridge.recording.files import whole_lines
from pysim.untrusted import GIB, FileKind, FileRefused, parse_json

__all__ = ["TIMES_NAME", "EpisodeTimes", "TimeLog", "now", "parse_time", "read_times"]

TIMES_NAME = "times.jsonl"
TIMES_FILE = FileKind("a file of times", GIB)


def now() -> str:
    """Return the time in UTC with milliseconds, as ISO 8601 writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: object) -> datetime | None:
    """Return the time that :func:`now` wrote; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


class TimeLog:
    """A listener that writes times and passes everything on; a context manager.

    Args:
        path: the file. An episode that goes on adds its lines to those that are there.
        listener: the log of the episode. It is called first, so that a step which can't be written
            has no time.
    """

    def __init__(self, path: Path, listener: Listener) -> None:
        self._path = path
        self._listener = listener
        self._file: FileIO | None = None

    def record_start(self, start: Start) -> None:
        """Note the beginning."""
        self._listener.record_start(start)
        with suppress(OSError):
            self._file = self._path.open("ab", buffering=0)
        self._note("began")

    def record_step(self, record: LiveStep) -> None:
        """Note a step."""
        self._listener.record_step(record)
        self._note("step", f',"step":{record.step}')

    def record_end(self, ending: Ending) -> None:
        """Note the end."""
        self._listener.record_end(ending)
        self._note("ended")

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> "TimeLog":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _note(self, kind: str, more: str = "") -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.write(f'{{"type":"{kind}"{more},"at":"{now()}"}}\n'.encode("ascii"))


@dataclass(frozen=True, slots=True)
class EpisodeTimes:
    """The times of an episode.

    Attributes:
        began, ended: None where they aren't known.
        steps: the time at which each step was made, by its number.
    """

    began: datetime | None = None
    ended: datetime | None = None
    steps: Mapping[int, datetime] = field(default_factory=dict)

    @property
    def seconds(self) -> float | None:
        """Wall-clock seconds from beginning to end; None where either is not known."""
        if self.began is None or self.ended is None:
            return None
        return (self.ended - self.began).total_seconds()

    def step_seconds(self, first: int, last: int) -> float | None:
        """Return the seconds that some steps took, thinking included; None if that isn't known."""
        before = self.began if first == 1 else self.steps.get(first - 1)
        after = self.steps.get(last)
        if before is None or after is None:
            return None
        return (after - before).total_seconds()


def read_times(path: Path) -> EpisodeTimes:
    """Read the times of an episode. Lines that can't be read are left out."""
    ends: dict[str, datetime] = {}
    steps: dict[int, datetime] = {}
    for line in _lines(path):
        at, step = parse_time(line.get("at")), line.get("step")
        if at is None:
            continue
        if isinstance(step, int):
            steps[step] = at
        elif line.get("type") == "began":
            ends.setdefault("began", at)
        else:
            ends[str(line.get("type"))] = at
    return EpisodeTimes(ends.get("began"), ends.get("ended"), steps)


def _lines(path: Path) -> Iterator[Mapping[str, object]]:
    try:
        lines = whole_lines(path, TIMES_FILE)
    except FileRefused:
        raise
    except OSError:
        return
    for line in lines:
        with suppress(ValueError):
            document = parse_json(line)
            if isinstance(document, dict):
                yield document

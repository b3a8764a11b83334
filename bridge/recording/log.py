"""The episode log: what is written while an episode is played, and reading it again.

A log is JSON Lines in UTF-8, format ``luban-episode/1``, one object a line: a header with the
level itself, frame 0, one line per step, and at last an end line, which is missing if the episode
was cut off. A step's line is with the operating system before the agent is answered, so that
whatever kills the process, the log is whole up to the last answered step. There are no times in
it: equal episodes give equal logs. ``docs/log-format.md`` describes every field.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from bridge.episode.records import (
    Disagreement,
    Ending,
    Feedback,
    LiveStep,
    Obs,
    Options,
    Start,
    StepKind,
    StepRecord,
)
from bridge.episode.sanitize import sanitize_text
from bridge.episode.tools import ToolCall
from bridge.recording.errors import LogError, RecordingError, reason_of
from bridge.recording.fields import FieldError, Fields
from bridge.recording.files import new_file, write_all
from bridge.recording.lines import FORMAT, MAX_LINE, end_line, start_lines, step_line
from pysim.catalog import LevelError, decode_level
from pysim.puzzle import InvalidAction, Level, Outcome, parse_reason
from pysim.untrusted import GIB, FileKind, open_untrusted
from pysim.viewpoints import Views

__all__ = [
    "FORMAT",
    "LOG_FILE",
    "EpisodeLog",
    "Header",
    "Log",
    "LogError",
    "RecordingError",
    "read_log",
]

LOG_FILE = FileKind("an episode log", GIB)
T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


class EpisodeLog:
    """Writes the log of one episode; a :class:`~bridge.episode.records.Listener`.

    The file is made when the episode starts and closed when it ends; :meth:`close` closes the log
    of an episode that is cut off, which stays readable. The step that ends an episode and the end
    are written in one piece.

    Raises (from ``started``, ``stepped`` and ``ended``):
        RecordingError: the file exists already or can't be written. The log is then as it was
            before, so that the step, or the end, may be tried again.
    """

    def __init__(self, path: Path, sync: Callable[[int], None] = os.fsync) -> None:
        """The log of an episode that begins.

        Args:
            path: the file to make, in a folder that exists.
            sync: has the file of a descriptor stored on the disk, at the end.
        """
        self.path = path
        self._sync = sync
        self._file: FileIO | None = None
        self._size = 0
        self._torn = False
        self._whole = False

    @classmethod
    def reopened(cls, path: Path, sync: Callable[[int], None] = os.fsync) -> "EpisodeLog":
        """The log of an episode that was cut off, to go on with; half a last line is cut away.

        Raises:
            RecordingError: it can't be written.
        """
        log = cls(path, sync)
        try:
            log._file = path.open("r+b", buffering=0)
            log._size = path.read_bytes().rfind(b"\n") + 1
            log._file.seek(log._size)
            log._file.truncate()
        except OSError as error:
            log.close()
            raise log._error(error) from error
        return log

    def record_start(self, start: Start) -> None:
        """Make the file, with header and frame 0."""
        lines = self._encoded(start_lines, start)
        self._file = new_file(self.path)
        self._size = 0
        try:
            self._write(lines)
        except BaseException:
            self.close()
            self.path.unlink(missing_ok=True)
            raise

    def record_step(self, record: LiveStep) -> None:
        """Write a step, and the end if it is the last; when this returns, the system has it."""
        lines = self._encoded(step_line, record)
        if record.ending is None:
            self._write(lines)
        else:
            self._write_last(lines + self._encoded(end_line, record.ending))

    def record_end(self, ending: Ending) -> None:
        """Write the end if that has not been done, and close the file."""
        if not self._whole:
            self._write_last(self._encoded(end_line, ending))
        self.close()

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> "EpisodeLog":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _encoded(self, encode: Callable[[T], bytes], record: T) -> bytes:
        try:
            return encode(record)
        except ValueError as error:
            raise RecordingError(f"can't write {self.path}: {error}") from error

    def _write_last(self, lines: bytes) -> None:
        """Append the last lines, and have everything stored on the disk."""
        self._write(lines, store=True)
        self._whole = True

    def _write(self, data: bytes, *, store: bool = False) -> None:
        """Append all of ``data``, or nothing."""
        file = self._file
        if file is None:
            raise RecordingError(f"can't write {self.path}: the log is closed")
        size = self._size + len(data)
        try:
            if self._torn:
                self._cut(file)
            self._torn = True
            write_all(file, data)
            if store:
                self._sync(file.fileno())
        except BaseException as error:
            with suppress(OSError):  # What can't be taken back now is before the next line.
                self._cut(file)
            if isinstance(error, OSError):
                raise self._error(error) from error
            raise
        self._size, self._torn = size, False

    def _cut(self, file: FileIO) -> None:
        """Take back lines that were written in part."""
        file.seek(self._size)
        file.truncate()
        self._torn = False

    def _error(self, error: OSError) -> RecordingError:
        return RecordingError(f"can't write {self.path}: {reason_of(error)}")


@dataclass(frozen=True, slots=True)
class Header:
    """Head of a log: the episode before its first step.

    Attributes:
        luban: version of the program that wrote it.
        level: what was played, from the document in the log.
        options: how.
        budget: steps allowed.
        world, renderer: name and version; the renderer is None if there was none.
        state_hash: of the initial state.
    """

    luban: str
    level: Level[Any]
    options: Options
    budget: int
    world: tuple[str, str]
    renderer: tuple[str, str] | None
    state_hash: str


@dataclass(frozen=True, slots=True)
class Log:
    """A log that was read.

    Attributes:
        path: where it was.
        header: what was played, and how.
        steps: in order; their numbers are 1, 2, 3, ...
        ending: None if the episode was cut off.
        truncated: True if an incomplete last line was left out.
    """

    path: Path
    header: Header
    steps: tuple[StepRecord, ...]
    ending: Ending | None
    truncated: bool


def read_log(path: Path) -> Log:
    """Return the log in a file; one without an end, or with half a last line, is fine.

    Raises:
        LogError: the file can't be read, is no log, or is damaged in any other way.
    """
    try:
        with open_untrusted(path, LOG_FILE) as file:
            return _Reader(path, file).log()
    except OSError as error:
        raise LogError(path, 0, reason_of(error)) from error


class _Reader:
    """Reads one log, line by line."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._number = 0
        self._truncated = False

    def log(self) -> Log:
        try:
            return self._log()
        except (FieldError, LevelError) as error:
            raise LogError(self._path, self._number, str(error)) from error

    def _log(self) -> Log:
        header = _header(self._required("header"))
        _check_frame(self._required("frame"), header)
        steps: list[StepRecord] = []
        ending: Ending | None = None
        while (fields := self._next()) is not None:
            if ending is not None:
                raise FieldError("nothing may follow the end line")
            if fields.text("type") == "end":
                ending = _ending(fields, len(steps))
            else:
                steps.append(_step(fields, len(steps) + 1))
        return Log(self._path, header, tuple(steps), ending, self._truncated)

    def _required(self, kind: str) -> Fields:
        fields = self._next()
        if fields is None:
            self._number += 1
            raise FieldError(f"the {kind} line is missing; the file ends before it")
        if fields.text("type") != kind:
            raise FieldError(f"this is the place of the {kind} line; is the file an episode log?")
        return fields

    def _next(self) -> Fields | None:
        """Return the next whole line; None at the end."""
        line = self._file.readline(MAX_LINE + 1)
        if not line:
            return None
        if len(line) > MAX_LINE:
            self._number += 1
            raise FieldError(f"the line has more than {MAX_LINE:,} bytes")
        if not line.endswith(b"\n"):
            self._truncated = True
            return None
        self._number += 1
        return Fields.parse(line)


def _header(fields: Fields) -> Header:
    if fields.text("format") != FORMAT:
        raise FieldError(f"its format is {fields.text('format')!r}; this version reads {FORMAT}")
    level = _level(json.dumps(fields.mapping("level_document")))
    named = fields.inner("level")
    if (named.text("id"), named.text("hash")) != (level.id, level.hash):
        raise FieldError("'level' and 'level_document' are different levels")
    return Header(
        luban=fields.text("luban"),
        level=level,
        options=_options(fields.inner("options")),
        budget=fields.whole("budget", 1),
        world=_engine(fields.inner("world")),
        renderer=None if fields.is_null("renderer") else _engine(fields.inner("renderer")),
        state_hash=fields.digest("state_hash"),
    )


@lru_cache(maxsize=128)
def _level(document: str) -> Level[Any]:
    """Return the level of a document; those of a run's many attempts are built and checked once."""
    return decode_level(json.loads(document))


def _options(fields: Fields) -> Options:
    try:
        return Options(
            obs=Obs(fields.text("mode")),
            history_window=fields.whole("history_window", 0),
            picture_size=fields.whole("picture_size", 1),
            budget=None if fields.is_null("budget") else fields.whole("budget", 1),
            seed=fields.integer("seed"),
            agent=fields.text("agent"),
            feedback=Feedback(fields.text("feedback")) if fields.has("feedback") else Feedback.FULL,
            views=Views(fields.text("views")) if fields.has("views") else Views.CLASSIC,
            camera=fields.text("camera") if fields.has("camera") else "",
            shown=_level(json.dumps(fields.mapping("shown"))) if fields.has("shown") else None,
        )
    except ValueError as error:
        raise FieldError(f"'options': {error}") from error


def _engine(fields: Fields) -> tuple[str, str]:
    return fields.text("name"), fields.text("version")


def _check_frame(fields: Fields, header: Header) -> None:
    found = (fields.whole("step", 0), fields.whole("budget_left", 0), fields.digest("state_hash"))
    if found != (0, header.budget, header.state_hash):
        raise FieldError("frame 0 does not fit the header")


def _disagreement(fields: Fields) -> Disagreement:
    return Disagreement(*map(fields.inner("disagreement").text, ("rules", "world")))


def _step(fields: Fields, number: int) -> StepRecord:
    kind_of_line = fields.text("type")
    if kind_of_line != "step":
        raise FieldError(f"this is the place of a step or the end, not of {kind_of_line!r}")
    if fields.whole("step", 0) != number:
        raise FieldError(f"this is the place of step {number}, not of {fields.whole('step', 0)}")
    return StepRecord(
        step=number,
        call=_call(fields.inner("call")),
        kind=_choice(StepKind, fields, "kind"),
        reason=None if fields.is_null("reason") else _reason(fields.text("reason")),
        culprits=tuple(map(sanitize_text, fields.texts("culprits"))),
        message=sanitize_text(fields.text("message")),
        travel=None if fields.is_null("travel") else fields.whole("travel", 0),
        measured=None if fields.is_null("measured") else fields.number("measured"),
        contacts=fields.texts("contacts"),
        disagreement=None if fields.is_null("disagreement") else _disagreement(fields),
        budget_left=fields.whole("budget_left", 0),
        state_hash=fields.digest("state_hash"),
    )


def _call(fields: Fields) -> ToolCall:
    call = ToolCall(fields.text("name"), fields.mapping("arguments"))
    try:
        return call.sanitize()
    except InvalidAction as error:
        raise FieldError(f"'call': {error.message}") from None


def _ending(fields: Fields, steps: int) -> Ending:
    if fields.whole("steps", 0) != steps:
        raise FieldError(f"the end is after step {fields.whole('steps', 0)}, but there are {steps}")
    return Ending(
        outcome=_choice(Outcome, fields, "outcome"),
        note=sanitize_text(fields.text("note")),
        steps=steps,
        disagreements=fields.whole("disagreements", 0),
        state_hash=fields.digest("state_hash"),
    )


def _reason(name: str) -> str:
    try:
        return parse_reason(name)
    except ValueError as error:
        raise FieldError(f"'reason': {error}") from None


def _choice(words: type[E], fields: Fields, key: str) -> E:
    try:
        return words(fields.text(key))
    except ValueError:
        known = ", ".join(word.value for word in words)
        raise FieldError(f"{key!r} is one of {known}, not {fields.text(key)[:60]!r}") from None

"""Lines of a log, one for each record of an episode; and a log that stays in memory."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bridge.episode.records import Ending, Feedback, LiveStep, Options, Start, StepKind, StepRecord
from bridge.episode.tools import ToolCall
from bridge.recording.files import write_whole
from pysim.catalog import encode_level
from pysim.errors import InputError
from pysim.field_types import label
from pysim.viewpoints import Views

__all__ = [
    "FORMAT",
    "MAX_LINE",
    "MAX_REFUSED",
    "LogInMemory",
    "end_line",
    "start_lines",
    "step_line",
]

FORMAT = "luban-episode/1"
MAX_REFUSED = 4000
"""Bytes of the longest line of a call that means nothing."""
MAX_LINE = 16 * 2**20
"""Bytes of the longest line that is written or read, its end included."""

_MAX_INVALID = 400
"""Bytes of arguments beyond which a call that means nothing is written as an excerpt."""
_SHORT = 200
"""Characters of a text that is written as it is, if it takes no more bytes than the above."""
_BEGINNING = 90
"""Bytes of a longer text's beginning."""


def start_lines(start: Start) -> bytes:
    """Header and frame 0.

    Raises:
        InputError: the level can't be written as JSON, or makes too long a line.
    """
    header = {
        "type": "header",
        "format": FORMAT,
        "luban": _luban_version(),
        "level": {"id": start.level.id, "hash": start.level.hash},
        "level_document": encode_level(start.level),
        "options": _options(start.options),
        "budget": start.budget,
        "world": _engine(start.world),
        "renderer": None if start.renderer is None else _engine(start.renderer),
        "state_hash": start.state_hash,
    }
    frame = {
        "type": "frame",
        "step": 0,
        "budget_left": start.budget,
        "state_hash": start.state_hash,
    }
    return _line(header) + _line(frame)


def step_line(record: StepRecord) -> bytes:
    """Return the line of a step.

    A call that was refused for what it is, and can't be written as JSON or is long, is written as
    an excerpt; it is refused in a replay as well. So an agent writes no more than
    :data:`MAX_REFUSED` bytes with one.

    Raises:
        InputError: any other call can't be written. No call that a family's actions accept is
            like that.
    """
    invalid = record.kind is StepKind.INVALID
    return _step_line(record, _written(record.call) if invalid else record.call)


def end_line(ending: Ending) -> bytes:
    """Return the last line of a log.

    Raises:
        InputError: the note makes too long a line.
    """
    return _line(
        {
            "type": "end",
            "outcome": ending.outcome,
            "note": ending.note,
            "steps": ending.steps,
            "disagreements": ending.disagreements,
            "state_hash": ending.state_hash,
        }
    )


def _step_line(record: StepRecord, call: ToolCall) -> bytes:
    measured, disagreement = record.measured, record.disagreement
    document = {
        "type": "step",
        "step": record.step,
        "call": {"name": call.name, "arguments": call.arguments},
        "kind": record.kind,
        "reason": record.reason,
        "culprits": record.culprits,
        "message": record.message,
        "travel": record.travel,
        "measured": measured if measured is None or math.isfinite(measured) else None,
        "contacts": record.contacts,
        "disagreement": None
        if disagreement is None
        else {"rules": disagreement.rules, "world": disagreement.world},
        "budget_left": record.budget_left,
        "state_hash": record.state_hash,
    }
    return _line(document)


def _written(call: ToolCall) -> ToolCall:
    """A call that means nothing, as Episode.refuse notes it if it can't be written or is long."""
    name = label(call.name)
    try:
        if len(_encoded(call.arguments)) <= _MAX_INVALID:
            return ToolCall(name, call.arguments)
    except ValueError:
        pass
    return ToolCall(name, {"unreadable": _excerpt(_text(call.arguments))})


def _text(arguments: Mapping[str, object]) -> str:
    """Return the text of a call, which may be no more than text."""
    if set(arguments) == {"unreadable"}:
        return str(arguments["unreadable"])
    try:
        return ascii(arguments)
    except (ValueError, RecursionError):
        return f"a {type(arguments).__name__}"


def _excerpt(text: str) -> str:
    """A short text as it is; of a longer one the beginning, how long it was, and its hash."""
    if len(text) <= _SHORT and len(_encoded(text)) <= _MAX_INVALID:
        return text
    begin = text[:_BEGINNING]
    while len(_encoded(begin)) > _BEGINNING:
        begin = begin[: len(begin) * 3 // 4]
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"{begin}... ({len(text)} characters, SHA-256 {digest})"


def _encoded(value: object) -> bytes:
    """Return a value as JSON.

    Raises:
        InputError: it is none.
    """
    try:
        return _ENCODER.encode(value).encode("ascii")
    except (TypeError, RecursionError) as error:
        raise InputError(str(error)) from error


def _line(document: Mapping[str, object]) -> bytes:
    line = _encoded(document) + b"\n"
    if len(line) > MAX_LINE:
        raise InputError(f"a line of a log has at most {MAX_LINE:,} bytes, not {len(line):,}")
    return line


def _plain(value: object) -> object:
    """Encode a value that the encoder does not know."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return list(value)
    raise TypeError(f"a {type(value).__name__} can't be written as JSON")


# Kept, because making an encoder costs as much as a line does.
_ENCODER = json.JSONEncoder(
    separators=(",", ":"), allow_nan=False, check_circular=False, default=_plain
)


def _options(options: Options) -> dict[str, object]:
    # Left out where it is as it always was, so that logs are those of earlier versions.
    feedback = {} if options.feedback is Feedback.FULL else {"feedback": options.feedback}
    views = {} if options.views is Views.CLASSIC else {"views": options.views}
    camera = {"camera": options.camera} if options.camera else {}
    shown = {} if options.shown is None else {"shown": encode_level(options.shown)}
    return {
        "mode": options.obs,
        "history_window": options.history_window,
        "picture_size": options.picture_size,
        "budget": options.budget,
        "seed": options.seed,
        "agent": options.agent,
        **feedback,
        **views,
        **camera,
        **shown,
    }


def _engine(names: tuple[str, str]) -> dict[str, str]:
    return {"name": names[0], "version": names[1]}


@cache
def _luban_version() -> str:
    try:
        return version("luban")
    except PackageNotFoundError:
        return "not installed"


class LogInMemory:
    """Keeps the lines of a log; a :class:`~bridge.episode.records.Listener`.

    Raises (from ``started``, ``stepped`` and ``ended``):
        InputError: what happened can't be written as a line.
    """

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def record_start(self, start: Start) -> None:
        """Keep header and frame 0."""
        self._lines.append(start_lines(start))

    def record_step(self, record: LiveStep) -> None:
        """Keep a step."""
        self._lines.append(step_line(record))

    def record_end(self, ending: Ending) -> None:
        """Keep the end."""
        self._lines.append(end_line(ending))

    def save(self, path: Path) -> None:
        """Write the log as :class:`~bridge.recording.log.EpisodeLog` does, over what is there.

        Raises:
            OSError: it can't be written; what was there is as before.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, b"".join(self._lines))

"""The lines of a log as text: what is written for each record of an episode."""

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from bridge.episode.records import Ending, Options, Start, StepKind, StepRecord
from bridge.episode.tools import ToolCall
from pysim.catalog import level_to_document

__all__ = ["FORMAT", "MAX_LINE", "end_line", "start_lines", "step_line"]

FORMAT = "luban-episode/1"
MAX_LINE = 16 * 2**20
"""Bytes of the longest line that is written or read, its end included."""

_MAX_INVALID = 2**20
"""Bytes of a line from which on a call that means nothing is written as an excerpt."""
_UNREADABLE = 200
"""Characters of an excerpt."""


def start_lines(start: Start) -> bytes:
    """Header and frame 0.

    Raises:
        ValueError: the level can't be written as JSON, or makes too long a line.
    """
    header = {
        "type": "header",
        "format": FORMAT,
        "luban": _luban_version(),
        "level": {"id": start.level.id, "hash": start.level.hash},
        "level_document": level_to_document(start.level),
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
    """The line of a step.

    A call that was refused for what it is, and can't be written as JSON or is very long, is
    written as an excerpt; it is refused in a replay as well.

    Raises:
        ValueError: any other call can't be written. No call that a family's actions accept is
            like that.
    """
    invalid = record.kind is StepKind.INVALID
    try:
        line = _step_line(record, record.call)
    except ValueError:
        if not invalid:
            raise
        return _step_line(record, _excerpt(record.call))
    if invalid and len(line) > _MAX_INVALID:
        return _step_line(record, _excerpt(record.call))
    return line


def end_line(ending: Ending) -> bytes:
    """The last line of a log.

    Raises:
        ValueError: the note makes too long a line.
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


def _excerpt(call: ToolCall) -> ToolCall:
    """The beginning of a call that can't be written as it is, as Episode.refuse notes it."""
    return ToolCall(call.name[:_UNREADABLE], {"unreadable": _text(call.arguments)[:_UNREADABLE]})


def _text(value: object) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError):
        return f"a {type(value).__name__}"


def _line(document: Mapping[str, object]) -> bytes:
    try:
        line = _ENCODER.encode(document).encode("ascii") + b"\n"
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    if len(line) > MAX_LINE:
        raise ValueError(f"a line of a log has at most {MAX_LINE:,} bytes, not {len(line):,}")
    return line


def _plain(value: object) -> object:
    """What the encoder writes in place of a value that it does not know."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return list(value)
    raise TypeError(f"a {type(value).__name__} can't be written as JSON")


# Pure ASCII, so that half of a surrogate pair in what an agent wrote survives too; kept, because
# making an encoder costs as much as a line does.
_ENCODER = json.JSONEncoder(
    separators=(",", ":"), allow_nan=False, check_circular=False, default=_plain
)


def _options(options: Options) -> dict[str, object]:
    return {
        "mode": options.mode,
        "history_window": options.history_window,
        "picture_size": options.picture_size,
        "budget": options.budget,
        "seed": options.seed,
        "agent": options.agent,
    }


def _engine(names: tuple[str, str]) -> dict[str, str]:
    return {"name": names[0], "version": names[1]}


@cache
def _luban_version() -> str:
    try:
        return version("luban")
    except PackageNotFoundError:
        return "not installed"

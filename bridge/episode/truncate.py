"""Actions, as short as they are written down."""

from bridge.episode.tools import NO_CALL, ToolCall
from pysim.field_types import label
from pysim.puzzle import InvalidAction

__all__ = ["MAX_WRITTEN", "is_long", "truncate_line", "truncate_unread"]

MAX_WRITTEN = 400
"""Characters of JSON; of an action whose arguments are longer the shortest form is written down."""
_MAX_LINE = 120


def is_long(call: ToolCall) -> bool:
    """Return whether a call that was read takes up more than it needs to, or is no JSON."""
    try:
        return len(call.arguments_json()) > MAX_WRITTEN
    except (TypeError, ValueError, RecursionError):
        return True


def truncate_line(call: ToolCall) -> str:
    """Return a call that does not parse, as one short line."""
    if call.name == NO_CALL:
        return "no tool call"
    try:
        text = f"{label(call.name)} {call.arguments_json()}"
    except (TypeError, ValueError, RecursionError):
        text = f"{label(call.name)} with arguments that are no JSON"
    return text if len(text) <= _MAX_LINE else text[: _MAX_LINE - 3] + "..."


def truncate_unread(call: ToolCall, error: InvalidAction) -> str:
    """Return the note for arguments that are too long, or nested too deep, to be read."""
    try:
        return ascii(call.arguments)
    except (ValueError, RecursionError):
        return error.message

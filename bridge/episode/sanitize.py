"""Text that an agent, a model or code in a sandbox wrote, made fit to be passed on.

Not every Python text can be written as UTF-8, and not all that can be written should reach a
terminal: half of a surrogate pair breaks requests and files, an escape sequence moves the cursor,
an override of the reading direction shows other words than there are. In place of each such sign
stands U+FFFD, the replacement character. Line ends, tabs and the other white space stay.

Each way in calls this once, so that no way out has to:
:meth:`bridge.episode.tools.ToolCall.from_json` and :class:`bridge.episode.episode.Episode` for
actions, :mod:`bridge.agents.chat` for models, the sandbox for code, the runs in turns and of items
for agents of other packages, :mod:`bridge.recording.log` for logs that others wrote.
"""

import re
from collections.abc import Mapping
from typing import TypeVar

__all__ = ["REPLACEMENT", "sanitize_json", "sanitize_text"]

REPLACEMENT = "\ufffd"
_HARMFUL = re.compile(
    "["
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # Control characters that are no white space.
    "\u202a-\u202e\u2066-\u2069"  # Embeddings, overrides and isolates of the reading direction.
    "\ud800-\udfff"  # Surrogates: in a Python text each is half of a pair.
    "]"
)

J = TypeVar("J")


def sanitize_text(text: str) -> str:
    """``text`` with U+FFFD in place of every sign that does harm; as long as it was."""
    return text if text.isprintable() else _HARMFUL.sub(REPLACEMENT, text)


def sanitize_json(value: J) -> J:
    """Return a JSON value with all its texts, names of fields too, made harmless.

    Raises:
        RecursionError: it is nested too deep.
    """
    return _sanitize(value)  # type: ignore[return-value]


def _sanitize(value: object) -> object:
    if isinstance(value, str):
        return sanitize_text(value)
    if isinstance(value, list | tuple):
        return [_sanitize(inner) for inner in value]
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, dict | Mapping):
        return {_sanitize(name): _sanitize(inner) for name, inner in value.items()}
    return value

"""Assembly of streamed answers (``"stream": true``).

Each piece is a line ``data: {...}`` of server-sent events with a delta of the message. The last one
is ``data: [DONE]``. Pieces arrive even while a model reasons for long, so silence means a dead
server.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["BrokenStream", "join_stream", "split_stream"]


class BrokenStream(ValueError):
    """A stream is incomplete or reports an error; the message names the fault."""


def join_stream(text: str) -> dict[str, Any]:
    """Return a streamed answer in the form of a non-streamed one.

    Raises:
        BrokenStream: the stream broke off, or the server reports an error.
        ValueError, RecursionError: a piece is no valid JSON.
    """
    content: list[str] = []
    reasoning: list[str] = []
    calls: dict[int, dict[str, str]] = {}
    finish_reason, usage = None, None
    for piece in split_stream(text):
        if piece.get("error"):
            raise BrokenStream(f"the server says {_said(piece['error'])}")
        usage = piece.get("usage") or usage
        for choice in _list_objects(piece.get("choices"))[:1]:
            finish_reason = choice.get("finish_reason") or finish_reason
            delta = choice.get("delta")
            if isinstance(delta, dict):
                content += [delta["content"]] if isinstance(delta.get("content"), str) else []
                thought = delta.get("reasoning_content") or delta.get("reasoning")
                reasoning += [thought] if isinstance(thought, str) else []
                for call in _list_objects(delta.get("tool_calls")):
                    _append_call_piece(calls, call)
    if finish_reason is None:
        raise BrokenStream("the stream broke off")
    message = {
        "content": "".join(content),
        "reasoning_content": "".join(reasoning),
        "tool_calls": [{"function": call} for call in calls.values()],
    }
    return {"choices": [{"message": message, "finish_reason": finish_reason}], "usage": usage}


def split_stream(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects of a stream, in order.

    Raises:
        ValueError, RecursionError: a piece is no valid JSON.
    """
    for line in text.split("\n"):
        field, colon, data = line.partition(":")
        if field == "data" and colon and data.strip() not in ("", "[DONE]"):
            piece = json.loads(data)
            if isinstance(piece, dict):
                yield piece


def _append_call_piece(calls: dict[int, dict[str, str]], piece: Mapping[str, Any]) -> None:
    """Append a piece of a tool call to the calls received so far."""
    index = piece.get("index")
    number = index if isinstance(index, int) else len(calls)
    call = calls.setdefault(number, {"name": "", "arguments": ""})
    function = piece.get("function")
    if isinstance(function, dict):
        for name in call:
            part = function.get(name)
            call[name] += part if isinstance(part, str) else ""


def _list_objects(value: object) -> list[Mapping[str, Any]]:
    """Return the JSON objects in a list; none if the value is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _said(error: object) -> str:
    """Return the message of a server's error."""
    return str(error.get("message", error) if isinstance(error, dict) else error)

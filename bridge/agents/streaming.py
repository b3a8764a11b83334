"""Answers that come in pieces (``"stream": true``), put together.

Each piece is a line ``data: {...}`` of server-sent events, with what was added to the message; the
last one is ``data: [DONE]``. A model that thinks for long is heard of all the while, so that only
silence tells that a server is no longer there.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["BrokenStream", "join_stream", "split_stream"]


class BrokenStream(ValueError):
    """The pieces are not all there; the message says what is wrong."""


def join_stream(text: str) -> dict[str, Any]:
    """Return the document that the same answer would have been in one piece.

    Raises:
        BrokenStream: it broke off, or the server says that something went wrong.
        ValueError, RecursionError: a piece is no JSON.
    """
    content: list[str] = []
    reasoning: list[str] = []
    calls: dict[int, dict[str, str]] = {}
    finish, usage = None, None
    for piece in split_stream(text):
        if piece.get("error"):
            raise BrokenStream(f"the server says {_said(piece['error'])}")
        usage = piece.get("usage") or usage
        for choice in _maps(piece.get("choices"))[:1]:
            finish = choice.get("finish_reason") or finish
            delta = choice.get("delta")
            if isinstance(delta, dict):
                content += [delta["content"]] if isinstance(delta.get("content"), str) else []
                thought = delta.get("reasoning_content") or delta.get("reasoning")
                reasoning += [thought] if isinstance(thought, str) else []
                for call in _maps(delta.get("tool_calls")):
                    _add(calls, call)
    if finish is None:
        raise BrokenStream("the stream broke off")
    message = {
        "content": "".join(content),
        "reasoning_content": "".join(reasoning),
        "tool_calls": [{"function": c} for c in calls.values()],
    }
    return {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}


def split_stream(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects of a stream, in order.

    Raises:
        ValueError, RecursionError: one is no JSON.
    """
    for line in text.split("\n"):
        head, colon, data = line.partition(":")
        if head == "data" and colon and data.strip() not in ("", "[DONE]"):
            piece = json.loads(data)
            if isinstance(piece, dict):
                yield piece


def _add(calls: dict[int, dict[str, str]], piece: Mapping[str, Any]) -> None:
    """Add a piece of a call to those that there are."""
    index = piece.get("index")
    number = index if isinstance(index, int) else len(calls)
    call = calls.setdefault(number, {"name": "", "arguments": ""})
    function = piece.get("function")
    if isinstance(function, dict):
        for name in call:
            said = function.get(name)
            call[name] += said if isinstance(said, str) else ""


def _maps(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _said(error: object) -> str:
    return str(error.get("message", error) if isinstance(error, dict) else error)

"""A server like those of current reasoning models: it refuses what they refuse, and reasons.

Built on :mod:`tests.agents.server`, which is a real HTTP server.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.agents.server import Reply, Request

__all__ = ["ACCEPTED", "USAGE", "drawing", "refusing", "streamed", "strict", "thinking"]

ACCEPTED = {
    "model",
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "stream",
    "stream_options",
    "reasoning_effort",
    "max_completion_tokens",
}
"""What is known; everything else is refused by name, temperature first of all."""

USAGE = {
    "prompt_tokens": 1000,
    "completion_tokens": 300,
    "total_tokens": 1300,
    "prompt_tokens_details": {"cached_tokens": 640},
    "completion_tokens_details": {"reasoning_tokens": 256},
}


def refusing(parameter: str) -> Reply:
    """What OpenAI answers to a parameter that a model does not take."""
    message = f"Unsupported parameter: '{parameter}' is not supported with this model."
    error = {"message": message, "type": "invalid_request_error", "param": parameter}
    return Reply(json.dumps({"error": {**error, "code": "unsupported_parameter"}}), 400)


def strict(answer: Callable[[Request, int], Reply]) -> Callable[[Request, int], Reply]:
    """Refuse requests with anything that is not accepted; answer in pieces if that is asked for."""

    def answered(request: Request, number: int) -> Reply:
        for name in request:
            if name not in ACCEPTED:
                return refusing(name)
        reply = answer(request, number)
        return streamed(reply) if request.get("stream") and reply.status == 200 else reply

    return answered


def thinking(name: str, arguments: str, usage: object = USAGE) -> Reply:
    """A call, with the reasoning that led to it beside it."""
    call = {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}
    message = {
        "role": "assistant",
        "content": None,
        "reasoning_content": "The green one first? No: " * 20,
        "tool_calls": [call],
    }
    return _reply(message, "tool_calls", usage)


def drawing(text: str) -> Reply:
    """Words with pictures among them, as models that draw send them."""
    url = {"url": "data:image/png;base64,iVBORw0KGgo="}
    parts = [{"type": "image_url", "image_url": url}, {"type": "text", "text": text}]
    message = {"role": "assistant", "content": parts, "images": [{"image_url": url}]}
    return _reply(message, "stop", USAGE)


def _reply(message: Mapping[str, Any], finish: str, usage: object) -> Reply:
    document = {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}
    return Reply(json.dumps(document))


def streamed(reply: Reply, cut: int = 0) -> Reply:
    """The same answer in pieces: reasoning first, the call letter by letter, the count last.

    Args:
        cut: pieces at the end that never come.
    """
    document = json.loads(reply.body)
    choice = document["choices"][0]
    message = choice["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": word} for word in message.get("reasoning_content", "").split()]
    deltas += [{"content": letter} for letter in _text(message.get("content"))]
    for index, call in enumerate(message.get("tool_calls") or ()):
        function = call["function"]
        deltas.append({"tool_calls": [{"index": index, "function": {"name": function["name"]}}]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": letter}}]}
            for letter in function["arguments"]
        ]
    pieces: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": d}]} for d in deltas]
    pieces.append({"choices": [{"delta": {}, "finish_reason": choice["finish_reason"]}]})
    pieces.append({"choices": [], "usage": document["usage"]})
    lines = [": keep-alive", *(f"data: {json.dumps(piece)}" for piece in pieces), "data: [DONE]"]
    body = "\n\n".join(lines[: len(lines) - cut]) + "\n\n"
    return Reply(body, 200, {"Content-Type": "text/event-stream"}, chunks=9, pause=reply.pause)


def _text(content: object) -> str:
    parts = content if isinstance(content, list) else []
    return content if isinstance(content, str) else "".join(p.get("text", "") for p in parts)

"""Translation between the ``/chat/completions`` API and the ``/responses`` API.

Agents build requests for ``/chat/completions``; this module rewrites them for ``/responses``, and
reads the answers. The server stores nothing (``store`` is false): each request carries the whole
conversation, with the encrypted reasoning of earlier answers.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bridge.agents.servers.chat_api import REASONING
from bridge.agents.servers.completion import (
    Completion,
    build_usage,
    get_mapping,
    join_text,
    parse_call,
)
from bridge.agents.streaming import BrokenStream, split_stream
from pysim.field_types import Json

__all__ = ["build_responses_body", "join_response", "parse_response_completion"]

_SAME = ("model", "temperature", "top_p", "tool_choice", "parallel_tool_calls")
"""Parameters with the same name in both APIs."""
_END_EVENTS = frozenset({"response.completed", "response.incomplete", "response.failed"})
"""Types of the events that end a stream."""


def build_responses_body(
    request: Mapping[str, Json], stream: bool, conversation: bool = False
) -> dict[str, Json]:
    """Return the body of a ``/responses`` request.

    Args:
        request: the body of the ``/chat/completions`` request.
        stream: whether to stream the answer.
        conversation: whether later requests continue the conversation, and need the answer's
            encrypted reasoning.
    """
    messages = [get_mapping(message) for message in _items(request.get("messages"))]
    system = [join_text(m.get("content")) for m in messages if m.get("role") == "system"]
    body = {name: request[name] for name in _SAME if name in request}
    body["instructions"] = "\n\n".join(system)
    body["input"] = [item for message in messages for item in _input(message)]
    if "tools" in request:
        body["tools"] = [_tool(get_mapping(tool)) for tool in _items(request["tools"])]
    if effort := request.get("reasoning_effort"):
        body["reasoning"] = {"effort": effort}
    if most := request.get("max_completion_tokens") or request.get("max_tokens"):
        body["max_output_tokens"] = most
    body["store"] = False
    if conversation:
        body["include"] = ["reasoning.encrypted_content"]
    return body | ({"stream": True} if stream else {})


def _input(message: Mapping[str, Any]) -> Iterator[Json]:
    """Yield the input items of a message; a system message has none, being an instruction."""
    match message.get("role"):
        case "user":
            yield {"role": "user", "content": [_part(part) for part in _items(message["content"])]}
        case "assistant":
            yield from _items(message.get(REASONING))
            if message.get("content"):
                yield {"role": "assistant", "content": join_text(message["content"])}
            for call in _items(message.get("tool_calls")):
                function = get_mapping(get_mapping(call).get("function"))
                yield {"type": "function_call", "call_id": call["id"], **function}
        case "tool":
            number, output = message["tool_call_id"], message["content"]
            yield {"type": "function_call_output", "call_id": number, "output": output}


def _part(part: Mapping[str, Any]) -> dict[str, Json]:
    if part["type"] == "image_url":
        return {"type": "input_image", "image_url": part["image_url"]["url"]}
    return {"type": "input_text", "text": part["text"]}


def _tool(tool: Mapping[str, Any]) -> dict[str, Json]:
    """Return a tool with its function's fields at the top level, and not strict.

    ``/chat/completions`` is not strict by default, and ``/responses`` is.
    """
    return {"type": "function", **get_mapping(tool.get("function")), "strict": False}


def parse_response_completion(document: Any) -> Completion:
    """Return the completion in an answer of the server.

    Raises:
        KeyError, TypeError, AttributeError: the answer is malformed.
        BrokenStream: the answer reports an error.
    """
    if document.get("status") == "failed" or document.get("error"):
        raise BrokenStream(f"the server says {_get_message(document.get('error'))}")
    items = [get_mapping(item) for item in document["output"]]
    calls = tuple(parse_call(item) for item in items if item.get("type") == "function_call")
    said = [item.get("content") for item in items if item.get("type") == "message"]
    finish = get_mapping(document.get("incomplete_details")).get("reason")
    return Completion(
        text="".join(map(join_text, said)),
        calls=calls,
        finish=str(finish or ("tool_calls" if calls else "stop")),
        usage=build_usage(document.get("usage"), "input_tokens", "output_tokens"),
        reasoning=tuple(item for item in items if _can_return(item)),
        reasoning_text="\n\n".join(filter(None, map(_thought, items))),
        api="responses",
    )


def _thought(item: Mapping[str, Any]) -> str:
    """Return the text or the summary of a reasoning item; empty for other items."""
    if item.get("type") != "reasoning":
        return ""
    return join_text(item.get("content")) or join_text(item.get("summary"))


def _can_return(item: Mapping[str, Any]) -> bool:
    """Return whether an item is encrypted reasoning, which later requests give back."""
    return item.get("type") == "reasoning" and bool(item.get("encrypted_content"))


def join_response(text: str) -> dict[str, Any]:
    """Return the whole answer of a stream of server-sent events.

    Raises:
        BrokenStream: the stream ended early, or reports an error.
        ValueError, RecursionError: an event is not valid JSON.
    """
    items: list[Json] = []
    for piece in split_stream(text):
        kind = piece.get("type")
        if kind == "error" or (piece.get("error") and kind not in _END_EVENTS):
            raise BrokenStream(f"the server says {_get_message(piece.get('error') or piece)}")
        if kind == "response.output_item.done":
            items.append(piece.get("item"))
        if kind in _END_EVENTS:
            response = dict(get_mapping(piece.get("response")))
            return response if response.get("output") else response | {"output": items}
    raise BrokenStream("the stream broke off")


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _get_message(error: object) -> str:
    said = get_mapping(error).get("message")
    return said if isinstance(said, str) else json.dumps(error)

"""The API ``POST /chat/completions``: bodies of requests, and answers."""

from collections.abc import Mapping
from typing import Any

from bridge.agents.servers.completion import (
    Completion,
    build_usage,
    get_mapping,
    join_text,
    parse_call,
)
from pysim.field_types import Json

__all__ = ["REASONING", "build_chat_body", "parse_chat_completion"]

REASONING = "reasoning_items"
"""Key under which a message keeps reasoning for the other API."""


def build_chat_body(request: Mapping[str, Json], stream: bool) -> dict[str, Json]:
    """The body for a request, which has this API's form but for reasoning of the other one."""
    messages = request.get("messages")
    body = dict(request)
    if isinstance(messages, list):
        body["messages"] = [
            {name: value for name, value in get_mapping(message).items() if name != REASONING}
            for message in messages
        ]
    if stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    return body


def parse_chat_completion(document: Any) -> Completion:
    """Return the answer in a document.

    Raises:
        KeyError, IndexError, TypeError, AttributeError: it holds no message.
    """
    choice = document["choices"][0]
    message = choice["message"]
    return Completion(
        text=join_text(message.get("content")),
        calls=tuple(
            parse_call(get_mapping(get_mapping(call).get("function")))
            for call in message.get("tool_calls") or ()
        ),
        finish=str(choice.get("finish_reason") or ""),
        usage=build_usage(document.get("usage"), "prompt_tokens", "completion_tokens"),
        reasoning_text=join_text(message.get("reasoning_content") or message.get("reasoning")),
    )

"""Servers that behave like today's providers: what they refuse, in whose words, and both APIs.

Built on :mod:`tests.agents.server`, which is a real HTTP server. An answer is made in the form of
``/chat/completions`` and translated if the other API was asked.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.agents.reasoning import streamed
from tests.agents.server import Reply, Request

__all__ = ["Answer", "complaining", "cut", "is_response", "reasoning_model", "without", "words"]

Answer = Callable[[Request, int], Reply]

RESPONSES = {
    "model", "instructions", "input", "tools", "tool_choice", "parallel_tool_calls", "reasoning",
    "max_output_tokens", "store", "include", "stream",
}  # fmt: skip
"""Parameters of ``/responses`` that a reasoning model takes."""
SECRET_THOUGHT = "gAAAA-encrypted"


def is_response(request: Request) -> bool:
    """Whether a request is one of ``/responses``."""
    return "input" in request


def words(request: Request) -> str:
    """All text of the user's last message, whichever the API."""
    messages = request["input"] if is_response(request) else request["messages"]
    content = [one for one in messages if one.get("role") == "user"][-1]["content"]
    return "\n".join(part["text"] for part in content if "text" in part)


def complaining(status: int, message: str, **more: object) -> Reply:
    """A refusal in the form of OpenAI."""
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return Reply(json.dumps({"error": error | more}), status)


def reasoning_model(answer: Answer) -> Answer:
    """A model that takes function tools through ``/responses`` only, and is strict there."""

    def answered(request: Request, number: int) -> Reply:
        if not is_response(request):
            if "tools" in request:
                return complaining(
                    400,
                    "Function tools with reasoning_effort are not supported for tall in "
                    "/v1/chat/completions. Please use /v1/responses instead.",
                    param="reasoning_effort",
                )
            return answer(request, number)
        fault = _fault(request)
        if fault:
            return complaining(400, fault)
        reply = answer(request, number)
        return reply if reply.status != 200 else _as_response(reply, request)

    return answered


def without(names: Mapping[str, Callable[[str], Reply]], answer: Answer) -> Answer:
    """A server that does not understand some parameters, and says so in a way of its own."""

    def answered(request: Request, number: int) -> Reply:
        for name, complaint in names.items():
            if name in request:
                return complaint(name)
        return answer(request, number)

    return answered


def cut(reply: Reply) -> Reply:
    """The same answer, cut at the token limit."""
    document = json.loads(reply.body)
    document["choices"][0]["finish_reason"] = "length"
    return Reply(json.dumps(document))


def _fault(request: Request) -> str:
    """What is wrong with a request of ``/responses``; empty if nothing is."""
    if unknown := set(request) - RESPONSES:
        return f"Unknown parameter: '{min(unknown)}'."
    open_calls: set[str] = set()
    for item in request["input"]:
        if item.get("type") == "function_call":
            open_calls.add(item["call_id"])
        elif item.get("type") == "function_call_output":
            if item["call_id"] not in open_calls:
                return f"No tool call found for function call output {item['call_id']}."
        elif item.get("role") == "user" and (fault := _part_fault(item["content"])):
            return fault
    flat = all({"type", "name", "parameters"} <= set(tool) for tool in request.get("tools", ()))
    return "" if flat else "Missing required parameter: 'tools[0].name'."


def _part_fault(parts: list[Mapping[str, Any]]) -> str:
    for part in parts:
        kind = part["type"]
        good = kind == "input_text" or (
            kind == "input_image" and isinstance(part["image_url"], str)
        )
        if not good:
            return f"Invalid value: '{kind}'."
    return ""


def _as_response(reply: Reply, request: Request) -> Reply:
    choice = json.loads(reply.body)["choices"][0]
    message, usage = choice["message"], json.loads(reply.body)["usage"]
    output: list[dict[str, Any]] = [{"type": "reasoning", "id": "rs_1", "summary": []}]
    if "reasoning.encrypted_content" in request.get("include", ()):
        output[0]["encrypted_content"] = SECRET_THOUGHT
    if message.get("content"):
        part = {"type": "output_text", "text": message["content"], "annotations": []}
        output.append({"type": "message", "role": "assistant", "content": [part]})
    for call in message.get("tool_calls") or ():
        output.append({"type": "function_call", "call_id": "call_1", **call["function"]})
    was_cut = choice["finish_reason"] == "length"
    document = {
        "object": "response",
        "status": "incomplete" if was_cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if was_cut else None,
        "error": None,
        "output": output,
        "usage": {
            "input_tokens": usage["prompt_tokens"],
            "input_tokens_details": usage.get("prompt_tokens_details"),
            "output_tokens": usage["completion_tokens"],
            "output_tokens_details": usage.get("completion_tokens_details"),
        },
    }
    return _events(document) if request.get("stream") else Reply(json.dumps(document))


def _events(document: Mapping[str, Any]) -> Reply:
    """A response as server-sent events."""
    pieces: list[Mapping[str, Any]] = [{"type": "response.created", "response": {"output": []}}]
    for index, item in enumerate(document["output"]):
        pieces.append({"type": "response.output_item.added", "output_index": index, "item": {}})
        pieces.append({"type": "response.output_item.done", "output_index": index, "item": item})
    kind = "response.incomplete" if document["status"] == "incomplete" else "response.completed"
    pieces.append({"type": kind, "response": document})
    body = "".join(f"event: {p['type']}\ndata: {json.dumps(p)}\n\n" for p in pieces)
    return Reply(body, 200, {"Content-Type": "text/event-stream"}, chunks=5)


def in_pieces(answer: Answer) -> Answer:
    """Answer ``/chat/completions`` in pieces where that is asked for."""

    def answered(request: Request, number: int) -> Reply:
        reply = answer(request, number)
        asked = request.get("stream") and not is_response(request)
        return streamed(reply) if asked and reply.status == 200 else reply

    return answered

"""A model server that speaks the OpenAI protocol, and answers as a function of what it is sent."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bridge.operations.sight.playing import read_data_url, receive
from bridge.operations.sight.protocol import Decide, Received

__all__ = ["ScriptedModel", "serve_model"]


class ScriptedModel:
    """A model server.

    Attributes:
        url: its base URL.
        decide: answers requests; to be set before the first one.
        error: the first error of ``decide``, which the server answers with status 500.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.decide: Decide
        self.error: Exception | None = None

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the completion of a request."""
        call = self.decide(read_newest(request["messages"]))
        function = {"name": call.name, "arguments": call.arguments_json()}
        calls = [{"id": "call_1", "type": "function", "function": function}]
        message = {"role": "assistant", "content": None, "tool_calls": calls}
        return {
            "id": "answer",
            "object": "chat.completion",
            "created": 0,
            "model": request.get("model", ""),
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }


@contextmanager
def serve_model(port: int = 0) -> Iterator[ScriptedModel]:
    """Serve a model on a port of this machine; 0 picks a free one."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                status, answer = 200, model.answer(json.loads(body))
            except Exception as error:
                model.error = model.error or error
                status, answer = 500, {"error": {"message": str(error)}}
            is_stream = status == 200 and json.loads(body).get("stream")
            data = _format_stream(answer) if is_stream else json.dumps(answer).encode()
            self.send_response(status)
            kind = "text/event-stream" if is_stream else "application/json"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    model = ScriptedModel(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _format_stream(answer: Mapping[str, Any]) -> bytes:
    """Return a completion as server-sent events: one with the whole answer, then the end."""
    (choice,) = answer["choices"]
    message = choice["message"]
    calls = [{"index": place, **call} for place, call in enumerate(message["tool_calls"])]
    delta = {**message, "tool_calls": calls}
    part = {"index": 0, "delta": delta, "finish_reason": choice["finish_reason"]}
    event = {**answer, "object": "chat.completion.chunk", "choices": [part]}
    return f"data: {json.dumps(event)}\n\ndata: [DONE]\n\n".encode()


def read_newest(messages: list[Mapping[str, Any]]) -> Received:
    """Return the contents of the messages after the last answer."""
    roles = [message["role"] for message in messages]
    first = len(roles) - roles[::-1].index("assistant") if "assistant" in roles else 0
    parts = [part for message in messages[first:] for part in _list_parts(message["content"])]
    texts = [part["text"] for part in parts if part.get("type") == "text"]
    urls = [part["image_url"]["url"] for part in parts if part.get("type") == "image_url"]
    return receive(texts, urls, read_data_url)


def _list_parts(content: Any) -> list[Mapping[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content or ())

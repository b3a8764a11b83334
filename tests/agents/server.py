"""A real HTTP server that speaks the OpenAI protocol, and misbehaves on demand."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bridge.agents.servers.dialects import forget_dialects

__all__ = ["Chat", "Reply", "calling", "chat_server", "saying"]

Request = Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    """An HTTP answer.

    ``silence``: seconds before it; ``cut``: bytes of the body that never come; ``chunks``: in so
    many pieces it is sent, as a stream without a length; ``pause``: seconds before each of them.
    """

    body: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    silence: float = 0.0
    cut: int = 0
    chunks: int = 0
    pause: float = 0.0

    @property
    def data(self) -> bytes:
        """What is sent of the body."""
        body = self.body.encode("utf-8", "surrogatepass")
        return body[: len(body) - self.cut]


def _message(message: object, finish: str, usage: object) -> Reply:
    document = {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}
    return Reply(json.dumps(document))


USAGE = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}


def calling(name: object, arguments: object, usage: object = USAGE) -> Reply:
    """An answer with a tool call."""
    call = {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return _message(message, "tool_calls", usage)


def saying(text: object) -> Reply:
    """An answer in words."""
    return _message({"role": "assistant", "content": text}, "stop", USAGE)


@dataclass
class Chat:
    """What a server was asked, and what it is to answer.

    Attributes:
        url: its base URL.
        answer: makes the reply to the n-th request, counted from 0.
        requests, headers, bodies: what came in, in order; the last as bytes.
    """

    url: str
    answer: Callable[[Request, int], Reply]
    requests: list[Request] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)


@contextmanager
def chat_server(answer: Callable[[Request, int], Reply]) -> Iterator[Chat]:
    """Serve until the end of the body."""
    forget_dialects()  # Of a server that had the same port before.
    chat = Chat("", answer)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # Chunks are no part of what was before.

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = json.loads(body)
            with lock:
                chat.bodies.append(body)
                number = len(chat.requests)
                chat.requests.append(request)
                chat.headers.append({"path": self.path, **dict(self.headers)})
            self.close_connection = True
            reply = chat.answer(request, number)
            time.sleep(reply.silence)
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if reply.chunks:
                    self._stream(reply)
                    return
                self.send_header("Content-Length", str(len(reply.data) + reply.cut))
                self.end_headers()
                self.wfile.write(reply.data)
            except OSError:
                pass  # The client did not wait.

        def _stream(self, reply: Reply) -> None:
            """A body in chunks; the last one, which says that it is whole, only if it is."""
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            size = -(-len(reply.data) // reply.chunks)
            for start in range(0, len(reply.data), size):
                time.sleep(reply.pause)
                piece = reply.data[start : start + size]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            if not reply.cut:
                self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    chat.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield chat
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

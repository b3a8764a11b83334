"""A real HTTP proxy that loses pictures on their way, as gateways and trainers have done."""

import json
import threading
import urllib.error
import urllib.request
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np

Loss = Callable[[list[bytes]], list[bytes | None]]
"""From the pictures of a message to those that are passed on; None drops one."""

HOP = {"connection", "content-length", "host", "transfer-encoding", "keep-alive"}


def keep(pictures: list[bytes]) -> list[bytes | None]:
    return [*pictures]


def drop(pictures: list[bytes]) -> list[bytes | None]:
    return [None for _ in pictures]


def drop_last(pictures: list[bytes]) -> list[bytes | None]:
    """Only where there are several, as with a limit of pictures per message."""
    return [*pictures[:-1], None] if len(pictures) > 1 else [*pictures]


def blank(pictures: list[bytes]) -> list[bytes | None]:
    return [b"" for _ in pictures]


def swap(pictures: list[bytes]) -> list[bytes | None]:
    return [*pictures[::-1]]


def resize(edge: int) -> Loss:
    def shrink(pictures: list[bytes]) -> list[bytes | None]:
        return [
            encode(cv2.resize(decode(one), (edge, edge), interpolation=cv2.INTER_AREA), ".png")
            for one in pictures
        ]

    return shrink


def recompress(pictures: list[bytes]) -> list[bytes | None]:
    return [encode(decode(one), ".jpg") for one in pictures]


def delay() -> Loss:
    """Each message gets the pictures of the one before, as a cache that is one request late."""
    held: list[list[bytes]] = []

    def exchange(pictures: list[bytes]) -> list[bytes | None]:
        held.append(pictures)
        late = held[max(0, len(held) - 2)]
        return [late[place % len(late)] for place in range(len(pictures))]

    return exchange


def decode(data: bytes) -> Any:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def encode(picture: Any, ending: str) -> bytes:
    return bytes(cv2.imencode(ending, picture)[1])


@contextmanager
def lossy_proxy(target: str, loss: Loss) -> Iterator[str]:
    """The address of a proxy to a URL; pictures in requests and in answers pass the loss."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def forward(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = lose(self.rfile.read(length), loss) if length else None
            headers = {n: v for n, v in self.headers.items() if n.lower() not in HOP}
            request = urllib.request.Request(target + self.path, body, headers, method=self.command)
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    status, told, data = answer.status, answer.headers, answer.read()
            except urllib.error.HTTPError as error:
                status, told, data = error.code, error.headers, error.read()
            data = lose(data, loss)
            self.send_response(status)
            for name, value in told.items():
                if name.lower() not in HOP:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_GET = do_DELETE = forward

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def lose(body: bytes, loss: Loss) -> bytes:
    """The body after the loss: one JSON document, or events that hold one each."""
    lines = body.decode().splitlines(keepends=True)
    if not any(line.startswith("data: {") for line in lines):
        return lose_document(body.decode(), loss).encode()
    changed = [
        f"data: {lose_document(line[6:], loss)}\n" if line.startswith("data: {") else line
        for line in lines
    ]
    return "".join(changed).encode()


def lose_document(text: str, loss: Loss) -> str:
    try:
        document = json.loads(text)
    except ValueError:
        return text
    found = list(pictures_in(document))
    if not found:
        return text
    return json.dumps(replaced(document, iter(loss([b64decode(data) for data in found]))))


def is_picture(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in ("image", "image_url")


def pictures_in(document: Any) -> Iterator[str]:
    if is_picture(document):
        url = document.get("data") or document["image_url"]["url"]
        yield url.rpartition(",")[2]
    elif isinstance(document, list | dict):
        for part in document.values() if isinstance(document, dict) else document:
            yield from pictures_in(part)


def replaced(document: Any, passed: Iterator[bytes | None]) -> Any:
    if isinstance(document, dict):
        return {name: replaced(part, passed) for name, part in document.items()}
    if not isinstance(document, list):
        return document
    parts = []
    for part in document:
        if not is_picture(part):
            parts.append(replaced(part, passed))
        elif (data := next(passed)) is not None:
            parts.append(with_data(part, b64encode(data).decode()))
    return parts


def with_data(part: dict[str, Any], data: str) -> dict[str, Any]:
    if part["type"] == "image":
        return part | {"data": data}
    return part | {"image_url": {"url": f"data:image/png;base64,{data}"}}

"""Servers of pages in processes of their own, and a scripted page."""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest

from bridge.episode.episode import Episode
from bridge.episode.tools import ToolCall
from bridge.recording.log import Log, read_log
from pysim.catalog import AnyLevel
from tests.waiting import PATIENCE

pytest.importorskip("starlette", reason="NOT TESTED: no starlette")
pytest.importorskip("uvicorn", reason="NOT TESTED: no uvicorn")
client = pytest.importorskip("websockets.sync.client", reason="NOT TESTED: no websockets")

__all__ = ["Page", "Server", "get_status", "plan_calls", "play_oracle", "read_only_log", "serve"]


@dataclass
class Server:
    """A server that runs."""

    address: str
    runs: Path
    process: "subprocess.Popen[str]"

    @property
    def origin(self) -> str:
        """As a browser writes it."""
        return self.address.rstrip("/").partition("/?")[0]

    @property
    def port(self) -> int:
        return int(self.origin.rpartition(":")[2])


@contextmanager
def serve(names: Sequence[str], runs: Path, *options: str, port: int = 0) -> Iterator[Server]:
    """Run ``luban web`` until the block ends."""
    command = [sys.executable, "-m", "bridge.cli", "web", *names, "--runs", str(runs)]
    command += ["--port", str(port), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"https?://\S+", line)
        assert found is not None, line
        yield Server(found[0], runs, process)
    finally:
        process.terminate()
        process.wait(timeout=30)
        process.stdout.close()


class Page:
    """A playing page without a browser; it keeps every text that it is sent."""

    def __init__(self, server: Server, *, origin: str = "") -> None:
        self.sent: list[str] = []
        self._server = server
        self._origin = origin or server.origin
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        address = self._server.origin.replace("http", "ws", 1) + "/api/play"
        opening = client.connect(address, origin=self._origin, max_size=None, open_timeout=PATIENCE)
        self._socket = self._stack.enter_context(opening)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def send_text(self, text: str) -> None:
        self._socket.send(text)

    def send(self, **request: object) -> None:
        self.send_text(json.dumps(request))

    def hear(self) -> dict[str, Any]:
        text = self._socket.recv(timeout=60)
        self.sent.append(text)
        message: dict[str, Any] = json.loads(text)
        return message

    def ask(self, **request: object) -> dict[str, Any]:
        """Send a request and return its only answer."""
        self.send(**request)
        return self.hear()

    def begin(self, **request: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start or resume, and return the head and the state."""
        self.send(**request)
        head = self.hear()
        return (head, self.hear()) if head["type"] == "episode" else (head, {})

    def act(self, call: ToolCall) -> dict[str, Any]:
        return self.ask(type="act", name=call.name, arguments=dict(call.arguments))


def get_status(address: str) -> int:
    """The status of an answer."""
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def plan_calls(level: AnyLevel) -> list[ToolCall]:
    """The plan as an agent writes it."""
    assert level.plan is not None
    return [ToolCall.of(action) for action in level.plan.actions]


def play_oracle(level: AnyLevel) -> list[str]:
    """The hashes of the states on the way of the plan, of an episode in this process."""
    with Episode(level) as episode:
        return [episode.step(call).state_hash for call in plan_calls(level)]


def read_only_log(runs: Path) -> Log:
    """The log of the one episode that was played."""
    (path,) = runs.glob("*/episode.jsonl")
    return read_log(path)

"""No byte that comes to an agent tells a secret: over pipes, over HTTP, into a sandbox.

:mod:`tests.adapters.test_no_cheating` has the other surfaces, :mod:`tests.rpc.test_bytes` servers.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bridge.adapters.mcp import OBSERVE
from bridge.agents.journal import Journal
from bridge.agents.registry import create_agent
from bridge.benches.cubebench.protocol import Setup, TurnMode, TurnProtocol
from bridge.benches.cubebench.sandbox import process as sandbox
from bridge.benches.cubebench.sandbox.interpreter import SandboxError, Strength, check_sandbox
from bridge.episode.tools import ToolCall
from pysim.catalog import find_level
from pysim.families.rubik.rewards import Reward
from pysim.puzzle import Level
from tests.adapters.secrets import (
    always_secret,
    every_form,
    found_in,
    hidden_cells,
    secret_in_pictures_only,
    without_pictures,
)
from tests.adapters.test_parity import script
from tests.agents import server as chats
from tests.benches.cubebench.playing import Script, code
from tests.benches.cubebench.playing import play as take_turns
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
Told = list[str | bytes]


def assert_nothing_secret(
    told: Told, level: Level[Any], calls: list[ToolCall], folder: Path, *, state: bool
) -> None:
    assert sum(map(len, told)) > 500
    plain = without_pictures(told)
    assert found_in(plain, every_form(always_secret(level, calls, folder))) == set()
    shown = every_form(secret_in_pictures_only(level, calls)) | hidden_cells(level, calls)
    assert bool(found_in(plain, shown)) == state


@contextmanager
def mcp(folder: Path, level: str, obs: str, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "bridge.cli", "mcp", "--level", level, "--observation", obs]
    command += [
        "--image-size",
        "32",
        "--budget",
        "20",
        "--log",
        str(folder / "log.jsonl"),
        *options,
    ]
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, env=environment
    ) as started:
        try:
            yield started
        finally:
            started.kill()


def requests(calls: list[ToolCall]) -> list[dict[str, Any]]:
    """What a client says, in order; what has an id is answered."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    look = ToolCall(OBSERVE, {})
    asked: list[dict[str, Any]] = [
        {"method": "initialize", "params": hello},
        {"method": "tools/list", "params": {}},
        {"method": "resources/list", "params": {}},
        {"method": "prompts/list", "params": {}},
        *(
            {"method": "tools/call", "params": {"name": c.name, "arguments": dict(c.arguments)}}
            for c in (look, *calls, look)
        ),
    ]
    numbered = [{"jsonrpc": "2.0", "id": i, **one} for i, one in enumerate(asked)]
    numbered.insert(1, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    return numbered


def over_pipes(folder: Path, level: str, obs: str, calls: list[ToolCall]) -> Told:
    told: Told = []
    with mcp(folder, level, obs) as server:
        assert server.stdin is not None and server.stdout is not None
        for request in requests(calls):
            server.stdin.write(json.dumps(request).encode() + b"\n")
            server.stdin.flush()
            if "id" in request:
                told.append(server.stdout.readline())
        server.stdin.close()
        told.append(server.stdout.read())
        server.wait(PATIENCE)
    return told


def over_http(folder: Path, level: str, obs: str, calls: list[ToolCall]) -> Told:
    told: Told = []
    with mcp(folder, level, obs, "--port", "0") as server:
        assert server.stderr is not None
        address = server.stderr.readline().decode().split()[-1]
        host = address.removeprefix("http://").removesuffix("/mcp")
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        for request in requests(calls):
            link = http.client.HTTPConnection(host, timeout=PATIENCE)
            link.request("POST", "/mcp", json.dumps(request), headers)
            answer = link.getresponse()
            told += [str(answer.getheaders()), answer.read()]
            session = answer.getheader("mcp-session-id")
            if session is not None:
                headers["Mcp-Session-Id"] = session
            link.close()
        for path in ("/", "/mcp", "/log.jsonl", "/../log.jsonl"):
            link = http.client.HTTPConnection(host, timeout=PATIENCE)
            link.request("DELETE" if path == "/mcp" else "GET", path, headers=headers)
            answer = link.getresponse()
            told += [str(answer.getheaders()), answer.read()]
            link.close()
        server.send_signal(signal.SIGTERM)
        server.wait(PATIENCE)
    return told


@pytest.mark.parametrize(
    ("way", "name", "obs"),
    [
        (over_pipes, "packing-easy-01", "image"),
        pytest.param(over_http, "burr-piston", "state", marks=pytest.mark.slow),
        pytest.param(over_pipes, "packing-easy-01", "state", marks=pytest.mark.slow),
        pytest.param(over_http, "burr-piston", "image", marks=pytest.mark.slow),
    ],
)
def test_no_byte_of_mcp_tells_a_secret(
    way: Callable[[Path, str, str, list[ToolCall]], Told], name: str, obs: str, tmp_path: Path
) -> None:
    level = find_level(name)
    calls = [*script(level)[:6], ToolCall("reset", {}), ToolCall("slide", {"pieces": ["pink"]})]
    told = way(tmp_path, name, obs, calls)
    assert len((tmp_path / "log.jsonl").read_bytes().splitlines()) == 2 + len(calls) + 1
    assert_nothing_secret(told, level, calls, tmp_path, state=obs == "state")


CUBE = find_level("cubebench-d03-1-face-view")
TURNS = TurnProtocol(setup=Setup.STANDARD_SOLVER, reward=Reward.STICKER)
MADE = [ToolCall("make_move", {"move": move}) for move in ("U", "L'")]


@pytest.mark.parametrize("mode", TurnMode)
def test_no_byte_of_a_dialogue_tells_a_secret(mode: TurnMode, tmp_path: Path) -> None:
    """A model that speaks the OpenAI protocol, in turns with code and without."""
    if mode is TurnMode.CODE:
        needs_sandbox()
        said = ['```python\nmake_move("U")\nmake_move("L\'")\nget_observation()\n```', "```"]
    else:
        moves = json.dumps({"moves": ["U", "L'"]})
        look = '{"calls": [{"name": "get_observation", "arguments": {}}]}'
        said = [f'{{"name": "make_move", "arguments": {moves}}}', look, "no call"]

    def answer(request: Any, number: int) -> chats.Reply:
        return chats.saying(said[number]) if number < len(said) else chats.Reply("full", 400)

    with chats.chat_server(answer) as chat:
        agent = create_agent(
            "openai:any",
            CUBE,
            seed=918273645,
            settings={"base_url": chat.url, "retries": "0"},
            journal=Journal(tmp_path / "agent.jsonl"),
        )
        with pytest.raises(Exception, match="400"):
            take_turns(CUBE, agent, tmp_path, mode=mode, protocol=TURNS)
    told: Told = [*chat.bodies, json.dumps(chat.headers)]
    assert len(chat.bodies) == len(said) + 1
    assert_nothing_secret(told, CUBE, MADE, tmp_path, state=False)


def needs_sandbox() -> None:
    try:
        check_sandbox(Strength.STRONG)
    except SandboxError as error:
        pytest.skip(f"NOT TESTED: {error}")


def test_no_byte_that_goes_into_a_sandbox_tells_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its program nor what it is answered, solver and pictures included."""
    needs_sandbox()
    told: Told = []

    class Recorded(sandbox.Process):
        def send(self, document: Any, deadline: float) -> None:
            told.append(json.dumps(document))
            super().send(document, deadline)

        def _hand_over(self, program: str) -> None:
            told.append(program)
            super()._hand_over(program)

    monkeypatch.setattr("bridge.benches.cubebench.sandbox.interpreter.Process", Recorded)
    moves = 'make_move("U")\nmake_move("L\'")\nget_observation()\n'
    wrong = "try:\n    solve_cube('WWW')\nexcept ValueError as error:\n    print(error)\n"
    agent = Script([code(moves + wrong), code("make_move('no move')"), code("plan()")])
    take_turns(CUBE, agent, tmp_path, mode=TurnMode.CODE, protocol=TURNS)
    assert len(told) > 8
    assert_nothing_secret(told, CUBE, MADE, tmp_path, state=False)

"""The MCP server, by the package's own client: in this process, over pipes and over HTTP."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from bridge.adapters.mcp import OBSERVE, puzzle_server
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.episode.tools import ToolCall, build_action_space
from bridge.recording.log import EpisodeLog, read_log
from bridge.recording.replay import replay
from pysim.catalog import find_level
from pysim.puzzle import Outcome
from tests.needs import needs_pybullet
from tests.rpc.playing import ended_log, gave_up
from tests.waiting import PATIENCE

LUBAN = [sys.executable, "-m", "bridge.cli", "mcp"]
LEVEL = "burr-chinese-cross"
STATE = Options(obs=Obs.STATE)
PINK = {"pieces": ["pink"], "direction": "+x", "distance": 1}


def plan(level: str = LEVEL) -> list[ToolCall]:
    certified = find_level(level).plan
    assert certified is not None
    return [ToolCall.of(action) for action in certified.actions]


def text(result: Any) -> str:
    return str(result.content[0].text)


def play(episode: Episode, work: Callable[[Client], Awaitable[None]]) -> None:
    """Let a client work on an episode's server."""

    async def connected() -> None:
        async with Client(puzzle_server(episode)) as client:
            await work(client)

    anyio.run(connected)


async def call(client: Client, step: ToolCall) -> Any:
    return await client.call_tool(step.name, dict(step.arguments))


def test_the_plan_solves_the_level_and_then_nothing_is_taken_any_more() -> None:
    async def work(client: Client) -> None:
        for left, step in zip(reversed(range(len(plan()))), plan(), strict=True):
            result = await call(client, step)
            assert not result.is_error
            assert ("The puzzle is solved." in text(result)) == (left == 0)
        again = await call(client, plan()[0])
        assert again.is_error
        assert text(again) == "The puzzle is solved. No more actions are taken."
        seen = await client.call_tool(OBSERVE, {})
        assert not seen.is_error
        assert "The puzzle is solved." in text(seen)

    with Episode(find_level(LEVEL), options=STATE) as episode:
        play(episode, work)
        assert (episode.outcome, episode.steps) == (Outcome.SOLVED, len(plan()))


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("slide", PINK, "UNKNOWN_COLOUR by pink"),
        ("slide", {}, "MISSING_FIELD"),
        ("slide", {**PINK, "pieces": "red"}, "BAD_VALUE"),
        ("slide", {**PINK, "pieces": ["red"], "distance": float("nan")}, "BAD_VALUE"),
        ("slide", {**PINK, "pieces": ["red"], "distance": 10**400}, "BAD_VALUE"),
        ("slide", {**PINK, "pieces": ["red"], "distance": 10**5000}, "BAD_VALUE"),
        ("slide", {**PINK, "pieces": ["\ud800\x00\x1b"]}, "BAD_VALUE"),
        ("slide", {**PINK, "pieces": ["blue"], "direction": "+x"}, "illegal, BLOCKED"),
        ("reset", {}, "UNKNOWN_ACTION by reset"),
        ("fork", None, "UNKNOWN_ACTION by fork"),
    ],
)
def test_what_is_refused_is_a_tool_error_that_costs_a_step(
    name: str, arguments: dict[str, Any] | None, words: str
) -> None:
    async def work(client: Client) -> None:
        result = await client.call_tool(name, arguments)
        assert result.is_error
        assert words in text(result)
        assert "29 steps left." in text(result)

    with Episode(find_level(LEVEL), options=STATE) as episode:
        before = episode.state_hash
        play(episode, work)
        assert (episode.steps, episode.state_hash) == (1, before)


def test_observing_is_free_and_tells_the_task() -> None:
    async def work(client: Client) -> None:
        for _ in range(3):
            seen = await client.call_tool(OBSERVE, {})
            assert "Step 0; 30 steps left." in text(seen)

    with Episode(find_level(LEVEL), options=STATE) as episode:
        play(episode, work)
        assert episode.steps == 0


def test_the_budget_ends_the_episode() -> None:
    async def work(client: Client) -> None:
        assert "1 steps left." in text(await client.call_tool("slide", PINK))
        assert "budget is used up" in text(await client.call_tool("slide", PINK))
        assert "No more actions" in text(await client.call_tool("slide", PINK))

    options = Options(obs=Obs.STATE, budget=2)
    with Episode(find_level(LEVEL), options=options) as episode:
        play(episode, work)
        assert (episode.outcome, episode.steps) == (Outcome.OUT_OF_BUDGET, 2)


@pytest.mark.parametrize("level", ["burr-three-bars", "packing-easy-01", "checkerboard"])
def test_there_are_the_actions_and_observe_and_nothing_else(level: str) -> None:
    async def work(client: Client) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == [OBSERVE, *build_action_space(find_level(level)).names]
        assert len(set(names)) == len(names)
        for other in (client.list_resources, client.list_resource_templates, client.list_prompts):
            with pytest.raises(MCPError, match="Method not found"):
                await other()

    with Episode(find_level(level), options=STATE) as episode:
        play(episode, work)


def test_a_full_disk_is_the_simulators_fault_and_costs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = EpisodeLog(tmp_path / "episode.jsonl")

    async def work(client: Client) -> None:
        assert not (await call(client, plan()[0])).is_error
        log.close()  # As a log is that can't even be cut back to its last whole line.
        result = await call(client, plan()[1])
        assert result.is_error
        assert text(result) == (
            "The simulator failed; nothing was changed and no step was counted."
        )

    episode = Episode(find_level(LEVEL), options=STATE, listener=log)
    play(episode, work)
    assert episode.steps == 1
    assert str(tmp_path) in caplog.text
    episode.leave()


@contextmanager
def process(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*LUBAN, *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    ) as started:
        try:
            yield started
        finally:
            if started.poll() is None:
                os.killpg(started.pid, signal.SIGKILL)


@needs_pybullet
def test_over_pipes_with_pictures_the_log_is_closed_when_the_client_leaves(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "one.jsonl"
    options = ["--level", LEVEL, "--observation", "image", "--image-size", "64", "--log", str(path)]
    server = StdioServerParameters(
        command=LUBAN[0],
        args=[*LUBAN[1:], *options, "--renderer", "tiny", "--world", "bullet"],
        env=dict(os.environ),
    )

    async def work() -> None:
        with (tmp_path / "stderr").open("w") as errors:
            async with Client(stdio_client(server, errors)) as client:
                seen = await client.call_tool(OBSERVE, {})
                pictures = [part for part in seen.content if part.type == "image"]
                assert [picture.mime_type for picture in pictures] == ["image/png"] * 4
                assert (await client.call_tool("slide", PINK)).is_error
                assert not (await call(client, plan()[0])).is_error

    anyio.run(work)
    log = ended_log(path)
    assert (len(log.steps), gave_up(log)) == (2, "the client left")
    assert log.header.options.agent == "mcp"
    replay(log)
    told = (tmp_path / "stderr").read_text()
    assert LEVEL not in told and str(path) not in told and "serves one episode" in told


@needs_pybullet
def test_sigterm_closes_the_log_and_stdout_has_the_protocol_alone(tmp_path: Path) -> None:
    with process(
        tmp_path, "--level", LEVEL, "--observation", "state", "--world", "bullet"
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write('no JSON\n{"jsonrpc": "2.0"}\n\n')
        server.stdin.write('{"jsonrpc": "2.0", "id": 3, "method": "ping"}\n')
        server.stdin.flush()
        lines = [server.stdout.readline()]
        while json.loads(lines[-1]).get("id") != 3:
            lines.append(server.stdout.readline())
        server.send_signal(signal.SIGTERM)
        out, err = server.communicate(timeout=PATIENCE)
    assert server.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in [*lines, *out.splitlines()])
    assert "Traceback" not in err
    log = read_log(tmp_path / "runs" / f"{LEVEL}-mcp-bullet" / "episode.jsonl")
    assert (len(log.steps), gave_up(log)) == (0, "the server was stopped")


def test_over_http_clients_play_the_one_episode(tmp_path: Path) -> None:
    arguments = [
        "--level",
        LEVEL,
        "--observation",
        "state",
        "--port",
        "0",
        "--log",
        "one.jsonl",
        "--verbose",
    ]
    with process(tmp_path, *arguments) as server:
        assert server.stderr is not None
        assert server.stderr.readline() == "luban: the episode's log is one.jsonl\n"
        address = server.stderr.readline().split()[-1]

        async def work() -> None:
            for left in (29, 28):
                async with Client(address) as client:
                    assert f"{left} steps left." in text(await client.call_tool("slide", PINK))

        anyio.run(work)
        server.send_signal(signal.SIGTERM)
        out, _ = server.communicate(timeout=PATIENCE)
    assert (server.returncode, out) == (0, "")
    log = read_log(tmp_path / "one.jsonl")
    assert (len(log.steps), gave_up(log)) == (2, "the server was stopped")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--level", "burr-nothing"], "no level"),
        (["--level", LEVEL, "--observation", "smell"], "observation is one of"),
        (["--level", LEVEL, "--world", "mars"], "no world"),
        (["--level", LEVEL, "--log", "there.jsonl"], "exists already"),
    ],
)
def test_what_does_not_exist_is_said_on_stderr(
    luban: Any, tmp_path: Path, arguments: list[str], words: str
) -> None:
    (tmp_path / "there.jsonl").write_text("")
    assert words in luban("mcp", *arguments).complaint()
    assert not list((tmp_path / "runs").glob("*"))

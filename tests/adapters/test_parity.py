"""The same level and the same calls give the same state hashes and budgets on every surface."""

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from inspect_ai.model import ModelOutput
from mcp.client.client import Client

from bridge.adapters.mcp import puzzle_server
from bridge.adapters.vocabulary import vocabulary_of
from bridge.agents.random_calls import random_call
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.episode.tools import ActionSpace, ToolCall
from bridge.recording.log import EpisodeLog, Log, read_log
from bridge.recording.replay import replay
from bridge.rpc.client import connect
from bridge.rpc.server import LubanServer
from luban.inspect_tasks import levels
from pysim.catalog import discover_families, find_family, find_level
from pysim.catalog import list_shipped_levels as shipped
from pysim.physics.factory import create_world
from pysim.puzzle import ActionError, IllegalMove, InvalidAction, Level
from tests.adapters.offline_model import calling, plan_of, run_task
from tests.needs import usable_worlds

TELLING = [
    "burr-chinese-cross",
    "burr-piston-key",
    "packing-easy-01",
    "checkerboard",
    "cubebench-d02-1-vertex-view",
]
"""Levels with much to go wrong in; of a family without any the shortest is played."""


def shortest(family: str) -> str:
    """The level of a family with the shortest plan of two actions or more."""
    planned = {v.id: len(v.plan or ()) for v in shipped() if v.family == family}
    return min((name for name, steps in planned.items() if steps > 1), key=lambda n: planned[n])


LEVELS = [
    *TELLING,
    *(
        shortest(name)
        for name in discover_families()
        if name not in {find_level(v).family for v in TELLING}
    ),
]
OPTIONS = Options(obs=Obs.STATE, seed=7)
INVALID = [
    ToolCall("reset", {}),
    ToolCall("slide", {"pieces": ["pink"], "direction": "+x", "distance": 1}),
    ToolCall("place", {"piece": "red", "cells": "all"}),
    ToolCall("make_move", {"move": "F3"}),
]
Trace = list[tuple[str, int]]
"""State hash and steps left, at the beginning and after every call."""
Surface = Callable[[Level[Any], Sequence[ToolCall], Path], Trace]


def script(level: Level[Any]) -> list[ToolCall]:
    """The plan, each call tried once too early, among calls that mean nothing."""
    plan = plan_of(level.id)
    early = [call for pair in zip(plan[1:], plan, strict=False) for call in pair]
    return [INVALID[0], *illegal(level), *early[:6], *INVALID[1:], *early[6:], plan[-1]]


def illegal(level: Level[Any]) -> list[ToolCall]:
    """A call that is refused at the start, drawn at random; none where whatever parses is legal."""
    rules, space = find_family(level).rules, ActionSpace(find_family(level).actions, level.colours)
    start, chance = rules.initial(level), random.Random(level.id)
    for call in (random_call(chance, space.schemas()) for _ in range(1000)):
        try:
            rules.apply(level, start, space.parse(call))
        except IllegalMove:
            return [call]
        except InvalidAction:
            continue
    return []


def numbered(level: Level[Any], calls: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls that Gymnasium has a number for."""
    space = ActionSpace(find_family(level).actions, level.colours)
    found = []
    for call in calls:
        with contextlib.suppress(InvalidAction):
            if vocabulary_of(level).number(space.parse(call)) is not None:
                found.append(call)
    return found


def steps(episode: Any, calls: Sequence[ToolCall]) -> Trace:
    trace = [(episode.state_hash, episode.budget_left)]
    for call in calls:
        if episode.outcome is not None:
            break
        with contextlib.suppress(ActionError):
            episode.step(call)
        trace.append((episode.state_hash, episode.budget_left))
    return trace


def of_log(log: Log) -> Trace:
    first = (log.header.state_hash, log.header.budget)
    return [first, *((line.state_hash, line.budget_left) for line in log.steps)]


def python(level: Level[Any], calls: Sequence[ToolCall], folder: Path) -> Trace:
    return steps(Episode(level, create_world("lattice"), options=OPTIONS), calls)


def bullet(level: Level[Any], calls: Sequence[ToolCall], folder: Path) -> Trace:
    with Episode(level, "bullet", options=OPTIONS) as episode:
        return steps(episode, calls)


def replayed(level: Level[Any], calls: Sequence[ToolCall], folder: Path) -> Trace:
    path = folder / "episode.jsonl"
    with EpisodeLog(path) as log, Episode(level, options=OPTIONS, listener=log) as episode:
        steps(episode, calls)
        episode.end()
    heard: Trace = []

    class Listener:
        def record_start(self, start: Any) -> None:
            heard.append((start.state_hash, start.budget))

        def record_step(self, record: Any) -> None:
            heard.append((record.state_hash, record.budget_left))

        def record_end(self, ending: Any) -> None:
            pass

    replay(read_log(path), listener=Listener())
    assert heard == of_log(read_log(path))
    return heard


def gymnasium(level: Level[Any], calls: Sequence[ToolCall], folder: Path) -> Trace:
    import gymnasium as gym

    import bridge.adapters.gymnasium  # noqa: F401

    env = gym.make(f"Luban/{level.family.capitalize()}-v0", level=level.id)
    space = ActionSpace(find_family(level).actions, level.colours)
    seen, info = env.reset(seed=7)
    trace = [(info["state_hash"], int(seen["budget"][0]))]
    ended = False
    for call in calls:
        if not ended:
            number = vocabulary_of(level).number(space.parse(call))
            seen, _, terminated, truncated, info = env.step(np.int64(number))
            ended = terminated or truncated
            trace.append((info["state_hash"], int(seen["budget"][0])))
    env.close()
    return trace


def inspect_ai(level: Level[Any], calls: Sequence[ToolCall], folder: Path) -> Trace:
    def answer(messages: Any, *_: Any) -> ModelOutput:
        return calling(calls[sum(message.role == "assistant" for message in messages)])

    task = levels(level.id, observation="state", history=1000, seed=7)
    log = run_task(task, answer, folder, message_limit=2 + 2 * len(calls))
    assert log.samples is not None
    return of_log(read_log(Path(log.samples[0].metadata["episode_log"])))


def mcp(level: Level[Any], calls: Sequence[ToolCall], folder: Path) -> Trace:
    trace: Trace = []

    async def work(episode: Episode) -> None:
        async with Client(puzzle_server(episode)) as client:
            for call in calls:
                if episode.outcome is None:
                    await client.call_tool(call.name, dict(call.arguments))
                    trace.append((episode.state_hash, episode.budget_left))

    with Episode(level, options=OPTIONS) as episode:
        trace.append((episode.state_hash, episode.budget_left))
        anyio.run(work, episode)
    return trace


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Trace]]:
    """Plays over gRPC."""
    with LubanServer(tmp_path_factory.mktemp("runs")) as server, connect(server.address) as client:

        def play(level: Level[Any], calls: Sequence[ToolCall], *, stream: bool) -> Trace:
            episode = client.start(level.id, observation="state", stream=stream, seed=7)
            return steps(episode, calls)

        yield play


@pytest.mark.by_day(1)
@pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning")
@pytest.mark.parametrize("level", LEVELS)
def test_every_surface_gives_the_hashes_and_budgets_of_an_episode(
    level: str, wire: Callable[..., Trace], tmp_path: Path
) -> None:
    played = find_level(level)
    calls = script(played)
    expected = python(played, calls, tmp_path)
    assert len(set(dict(expected))) > 2
    assert [left for _, left in expected] == list(
        range(played.budget, played.budget - len(expected), -1)
    )
    surfaces: list[Surface] = [replayed, inspect_ai, mcp]
    surfaces += [bullet] if "bullet" in usable_worlds() else []
    found = {surface.__name__: surface(played, calls, tmp_path) for surface in surfaces}
    found["unary"] = wire(played, calls, stream=False)
    found["stream"] = wire(played, calls, stream=True)
    assert found == dict.fromkeys(found, expected)
    fewer = numbered(played, calls)
    assert len(fewer) > 2
    assert gymnasium(played, fewer, tmp_path) == python(played, fewer, tmp_path)


@pytest.mark.parametrize("level", LEVELS)
def test_the_calls_are_of_every_kind(level: str, tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    played = find_level(level)
    with EpisodeLog(path) as log, Episode(played, options=OPTIONS, listener=log) as episode:
        steps(episode, script(played))
        episode.end()
    kinds = {line.kind.value for line in read_log(path).steps}
    assert kinds >= {"ok", "invalid"}
    if illegal(played):
        assert "illegal" in kinds


def test_only_where_the_view_may_change_every_call_that_means_something_is_legal() -> None:
    free = [level for level in TELLING if not illegal(find_level(level))]
    assert free == ["cubebench-d02-1-vertex-view"]

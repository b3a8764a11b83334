"""No surface tells an agent what it must not know, or lets it begin again.

Real episodes with known states are played on every surface that agents act on, everything that
crosses it is kept, and what must not be in it is looked for.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from inspect_ai.model import ModelOutput
from mcp.client.client import Client

from bridge.adapters.mcp import OBSERVE, puzzle_server
from bridge.adapters.toolbox import Toolbox
from bridge.adapters.vocabulary import vocabulary_of
from bridge.agents.journal import Journal
from bridge.agents.protocol import AgentContext
from bridge.agents.registry import Assignment, create_agent
from bridge.episode.episode import Episode
from bridge.episode.observation import Observation
from bridge.episode.records import Obs, Options
from bridge.episode.rendering import SharedRenderer
from bridge.episode.tools import ToolCall
from bridge.recording.log import EpisodeLog
from bridge.runs.play import Mode, play_episode
from luban.inspect_tasks import levels
from pysim.catalog import discover_families, find_level
from pysim.puzzle import Level
from tests.adapters.offline_model import calling, run_task
from tests.adapters.secrets import (
    always_secret,
    every_form,
    found_in,
    hidden_cells,
    picture_texts,
    secret_in_pictures_only,
    states_of,
    without_pictures,
)
from tests.adapters.test_parity import script
from tests.agents import server as http
from tests.sampling import these_by_day

LEVELS = ["burr-chinese-cross", "packing-easy-01", "cubebench-d03-1-face-view"]
OBSERVED = (Obs.IMAGE, Obs.STATE)
SEED = 918273645
SIZE = 32

Captured = list[str | bytes]
"""Whatever crossed a surface towards the agent."""


@pytest.fixture(scope="module")
def renderer() -> Iterator[SharedRenderer]:
    shared = SharedRenderer()
    yield shared
    shared.close()


class Stage:
    """Begins episodes of one level shown in one way, with a log as every runner keeps one."""

    def __init__(self, level: Level[Any], obs: Obs, renderer: SharedRenderer, folder: Path) -> None:
        self.level, self.obs, self.folder = level, obs, folder
        self.calls = script(level)[:7]
        self.options = Options(obs, picture_size=SIZE, budget=len(self.calls), seed=SEED)
        self._renderer = renderer if obs.has_images else None
        self.log = folder / level.id / "episode.jsonl"
        self.log.parent.mkdir()

    def begin(self) -> Episode:
        log = EpisodeLog(self.log)
        return Episode(self.level, "lattice", self._renderer, self.options, log)


def as_agent(stage: Stage) -> Captured:
    """An agent of another package."""
    briefing = Assignment(stage.level, SEED, obs=stage.obs).build_context()
    told: Captured = [repr(briefing.tools), briefing.obs, briefing.argument]
    told.append(repr(briefing.settings))
    calls = iter(stage.calls)

    class Spy:
        def act(self, observation: Observation) -> ToolCall:
            told.extend([repr(observation), observation.text()])
            told.extend(view.data for view in observation.views)
            return next(calls)

    with stage.begin() as episode:
        play_episode(episode, Spy())
    return told


def over_http(stage: Stage, mode: Mode = Mode.INTERACTIVE) -> Captured:
    """A model that speaks the OpenAI protocol."""

    def answer(request: Any, number: int) -> http.Reply:
        if mode is Mode.ONE_SHOT:
            calls = [{"name": c.name, "arguments": dict(c.arguments)} for c in stage.calls]
            return http.saying(json.dumps({"actions": calls}))
        call = stage.calls[number]
        return http.calling(call.name, call.arguments_json())

    with http.chat_server(answer) as chat:
        agent = create_agent(
            "openai:any",
            stage.level,
            seed=SEED,
            obs=stage.obs,
            settings={"base_url": chat.url, "retries": "0"},
            journal=Journal(stage.log.parent / "agent.jsonl"),
        )
        with stage.begin() as episode:
            play_episode(episode, agent, mode=mode)
    return [*chat.bodies, json.dumps(chat.headers)]


def one_shot(stage: Stage) -> Captured:
    """The same model, asked once for everything."""
    return over_http(stage, Mode.ONE_SHOT)


def under_inspect_ai(stage: Stage) -> Captured:
    """A model under inspect_ai."""
    told: Captured = []

    def answer(messages: Sequence[Any], tools: Sequence[Any], *_: Any) -> ModelOutput:
        told.extend(message.model_dump_json() for message in messages)
        told.extend(tool.model_dump_json() for tool in tools)
        return calling(stage.calls[sum(message.role == "assistant" for message in messages)])

    task = levels(
        stage.level.id, stage.obs, len(stage.calls), history=100, seed=SEED, image_size=SIZE
    )
    log = run_task(task, answer, stage.folder)
    assert log.status == "success"
    return told


def over_mcp(stage: Stage) -> Captured:
    """A client of the MCP server."""
    told: Captured = []

    async def work(episode: Episode) -> None:
        async with Client(puzzle_server(episode)) as client:
            told.extend([repr(client.server_info), str(client.instructions)])
            told.append((await client.list_tools()).model_dump_json())
            for call in (ToolCall(OBSERVE, {}), *stage.calls, ToolCall(OBSERVE, {})):
                result = await client.call_tool(call.name, dict(call.arguments))
                told.append(result.model_dump_json())

    with stage.begin() as episode:
        anyio.run(work, episode)
    return told


SURFACES = [as_agent, over_http, one_shot, under_inspect_ai, over_mcp]
CROSSINGS = [*product(SURFACES, LEVELS, OBSERVED)]
EACH_BOTH_WAYS = [
    (surface, LEVELS[(number + way) % len(LEVELS)], obs)
    for number, surface in enumerate(SURFACES)
    for way, obs in enumerate(OBSERVED)
]


def name_of(crossing: tuple[Callable[[Stage], Captured], str, Obs]) -> str:
    surface, level, obs = crossing
    return f"{surface.__name__}-{level}-{obs}"


@pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning")
@pytest.mark.parametrize("crossing", these_by_day(EACH_BOTH_WAYS, CROSSINGS, name=name_of))
def test_nothing_secret_crosses_a_surface(
    crossing: tuple[Callable[[Stage], Captured], str, Obs],
    renderer: SharedRenderer,
    tmp_path: Path,
) -> None:
    surface, level, obs = crossing
    stage = Stage(find_level(level), obs, renderer, tmp_path)
    told = surface(stage)
    assert len(states_of(stage.level, stage.calls)) > 2
    secrets = every_form(always_secret(stage.level, stage.calls, tmp_path))
    assert found_in(without_pictures(told), secrets) == set()
    state = every_form(secret_in_pictures_only(stage.level, stage.calls))
    state |= hidden_cells(stage.level, stage.calls)
    assert bool(found_in(without_pictures(told), state)) == obs.has_state
    texts = picture_texts(told)
    assert bool(texts) == obs.has_images
    assert all(text.startswith(b"Renderer\0") for text in texts)
    assert found_in(texts, always_secret(stage.level, stage.calls, tmp_path)) == set()


@pytest.mark.parametrize("level", LEVELS)
def test_the_log_has_what_the_agent_is_not_told(
    level: str, renderer: SharedRenderer, tmp_path: Path
) -> None:
    """So that what is looked for can be found."""
    stage = Stage(find_level(level), Obs.STATE, renderer, tmp_path)
    as_agent(stage)
    found = found_in([stage.log.read_bytes()], always_secret(stage.level, stage.calls))
    assert found >= {stage.level.id, stage.level.hash, stage.level.source.reference}
    assert len(found) > 5


@pytest.mark.parametrize("level", LEVELS)
def test_gymnasium_shows_pictures_alone_if_it_is_asked_for_them_alone(
    level: str, tmp_path: Path
) -> None:
    import gymnasium as gym

    import bridge.adapters.gymnasium  # noqa: F401

    played = find_level(level)
    env = gym.make(
        f"Luban/{played.family.capitalize()}-v0", level=level, observation="rgb", image_size=SIZE
    )
    told: Captured = []
    seen, info = env.reset(seed=SEED)
    for number in (0, 1, len(vocabulary_of(played)) - 1):
        assert set(seen) == {"rgb", "budget"}
        keys = {"action_mask", "success", "state_hash", "level_hash", "reason", "message"}
        assert set(info) == keys
        seen, _, _, _, info = env.step(np.int64(number))
        told += [info["message"], info["reason"]]
    env.close()
    calls = [ToolCall.of(vocabulary_of(played).actions[n]) for n in (0, 1, -1)]
    secrets = always_secret(played, calls, tmp_path) | secret_in_pictures_only(played, calls)
    assert found_in(told, secrets) == set()


def tries(level: Level[Any], count: int) -> list[ToolCall]:
    """Calls of every kind, in any order: many are not allowed where they are made."""
    rng = random.Random(level.id)
    known = [ToolCall.of(action) for action in vocabulary_of(level).actions]
    calls = [rng.choice(known) for _ in range(count)]
    corner = [rng.randrange(3) for _ in range(3)]
    cells = [corner, [corner[0] + 1, *corner[1:]]]
    for colour in level.colours:
        calls.append(ToolCall("place", {"piece": colour, "cells": cells, "direction": "-z"}))
        calls.append(ToolCall("pick_up", {"piece": colour, "direction": "+z"}))
        slide = {"pieces": [colour], "direction": rng.choice(["+x", "-y", "+z"]), "distance": 9}
        calls.append(ToolCall("slide", slide))
    rng.shuffle(calls)
    return calls


@pytest.mark.by_day(3)
@pytest.mark.parametrize("level", [*LEVELS, "burr-piston", "packing-soma", "packing-hard-03"])
def test_no_refusal_tells_the_state(level: str) -> None:
    played = find_level(level)
    calls = tries(played, 60)
    with Episode(played, options=Options(Obs.STATE, budget=1000)) as episode:
        toolbox, refusals = Toolbox(episode), []
        for call in calls:
            reply = toolbox.call(call.name, call.arguments_json())
            if reply.refused:
                refusals.append(reply.text.partition("State:")[0])
    assert len(refusals) > 5
    assert found_in(refusals, secret_in_pictures_only(played, calls)) == set()


def test_what_an_agent_gets_is_a_short_list() -> None:
    """Whatever is added to it has to be weighed: may an agent know that?"""
    told = {field.name for kind in (AgentContext, Observation) for field in fields(kind)}
    before = {"tools", "obs", "seed", "argument", "settings", "journal", "notes"}
    seen = {"step", "budget_left", "instruction", "history", "colours", "state", "views", "outcome"}
    assert told == before | seen


def test_no_family_has_an_action_that_goes_back_or_tells() -> None:
    names = {action.tool for family in discover_families().values() for action in family.actions}
    assert len(names) >= 8
    told = {"reset", "restart", "fork", "rewind", "undo", "save", "load", "plan", "solve", "hint"}
    assert not names & (told | {OBSERVE})

"""The same level and the same actions give the same state hashes on every surface."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge.adapters.vocabulary import vocabulary_of
from bridge.episode.episode import Episode
from bridge.episode.records import ObservationMode, Options
from bridge.recording.log import EpisodeLog, read_log
from bridge.recording.replay import replay
from bridge.rpc.client import Client, connect
from bridge.rpc.local import LocalEpisode
from bridge.rpc.server import LubanServer
from pysim.catalog import find_level
from pysim.physics.factory import create_world
from pysim.puzzle import Action, ActionError, Level

LEVELS = ["burr-chinese-cross", "burr-piston-key", "burr-three-bars", "packing-soma"]
OPTIONS = Options(mode=ObservationMode.STATE)


def actions_of(level: Level[Any]) -> list[Action]:
    """The plan, each action tried once too early: some of those are refused."""
    assert level.plan is not None
    plan = level.plan.actions
    return [a for pair in zip(plan[1:], plan, strict=False) for a in pair] + [plan[-1]]


def python(level: Level[Any], folder: Path) -> list[str]:
    return _steps(Episode(level, create_world("lattice"), options=OPTIONS), actions_of(level))


def local(level: Level[Any], folder: Path) -> list[str]:
    with LocalEpisode(level, options=OPTIONS) as episode:
        return _steps(episode, actions_of(level))


def replayed(level: Level[Any], folder: Path) -> list[str]:
    path = folder / "episode.jsonl"
    with EpisodeLog(path) as log, LocalEpisode(level, options=OPTIONS, listener=log) as episode:
        _steps(episode, actions_of(level))
        episode.end()
    heard: list[str] = []

    class Listener:
        def started(self, start: Any) -> None:
            heard.append(start.state_hash)

        def stepped(self, record: Any) -> None:
            heard.append(record.state_hash)

        def ended(self, ending: Any) -> None:
            pass

    replay(read_log(path), listener=Listener())
    return heard


def gymnasium(level: Level[Any], folder: Path) -> list[str]:
    gym = pytest.importorskip("gymnasium", reason="NOT TESTED: no gymnasium")
    import bridge.adapters.gymnasium  # noqa: F401

    env = gym.make(f"Luban/{level.family.capitalize()}-v0", level=level.id)
    hashes = [env.reset(seed=0)[1]["state_hash"]]
    for action in actions_of(level):
        hashes.append(env.step(np.int64(vocabulary_of(level).number(action)))[4]["state_hash"])
        if env.unwrapped._episode.outcome is not None:
            break
    return hashes


def _steps(episode: Any, actions: Sequence[Action]) -> list[str]:
    hashes = [episode.state_hash]
    for action in actions:
        if episode.outcome is not None:
            break
        with contextlib.suppress(ActionError):
            episode.step(action)
        hashes.append(episode.state_hash)
    return hashes


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    runs = tmp_path_factory.mktemp("runs")
    with LubanServer(runs) as server, connect(server.address) as client:
        yield client


@pytest.mark.parametrize("surface", [local, replayed, gymnasium])
@pytest.mark.parametrize("level", LEVELS)
def test_every_surface_gives_the_hashes_of_an_episode(
    level: str, surface: Callable[[Level[Any], Path], list[str]], tmp_path: Path
) -> None:
    expected = python(find_level(level), tmp_path)
    assert len(set(expected)) > 2
    assert surface(find_level(level), tmp_path) == expected


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("level", LEVELS)
def test_the_wire_gives_the_hashes_of_an_episode(
    client: Client, level: str, stream: bool, tmp_path: Path
) -> None:
    episode = client.start(level, mode="state", stream=stream)
    found = _steps(episode, actions_of(find_level(level)))
    assert found == python(find_level(level), tmp_path)

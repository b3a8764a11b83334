"""Episodes to record: plans with nonsense and illegal moves in between."""

import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import Listener, Options
from bridge.episode.tools import ToolCall
from bridge.recording.film import film_episode
from bridge.recording.log import EpisodeLog
from bridge.runs import worker
from pysim.catalog import find_level
from pysim.field_types import Json
from pysim.physics.factory import create_world
from pysim.puzzle import ActionError, InvalidAction, Level, Reason

DIRECTIONS = ("+x", "-x", "+y", "-y", "+z", "-z")
NONSENSE: tuple[ToolCall, ...] = (
    ToolCall("slide", {"pieces": ["mauve"], "direction": "+x", "distance": 1}),
    ToolCall("slide", {"pieces": [], "direction": "+x", "distance": 1}),
    ToolCall("slide", {"pieces": ["red", "red"], "direction": "+x", "distance": 1}),
    ToolCall("slide", {"pieces": ["red"], "direction": "+x", "distance": 10**400}),
    ToolCall("slide", {"pieces": ["red"], "direction": "up", "distance": -2.5}),
    ToolCall("slide", {"pieces": ["red"]}),
    ToolCall("fly", {"where": "été \ud83e \u2028 \x00"}),
    ToolCall("slide", {"pieces": ["red"], "direction": "+x", "distance": float("nan")}),
)


@contextmanager
def small_films() -> Iterator[None]:
    """Have runs of this process make films of 64 pixels, for tests to which their size is nothing.

    Films of runs have 512, and take three times as long.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "film_episode", partial(film_episode, size=64))
        yield


def start(path: Path | None, name: str, world: str = "lattice", **options: Any) -> Episode:
    listener: Listener | None = None if path is None else EpisodeLog(path)
    return Episode(find_level(name), create_world(world), None, Options(**options), listener)


def attempt(episode: Episode, call: ToolCall) -> None:
    with suppress(ActionError):
        episode.step(call)


def random_call(level: Level[Any], rng: random.Random) -> ToolCall:
    """A slide that parses, seldom legal."""
    pieces: list[Json] = list(rng.sample(level.colours, rng.choice((1, 1, 2))))
    distance = rng.choice((1, 2, 5, "out"))
    direction = rng.choice(DIRECTIONS)
    return ToolCall("slide", {"pieces": pieces, "direction": direction, "distance": distance})


def play_plan(path: Path, name: str, world: str = "lattice", *, seed: int | None = None) -> None:
    """Record a level's plan; with a seed, refused actions of all sorts come before each step."""
    episode = start(path, name, world, budget=400, seed=seed or 0, agent="oracle")
    rng = random.Random(seed)
    for made, action in enumerate(episode.level.plan.actions):
        if seed is not None:
            attempt(episode, rng.choice(NONSENSE))
            episode.refuse("slide", '{"pieces": [', InvalidAction(Reason.MALFORMED, "no JSON"))
            for call in (random_call(episode.level, rng) for _ in range(2)):
                if not _is_legal(episode.level, made, call):
                    attempt(episode, call)
        episode.step(action)
    episode.close()


def _is_legal(level: Level[Any], made: int, call: ToolCall) -> bool:
    """Whether a call would be carried out after ``made`` actions of the plan."""
    probe = Episode(level, create_world("lattice"))
    for action in level.plan.actions[:made]:
        probe.step(action)
    try:
        probe.step(call)
    except ActionError:
        return False
    return True


@contextmanager
def full_disk(free: int) -> Iterator[None]:
    """Files can't grow beyond ``free`` bytes: what a full disk does, also to root."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def unwritable(folder: Path) -> list[Path]:
    """Folders in which nobody can make a file, root neither."""
    file = folder / "file"
    file.write_text("a file is no folder")
    # In a chroot /proc may be missing, or a folder like any other.
    mounted = [Path("/proc")] if Path("/proc").is_mount() else []
    return [folder / "missing", file, *mounted]

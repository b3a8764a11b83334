"""Gymnasium environments; needs the extra ``gymnasium``."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium
import numpy as np

from bridge.adapters.gymnasium import PuzzleEnv
from bridge.adapters.vocabulary import vocabulary_of
from bridge.episode.choices import Obs
from bridge.episode.observation import View
from bridge.episode.tools import build_action_space
from bridge.operations.sight.protocol import (
    IMAGE_SIZE,
    Adapter,
    Decide,
    Play,
    Played,
    Received,
    Route,
)
from pysim.catalog import AnyLevel, encode_level
from pysim.errors import InputError

__all__ = ["ADAPTER"]


@contextmanager
def _open(route: Route) -> Iterator[Play]:
    with TemporaryDirectory() as folder:

        def play(level: AnyLevel, observation: Obs, decide: Decide) -> Played:
            path = Path(folder) / "level.json"
            path.write_text(json.dumps(encode_level(level)))
            env = gymnasium.make(
                f"{PuzzleEnv.__module__}:Luban/{level.family.capitalize()}-v0",
                level=str(path),
                observation="rgb" if observation.has_images else observation.value,
                image_size=IMAGE_SIZE,
                reward="progress",
            )
            try:
                return _play(env, level, decide)
            finally:
                env.close()

        yield play


def _play(env: gymnasium.Env[Any, Any], level: AnyLevel, decide: Decide) -> Played:
    seen, info = env.reset(seed=0)
    hashes, total, over = [info["state_hash"]], 0.0, False
    space = build_action_space(level)
    while not over:
        call = decide(Received("", _list_views(seen)))
        number = vocabulary_of(level).number(space.parse(call))
        if number is None:
            raise InputError(f"{level.id}: the action {call.name} has no number in Gymnasium")
        seen, reward, terminated, truncated, info = env.step(np.int64(number))
        hashes.append(info["state_hash"])
        total, over = total + float(reward), terminated or truncated
    return Played(info["success"], tuple(hashes), total)


def _list_views(seen: dict[str, Any]) -> tuple[View, ...]:
    """Return the pictures of an observation; those that there are not now are black."""
    return tuple(View.raw("", picture) for picture in seen.get("rgb", ()) if picture.any())


ADAPTER = Adapter("Gymnasium environments with the observation rgb", _open)

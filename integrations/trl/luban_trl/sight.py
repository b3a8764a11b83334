"""Way of pictures through environments of TRL, for ``luban doctor --adapter trl``.

Tools are called as ``GRPOTrainer`` calls them: by the name and the arguments of a parsed answer. A
trainer's chat template and processor are its own, so the check ends where they begin.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import luban
from luban.testing.sight import (
    IMAGE_SIZE,
    Adapter,
    Decide,
    Play,
    Played,
    Received,
    Route,
    receive,
)
from luban_trl.environments import Block, make_environment

__all__ = ["ADAPTER"]


@contextmanager
def _open(route: Route) -> Iterator[Play]:
    def play(level: luban.Level[Any], observation: Any, decide: Decide) -> Played:
        family = make_environment(
            level.family,
            observation=observation.value,
            image_size=IMAGE_SIZE,
            reward="progress",
        )
        env = family()
        blocks = env.reset(task=level.id)
        hashes = [env.state_hash]
        while env.outcome is None:
            call = decide(_read(blocks))
            blocks = getattr(env, call.name)(**call.arguments)
            hashes.append(env.state_hash)
        solved = env.outcome is luban.Outcome.SOLVED
        return Played(solved, tuple(hashes), env.get_reward())

    yield play


def _read(blocks: list[Block]) -> Received:
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    pictures = [np.asarray(block["image"]) for block in blocks if block["type"] == "image"]
    return receive(texts, pictures, luban.View.raw)


ADAPTER = Adapter("environments of TRL, up to the trainer's processor", _open)

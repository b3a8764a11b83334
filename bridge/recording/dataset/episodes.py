"""One recorded episode as the rows of a dataset: what was seen, what was done, what came of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bridge.episode.records import StepKind
from bridge.episode.tools import ToolCall, build_action_space
from bridge.recording.dataset.errors import DatasetError
from bridge.recording.dataset.vectors import ActionVector, Sizes, state_vector
from bridge.recording.log import Log, read_log
from bridge.recording.replay import ReplayMismatch, replay
from bridge.recording.timeline import EpisodeRecording
from pysim.catalog import encode_level, find_family
from pysim.puzzle import Outcome
from pysim.scene import Scene

__all__ = ["ColumnData", "Moments", "Recording", "facts_of", "play_again", "vectors_of"]

T = TypeVar("T", bound=np.generic)

ColumnData = NDArray[np.float32] | NDArray[np.int64] | NDArray[np.bool_] | list[str]
"""One value or row for each moment."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A log that goes into a dataset.

    Attributes:
        name: what the dataset calls it, such as ``oracle/level/1``; says nothing of where
            it lies.
        path: where it lies.
    """

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Moments:
    """An episode of n steps as n + 1 moments.

    Attributes:
        recording: where it is from.
        log: what was played again; its n steps were done at all moments but the last.
        scenes: what there was to be seen, n + 1.
    """

    recording: Recording
    log: Log
    scenes: tuple[Scene, ...]

    @property
    def solved(self) -> bool:
        """Whether the episode ended solved."""
        ending = self.log.ending
        return ending is not None and ending.outcome is Outcome.SOLVED

    @property
    def task(self) -> str:
        """Task of the agent, in words."""
        level = self.log.header.level
        return find_family(level).rules.instruction(level)

    def columns(self) -> dict[str, ColumnData]:
        """Return the columns that are the same in every dataset, n + 1 values each.

        What belongs to a step stands at the moment before it. The last moment has no step: there
        everything but ``state_hash`` and ``budget_left`` is that of the moment before, as LeRobot
        pads the last observation, and ``is_last`` is true.
        """
        header, steps = self.log.header, self.log.steps
        numbers = np.arange(len(steps) + 1, dtype=np.int64)
        ends = (numbers[1:] == len(steps)) & (self.log.ending is not None)
        budget = [header.budget, *(step.budget_left for step in steps)]
        return {
            "frame_index": numbers,
            "is_last": numbers == len(steps),
            "state_hash": [header.state_hash, *(step.state_hash for step in steps)],
            "budget_left": np.array(budget, dtype=np.int64),
            "next.reward": _padded((ends & self.solved).astype(np.float32)),
            "next.done": _padded(ends),
            "next.success": _padded(ends & self.solved),
            "next.legal": _padded(np.array([s.kind is StepKind.OK for s in steps], dtype=np.bool_)),
            "call": _padded_texts([_json(step.call) for step in steps]),
            "reason": _padded_texts([step.reason or "" for step in steps]),
            "message": _padded_texts([step.message for step in steps]),
        }


def play_again(recording: Recording) -> Moments:
    """Return the moments of a recorded episode, on the exact world.

    Raises:
        LogError: the log is damaged.
        DatasetError: the replay goes another way than the log.
    """
    log, recorded = read_log(recording.path), EpisodeRecording()
    try:
        replay(log, world="lattice", listener=recorded)
    except ReplayMismatch as error:
        raise DatasetError(f"{recording.path}: {error}") from error
    assert recorded.start is not None
    return Moments(recording, log, (recorded.start.scene, *recorded.scenes))


def vectors_of(
    moments: Moments, actions: ActionVector, sizes: Sizes
) -> Mapping[str, NDArray[np.float32]]:
    """``observation.state`` and ``action``, a row for each moment; the last action twice."""
    level = moments.log.header.level
    space = build_action_space(level)
    rows = [actions.numbers(space, level.colours, step.call) for step in moments.log.steps]
    done = np.array(rows, dtype=np.float32).reshape(-1, len(actions))
    return {
        "observation.state": np.stack([state_vector(scene, sizes) for scene in moments.scenes]),
        "action": _padded(done),
    }


def facts_of(moments: Moments) -> dict[str, str | int | bool | None]:
    """Collect the facts of an episode as a whole."""
    log = moments.log
    header, level = log.header, log.header.level
    return {
        "recording": moments.recording.name,
        "level": level.id,
        "level_hash": level.hash,
        "family": level.family,
        "tier": level.tier.value,
        "agent": header.options.agent,
        "seed": str(header.options.seed),
        "world": header.world[0],
        "luban": header.luban,
        "budget": header.budget,
        "steps": len(log.steps),
        "outcome": None if log.ending is None else log.ending.outcome.value,
        "solved": moments.solved,
        "plan": None if level.plan is None else len(level.plan),
        "plan_bound": None if level.plan is None else level.plan.lower_bound,
        "level_document": json.dumps(encode_level(level), sort_keys=True),
    }


def _json(call: ToolCall) -> str:
    return json.dumps({"name": call.name, "arguments": call.arguments}, separators=(",", ":"))


def _padded(values: NDArray[T]) -> NDArray[T]:
    """Return one row for each step, and the last one again; a row of zeros if there is none."""
    last = values[-1:] if len(values) else np.zeros((1, *values.shape[1:]), dtype=values.dtype)
    return np.concatenate([values, last])


def _padded_texts(texts: list[str]) -> list[str]:
    return [*texts, *texts[-1:]] if texts else [""]

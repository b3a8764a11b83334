"""Environment that plays tasks of all families, and names them for trainers."""

import base64
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from html import escape
from itertools import product
from typing import Any, TypeVar
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata
from pydantic import JsonValue

import luban
from luban_openenv.models import LubanAction, LubanObservation, LubanState, LubanView

__all__ = ["SHIPPED", "LubanEnvironment", "Settings", "read_variable"]

T = TypeVar("T")

SHIPPED = "shipped"
"""Split of the levels that ship, which are no tasks."""
_TYPES = {"train": "train", "val": "validation", "test": "test", SHIPPED: "test"}
_OPTIONS = "seed, episode_id, split, index, task"
_BUTTONS = 60
"""Most actions of one tool that the web interface offers as buttons."""


@dataclass(frozen=True)
class Settings:
    """Settings of an environment; ``LUBAN_IMAGE_SIZE`` and so on set them.

    Attributes:
        split: split from which tasks are drawn if a reset names none.
        observation: ``image``, ``image+state`` or ``state``.
        image_size: edge of each view in pixels.
        reward: ``sparse`` or ``progress``.
        refusal_price: share of the return that each refused action costs.
    """

    split: str = "burr:train"
    observation: str = "image+state"
    image_size: int = 256
    reward: str = "sparse"
    refusal_price: float = 0.0

    @classmethod
    def read(cls, variables: Mapping[str, str] = os.environ) -> "Settings":
        """Return the settings that variables of the environment give.

        Raises:
            ValueError: one is no number, and has to be; the message names it.
        """
        defaults = {field.name: field.default for field in fields(cls)}
        given = {name: read_variable(name, one, variables) for name, one in defaults.items()}
        return cls(**given)


def read_variable(name: str, default: T, variables: Mapping[str, str] = os.environ) -> T:
    """Return the value of ``LUBAN_NAME``, of the type of its default.

    Raises:
        ValueError: it is no number, and has to be.
    """
    variable, kind = f"LUBAN_{name.upper()}", type(default)
    if variable not in variables:
        return default
    try:
        return kind(variables[variable])
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise ValueError(f"{variable} is {wanted}, not {variables[variable]!r}") from None


class LubanEnvironment(Environment[LubanAction, LubanObservation, LubanState]):
    """Environment with one episode at a time.

    Args:
        settings: None for those of the variables.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self._settings = settings or Settings.read()
        self._rule = luban.RewardRule(
            luban.Reward(self._settings.reward), self._settings.refusal_price
        )
        self._episode: luban.Episode | None = None
        self._state = LubanState()

    # -- playing ----------------------------------------------------------------------------------

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        split: str | None = None,
        index: int | None = None,
        task: str | None = None,
        **unknown: object,
    ) -> LubanObservation:
        """Begin an episode.

        Args:
            seed: draws a task of the split if no index is given.
            episode_id: name of the episode; a random one by default.
            split: name of a split; that of the settings by default.
            index: place of a task in the split.
            task: a task or level by name, such as ``nets:test:7``, instead of a split.
            unknown: none. The server would drop them, and another task than was meant be drawn.

        Raises:
            ValueError: there is no such task or option.
        """
        if unknown:
            raise ValueError(f"reset() has no option {next(iter(unknown))!r}; there are {_OPTIONS}")
        if task is None:
            chosen = split or self._settings.split
            count = self.num_tasks(chosen)
            place = random.Random(seed).randrange(count) if index is None else index
            level = _load(chosen, place)
        elif split is None and index is None:
            level = luban.load(task)
        else:
            raise ValueError("name a task, or a split and an index, not both")
        self.close()
        self._begin(level)
        self._state = LubanState(episode_id=episode_id or str(uuid4()))
        self._update_state()
        first = self._toolbox.look()
        return self._observe(first, reward=None, tools=self._toolbox.schemas)

    def step(self, action: LubanAction, timeout_s: float | None = None) -> LubanObservation:
        """Attempt an action.

        Raises:
            RuntimeError: no episode has begun.
        """
        if self._episode is None:
            raise RuntimeError("no episode has begun: reset the environment first")
        reply = self._toolbox.call(action.name, action.arguments)
        self._update_state()
        return self._observe(reply, reward=reply.reward)

    @property
    def state(self) -> LubanState:
        """State for trainers."""
        return self._state

    def close(self) -> None:
        """End the episode."""
        if self._episode is not None:
            self._episode.end()
            self._episode = None

    def get_metadata(self) -> EnvironmentMetadata:
        """Return what the server tells of itself."""
        return EnvironmentMetadata(
            name="luban",
            description="3D puzzles that are solved by acting on them, judged by rule.",
            version=luban.__version__,
        )

    def _begin(self, level: luban.Level[Any]) -> None:
        earned = self._rule.begin(level)
        self._episode = luban.start(
            level,
            observation=self._settings.observation,
            image_size=self._settings.image_size,
        )
        self._toolbox = luban.Toolbox(self._episode, earned)

    def _update_state(self) -> None:
        episode = self._episode
        assert episode is not None
        self._state = LubanState(
            episode_id=self._state.episode_id,
            step_count=episode.steps,
            state_hash=episode.state_hash,
            outcome=None if episode.outcome is None else str(episode.outcome),
            total=self._toolbox.total,
        )

    def _observe(
        self,
        reply: luban.Reply,
        reward: float | None,
        tools: Sequence[dict[str, Any]] = (),
    ) -> LubanObservation:
        views = [LubanView(name=view.name, url=_encode_url(view)) for view in reply.views]
        return LubanObservation(
            text=reply.text,
            views=views,
            tools=list(tools),
            refused=reply.refused,
            reward=reward,
            done=self._toolbox.outcome is not None,
        )

    # -- tasks ------------------------------------------------------------------------------------

    def list_splits(self) -> list[dict[str, str]]:
        """Return the splits of prepared tasks of all families, and of the levels that ship."""
        names = [
            f"{name}:{split}" for name in _find_families() for split in ("train", "val", "test")
        ]
        return [
            {"name": name, "type": _TYPES[name.rpartition(":")[2]]} for name in [*names, SHIPPED]
        ]

    def num_tasks(self, split: str) -> int:
        """Return the number of tasks of a split."""
        return _count(split)

    def get_task(self, split: str, index: int) -> dict[str, JsonValue]:
        """Return the name of a task and its place, and nothing of its puzzle."""
        if not 0 <= index < _count(split):
            raise IndexError(f"{split} has tasks from 0 to {_count(split) - 1}")
        return {"id": f"{split}:{index}", "split": split, "index": index}

    def list_tasks(self, split: str) -> list[dict[str, JsonValue]]:
        """Return all tasks of a split."""
        return self.get_task_range(split)

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, JsonValue]]:
        """Return the tasks of a slice of a split."""
        return [self.get_task(split, index) for index in range(_count(split))[start:stop]]

    # -- web interface ----------------------------------------------------------------------------

    def render_web(self, observation: dict[str, Any]) -> str:
        """Return the pictures and the text of an observation as HTML."""
        pictures = "".join(
            f'<figure style="display:inline-block;margin:4px"><img src="{escape(view["url"])}" '
            f'alt="{escape(view["name"])}"><figcaption>{escape(view["name"])}</figcaption></figure>'
            for view in observation.get("views", ())
        )
        text = escape(observation.get("text", ""))
        return f'{pictures}<pre style="white-space:pre-wrap">{text}</pre>'

    def web_actions(self, observation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """Return the calls of tools that have few; other calls are written into the form."""
        if self._episode is None:
            return []
        functions = [tool["function"] for tool in self._toolbox.schemas]
        return [
            (" ".join([name, *map(str, call.values())]), {"name": name, "arguments": call})
            for name, calls in ((one["name"], _list_calls(one["parameters"])) for one in functions)
            for call in calls
        ]


@cache
def _list_shipped() -> tuple[luban.Level[Any], ...]:
    return luban.levels()


@cache
def _find_families() -> tuple[str, ...]:
    return tuple(sorted({level.family for level in _list_shipped()}))


@cache
def _find_source(family: str) -> luban.TaskSource:
    if family not in _find_families():
        raise ValueError(f"there is no family {family!r}; there are {', '.join(_find_families())}")
    return luban.TaskSource(family)


def _count(split: str) -> int:
    """Return the number of tasks of a split.

    Raises:
        ValueError: there is no such split.
    """
    if split == SHIPPED:
        return len(_list_shipped())
    if not isinstance(split, str):
        raise ValueError(f"a split is named by a text, not {split!r}")
    family, colon, part = split.partition(":")
    if not colon:
        raise ValueError(f"a split is named FAMILY:SPLIT or {SHIPPED}, not {split!r}")
    source = _find_source(family)
    if part not in source.splits:
        raise ValueError(f"{family} has the splits {', '.join(source.splits)}, not {part!r}")
    return source.count_prepared(part)


def _load(split: str, index: int) -> luban.Level[Any]:
    if index not in range(_count(split)):  # It may be no number at all.
        raise ValueError(f"{split} has tasks from 0 to {_count(split) - 1}, not {index}")
    if split == SHIPPED:
        return _list_shipped()[index]
    family, _, part = split.partition(":")
    return _find_source(family).get_task(part, index).level


def _encode_url(view: luban.View) -> str:
    return f"data:image/{view.format};base64,{base64.b64encode(view.data).decode('ascii')}"


def _list_calls(schema: dict[str, Any]) -> list[dict[str, JsonValue]]:
    """Return all arguments that fit a schema; none if they are too many to be listed."""
    choices = [_list_values(schema["properties"][name]) for name in schema["required"]]
    calls = [dict(zip(schema["required"], values, strict=True)) for values in product(*choices)]
    return calls if len(calls) <= _BUTTONS else []


def _list_values(schema: dict[str, Any]) -> list[JsonValue]:
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "integer" and "maximum" in schema:
        return list(range(schema["minimum"], schema["maximum"] + 1))
    return []

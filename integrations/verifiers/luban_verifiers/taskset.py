"""Taskset: levels of one family, by the names that Luban has for them."""

import base64
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import verifiers.v1 as vf

import luban
from luban_verifiers.state import LubanState
from luban_verifiers.toolset import LubanToolset, ToolsetConfig

__all__ = ["LubanTask", "LubanTaskset", "LubanTasksetConfig"]


class LubanTaskData(vf.TaskData):
    """Data of a task."""

    level: str
    """Name of the level."""


class LubanTask(vf.Task[LubanTaskData, LubanState]):
    """A level to be solved."""

    @property
    def key(self) -> str:
        """Hash of the level."""
        return luban.load(self.data.level).hash

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Tell the tools which level the rollout plays."""
        trace.state.task, trace.state.rollout = self.data.level, uuid4().hex

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Return whether the plan solves the level; None without a plan."""
        level = luban.load(self.data.level)
        if level.plan is None:
            return None
        with luban.start(level, observation="none") as episode:
            for action in level.plan.actions:
                episode.step(action)
        return episode.outcome is luban.Outcome.SOLVED

    @vf.reward
    async def earned(self, trace: vf.Trace) -> float:
        """Return the sum of all rewards, from 0 to 1."""
        return float(trace.state.total)

    @vf.metric
    async def solved(self, trace: vf.Trace) -> float:
        """Return 1 if the level was solved."""
        return float(trace.state.solved)

    @vf.metric
    async def steps(self, trace: vf.Trace) -> float:
        """Return the number of steps."""
        return float(trace.state.steps)

    @vf.stop
    async def over(self, trace: vf.Trace) -> bool:
        """Stop with the episode."""
        return bool(trace.state.over)


class LubanTasksetConfig(vf.TasksetConfig):
    """Options of the taskset."""

    levels: str = "burr:train"
    """Levels of one family: tasks such as `nets:test:0-99`, a suite, or ids with commas."""
    observation: str = "image+state"
    image_size: int = 256
    reward: str = "sparse"
    refusal_price: float = 0.0


class LubanTaskset(vf.Taskset[LubanTask, LubanTasksetConfig]):
    """Levels of one family."""

    def load(self) -> Iterator[LubanTask]:
        """Yield the tasks, each with its first pictures."""
        config = self.config
        _find_family(config.levels)
        for level in luban.levels(config.levels):
            yield self.make_task(level)

    def make_task(self, level: luban.Level[Any]) -> LubanTask:
        """Return the task of a level, with its first pictures."""
        config = self.config
        with luban.start(
            level, observation=config.observation, image_size=config.image_size
        ) as episode:
            look = luban.Toolbox(episode).look()
        parts: list[vf.ContentPart] = [vf.TextContentPart(text=look.text)]
        for view in look.views:
            parts.append(vf.TextContentPart(text=f"View {view.name}:"))
            url = f"data:image/{view.format};base64,{base64.b64encode(view.data).decode()}"
            parts.append(vf.ImageUrlContentPart(image_url=vf.ImageUrlSource(url=url)))
        prompt = [vf.UserMessage(content=parts)]
        system = luban.Toolbox.prompt
        data = LubanTaskData(name=level.id, level=level.id, prompt=prompt, system_prompt=system)
        return LubanTask(data, config.task)

    @classmethod
    def toolsets(cls, config: LubanTasksetConfig) -> list[vf.Toolset]:
        """Return the tools of the family, shared by all rollouts."""
        chosen = ToolsetConfig(
            family=_find_family(config.levels),
            observation=config.observation,
            image_size=config.image_size,
            reward=config.reward,
            refusal_price=config.refusal_price,
        )
        return [LubanToolset(chosen)]


def _find_family(levels: str) -> str:
    """Return the family of levels.

    Raises:
        ValueError: there are several, whose tools differ.
    """
    families = sorted({level.family for level in luban.levels(levels)})
    if len(families) != 1:
        raise ValueError(f"name levels of one family, not of {', '.join(families)}")
    return families[0]

"""Tools of a family, in one process for all rollouts of a worker."""

import asyncio
import time
from inspect import Parameter, Signature
from typing import Annotated, Any

import verifiers.v1 as vf
from mcp.server.mcpserver import Image, MCPServer
from pydantic import Field, WithJsonSchema

import luban
from luban_verifiers.state import LubanState

__all__ = ["LubanToolset", "ToolsetConfig"]

_IDLE = 3600.0
"""Seconds after which an episode that nobody plays is left."""


class ToolsetConfig(vf.SharedToolsetConfig):
    """Options of the tools; the taskset sets them."""

    family: str = "burr"
    observation: str = "image+state"
    image_size: int = 256
    reward: str = "sparse"
    refusal_price: float = 0.0


class _Rollout:
    """An episode, its rewards, and a lock: calls of one answer come at once."""

    def __init__(self, name: str, config: ToolsetConfig) -> None:
        level = luban.load(name)
        rule = luban.RewardRule(luban.Reward(config.reward), config.refusal_price)
        earned = rule.begin(level)
        self._episode = luban.start(
            level, observation=config.observation, image_size=config.image_size
        )
        self._toolbox = luban.Toolbox(self._episode, earned)
        self._hashes = [self._episode.state_hash]
        self.lock = asyncio.Lock()
        self.used = time.monotonic()

    def call(self, name: str, arguments: dict[str, Any], state: LubanState) -> luban.Reply:
        """Attempt an action, and write what came of it into the state."""
        reply = self._toolbox.call(name, arguments)
        if len(self._hashes) == self._episode.steps:  # It was a step: the episode was not over.
            self._hashes.append(self._episode.state_hash)
        state.steps, state.hashes = self._episode.steps, self._hashes
        state.total = self._toolbox.total
        state.solved = self._toolbox.outcome is luban.Outcome.SOLVED
        state.over = self._toolbox.outcome is not None
        return reply

    def leave(self) -> None:
        """Free what the episode holds."""
        self._episode.leave()


class LubanToolset(vf.Toolset[ToolsetConfig, LubanState]):
    """The actions of a family as tools."""

    TOOL_PREFIX = None

    async def setup(self) -> None:
        """Prepare for rollouts."""
        self._rollouts: dict[str, _Rollout] = {}

    def register(self, mcp: MCPServer) -> None:
        """Offer the tools."""
        for tool in luban.list_typed_tools(self.config.family):
            mcp.add_tool(
                self._with_state(self._make_function(tool)),
                name=tool.name,
                description=tool.description,
            )

    def _make_function(self, tool: luban.TypedTool) -> Any:
        async def function(**arguments: Any) -> list[str | Image]:
            given = {name: one for name, one in arguments.items() if one is not None}
            return await self._call(tool.name, given)

        # Values of another type than the schema's reach the episode, where they cost a step.
        parameters = [
            one.replace(annotation=_describe(tool, one), kind=Parameter.KEYWORD_ONLY)
            for one in tool.signature.parameters.values()
        ]
        vars(function)["__signature__"] = Signature(parameters)
        function.__name__ = tool.name
        return function

    async def _call(self, name: str, arguments: dict[str, Any]) -> list[str | Image]:
        state = self.state
        rollout = await self._find_rollout(state)
        async with rollout.lock:
            reply = await asyncio.to_thread(rollout.call, name, arguments, state)
        parts: list[str | Image] = [reply.text]
        for view in reply.views:
            parts += [f"View {view.name}:", Image(data=view.data, format=view.format)]
        return parts

    async def _find_rollout(self, state: LubanState) -> _Rollout:
        now = time.monotonic()
        for key in [key for key, one in self._rollouts.items() if now - one.used > _IDLE]:
            self._rollouts.pop(key).leave()
        if state.rollout not in self._rollouts:
            if state.steps:
                raise RuntimeError("the episode was left after an hour without a call")
            self._rollouts[state.rollout] = _Rollout(state.task, self.config)
        found = self._rollouts[state.rollout]
        found.used = now
        return found


def _describe(tool: luban.TypedTool, parameter: Parameter) -> object:
    field = Field(description=tool.docs[parameter.name])
    return Annotated[Any, WithJsonSchema(dict(tool.schemas[parameter.name])), field]


if __name__ == "__main__":
    LubanToolset.run()

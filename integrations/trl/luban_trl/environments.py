"""A class for each family, whose methods are the family's tools."""

from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any, ClassVar

from PIL import Image

import luban

__all__ = ["Block", "LubanEnv", "make_environment", "make_environments"]

_ANY_LEVEL = "burr-three-bars"
"""A level with which settings are tried, before a trainer loads its model."""
Block = dict[str, Any]
"""A part of a message: ``{"type": "text", "text"}`` or ``{"type": "image", "image"}``."""


class LubanEnv:
    """One episode after another; classes of families add their tools as methods.

    Attributes:
        family: name of the family.
        observation: ``image``, ``image+state`` or ``state``.
        image_size: edge of each view in pixels.
        reward: ``sparse`` or ``progress``.
        refusal_price: share of the return that each refused action costs.
    """

    family: ClassVar[str]
    observation: ClassVar[str] = "image+state"
    image_size: ClassVar[int] = 256
    reward: ClassVar[str] = "sparse"
    refusal_price: ClassVar[float] = 0.0

    def __init__(self) -> None:
        self._toolbox: luban.Toolbox | None = None

    def reset(self, **row: Any) -> list[Block]:
        """Begin an episode.

        Args:
            row: a row of the dataset. ``task`` names a task or level of the family, such as
                ``nets:train:7``.

        Returns:
            The task and its first pictures, for the prompt.

        Raises:
            ValueError: there is no such task, or it is of another family.
        """
        if "task" not in row:
            raise ValueError("rows need a column task, as make_dataset() makes it")
        level = luban.load(row["task"])
        if level.family != self.family:
            raise ValueError(f"{row['task']} is of the family {level.family}, not {self.family}")
        if self._toolbox is not None:
            self._toolbox.episode.end()
        rule = luban.RewardRule(luban.Reward(self.reward), self.refusal_price)
        earned = rule.begin(level)
        episode = luban.start(level, observation=self.observation, image_size=self.image_size)
        self._toolbox = luban.Toolbox(episode, earned)
        return _make_blocks(self._toolbox.look())

    def get_reward(self) -> float:
        """Return the sum of all rewards of the episode, from 0 to 1."""
        return self._playing.total

    @property
    def state_hash(self) -> str:
        """Hash of the puzzle's state; not for agents."""
        return self._playing.episode.state_hash

    @property
    def outcome(self) -> luban.Outcome | None:
        """Outcome of the episode; None until it has ended."""
        return self._playing.outcome

    @property
    def _playing(self) -> luban.Toolbox:
        if self._toolbox is None:
            raise RuntimeError("no episode has begun: reset the environment first")
        return self._toolbox

    def _call(self, name: str, arguments: dict[str, Any]) -> list[Block]:
        return _make_blocks(self._playing.call(name, arguments))


@cache
def make_environment(
    family: str,
    *,
    observation: str = "image+state",
    image_size: int = 256,
    reward: str = "sparse",
    refusal_price: float = 0.0,
) -> type[LubanEnv]:
    """Return the class of a family with other settings than those of ``BurrEnv`` and so on.

    Args:
        family: name of the family.
        observation, image_size, reward, refusal_price: see :class:`LubanEnv`.

    Raises:
        ValueError: there is no such family, or a setting does not exist.
    """
    luban.RewardRule(luban.Reward(reward), refusal_price)
    luban.start(_ANY_LEVEL, observation=observation, image_size=image_size).end()
    tools = {tool.name: _make_method(tool) for tool in luban.list_typed_tools(family)}
    settings = {
        "family": family,
        "observation": observation,
        "image_size": image_size,
        "reward": reward,
        "refusal_price": refusal_price,
    }
    name = f"{family.capitalize()}Env"
    about = f"Environment of the family {family}."
    place = {"__module__": "luban_trl", "__qualname__": name, "__doc__": about}
    return type(name, (LubanEnv,), {**settings, **tools, **place})


def make_environments(*families: str, **settings: Any) -> dict[str, type[LubanEnv]]:
    """Return classes by family, for trainers that mix families.

    Args:
        families: names of families.
        settings: as for :func:`make_environment`.
    """
    return {family: make_environment(family, **settings) for family in families}


def _make_method(tool: luban.TypedTool) -> Callable[..., list[Block]]:
    """Return a method with a tool's name, types and docstring.

    It takes any arguments: those that do not fit are refused by the rules, and cost a step.
    """

    def method(self: LubanEnv, *values: Any, **arguments: Any) -> list[Block]:
        given = dict(zip(tool.docs, values, strict=False)) | arguments
        return self._call(tool.name, {n: one for n, one in given.items() if one is not None})

    parameters = list(tool.signature.parameters.values())
    method.__name__ = method.__qualname__ = tool.name
    owner = parameters[0].replace(name="self", annotation=parameters[0].empty)
    signature = tool.signature.replace(parameters=[owner.replace(default=owner.empty), *parameters])
    vars(method)["__signature__"] = signature
    method.__annotations__ = {one.name: one.annotation for one in parameters}
    docs = "\n".join(f"    {name}: {text}" for name, text in tool.docs.items())
    method.__doc__ = f"{tool.description}\n\nArgs:\n{docs}"
    return method


def _make_blocks(reply: luban.Reply) -> list[Block]:
    blocks: list[Block] = [{"type": "text", "text": reply.text}]
    for view in reply.views:
        picture = Image.open(BytesIO(view.data)).convert("RGB")
        blocks += [
            {"type": "text", "text": f"View {view.name}:"},
            {"type": "image", "image": picture},
        ]
    return blocks

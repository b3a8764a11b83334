"""Messages between client and server."""

from openenv.core.env_server.types import Action, Observation, State
from pydantic import BaseModel, ConfigDict, Field, JsonValue

__all__ = ["LubanAction", "LubanObservation", "LubanState", "LubanView"]


class LubanAction(Action):
    """A tool call as a model wrote it. It costs a step, also if it is refused."""

    name: str = Field(description="Name of the tool")
    arguments: dict[str, JsonValue] | str = Field(
        default_factory=dict, description="Its arguments, or their JSON text"
    )


class LubanView(BaseModel):
    """A picture of the present state."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="Name of the view")
    url: str = Field(description="Data URL of the picture")


class LubanObservation(Observation):
    """Observation for an agent. None of it tells which task it is, or how it is solved."""

    text: str = Field(default="", description="The task at a reset, then results of actions")
    views: list[LubanView] = Field(default_factory=list, description="Pictures of the state")
    tools: list[dict[str, JsonValue]] = Field(
        default_factory=list, description="OpenAI function tools, at a reset only"
    )
    refused: bool = Field(default=False, description="Whether the action was refused")


class LubanState(State):
    """State for trainers, not for agents: a program that knows the level can use the hash."""

    state_hash: str = Field(default="", description="Hash of the puzzle's state")
    outcome: str | None = Field(default=None, description="Outcome once the episode has ended")
    total: float = Field(default=0.0, description="Sum of all rewards of the episode")

"""State of a rollout, shared by the task and the tools."""

import verifiers.v1 as vf
from pydantic import Field

__all__ = ["LubanState"]


class LubanState(vf.State):
    """State of a rollout; models see none of it."""

    task: str = ""
    """Name of the level."""
    rollout: str = ""
    """Name of the rollout, under which the tools keep its episode."""
    steps: int = 0
    total: float = 0.0
    """Sum of all rewards."""
    solved: bool = False
    over: bool = False
    hashes: list[str] = Field(default_factory=list)
    """State hashes, at the start and after each action."""

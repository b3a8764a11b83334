"""Client of a server."""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from luban_openenv.models import LubanAction, LubanObservation, LubanState

__all__ = ["LubanEnv"]


class LubanEnv(EnvClient[LubanAction, LubanObservation, LubanState]):
    """Client with a session of its own; ``.sync()`` returns one for programs without ``async``.

    ::

        with LubanEnv(base_url="http://localhost:8000").sync() as env:
            first = env.reset(split="nets:train", index=7)
            result = env.step(LubanAction(name="fold", arguments={"face": "red", "way": "valley"}))
    """

    def _step_payload(self, action: LubanAction) -> dict[str, Any]:
        return action.model_dump()

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[LubanObservation]:
        done, reward = payload.get("done", False), payload.get("reward")
        observation = LubanObservation(**payload["observation"] | {"done": done, "reward": reward})
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> LubanState:
        return LubanState(**payload)

"""A model that needs no network, for ``inspect eval --model offline/plan -M level=LEVEL``.

It plays the level's certified plan, after one call that names no colour.
"""

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from bridge.episode.tools import ToolCall
from pysim.catalog import find_level

__all__ = ["OfflineModel", "calling", "run_task", "saying"]

_CONFIG = GenerateConfig()
USAGE = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)
"""Without it inspect_ai counts tokens itself, with tables that it downloads."""


def run_task(
    task: Any, answer: Callable[..., ModelOutput], folder: Path, **options: Any
) -> EvalLog:
    """Run a task with a model that answers as a function of what it is sent."""
    model = get_model("mockllm/model", custom_outputs=answer)
    gc.freeze()  # What is there by now is not searched below, which would take long.
    (log,) = inspect_eval(task, model=model, log_dir=str(folder), display="none", **options)
    gc.collect()  # Streams that inspect_ai left open are complained of here, not in other tests.
    return log


def calling(*calls: ToolCall) -> ModelOutput:
    """An answer with calls."""
    output = ModelOutput.for_tool_call("offline", calls[0].name, dict(calls[0].arguments))
    for call in calls[1:]:
        more = ModelOutput.for_tool_call("offline", call.name, dict(call.arguments))
        assert output.message.tool_calls is not None
        output.message.tool_calls += more.message.tool_calls or []
    output.usage = USAGE
    return output


def saying(text: str) -> ModelOutput:
    """An answer in words."""
    output = ModelOutput.from_content("offline", text)
    output.usage = USAGE
    return output


def plan_of(level: str) -> list[ToolCall]:
    plan = find_level(level).plan
    assert plan is not None
    return [ToolCall.of(action) for action in plan.actions]


@modelapi(name="offline")
class OfflineModel(ModelAPI):
    """See the module."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = _CONFIG,
        level: str = "",
        **more: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._calls = [ToolCall("slide", {"pieces": ["pink"]}), *plan_of(level)]

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """The next call of the plan, by the number of answers that were given."""
        return calling(self._calls[sum(message.role == "assistant" for message in input)])

"""Let a model play an episode under inspect_ai; needs the extra ``inspect``.

The conversation is the system prompt, the first look, and one turn for each of the model's
answers: the answer, and a tool message for each call in it. Calls are given to the episode as the
model wrote them, not checked by inspect_ai first, so that unknown tools and arguments that do not
fit cost a step like everything that is refused. So does an answer without a call.
"""

import base64
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from anyio.to_thread import run_sync
from inspect_ai.log._samples import sample_active
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    Model,
)
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams

from bridge.adapters.toolbox import Reply, Toolbox, write_prompt
from bridge.agents.protocol import NoCall
from bridge.episode.observation import View
from bridge.episode.sanitize import sanitize_json
from pysim.errors import InputError

__all__ = ["PROMPT", "beside_the_log", "contents_of", "converse", "tools_of"]

PROMPT = write_prompt(silence_costs=True)


async def converse(state: TaskState, model: Model, toolbox: Toolbox, window: int) -> None:
    """Let a model act until the episode is over; the whole conversation is left in ``state``.

    Args:
        window: turns that the model is shown of those that it has made, at least 1.

    Raises:
        WorldError, RecordingError, RendererUnavailable: as :meth:`Toolbox.call`.
    """
    tools = tools_of(toolbox)
    look = await run_sync(toolbox.look)
    head: list[ChatMessage] = [
        ChatMessageSystem(content=PROMPT),
        ChatMessageUser(content=_content(look)),
    ]
    turns: list[list[ChatMessage]] = []
    state.messages = list(head)
    while toolbox.outcome is None:
        state.output = await model.generate([*head, *chain(*turns[-window:])], tools)
        answer = _sanitize(state.output.message)
        turns.append(
            [answer, *[await _answered(toolbox, call) for call in answer.tool_calls or ()]]
        )
        if not answer.tool_calls:
            missing = NoCall(cut=state.output.stop_reason in ("max_tokens", "model_length")).raw
            reply = await run_sync(toolbox.call, missing.name, missing.arguments)
            turns[-1].append(ChatMessageUser(content=_content(reply)))
        state.messages.extend(turns[-1])


def tools_of(toolbox: Toolbox) -> list[ToolInfo]:
    """Return the actions as a model is told of them."""
    functions: Sequence[Any] = [schema["function"] for schema in toolbox.schemas]
    return [
        ToolInfo(
            name=function["name"],
            description=function["description"],
            parameters=ToolParams.model_validate(function["parameters"]),
        )
        for function in functions
    ]


def beside_the_log() -> Path:
    """A folder for the files of the eval that is running, beside the log that inspect_ai writes.

    Raises:
        InputError: that log is not on this machine.
    """
    sample = sample_active()
    location = "" if sample is None else sample.log_location.removeprefix("file://")
    if not location or "://" in location:
        raise InputError(
            f"there is no place for files beside {location or 'the log'}; name one with -T runs=DIR"
        )
    return Path(location).with_suffix("").resolve()


def _sanitize(answer: ChatMessageAssistant) -> ChatMessageAssistant:
    """The answer, made fit to be sent back, in place: inspect_ai's log has the same object."""
    told = ChatMessageAssistant.model_validate(sanitize_json(answer.model_dump()))
    answer.content, answer.tool_calls = told.content, told.tool_calls
    return answer


async def _answered(toolbox: Toolbox, call: ToolCall) -> ChatMessage:
    # What could not be parsed is refused with inspect_ai's words about it, which are no JSON.
    reply = await run_sync(toolbox.call, call.function, call.parse_error or call.arguments)
    return ChatMessageTool(content=_content(reply), tool_call_id=call.id, function=call.function)


def _content(reply: Reply) -> list[Content]:
    return contents_of(reply.text, reply.views)


def contents_of(text: str, views: Sequence[View]) -> list[Content]:
    """Return a message: a text, and pictures with their names."""
    return [ContentText(text=text), *chain(*map(_picture, views))]


def _picture(view: View) -> Iterator[Content]:
    yield ContentText(text=f"View {view.name}:")
    data = base64.b64encode(view.data).decode("ascii")
    yield ContentImage(image=f"data:image/{view.format};base64,{data}")

"""One episode as a chat, made by asking again.

The agent that asks models plays the episode anew. Its client sends nothing, keeps each request, and
gives the recorded answer. So texts, pictures and tools are those of ``luban eval`` by construction.
"""

import base64
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from bridge.agents.chat import Completion, WrittenCall
from bridge.agents.model import ModelAgent
from bridge.agents.protocol import GaveUp
from bridge.agents.registry import Assignment
from bridge.agents.usage import Usage
from bridge.episode.episode import Episode
from bridge.episode.records import Ending, Options, StepResult
from bridge.episode.tools import ToolCall
from bridge.recording.log import Log
from bridge.recording.replay import Checker, repeat_step
from bridge.runs.chats.answers import RecordedAnswer
from bridge.runs.play import Mode, StepReport, play_episode
from pysim import limits
from pysim.field_types import Json
from pysim.puzzle import Action, ActionError, InvalidAction
from pysim.render.renderer import Renderer

__all__ = ["ChatPicture", "Transcript", "transcribe"]

NOT_MADE = "not made: one call an answer"
"""Result of the calls of an answer beyond the first."""

ChatMessage = dict[str, Any]
"""A message as JSON; contents are lists of parts, see :class:`Transcript`."""


@dataclass(frozen=True, slots=True)
class ChatPicture:
    """An encoded picture of a message.

    Attributes:
        format: ``png`` or ``jpeg``.
        data: the file's bytes.
    """

    format: str
    data: bytes


@dataclass(slots=True)
class Transcript:
    """The chat of one episode.

    Attributes:
        messages: system, user, assistant and tool messages. Contents are lists of parts
            ``{"type": "text", "text"}`` and ``{"type": "image"}``.
        pictures: those of the parts ``image``, in order.
        tools: as they were sent; empty in one-shot play, where the prompt holds them.
    """

    messages: list[ChatMessage] = field(default_factory=list)
    pictures: list[ChatPicture] = field(default_factory=list)
    tools: Sequence[Json] = ()


def transcribe(
    log: Log,
    answers: Sequence[RecordedAnswer],
    mode: Mode,
    options: Options,
    renderer: Renderer | None,
) -> Transcript:
    """Return the chat of a recorded episode.

    Args:
        answers: those of the agent, in order.
        options: those of the log, or with other observations.
        renderer: makes the pictures; None only if none are shown.

    Raises:
        ReplayMismatch: the replay goes another way than the log.
    """
    client = _RecordedClient(answers)
    level = log.header.level
    agent = ModelAgent(Assignment(level, obs=options.obs).build_context(), client)
    # A plan may go on behind the end of its log.
    with _Rerun(log, options, renderer) as episode, suppress(GaveUp):
        play_episode(episode, agent, mode=mode, watch=client.note_result)
    while client.transcript.messages[-1]["role"] == "tool":  # No model has ever read it.
        client.transcript.messages.pop()
    return client.transcript


class _RecordedClient:
    """Gives recorded answers, and writes down what is asked; see ``Asking``."""

    def __init__(self, answers: Sequence[RecordedAnswer]) -> None:
        self._left = iter(answers)
        self._open: Iterator[str] = iter(())
        self.transcript = Transcript()

    def ask(self, request: Mapping[str, Json], about: str = "") -> Completion:
        """Return the next answer.

        Raises:
            GaveUp: there is none left.
        """
        answer = next(self._left, None)
        if answer is None:
            raise GaveUp("the recorded answers have come to their end")
        self._note_question(request)
        self._note_answer(answer)
        return Completion(answer.text, answer.calls, "stop", Usage(1), 1, 0.0)

    def note_result(self, report: StepReport) -> None:
        """Write down the result of a call, in the words of the history that models read."""
        number = next(self._open, None)
        if number is not None:
            message = {"role": "tool", "tool_call_id": number, "content": _text(report.result)}
            self.transcript.messages.append(message)

    def _note_question(self, request: Mapping[str, Any]) -> None:
        for number in self._open:  # Calls beyond the first, which were not made.
            message = {"role": "tool", "tool_call_id": number, "content": _text(NOT_MADE)}
            self.transcript.messages.append(message)
        messages = request["messages"]
        self.transcript.tools = request.get("tools", ())
        asked = messages if not self.transcript.messages else messages[-1:]
        for message in asked:
            content = message["content"]
            parts = _text(content) if isinstance(content, str) else list(self._parts(content))
            self.transcript.messages.append({"role": message["role"], "content": parts})

    def _parts(self, content: Sequence[Mapping[str, Any]]) -> Iterator[ChatMessage]:
        for part in content:
            if part["type"] == "image_url":
                head, _, data = part["image_url"]["url"].partition(";base64,")
                format = head.removeprefix("data:image/")
                self.transcript.pictures.append(ChatPicture(format, base64.b64decode(data)))
                yield {"type": "image"}
            else:
                yield {"type": "text", "text": part["text"]}

    def _note_answer(self, answer: RecordedAnswer) -> None:
        message: ChatMessage = {"role": "assistant", "content": _text(answer.text)}
        first = sum(len(m.get("tool_calls", ())) for m in self.transcript.messages) + 1
        numbers = [f"call_{first + place}" for place in range(len(answer.calls))]
        if answer.calls:
            message["tool_calls"] = [
                {
                    "id": number,
                    "type": "function",
                    "function": {
                        "name": call.name,
                        "arguments": _arguments(call),
                    },
                }
                for number, call in zip(numbers, answer.calls, strict=True)
            ]
        self._open = iter(numbers)
        self.transcript.messages.append(message)


def _arguments(call: WrittenCall) -> Mapping[str, Json]:
    """Return the arguments of a call as an object, whatever a model wrote."""
    try:
        return ToolCall.from_json(call.name, call.arguments).arguments
    except InvalidAction:
        return {"unreadable": call.arguments[: limits.MAX_NOTED]}


def _text(text: str) -> list[ChatMessage]:
    return [{"type": "text", "text": text}] if text else []


class _StepChecker(Checker):
    """Checks steps only: where a rerun ends is no concern of its log."""

    def record_end(self, ending: Ending) -> None:
        """Accept any end."""


class _Rerun(Episode):
    """A recorded episode that is played again: steps are those of the log, whatever is called."""

    def __init__(self, log: Log, options: Options, renderer: Renderer | None) -> None:
        listener = _StepChecker(log, None)
        super().__init__(log.header.level, "lattice", renderer, options, listener)
        self._log = log

    def step(self, action: Action | ToolCall | str, /, **arguments: Json) -> StepResult:
        """Make the next step of the log."""
        if self.steps == len(self._log.steps):
            raise GaveUp("the log has come to its end")
        result = repeat_step(self._log.steps[self.steps], super().step, self.refuse)
        if isinstance(result, ActionError):
            raise result
        return result

    def step_json(self, name: str, arguments: str) -> StepResult:
        """Make the next step of the log."""
        return self.step(ToolCall(name, {}))

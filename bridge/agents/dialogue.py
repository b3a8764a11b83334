"""Turns of a model that speaks the OpenAI protocol: one conversation, which carries on (ReAct).

The first message tells the task; each answer stays in the conversation, and what came of it
follows: as results of the model's tool calls, or as a message with the observation. Pictures are in
a message of the user, since not every provider takes them as the result of a call.

What was asked and said is in the run's journal, but for the pictures and the key. Whoever changes a
prompt or what is sent raises ``VERSION``.
"""

import json
import re
from collections.abc import Iterator, Sequence

from bridge.agents.chat import Completion, ContextFull
from bridge.agents.journal import Journal
from bridge.agents.protocol import GaveUp, RawCall
from bridge.agents.provider import ModelSettings, build_picture_parts
from bridge.agents.servers.chat_api import REASONING
from bridge.agents.turns import Prompt, TurnAnswer
from bridge.episode.tools import ToolCall
from pysim.field_types import Json
from pysim.puzzle import InvalidAction

__all__ = ["Dialogue"]

VERSION = "3"
Message = dict[str, Json]
_CUT_OFF = "Your last answer was cut at the token limit."


class Dialogue:
    """Asks a model for each turn of one run.

    Args:
        model: its name.
        settings: where and how it is asked.
        journal: gets a note of each answer.
        seed: of the run.
    """

    def __init__(
        self, model: str, settings: ModelSettings, journal: Journal, seed: int = 0
    ) -> None:
        self._model = model
        self._settings = settings
        self._journal = journal
        self._client = settings.make_client(seed, journal, conversation=True)
        self._messages: list[Message] = []
        self._ids: list[str] = []
        self._was_cut = False

    def take_turn(self, prompt: Prompt) -> TurnAnswer:
        """Return the model's thoughts and actions.

        Raises:
            GaveUp: it has talked until its context was full.
            ModelError: there is no answer.
        """
        if not self._messages:
            self._messages.append({"role": "system", "content": prompt.system})
        self._messages += self._told(prompt)
        request = self._settings.request(self._model, "", []) | {"messages": self._messages}
        tools = self._settings.build_tools(prompt.tools, one_call=False)
        try:
            answer = self._client.ask({**request, **tools})
        except ContextFull as error:
            if prompt.turn == 1:  # What we said alone is too much.
                raise
            self._journal.record({"type": "full", "turn": prompt.turn, "message": str(error)})
            raise GaveUp("the conversation is longer than the model can read") from None
        self._note(prompt, answer)
        self._was_cut = answer.was_cut
        calls = answer.calls if prompt.tools else ()
        self._ids = [f"turn-{prompt.turn}-{number}" for number in range(1, len(calls) + 1)]
        raw = [RawCall(call.name, call.arguments) for call in calls]
        self._messages.append(_said(answer, raw, self._ids))
        return TurnAnswer(answer.text, raw)

    def _told(self, prompt: Prompt) -> Iterator[Message]:
        """Yield the results of the last turn, as messages."""
        for number, result in zip(self._ids, prompt.results, strict=False):
            yield {"role": "tool", "tool_call_id": number, "content": result}
        words = [_CUT_OFF] * self._was_cut + [prompt.text] * (not self._ids)
        text: list[dict[str, Json]] = [{"type": "text", "text": one} for one in words]
        parts = [*text, *build_picture_parts(prompt.pictures)]
        if parts:
            yield {"role": "user", "content": parts}

    def _note(self, prompt: Prompt, answer: Completion) -> None:
        self._journal.record(
            {
                "type": "call",
                "agent": f"dialogue {VERSION}, {prompt.version}",
                "turn": prompt.turn,
                **({"system": prompt.system} if prompt.turn == 1 else {}),
                "user": prompt.text,
                "pictures": [view.name for view in prompt.pictures],
                **self._settings.make_note(self._model, answer),
            }
        )


def _said(answer: Completion, calls: Sequence[RawCall], ids: Sequence[str]) -> Message:
    """Return an answer as it stays in the conversation."""
    text = answer.text or ("" if calls else "(nothing)")
    message: Message = {"role": "assistant", "content": text}
    if answer.reasoning:
        message[REASONING] = list(answer.reasoning)
    if calls:
        message["tool_calls"] = [
            {
                "id": number,
                "type": "function",
                "function": {"name": _fitting(call.name), "arguments": _readable(call)},
            }
            for call, number in zip(calls, ids, strict=True)
        ]
    return message


def _fitting(name: str) -> str:
    """A name of a function, for providers that take nothing back but 1 to 64 of these signs."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:64] or "nameless"


def _readable(call: RawCall) -> str:
    """Return the arguments, for providers that take nothing but JSON objects back."""
    try:
        read = ToolCall.from_json(call.name, call.arguments)
    except InvalidAction:
        return json.dumps({"unreadable": call.arguments[:200]})
    if "\\u" in call.arguments:  # It may spell out what is harmful.
        return read.arguments_json()
    return call.arguments or "{}"

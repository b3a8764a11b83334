"""The agent that asks a model: ``openai:NAME``, for anything that speaks the OpenAI protocol.

Each step is one question: the system prompt, and one message with the observation's text (its
history window among it) and pictures. Nothing else is carried over, so that what a model knows is
what the observation says. The first call of an answer is taken, and the next question
tells of the others; an answer without one costs a step. Only where cubes are played in turns does a
conversation carry on.

What was asked and said is in the episode's journal, but for the pictures and the key. Whoever
changes a prompt or what is sent raises ``VERSION``.
"""

import copy
import json
from collections.abc import Mapping, Sequence

from bridge.agents.answers.calls import PlanError
from bridge.agents.answers.parsing import parse_plan
from bridge.agents.chat import Completion
from bridge.agents.dialogue import Dialogue
from bridge.agents.protocol import AgentContext, Call, NoCall, RawCall
from bridge.agents.provider import ModelSettings, build_picture_parts
from bridge.agents.response_cache import ModelClient
from bridge.agents.turns import Prompt, TurnAnswer
from bridge.episode.observation import Observation
from bridge.episode.tools import ToolCall
from pysim.field_types import Json
from pysim.puzzle import InvalidAction, Outcome

__all__ = ["ModelAgent"]

VERSION = "3"
EXCERPT = 200
"""Characters of an unreadable answer that are passed on."""
STEP_PROMPT = (
    "You solve a 3D puzzle by acting on it. Each of your answers makes exactly one action, by "
    "calling one of the tools. Pieces are named by their colours. An action that is not allowed "
    "changes nothing, but costs a step like any other."
)
PLAN_PROMPT = (
    "You solve a 3D puzzle. You get it once, and answer with the whole solution: one JSON object "
    '{"actions": [{"name": ..., "arguments": {...}}, ...]} with the actions in order. They are '
    "carried out one after another; one that is not allowed changes nothing, but costs a step. "
    "Pieces are named by their colours. These are the actions:\n"
)
NOTES_PROMPT = (
    "You have made an attempt at a 3D puzzle. You will get another one at the same puzzle, from "
    "its start. Answer with notes for it, in at most 300 words: what you know of the puzzle, what "
    "worked and what did not, and what to do. You will see these notes and nothing else of earlier "
    "attempts, so keep what is still true of your notes so far."
)


class ModelAgent:
    """Asks a model for every step, or once for the whole plan.

    Raises:
        InputError: a setting is unknown or can't be read.
    """

    waits = True

    def __init__(self, context: AgentContext, client: ModelClient | None = None) -> None:
        """Make an agent for one episode; ``client`` answers in place of the settings' server."""
        self._settings = context.read_settings(ModelSettings)
        self._model = context.argument
        self._tools = context.tools
        self._journal = context.journal
        self._client = client or self._settings.make_client(context.seed, context.journal)
        self._notice = ""
        self._notes = f"Your notes of earlier attempts:\n{context.notes}" if context.notes else ""
        self._dialogue = Dialogue(context.argument, self._settings, context.journal, context.seed)

    def fork(self, branch: int) -> "ModelAgent":
        """Return a copy, which keeps for itself what its next question tells of its last answer."""
        return copy.copy(self)

    def act(self, observation: Observation) -> Call:
        """Return the first call of the model's answer.

        Raises:
            ModelError: there is no answer.
        """
        tools = self._settings.build_tools(self._tools, one_call=True)
        answer = self._ask(STEP_PROMPT, observation, tools)
        call = _first_call(answer)
        self._notice = "" if isinstance(call, NoCall) else _notice(len(answer.calls))
        return call

    def plan(self, observation: Observation) -> Sequence[Call]:
        """Return all calls of one answer; see :mod:`bridge.agents.answers`.

        Raises:
            ModelError: there is no answer.
        """
        functions = [json.dumps(tool["function"]) for tool in self._tools]
        answer = self._ask(PLAN_PROMPT + "\n".join(functions), observation, {})
        if answer.calls:
            return [RawCall(call.name, call.arguments) for call in answer.calls]
        if answer.was_cut and not answer.text.strip():
            return [NoCall(cut=True)]
        try:
            return parse_plan(answer.text, self._tools, cut=answer.was_cut)
        except PlanError as error:
            return [_refused(answer.text, str(error))]

    def take_notes(self, observation: Observation) -> str:
        """Return the notes that the model writes for its next attempt.

        Raises:
            ModelError: there is no answer.
        """
        solved = observation.outcome is Outcome.SOLVED
        self._notice = f"The attempt is over, and the puzzle is {'' if solved else 'not '}solved."
        return self._ask(NOTES_PROMPT, observation, {}).text

    def take_turn(self, prompt: Prompt) -> TurnAnswer:
        """Return a turn of one conversation; see :mod:`bridge.agents.dialogue`.

        Raises:
            ModelError: there is no answer.
        """
        return self._dialogue.take_turn(prompt)

    def _ask(self, prompt: str, observation: Observation, more: Mapping[str, Json]) -> Completion:
        asked = "\n\n".join(filter(None, [observation.text(), self._notes, self._notice]))
        text: dict[str, Json] = {"type": "text", "text": asked}
        content = [text, *build_picture_parts(observation.views)]
        request = self._settings.request(self._model, prompt, content)
        answer = self._client.ask({**request, **more})
        self._note(prompt, asked, observation, answer)
        return answer

    def _note(self, prompt: str, asked: str, observation: Observation, answer: Completion) -> None:
        self._journal.record(
            {
                "type": "call",
                "agent": f"model {VERSION}",
                "step": observation.step + 1,
                "system": prompt,
                "user": asked,
                "pictures": [view.name for view in observation.views],
                **self._settings.make_note(self._model, answer),
            }
        )


def _refused(text: str, reason: str) -> RawCall:
    """Return the one call that stands for an answer without a plan: why, and how it begins."""
    return RawCall("", f"no plan: {reason}; the answer begins {text[:EXCERPT]!r}")


def _notice(calls: int) -> str:
    """Return a sentence on the calls of an answer that were not made; empty if there were none."""
    if calls < 2:
        return ""
    return f"Your last answer had {calls} calls; only the first was made: one call an answer."


def _first_call(answer: Completion) -> Call:
    if not answer.calls:
        return NoCall(answer.was_cut)
    call = RawCall(answer.calls[0].name, answer.calls[0].arguments)
    return NoCall(cut=True) if answer.was_cut and not _is_whole(call) else call


def _is_whole(call: RawCall) -> bool:
    """Return whether a call was written to its end."""
    try:
        ToolCall.from_json(call.name, call.arguments)
    except InvalidAction:
        return False
    return bool(call.name)

"""The agent that puts questions to a model: ``openai:NAME``.

Each question is asked by itself, with its pictures, or behind those that it follows and what was
answered to them. How it is decoded is the server's choice unless the user says, since not every
model takes a temperature. What was asked and said is in the run's journal, but for the pictures and
the key.
"""

from bridge.agents.chat import Completion
from bridge.agents.protocol import AgentContext
from bridge.agents.provider import ModelSettings, build_picture_parts
from bridge.items.questions import Question
from pysim.field_types import Json

__all__ = ["AnsweringModel"]

VERSION = "2"


class AnsweringModel:
    """Asks a model; safe to use from many threads.

    Raises:
        InputError: a setting is unknown or can't be read.
    """

    def __init__(self, briefing: AgentContext) -> None:
        self._settings = briefing.read_settings(ModelSettings)
        self._model = briefing.argument
        self._journal = briefing.journal
        self._client = self._settings.make_client(briefing.seed, briefing.journal)

    def answer(self, question: Question, item: str) -> str:
        """Return the model's answer to a question; the journal notes its item.

        Raises:
            ModelError: there is no answer.
        """
        rounds = [(_content(earlier.question), earlier.answer) for earlier in question.earlier]
        content = _content(question)
        request = self._settings.request(self._model, question.system, content, rounds)
        answer = self._client.ask(request, item)
        self._note(question, item, answer)
        return answer.text

    def _note(self, question: Question, item: str, answer: Completion) -> None:
        self._journal.record(
            {
                "type": "call",
                "agent": f"answering model {VERSION}",
                "item": item,
                "system": question.system,
                "user": question.text,
                "pictures": [view.name for view in question.pictures],
                **({"earlier": len(question.earlier)} if question.earlier else {}),
                **self._settings.make_note(self._model, answer),
            }
        )


def _content(question: Question) -> list[dict[str, Json]]:
    return [{"type": "text", "text": question.text}, *build_picture_parts(question.pictures)]

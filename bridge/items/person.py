"""A person who answers items: one question after another, in the thread that can be interrupted.

Nothing is said of right or wrong. An answer is read as a model's. One that can't be read may be
given again before it counts.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from bridge.agents.journal import Journal
from bridge.episode.sanitize import sanitize_text
from bridge.items.questions import Question
from pysim.items import Item

__all__ = ["AGENT", "NOTE", "SKIP", "AnsweringPerson", "AskPerson", "PersonLeft"]

AGENT = "human"
"""Name of the agent."""
NOTE = "person"
"""Type of the lines that a journal has of a person's answers."""
SKIP = "skip"
"""Typed instead of an answer: there is none, which counts as one that can't be read."""


class PersonLeft(KeyboardInterrupt):
    """A person has ended the session; the answers so far are kept."""


class AskPerson(Protocol):
    """Shows questions to a person."""

    def show(self, question: Question) -> None:
        """Show a question with its pictures."""

    def read(self, hint: str, *, several_lines: bool) -> str:
        """Return an answer as the person gave it.

        Args:
            hint: why the answer before could not be read; empty for the first one.
            several_lines: whether answers have several lines.

        Raises:
            PersonLeft: there will be no more answers.
        """


class AnsweringPerson:
    """Asks a person, and notes answers and seconds in the journal of the run."""

    def __init__(self, ask: AskPerson, journal: Journal) -> None:
        self._ask = ask
        self._journal = journal

    def respond(self, item: Item[Any], question: Callable[[], Question]) -> str:
        """Return the answer to an item; empty if there is none.

        Raises:
            PersonLeft: as :meth:`AskPerson.read`.
        """
        self._ask.show(question())
        begun = monotonic()
        text, tries = self._readable(item)
        self._journal.record(
            {
                "type": NOTE,
                "agent": AGENT,
                "item": item.id,
                "text": text,
                "tries": tries,
                "seconds": round(monotonic() - begun, 3),
            }
        )
        return text

    def _readable(self, item: Item[Any]) -> tuple[str, int]:
        """Return the first answer that can be read, and the number of answers given."""
        several, hint, tries = "\n" in item.form.format(item.gold), "", 0
        while True:
            tries += 1
            text = sanitize_text(self._ask.read(hint, several_lines=several))
            if text.strip().lower() == SKIP:
                return "", tries
            if text.strip() and item.form.parse(text) is not None:
                return text, tries
            hint = (
                "This can't be read as an answer and does not count yet: type it in the form that "
                f"is asked for, or '{SKIP}' to give none."
            )

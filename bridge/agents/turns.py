"""Messages between a run and an agent that plays in turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bridge.agents.protocol import RawCall
from bridge.episode.observation import View
from bridge.episode.sanitize import sanitize_text
from pysim.field_types import Json

__all__ = ["Prompt", "TurnAnswer", "TurnTaker"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """Text and pictures that an agent gets before it answers.

    Attributes:
        turn: the number of the turn that is to come, from 1.
        text: before the first turn the task, the tools and how to answer; then what was observed.
        results: without code, what came of each call of the last answer, in order.
        pictures: those that the agent asked for in its last turn, in order.
        tools: without code, the calls as OpenAI function tools; empty with code.
        system: what a model is told of all turns, before the first.
        version: of the prompts, for the record.
    """

    turn: int
    text: str
    results: Sequence[str] = ()
    pictures: Sequence[View] = ()
    tools: Sequence[Mapping[str, Json]] = ()
    system: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """A turn as an agent writes it. Only what the run's mode asks for is looked at.

    Attributes:
        text: its thoughts and, with code, the code in a fenced block.
        calls: without code, its calls; if there are none, they are looked for in the text.
    """

    text: str
    calls: Sequence[RawCall] = ()

    def sanitize(self) -> "TurnAnswer":
        """The same answer, its texts fit to be passed on; see :mod:`bridge.episode.sanitize`."""
        calls = [
            RawCall(sanitize_text(call.name), sanitize_text(call.arguments)) for call in self.calls
        ]
        return TurnAnswer(sanitize_text(self.text), calls)


@runtime_checkable
class TurnTaker(Protocol):
    """An agent that can play in turns. It keeps the conversation itself; it plays one run."""

    def take_turn(self, prompt: Prompt) -> TurnAnswer:
        """Think and act.

        Raises:
            GaveUp: it wants to end the run.
        """

"""The agent that says what a person types."""

from collections.abc import Callable

from bridge.agents.protocol import GaveUp
from bridge.episode.observation import Observation
from bridge.episode.tools import ActionSpace, ToolCall
from pysim.puzzle import InvalidAction

__all__ = ["Ask", "HumanAgent"]

Ask = Callable[[Observation, str], str]
"""Shows an observation and a hint, and returns the line that a person typed; raises EOFError when
there will be none."""


class HumanAgent:
    """Asks a person.

    Args:
        actions: reads what the person types.
        ask: see :data:`Ask`.
    """

    def __init__(self, actions: ActionSpace, ask: Ask) -> None:
        self._actions = actions
        self._ask = ask

    def act(self, observation: Observation) -> ToolCall:
        """The action that the person typed; what can't be read is asked for again, for free."""
        hint = ""
        while True:
            try:
                line = self._ask(observation, hint).strip()
            except EOFError:
                raise GaveUp("no more input") from None
            if line in ("quit", "exit", "give up"):
                raise GaveUp("the person gave up")
            try:
                call = self._actions.parse_line(line)
                self._actions.parse(call)
            except InvalidAction as error:
                hint = error.message
                continue
            return call

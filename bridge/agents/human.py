"""An agent that a person controls by typing actions."""

from collections.abc import Callable

from bridge.agents.protocol import GaveUp
from bridge.episode.observation import Observation
from bridge.episode.tools import ActionSpace, ToolCall
from pysim.puzzle import InvalidAction

__all__ = ["Ask", "HumanAgent"]

Ask = Callable[[Observation, str], str]
"""Show an observation and a hint, and return the typed line.

Raises:
    EOFError: the input has ended.
"""


class HumanAgent:
    """An agent that asks a person for each action.

    Args:
        actions: parser of typed lines.
        ask: see :data:`Ask`.
    """

    def __init__(self, actions: ActionSpace, ask: Ask) -> None:
        self._actions = actions
        self._ask = ask

    def act(self, observation: Observation) -> ToolCall:
        """Return the typed action. An invalid line costs no step and is asked for again.

        So does a misspelt colour, which the rules would refuse.

        Raises:
            GaveUp: the person quit, or the input ended.
        """
        hint = ""
        while True:
            try:
                line = self._ask(observation, hint).strip()
            except EOFError:
                raise GaveUp("no more input") from None
            if not line:
                hint = "type an action; 'help' lists them, 'quit' gives up"
                continue
            if line in ("quit", "exit", "give up"):
                raise GaveUp("the person gave up")
            try:
                call = self._actions.parse_line(line)
                self._actions.check_colours(self._actions.parse(call))
            except InvalidAction as error:
                hint = error.message
                continue
            return call

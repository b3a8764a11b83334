"""Agents that need no model: the plan, chance, the first legal move, and a person."""

import random
from collections.abc import Callable
from typing import Any, Protocol

from bridge.episode.tools import ActionSpace, ToolCall
from bridge.rpc.remote import RemoteObservation
from pysim.catalog import family_of
from pysim.puzzle import Action, InvalidAction, Level

__all__ = ["AGENTS", "Agent", "GaveUp", "HumanAgent", "create_agent"]


class GaveUp(Exception):
    """The agent wants to end the episode; the message says why."""


class Agent(Protocol):
    """Looks and decides. It may keep what it knows between calls."""

    @property
    def name(self) -> str:
        """As it is called on the command line and in logs."""

    def act(self, observation: RemoteObservation) -> ToolCall:
        """The next action.

        Raises:
            GaveUp: it wants to end the episode.
        """


class OracleAgent:
    """Plays the level's certified plan."""

    name = "oracle"

    def __init__(self, level: Level[Any]) -> None:
        """Search for a plan if the level has none.

        Raises:
            ValueError: the level has no plan and none is found.
        """
        plan = level.plan or family_of(level).rules.plan(level)
        if plan is None:
            raise ValueError(f"{level.id} has no plan, and none was found")
        self._actions = iter(plan.actions)

    def act(self, observation: RemoteObservation) -> ToolCall:
        """The next action of the plan."""
        action = next(self._actions, None)
        if action is None:
            raise GaveUp("the plan has come to its end")
        return ToolCall.of(action)


class _Knowing:
    """Keeps its own copy of the state, which it knows because it only makes legal moves."""

    def __init__(self, level: Level[Any]) -> None:
        self._level = level
        self._rules = family_of(level).rules
        self._state = self._rules.initial(level)

    def _legal(self) -> list[Action]:
        return list(self._rules.legal(self._level, self._state))

    def _first(self) -> Action | None:
        return next(self._rules.legal(self._level, self._state), None)

    def _make(self, action: Action | None) -> ToolCall:
        if action is None:
            raise GaveUp("there is no legal move")
        self._state = self._rules.apply(self._level, self._state, action).state
        return ToolCall.of(action)


class RandomAgent(_Knowing):
    """Draws evenly among the legal actions."""

    name = "random"

    def __init__(self, level: Level[Any], seed: int) -> None:
        super().__init__(level)
        self._random = random.Random(seed)

    def act(self, observation: RemoteObservation) -> ToolCall:
        """A legal action."""
        legal = self._legal()
        return self._make(self._random.choice(legal) if legal else None)


class FirstLegalAgent(_Knowing):
    """Takes the first legal action, always."""

    name = "first-legal"

    def act(self, observation: RemoteObservation) -> ToolCall:
        """The first legal action."""
        return self._make(self._first())


class HumanAgent:
    """Asks a person.

    Args:
        actions: reads what the person types.
        ask: shows an observation and a hint, and returns a line that the person typed; raises
            EOFError when there will be none.
    """

    name = "human"

    def __init__(self, actions: ActionSpace, ask: Callable[[RemoteObservation, str], str]) -> None:
        self._actions = actions
        self._ask = ask

    def act(self, observation: RemoteObservation) -> ToolCall:
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


AGENTS = ("oracle", "random", "first-legal", "human")
"""Names of the agents."""


def create_agent(
    name: str,
    level: Level[Any],
    *,
    seed: int = 0,
    ask: Callable[[RemoteObservation, str], str] | None = None,
) -> Agent:
    """The agent called ``name``, ready for one episode of ``level``.

    Args:
        seed: for agents that draw random numbers.
        ask: for ``human``, see :class:`HumanAgent`.

    Raises:
        ValueError: no agent has that name, or it can't play this level.
    """
    if name == "oracle":
        return OracleAgent(level)
    if name == "random":
        return RandomAgent(level, seed)
    if name == "first-legal":
        return FirstLegalAgent(level)
    if name == "human" and ask is not None:
        return HumanAgent(ActionSpace(family_of(level).actions, level.colours), ask)
    raise ValueError(f"there is no agent {name!r}; there are {', '.join(AGENTS)}")

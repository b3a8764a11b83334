"""The baselines in turns: what they do step by step, some steps at a time."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice

from bridge.agents.baselines import (
    FirstLegalAgent,
    GreedyAgent,
    NoisyOracleAgent,
    OracleAgent,
    RandomAgent,
)
from bridge.agents.protocol import Agent, Call, GaveUp, RawCall
from bridge.agents.scripted import ScriptedAgent
from bridge.agents.turns import Prompt, TurnAnswer, TurnTaker
from bridge.episode.protocol import PlayableEpisode
from bridge.episode.tools import ToolCall
from pysim.errors import InputError

__all__ = ["TURN_LENGTH", "BaselineTurns", "turn_taker"]

TURN_LENGTH = 20
"""Actions of a turn."""

_OPEN_LOOP_AGENTS = (
    FirstLegalAgent,
    GreedyAgent,
    NoisyOracleAgent,
    OracleAgent,
    RandomAgent,
    ScriptedAgent,
)
"""Agents that don't look at what they have done before they go on."""


class BaselineTurns:
    """Lets an agent that need not look act up to ``TURN_LENGTH`` times in each turn."""

    def __init__(self, agent: Agent, episode: PlayableEpisode) -> None:
        self._agent = agent
        self._episode = episode

    def take_turn(self, prompt: Prompt) -> TurnAnswer:
        """Return the next actions, as code and as calls.

        Raises:
            GaveUp: the agent has none.
        """
        actions = [a for a in islice(self._actions(), TURN_LENGTH) if isinstance(a, ToolCall)]
        if not actions:
            raise GaveUp("the agent has no more actions")
        code = "\n".join(f"{a.name}({next(iter(a.arguments.values()))!r})" for a in actions)
        return TurnAnswer(f"```python\n{code}\n```", list(_calls(actions)))

    def _actions(self) -> Iterator[Call]:
        seen = self._episode.observe(images=False)
        while True:
            try:
                yield self._agent.act(seen)
            except GaveUp:
                return


def _calls(actions: Sequence[ToolCall]) -> Iterator[RawCall]:
    """Yield the actions without code: moves that follow each other in one call."""
    moves: list[str] = []
    for action in actions:
        if action.name == "make_move":
            moves.append(str(action.arguments["move"]))
            continue
        yield from _moves(moves)
        moves = []
        yield RawCall(action.name, action.arguments_json())
    yield from _moves(moves)


def _moves(moves: Sequence[str]) -> Iterator[RawCall]:
    if moves:
        yield RawCall("make_move", json.dumps({"moves": moves}))


def turn_taker(agent: Agent, episode: PlayableEpisode) -> TurnTaker:
    """Return the agent, playing in turns.

    Raises:
        InputError: it can't.
    """
    if isinstance(agent, TurnTaker):
        return agent
    if isinstance(agent, _OPEN_LOOP_AGENTS):
        return BaselineTurns(agent, episode)
    raise InputError(f"a {type(agent).__name__} can't play in turns: it has no take_turn()")

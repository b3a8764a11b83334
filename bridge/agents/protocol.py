"""Protocol of agents, which observe and decide, and the context that they get before they start."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from bridge.agents.journal import Journal
from bridge.episode.observation import Observation
from bridge.episode.records import Obs
from bridge.episode.tools import CUT_OFF, NO_CALL, ToolCall
from pysim.field_types import Json
from pysim.options import build_options

__all__ = [
    "Agent",
    "AgentContext",
    "Call",
    "Forkable",
    "GaveUp",
    "NoCall",
    "NoteTaker",
    "Planner",
    "RawCall",
]

S = TypeVar("S")


class GaveUp(Exception):
    """The agent wants to end the episode; the message says why."""


@dataclass(frozen=True, slots=True)
class AgentContext:
    """Information that an agent has before its first observation; none of it is the level's state.

    Attributes:
        tools: the actions as OpenAI function tools.
        obs: what observations will show.
        seed: for agents that draw random numbers; another one for each episode of a run.
        argument: what stands behind the colon in the agent's name; empty if there is none.
        settings: what else the agent was given on the command line, name -> text.
        journal: takes notes of what the agent was asked and said; see :mod:`bridge.agents.journal`.
        notes: those that the agent kept after its last attempt at this level; empty if there are
            none.
    """

    tools: Sequence[Mapping[str, Json]]
    obs: Obs
    seed: int
    argument: str
    settings: Mapping[str, str]
    journal: Journal
    notes: str = ""

    def read_settings(self, settings_type: type[S]) -> S:
        """Return the settings as an instance of the dataclass that the agent declares.

        Raises:
            InputError: a setting is unknown, missing or not one that its field takes.
        """
        return build_options(settings_type, self.settings, kind="setting")


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call as a model wrote it; the episode reads it, and charges a step if it can't.

    Attributes:
        name: the action's name.
        arguments: JSON text, or what should have been some.
    """

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class NoCall:
    """An answer that makes no call; it costs a step like any other.

    Attributes:
        cut: whether the answer was cut at the token limit before there was one.
    """

    cut: bool = False

    @property
    def raw(self) -> RawCall:
        """The same as it passes through episodes, logs and the wire."""
        return RawCall(NO_CALL, json.dumps(CUT_OFF) if self.cut else "")


Call = ToolCall | RawCall | NoCall


class Agent(Protocol):
    """Looks and decides. It may keep what it knows between calls; it plays one episode."""

    def act(self, observation: Observation) -> Call:
        """Return the next action.

        Raises:
            GaveUp: it wants to end the episode.
        """


@runtime_checkable
class Planner(Protocol):
    """An agent that can also say everything at once, for the mode ``one-shot``."""

    def plan(self, observation: Observation) -> Sequence[Call]:
        """Return all actions, in order, from the first observation alone.

        Raises:
            GaveUp: it has no answer.
        """


@runtime_checkable
class NoteTaker(Protocol):
    """An agent that keeps notes from attempt to attempt at a level, for ``--notes``."""

    def take_notes(self, observation: Observation) -> str:
        """Return notes for the next attempt, which replace those in the agent's context.

        Args:
            observation: the last one of the attempt, which has its outcome.
        """


@runtime_checkable
class Forkable(Protocol):
    """An agent that can be asked for several next actions, each of which may be followed."""

    def fork(self, branch: int) -> Agent:
        """Return an independent copy from here.

        Args:
            branch: from 1. Copies with other numbers, and the agent itself, propose other next
                actions, as far as they have any; the same number gives the same copy.
        """

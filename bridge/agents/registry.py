"""Agents by name, those of other packages too.

A name may have an argument behind a colon: ``noisy-oracle:0.2``, ``scripted:moves.txt``. Packages
add agents through the entry point group ``luban.agents``: each entry is a callable that takes an
:class:`~bridge.agents.protocol.AgentContext` and returns an :class:`~bridge.agents.protocol.Agent`
for one episode. An attribute ``waits = True`` says that the agent mostly waits for a server, so
that its episodes share one process, and one ``settings`` declares those that it takes: a frozen
dataclass, as :mod:`pysim.options` reads it. Their names alone do, too; then one ``free`` names
those that change nothing that the agent says.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from bridge.agents.baselines import (
    FirstLegalAgent,
    GreedyAgent,
    NoisyOracleAgent,
    OracleAgent,
    RandomAgent,
    read_noise,
)
from bridge.agents.human import Ask, HumanAgent
from bridge.agents.journal import Journal
from bridge.agents.model import ModelAgent
from bridge.agents.plugins import Plugin, find_plugin
from bridge.agents.protocol import Agent, AgentContext
from bridge.agents.provider import ModelSettings
from bridge.agents.scripted import ScriptedAgent
from bridge.episode.records import Obs
from bridge.episode.tools import ActionSpace, build_action_space
from pysim.errors import InputError
from pysim.limits import quote
from pysim.puzzle import Level

__all__ = ["GROUP", "AgentKind", "Assignment", "create_agent", "find_agent", "list_agents"]

GROUP = "luban.agents"
"""Entry points of this group are agents."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Arguments with which a built-in agent is made for one episode.

    Attributes:
        level: what is played; only the baselines look into it.
        seed, argument, obs, settings, journal: as in :class:`~bridge.agents.protocol.AgentContext`.
        ask: how to ask a person, or None.
        notes: those that the agent kept after its last attempt at this level.
    """

    level: Level[Any]
    seed: int = 0
    argument: str = ""
    obs: Obs = Obs.IMAGE_STATE
    settings: Mapping[str, str] = field(default_factory=dict)
    journal: Journal = field(default_factory=Journal)
    ask: Ask | None = None
    notes: str = ""

    @property
    def actions(self) -> ActionSpace:
        """The level's actions."""
        return build_action_space(self.level)

    def build_context(self) -> AgentContext:
        """Build the context of agents that must not see the level."""
        return AgentContext(
            self.actions.schemas(),
            self.obs,
            self.seed,
            self.argument,
            dict(self.settings),
            self.journal,
            self.notes,
        )


AgentKind = Plugin[Assignment, Agent]


def _noisy(assignment: Assignment) -> Agent:
    return NoisyOracleAgent(assignment.level, read_noise(assignment.argument), assignment.seed)


def _scripted(assignment: Assignment) -> Agent:
    return ScriptedAgent(assignment.actions, Path(assignment.argument), assignment.level.id)


def _check_script(text: str) -> None:
    if not Path(text).exists():
        raise InputError(f"there is no script {quote(text)}: give a file, or a folder of them")


def _model(assignment: Assignment) -> Agent:
    return ModelAgent(assignment.build_context())


def _human(assignment: Assignment) -> Agent:
    if assignment.ask is None:
        raise InputError("a person can only play in a terminal: `luban play LEVEL --agent human`")
    return HumanAgent(assignment.actions, assignment.ask)


_BUILT_IN: tuple[AgentKind, ...] = (
    Plugin("oracle", lambda a: OracleAgent(a.level), "oracle"),
    Plugin("noisy-oracle", _noisy, "noisy-oracle:P", check=read_noise),
    Plugin("greedy", lambda a: GreedyAgent(a.level), "greedy"),
    Plugin("random", lambda a: RandomAgent(a.level, a.seed), "random"),
    Plugin("first-legal", lambda a: FirstLegalAgent(a.level), "first-legal"),
    Plugin("scripted", _scripted, "scripted:FILE", check=_check_script),
    Plugin("openai", _model, "openai:MODEL", waits=True, settings=ModelSettings, extra="openai"),
    Plugin("human", _human, "human", waits=True),
)


def list_agents() -> tuple[str, ...]:
    """Return the usage of each agent, the built-in ones first."""
    return tuple(kind.usage for kind in _BUILT_IN) + tuple(sorted(discover_agents()))


def find_agent(name: str) -> AgentKind:
    """Return the kind that ``name``, argument and all, is of.

    Raises:
        InputError: there is none, its argument is missing, or its package can't be loaded.
    """
    return find_plugin("agent", name, _BUILT_IN, discover_agents(), _briefed)


def _briefed(make: Callable[[AgentContext], Agent]) -> Callable[[Assignment], Agent]:
    return lambda assignment: make(assignment.build_context())


def create_agent(
    name: str,
    level: Level[Any],
    *,
    seed: int = 0,
    obs: Obs = Obs.IMAGE_STATE,
    settings: Mapping[str, str] | None = None,
    journal: Journal | None = None,
    ask: Ask | None = None,
    notes: str = "",
) -> Agent:
    """Return the agent called ``name``, ready for one episode of ``level``.

    Raises:
        InputError: no agent has that name, or it can't play this level.
    """
    kind = find_agent(name)
    argument = name.partition(":")[2]
    return kind.make(
        Assignment(level, seed, argument, obs, settings or {}, journal or Journal(), ask, notes)
    )


@cache
def discover_agents() -> Mapping[str, EntryPoint]:
    """Agents of other packages."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}

"""Presets of benches, resolved for an agent."""

from collections.abc import Mapping
from typing import Any

from bridge.agents.plugins import Plugin
from bridge.agents.registry import find_agent
from bridge.items.answerers import find_answerer_kind
from bridge.runs.presets import Preset, find_presets
from bridge.runs.protocol import Bench
from pysim.errors import InputError
from pysim.limits import quote

__all__ = ["OPTIONAL", "find_agent_kind", "find_preset", "resolve_preset"]

OPTIONAL = "optional"
"""Setting of a model that names those which a server may refuse."""


def find_preset(bench: Bench, name: str) -> Preset:
    """Return a preset of a bench.

    Raises:
        InputError: the bench has no such preset.
    """
    known = find_presets(bench)
    if name not in known:
        choice = f"it has {', '.join(known)}" if known else "it has none"
        raise InputError(f"{bench.name} has no preset {quote(name)}: {choice}")
    return known[name]


def resolve_preset(
    bench: Bench, name: str, agent: str, chosen: Mapping[str, object]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the options that a preset stands for, and the agent's settings, by name.

    Args:
        bench: whose preset it is.
        name: of the preset.
        agent: that plays; only settings that it takes are returned.
        chosen: the options that the user has given, by name.

    Raises:
        InputError: the bench has no such preset.
    """
    options, settings = find_preset(bench, name).resolve({**chosen, "agent": agent})
    taken = find_agent_kind(agent, bench).select_own(settings)
    if taken:
        taken = {**taken, OPTIONAL: ",".join(taken)}
    return dict(options), dict(taken)


def find_agent_kind(agent: str, bench: Bench) -> Plugin[Any, Any]:
    """Return the kind of an agent, as a bench of levels or of items takes it."""
    return find_answerer_kind(agent) if hasattr(bench, "item_suites") else find_agent(agent)

"""Answerers of items: baselines that know the answer or don't, models, and agents of others."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol, runtime_checkable

from bridge.agents.baselines import read_noise
from bridge.agents.journal import Journal
from bridge.agents.plugins import Plugin, find_plugin
from bridge.agents.protocol import AgentContext
from bridge.agents.provider import ModelSettings
from bridge.agents.registry import discover_agents
from bridge.episode.records import Obs
from bridge.items.questions import Question
from pysim.errors import InputError
from pysim.items import Item

__all__ = ["Answerer", "ItemAgent", "find_answerer_kind", "make_answerer"]


@runtime_checkable
class ItemAgent(Protocol):
    """Answers questions. It need not remember any: what it needs is in each."""

    def answer(self, question: Question) -> str:
        """Return the answer; any text."""


Answerer = Callable[[Item[Any], Callable[[], Question]], str]
"""Answers an item; the question, pictures and all, is made only if it is asked for."""


def find_answerer_kind(name: str) -> Plugin[AgentContext, Answerer]:
    """Return the kind of agent that ``name``, argument and all, is of.

    Raises:
        InputError: there is none that answers, or its argument is missing.
    """
    return find_plugin("agent that answers", name, _BUILT_IN, discover_agents(), _answering)


def make_answerer(name: str, seed: int, settings: Mapping[str, str], journal: Journal) -> Answerer:
    """Make the answerer of an agent; many threads may call it at once.

    Built-in agents that answer: ``oracle`` always rightly; ``random`` evenly among all answers;
    ``noisy-oracle:P`` with probability P as ``random``; ``openai:MODEL``. Agents of other packages
    need a method ``answer(question) -> text``; one of them is made for each process. ``human`` is
    refused here: :class:`~bridge.items.person.AnsweringPerson` asks people.

    Raises:
        InputError: there is no such agent, or it does not answer questions.
    """
    argument = name.partition(":")[2]
    briefing = AgentContext((), Obs.IMAGE_STATE, seed, argument, dict(settings), journal)
    return find_answerer_kind(name).make(briefing)


def _oracle(briefing: AgentContext) -> Answerer:
    return lambda item, question: item.form.format(item.gold)


def _random(briefing: AgentContext) -> Answerer:
    def respond(item: Item[Any], question: Callable[[], Question]) -> str:
        answer: str = item.form.format(item.form.draw(Random(f"{briefing.seed}/{item.id}")))
        return answer

    return respond


def _noisy(briefing: AgentContext) -> Answerer:
    p = read_noise(briefing.argument)
    by_chance, rightly = _random(briefing), _oracle(briefing)

    def respond(item: Item[Any], question: Callable[[], Question]) -> str:
        noisy = Random(f"{briefing.seed}/{item.id}/noise").random() < p
        return (by_chance if noisy else rightly)(item, question)

    return respond


def _model(briefing: AgentContext) -> Answerer:
    from bridge.items.model import AnsweringModel

    agent = AnsweringModel(briefing)
    return lambda item, question: agent.answer(question(), item.id)


def _answering(make: Callable[[AgentContext], object]) -> Callable[[AgentContext], Answerer]:
    """Makes what answers for an agent of another package."""

    def responder(briefing: AgentContext) -> Answerer:
        agent = make(briefing)
        if not isinstance(agent, ItemAgent):
            raise InputError(f"a {type(agent).__name__} does not answer: it has no method answer()")
        return lambda item, question: agent.answer(question())

    return responder


def _human(briefing: AgentContext) -> Answerer:
    raise InputError("a person answers in a terminal: `luban eval SUITE --agent human`")


_BUILT_IN: tuple[Plugin[AgentContext, Answerer], ...] = (
    Plugin("oracle", _oracle, "oracle"),
    Plugin("noisy-oracle", _noisy, "noisy-oracle:P", check=read_noise),
    Plugin("random", _random, "random"),
    Plugin("openai", _model, "openai:MODEL", waits=True, settings=ModelSettings, extra="openai"),
    Plugin("human", _human, "human", waits=True),
)

"""One agent plays one episode over the wire."""

from collections.abc import Callable
from dataclasses import dataclass

from bridge.episode.records import Ending
from bridge.evals.agents import Agent, GaveUp
from bridge.rpc.client import RemoteEpisode
from pysim.puzzle import ActionError, IllegalMove, InvalidAction

__all__ = ["Turn", "play_episode"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One step, for whoever watches.

    Attributes:
        step: its number, from 1.
        action: the action as a line of text.
        result: what came of it, in a few words.
        message: the same in a sentence.
        travel: units moved, or for a blocked move units that were free; None if not applicable.
        budget_left: steps left.
        ok: whether the action was legal.
    """

    step: int
    action: str
    result: str
    message: str
    travel: int | None
    budget_left: int
    ok: bool


def play_episode(
    episode: RemoteEpisode,
    agent: Agent,
    *,
    images: bool = True,
    watch: Callable[[Turn], None] = lambda turn: None,
) -> Ending:
    """Let ``agent`` act until the episode is over.

    Args:
        images: whether the agent is shown pictures before every step.
        watch: told of every step.
    """
    while episode.outcome is None:
        observation = episode.observe(images=images)
        try:
            call = agent.act(observation)
        except GaveUp:
            break
        try:
            line = episode.actions.line(episode.actions.parse(call))
        except InvalidAction:
            line = f"{call.name} {call.arguments_json()}"[:80]
        try:
            result = episode.step(call)
        except (InvalidAction, IllegalMove) as error:
            brief, message, travel, ok = _refusal(error), error.message, error.travel, False
        else:
            brief, message, travel, ok = result.message, result.message, result.travel, True
        watch(Turn(episode.steps, line, brief, message, travel, episode.budget_left, ok))
    return episode.end()


def _refusal(error: ActionError) -> str:
    culprits = f" by {', '.join(error.culprits)}" if error.culprits else ""
    return f"{error.reason}{culprits}"

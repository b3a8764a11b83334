"""One agent plays one episode, here or over the wire."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from bridge.agents.protocol import Agent, Call, GaveUp, NoCall, Planner, RawCall
from bridge.episode.protocol import PlayableEpisode
from bridge.episode.records import Ending
from bridge.episode.tools import ActionSpace, ToolCall
from bridge.runs.options import Mode
from pysim.errors import InputError
from pysim.field_types import label
from pysim.puzzle import IllegalMove, InvalidAction, Reason

__all__ = [
    "Mode",
    "PlayStopped",
    "StepReport",
    "format_call",
    "make_step",
    "play_episode",
]


class PlayStopped(Exception):
    """Somebody wants play to stop; the episode is left as it is, without an end."""


@dataclass(frozen=True, slots=True)
class StepReport:
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
    episode: PlayableEpisode,
    agent: Agent,
    *,
    mode: Mode = Mode.INTERACTIVE,
    images: bool = True,
    watch: Callable[[StepReport], None] = lambda turn: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Ending:
    """Let ``agent`` act until the episode is over.

    Args:
        mode: ``one-shot`` asks once, for everything: it sees the first picture and, where there is
            one, the goal; what it answers is carried out step by step, refusals or not.
        images: whether the agent is shown pictures.
        watch: told of every step.
        stopped: asked before every step whether to stop.

    Raises:
        PlayStopped: ``stopped`` said so.
        InputError: the agent can't answer in this mode.
    """
    # Whatever fails as the agent is let go is heard here, and not lost by the garbage collector.
    with closing(_calls(episode, agent, mode, images)) as calls:
        for call in calls:
            if stopped():
                raise PlayStopped
            watch(make_step(episode, call))
            if episode.outcome is not None:
                break
    return episode.end()


def _calls(episode: PlayableEpisode, agent: Agent, mode: Mode, images: bool) -> Generator[Call]:
    """Yield the agent's answers, one call after another, until it gives up."""
    try:
        if mode is Mode.ONE_SHOT:
            yield from _plan(episode, agent, images)
            return
        while True:
            yield agent.act(episode.observe(images=images))
    except GaveUp:
        return


def _plan(episode: PlayableEpisode, agent: Agent, images: bool) -> Iterator[Call]:
    if not isinstance(agent, Planner):
        raise InputError(f"a {type(agent).__name__} can't play one-shot: it has no plan()")
    seen = episode.observe(images=images)
    views = tuple(view for i, view in enumerate(seen.views) if i == 0 or view.name == "goal")
    yield from agent.plan(replace(seen, views=views))


def make_step(episode: PlayableEpisode, call: Call) -> StepReport:
    """Try one call; a refusal is told like any result."""
    if isinstance(call, NoCall):
        call = call.raw
    line = format_call(episode.actions, call)
    try:
        if isinstance(call, RawCall):
            result = episode.step_json(call.name, call.arguments)
        else:
            result = episode.step(call)
    except (InvalidAction, IllegalMove) as error:
        brief, message, travel, ok = error.brief, error.message, error.travel, False
    else:
        brief, message, travel, ok = result.message, result.message, result.travel, True
    return StepReport(episode.steps, line, brief, message, travel, episode.budget_left, ok)


def format_call(actions: ActionSpace, call: ToolCall | RawCall) -> str:
    """Return a call as a line of text: as a person types it, or what was written, cut short."""
    try:
        read = ToolCall.from_json(*_raw(call)) if isinstance(call, RawCall) else call
        return actions.line(actions.parse(read))
    except InvalidAction as error:
        if error.reason is Reason.NO_CALL:
            return "no tool call"
        return " ".join(map(label, _raw(call)))[:80]


def _raw(call: ToolCall | RawCall) -> tuple[str, str]:
    text = call.arguments if isinstance(call, RawCall) else call.arguments_json()
    return call.name, text

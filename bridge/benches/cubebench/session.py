"""One run: an agent plays one level in turns, until the cube is solved or a limit is reached."""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

from bridge.agents.journal import Journal
from bridge.agents.protocol import Agent, GaveUp
from bridge.agents.turns import Prompt, TurnAnswer
from bridge.benches.cubebench.baselines import turn_taker
from bridge.benches.cubebench.environments import CallTurns, CodeTurns, Observed, TurnEnvironment
from bridge.benches.cubebench.protocol import (
    MOST_ACTIONS,
    End,
    TurnMode,
    TurnProtocol,
    format_ending,
)
from bridge.benches.cubebench.sandbox.interpreter import OutOfTime
from bridge.benches.cubebench.tools import CubeTools, RunOver
from bridge.episode.episode import Episode
from bridge.episode.records import Ending, Obs, Options
from bridge.runs.play import PlayStopped
from bridge.runs.protocol import Attempt
from pysim.catalog import AnyLevel
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.puzzle import Level

__all__ = ["TurnPlay", "choose_observation", "play_turns"]


def choose_observation(level: Level[CubePuzzle]) -> Obs:
    """Choose the observation in turns: pictures, unless the level is given in letters."""
    symbolic = level.puzzle.setting is Setting.FULL_SYMBOLIC
    return Obs.STATE if symbolic else Obs.IMAGE


def play_turns(
    level: Level[CubePuzzle],
    episode: Episode,
    agent: Agent,
    *,
    mode: TurnMode,
    protocol: TurnProtocol,
    seed: int = 0,
    journal: Journal | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Ending:
    """Let ``agent`` take turns until the run is over.

    Args:
        level: of the family ``rubik``.
        episode: of that level, at its start.
        mode: CODE or NO_CODE.
        seed: of the agent's code.
        journal: gets a note of each turn.
        stopped: asked again and again whether to stop.

    Raises:
        PlayStopped: ``stopped`` said so.
        SandboxError: code can't be run here.
        InputError: the agent can't play in turns.
    """

    def check() -> None:
        if stopped():
            raise PlayStopped

    taker = turn_taker(agent, episode)
    tools = CubeTools(level, episode, protocol)
    environment: TurnEnvironment = (
        CodeTurns(tools, protocol, seed, check)
        if mode is TurnMode.CODE
        else CallTurns(tools, protocol, check)
    )
    deadline = time.monotonic() + protocol.seconds
    notes = _Notes(journal or Journal(), tools)
    with closing(environment):
        prompt = environment.make_opening(episode.observe(images=False).instruction)
        while True:
            check()
            if prompt.turn > protocol.turns:
                return episode.run_out(format_ending(End.TURNS, protocol))
            if time.monotonic() >= deadline:
                return episode.run_out(format_ending(End.TIME, protocol))
            try:
                answer = taker.take_turn(prompt).sanitize()
                observed = notes.carried_out(prompt.turn, answer, environment, deadline)
            except RunOver:
                return episode.end()
            except GaveUp:
                return episode.end()
            except OutOfTime:
                return episode.run_out(format_ending(End.TIME, protocol))
            prompt = _next(prompt, observed, tools)


def _next(prompt: Prompt, observed: Observed, tools: CubeTools) -> Prompt:
    return replace(
        prompt,
        turn=prompt.turn + 1,
        text=observed.text,
        results=observed.results,
        pictures=tools.take_pictures(),
    )


@dataclass(frozen=True, slots=True)
class TurnPlay:
    """Turns as a way to play; see :class:`~bridge.runs.protocol.Play`.

    Attributes:
        mode: what turns are made of.
        protocol: how many there are, and what agents are given.
    """

    mode: TurnMode
    protocol: TurnProtocol

    def options(self, level: AnyLevel, options: Options) -> Options:
        """Return options with the observation of the level, and with plenty of moves."""
        budget = options.budget or MOST_ACTIONS
        return replace(options, obs=choose_observation(level), budget=budget)

    def perform(self, attempt: Attempt) -> Ending:
        """Let the agent take turns until the run is over."""
        return play_turns(
            attempt.level,
            attempt.episode,
            attempt.agent,
            mode=self.mode,
            protocol=self.protocol,
            seed=attempt.seed,
            journal=attempt.journal,
            stopped=attempt.stopped,
        )


class _Notes:
    """Writes down every turn, also the one that the run ends in."""

    def __init__(self, journal: Journal, tools: CubeTools) -> None:
        self._journal = journal
        self._tools = tools

    def carried_out(
        self, turn: int, answer: TurnAnswer, environment: TurnEnvironment, deadline: float
    ) -> Observed:
        observed: Observed | None = None
        try:
            observed = environment.carry_out(answer, deadline)
            return observed
        finally:
            self._journal.record(
                {
                    "type": "turn",
                    "turn": turn,
                    "answer": answer.text,
                    "calls": [{"name": c.name, "arguments": c.arguments} for c in answer.calls],
                    "observation": None if observed is None else observed.text,
                    "moves": self._tools.moves,
                    "looks": self._tools.looks,
                    "steps": self._tools.steps,
                    "seen": list(self._tools.seen),
                }
            )

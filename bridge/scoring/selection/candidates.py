"""Candidates of a selection: attempts at one level, whole ones or the beginnings of some."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bridge.episode.engines import LOCAL, Engines
from bridge.episode.episode import Episode
from bridge.episode.observation import Observation
from bridge.episode.records import Feedback, StepKind, StepRecord, describe_turn
from bridge.episode.tools import build_action_space
from bridge.recording.log import Log
from bridge.runs.play import format_call
from pysim.puzzle import Level, Outcome
from pysim.render.renderer import Renderer

__all__ = ["Candidate", "make_candidate"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An attempt, as far as it has come.

    Attributes:
        level: what is played; for scorers that go by rule. One that stands for what a model could
            know leaves it, ``hashes`` and ``outcome`` alone.
        turns: for each step the action as a line of text, and what came of it in words.
        hashes: the state hash at the start and after each step.
        outcome: how it ended; None if it has not.
        look: gives what an agent would see now; pictures are made when it is called.
    """

    level: Level[Any]
    turns: tuple[tuple[str, str], ...]
    hashes: tuple[str, ...]
    outcome: Outcome | None
    look: Callable[[], Observation]

    @property
    def solved(self) -> bool:
        """Whether the rules say that it is solved."""
        return self.outcome is Outcome.SOLVED


def make_candidate(log: Log, renderer: Renderer, engines: Engines = LOCAL) -> Candidate:
    """Return a recorded episode as a candidate.

    Args:
        log: its log.
        renderer: makes the pictures, if the episode's agent was shown some.
        engines: make the world in which it is looked at.
    """
    level = log.header.level
    space = build_action_space(level)
    feedback = log.header.options.feedback
    turns = tuple((format_call(space, line.call), _told(feedback, line)) for line in log.steps)
    hashes = (log.header.state_hash, *(line.state_hash for line in log.steps))
    outcome = None if log.ending is None else log.ending.outcome

    def look() -> Observation:
        drawn = renderer if log.header.options.obs.has_images else None
        with Episode(
            level, log.header.world[0], drawn, log.header.options, engines=engines
        ) as again:
            for line in log.steps:
                if line.kind is StepKind.OK:
                    again.step(line.call)
            return again.observe()

    return Candidate(level, turns, hashes, outcome, look)


def _told(feedback: Feedback, line: StepRecord) -> str:
    """Return the result of a step as its agent got it."""
    return line.message if feedback is Feedback.FULL else describe_turn(feedback, line)

"""Scorers that choose the best of several attempts, by name, those of other packages too.

Packages add scorers, a reward model for instance, through the entry point group ``luban.scorers``:
each entry is a callable that takes a :class:`ScorerBriefing` and returns a :class:`Scorer`. An
attribute ``waits = True`` says that it mostly waits for a server, and one ``settings`` declares the
settings that it takes, as :mod:`bridge.agents.registry` describes.
"""

import hashlib
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Protocol, TypeVar

from bridge.agents.journal import Journal
from bridge.agents.plugins import Plugin, find_plugin
from bridge.agents.provider import ModelSettings
from bridge.episode.progress import compute_milestones
from bridge.scoring.selection.candidates import Candidate
from bridge.scoring.selection.files import FILE, FileScorer
from bridge.scoring.selection.judge import JudgeAgent, PairwiseJudge
from pysim.errors import InputError
from pysim.options import build_options

__all__ = [
    "SCORERS",
    "Scorer",
    "ScorerBriefing",
    "ScorerKind",
    "create_scorer",
    "find_scorer_kind",
    "score_candidates",
]

S = TypeVar("S")

SCORERS = "luban.scorers"
"""Entry points of this group are scorers."""


class Scorer(Protocol):
    """Weighs attempts at one level against each other. Used from one thread at a time."""

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return a finite number for each, in order; the greatest is best."""


@dataclass(frozen=True, slots=True)
class ScorerBriefing:
    """Arguments of the maker of a scorer.

    Attributes:
        argument: what stands behind the colon in the scorer's name; empty if there is none.
        settings: what else was given on the command line, name -> text.
        seed: for scorers that draw random numbers.
        journal: takes notes of what a model was asked and said, and of its tokens.
    """

    argument: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    journal: Journal = field(default_factory=Journal)

    def read_settings(self, settings_type: type[S]) -> S:
        """Return the settings as an instance of the dataclass that the scorer declares.

        Raises:
            InputError: a setting is unknown, missing or not one that its field takes.
        """
        return build_options(settings_type, self.settings, kind="setting")


ScorerKind = Plugin[ScorerBriefing, Scorer]


class VerifierScorer:
    """1 for a solved attempt, else 0: the rules' own word, and so the bound of all selection."""

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """See :class:`Scorer`."""
        return [float(candidate.solved) for candidate in candidates]


class ProgressScorer:
    """Progress of an attempt along the certified plan, from 0 to 1.

    The mean of two shares of the plan: the furthest that it has ever led to, and the one at which
    it stands now, 0 off the plan. A solved attempt has 1, by whatever way.
    """

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """See :class:`Scorer`.

        Raises:
            InputError: the level has no plan.
        """
        return [_progress(candidate) for candidate in candidates]


def _progress(candidate: Candidate) -> float:
    if candidate.solved:
        return 1.0
    shares = compute_milestones(candidate.level)
    reached = [shares.get(digest, 0.0) for digest in candidate.hashes]
    return (max(reached) + reached[-1]) / 2


class RandomScorer:
    """Chance: what a selection is worth that knows nothing."""

    def __init__(self, briefing: ScorerBriefing) -> None:
        self._seed = briefing.seed

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return numbers that follow from the seed and from what was played."""
        played = "\n".join("".join(candidate.hashes) for candidate in candidates)
        digest = hashlib.sha256(f"{self._seed}/{played}".encode()).digest()
        numbers = random.Random(int.from_bytes(digest))
        return [numbers.random() for _ in candidates]


def _judge(briefing: ScorerBriefing) -> Scorer:
    model = _judging_model("judge", briefing)
    return JudgeAgent(model, briefing.read_settings(ModelSettings), briefing.seed, briefing.journal)


def _pairwise(briefing: ScorerBriefing) -> Scorer:
    model = _judging_model("pairwise", briefing)
    return PairwiseJudge(
        model, briefing.read_settings(ModelSettings), briefing.seed, briefing.journal
    )


def _judging_model(name: str, briefing: ScorerBriefing) -> str:
    provider, _, model = briefing.argument.partition(":")
    if provider != "openai" or not model:
        raise InputError(f"a judge is written {name}:openai:MODEL, not {name}:{briefing.argument}")
    return model


_BUILT_IN: tuple[ScorerKind, ...] = (
    Plugin("verifier", lambda briefing: VerifierScorer(), "verifier"),
    Plugin("progress", lambda briefing: ProgressScorer(), "progress"),
    Plugin("random", RandomScorer, "random"),
    Plugin(
        "judge", _judge, "judge:openai:MODEL", waits=True, settings=ModelSettings, extra="openai"
    ),
    Plugin(
        "pairwise",
        _pairwise,
        "pairwise:openai:MODEL",
        waits=True,
        settings=ModelSettings,
        extra="openai",
    ),
    Plugin(FILE, lambda briefing: FileScorer(Path(briefing.argument)), f"{FILE}:PATH"),
)


def find_scorer_kind(name: str) -> ScorerKind:
    """Return the kind that ``name``, argument and all, is of.

    Raises:
        InputError: there is none, its argument is missing, or its package can't be loaded.
    """
    return find_plugin("scorer", name, _BUILT_IN, discover_scorers(), lambda make: make)


def create_scorer(name: str, briefing: ScorerBriefing | None = None) -> Scorer:
    """Return the scorer called ``name``.

    Args:
        briefing: for its maker; its argument is taken from ``name``.

    Raises:
        InputError: no scorer has that name, or it can't be made.
    """
    given = briefing or ScorerBriefing()
    argument = name.partition(":")[2]
    return find_scorer_kind(name).make(
        ScorerBriefing(argument, given.settings, given.seed, given.journal)
    )


def score_candidates(scorer: Scorer, candidates: Sequence[Candidate]) -> list[float]:
    """Return a scorer's scores of some candidates, after a check.

    Raises:
        InputError: it does not.
    """
    scores = [float(value) for value in scorer.score(candidates)]
    name = type(scorer).__name__
    if len(scores) != len(candidates):
        raise InputError(f"{name} gave {len(scores)} scores for {len(candidates)} attempts")
    if not all(map(math.isfinite, scores)):
        raise InputError(f"{name} gave a score that is no finite number")
    return scores


@cache
def discover_scorers() -> Mapping[str, EntryPoint]:
    """Scorers of other packages."""
    return {entry.name: entry for entry in entry_points(group=SCORERS)}

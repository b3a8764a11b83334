"""Beam search: several actions are tried in each state, and the best few states are kept.

At each step every beam's agent proposes a few next actions; each is made in a fork of the beam's
episode, which only whoever runs the evaluation can have; a scorer weighs what came of them; the
best are the beams of the next step. Ways that have come to the same state are one. The search ends
when a way has solved the level, which the episode itself says, or when the budget is used up.

The way that was found is then played from the start in an ordinary episode, whose log is like any
other. ``search.jsonl`` beside it has a line for each step with all that was tried, and the notes of
a judge.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bridge.agents.journal import Journal
from bridge.agents.protocol import Agent, Call, Forkable, GaveUp
from bridge.episode.episode import Episode
from bridge.episode.observation import Observation
from bridge.episode.records import Ending, Options
from bridge.runs.play import PlayStopped, StepReport, make_step, play_episode
from bridge.runs.protocol import Attempt
from bridge.runs.results import SEARCH_NAME
from bridge.runs.settings import RunSettings
from bridge.runs.store import find_earlier_notes
from bridge.scoring.metrics import Price
from bridge.scoring.prices import Prices, find_price
from bridge.scoring.selection.candidates import Candidate
from bridge.scoring.selection.scorers import (
    Scorer,
    ScorerBriefing,
    create_scorer,
    find_scorer_kind,
    score_candidates,
)
from pysim.catalog import AnyLevel
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.options import check_whole
from pysim.puzzle import Outcome

__all__ = [
    "SEARCH",
    "BeamPlay",
    "BeamSettings",
    "find_scorer_price",
    "read_beam_settings",
    "search_episode",
]

SEARCH = "search"
"""The key of a run's settings under which a search is noted."""


@dataclass(frozen=True, slots=True)
class BeamSettings:
    """Width of a search, and its scorer.

    Attributes:
        width: the beam width, states that are kept at each step.
        branch: actions that are tried from each of them.
        scorer: weighs them, by its name.

    Raises:
        InputError: a number is out of range.
    """

    width: int
    branch: int
    scorer: str

    def to_document(self) -> dict[str, Json]:
        """Return the document that :func:`read_beam_settings` reads."""
        return {"width": self.width, "branch": self.branch, "scorer": self.scorer}

    @property
    def name(self) -> str:
        """Name in tables, as in ``beam 2 of 3 by progress``."""
        return f"beam {self.width} of {self.branch} by {self.scorer}"

    def __post_init__(self) -> None:
        if not isinstance(self.scorer, str):
            raise InputError(f"a scorer is given by its name, not as {self.scorer!r}")
        for name, value in (("beam", self.width), ("branch", self.branch)):
            check_whole(f"the width of a {name}", value, 1, 64)


def read_beam_settings(settings: RunSettings) -> BeamSettings | None:
    """Read the settings of a run's search for steps; None if its agent just plays.

    Raises:
        InputError: the settings are damaged.
    """
    noted = settings.extras.get(SEARCH)
    if noted is None:
        return None
    try:
        return BeamSettings(**noted)  # type: ignore[arg-type]
    except TypeError as error:
        raise InputError(f"the settings of the search are damaged: {error}") from None


def find_scorer_price(settings: RunSettings, prices: Prices) -> Price | None:
    """Return the price of the tokens of a search's scorer; None without a search or a price."""
    beam = read_beam_settings(settings)
    return None if beam is None else find_price(prices, beam.scorer)


@dataclass(frozen=True, slots=True)
class BeamPlay:
    """A search as a way to play; see :class:`~bridge.runs.protocol.Play`."""

    beam: BeamSettings

    def options(self, level: AnyLevel, options: Options) -> Options:
        """Return the options of the run."""
        return options

    def perform(self, attempt: Attempt) -> Ending:
        """Search, then play what was found."""
        earlier = find_earlier_notes(attempt.folder, SEARCH_NAME)
        journal = attempt.journal.open_beside(attempt.folder / SEARCH_NAME, earlier)
        given = find_scorer_kind(self.beam.scorer).select_own(attempt.settings.options)
        briefing = ScorerBriefing("", given, attempt.seed, journal)
        return search_episode(
            attempt.episode,
            attempt.agent,
            create_scorer(self.beam.scorer, briefing),
            self.beam,
            journal=journal,
            stopped=attempt.stopped,
        )


@dataclass(frozen=True, slots=True)
class _SearchPath:
    """A way through the level, as far as it goes.

    Attributes:
        episode: where it has led to.
        agent: goes on from there.
        calls, turns, hashes: what was done, what came of it, and the states on the way.
        parent: its beam's number in the step before.
    """

    episode: Episode
    agent: Agent
    calls: tuple[Call, ...] = ()
    turns: tuple[StepReport, ...] = ()
    hashes: tuple[str, ...] = ()
    parent: int = 0

    def make_candidate(self, images: bool) -> Candidate:
        episode = self.episode
        turns = tuple((turn.action, turn.message) for turn in self.turns)
        return Candidate(
            episode.level,
            turns,
            self.hashes,
            episode.outcome,
            lambda: episode.observe(images=images),
        )


@dataclass(frozen=True, slots=True)
class _PlanAgent:
    """Plays what a search has found."""

    calls: list[Call]

    def act(self, observation: Observation) -> Call:
        if not self.calls:
            raise GaveUp("no action that was tried leads on")
        return self.calls.pop(0)


def search_episode(
    episode: Episode,
    agent: Agent,
    scorer: Scorer,
    settings: BeamSettings,
    *,
    journal: Journal,
    images: bool = True,
    stopped: Callable[[], bool] = lambda: False,
) -> Ending:
    """Search for a way with forks of an episode that has not begun, then play it in this one.

    A search with one beam and one branch plays what the agent alone would.

    Args:
        agent: proposes actions.
        scorer: weighs them.
        journal: of the search; has an object for each step.
        images: whether the agent is shown pictures.
        stopped: asked before every action whether to stop.

    Raises:
        PlayStopped: ``stopped`` said so.
        InputError: the agent can't be forked, or the scorer makes no sense.
    """
    search = _Search(scorer, settings, journal, images, stopped)
    found = search.run(episode, agent)
    return play_episode(episode, _PlanAgent(list(found)), images=False, stopped=stopped)


class _Search:
    def __init__(
        self,
        scorer: Scorer,
        settings: BeamSettings,
        journal: Journal,
        images: bool,
        stopped: Callable[[], bool],
    ) -> None:
        self._scorer = scorer
        self._settings = settings
        self._journal = journal
        self._images = images
        self._stopped = stopped
        self._forks: list[Episode] = []

    def run(self, episode: Episode, agent: Agent) -> Sequence[Call]:
        """Return the calls of the best way; no fork is left open."""
        beams = [_SearchPath(self._fork(episode), agent, hashes=(episode.state_hash,))]
        try:
            while beams[0].episode.outcome is None:
                tried = [way for number in range(len(beams)) for way in self._tried(beams, number)]
                if not tried:
                    break
                beams = self._best(tried)
                self._keep(beams)
            return beams[0].calls
        finally:
            self._keep([])

    def _fork(self, episode: Episode) -> Episode:
        fork = episode.fork()
        self._forks.append(fork)
        return fork

    def _keep(self, ways: Sequence[_SearchPath]) -> None:
        """Free the forks of all other ways."""
        kept = [way.episode for way in ways]
        for fork in self._forks:
            if fork not in kept:
                fork.leave()
        self._forks = kept

    def _tried(self, beams: Sequence[_SearchPath], number: int) -> Iterator[_SearchPath]:
        """Yield a beam with one more action, in several ways; fewer where its agent gives up."""
        way = beams[number]
        seen = way.episode.observe(images=self._images)
        for agent in _branches(way.agent, self._settings.branch):
            if self._stopped():
                raise PlayStopped
            try:
                call = agent.act(seen)
            except GaveUp:
                continue
            episode = self._fork(way.episode)
            turn = make_step(episode, call)
            yield _SearchPath(
                episode,
                agent,
                (*way.calls, call),
                (*way.turns, turn),
                (*way.hashes, episode.state_hash),
                number,
            )

    def _best(self, tried: Sequence[_SearchPath]) -> list[_SearchPath]:
        """Return the states to keep, the best first; a solved one alone, for it needs no other."""
        distinct = list({way.episode.state_hash: way for way in reversed(tried)}.values())[::-1]
        solved = [way for way in distinct if way.episode.outcome is Outcome.SOLVED]
        over = distinct[0].episode.outcome is not None
        scores: dict[int, float] = {}
        if solved:
            best = solved[:1]
        elif len(distinct) > self._settings.width or (over and len(distinct) > 1):
            found = score_candidates(
                self._scorer, [way.make_candidate(self._images) for way in distinct]
            )
            scores = {id(way): score for way, score in zip(distinct, found, strict=True)}
            ranked = sorted(distinct, key=lambda way: -scores[id(way)])
            best = ranked[: self._settings.width]
        else:
            best = distinct
        self._note(tried, scores, best)
        return best

    def _note(
        self, tried: Sequence[_SearchPath], scores: dict[int, float], best: Sequence[_SearchPath]
    ) -> None:
        self._journal.record(
            {
                "type": "step",
                "step": len(tried[0].calls),
                "tried": [
                    {
                        "beam": way.parent + 1,
                        "action": way.turns[-1].action,
                        "result": way.turns[-1].message,
                        "score": scores.get(id(way)),
                        "kept": any(way is one for one in best),
                    }
                    for way in tried
                ],
            }
        )


def _branches(agent: Agent, count: int) -> list[Agent]:
    """Return an agent and its copies; the copies come first into being, before it acts."""
    if count == 1:
        return [agent]
    if not isinstance(agent, Forkable):
        raise InputError(
            f"a {type(agent).__name__} can't try several actions: it has no fork(); use --branch 1"
        )
    return [agent, *(agent.fork(branch) for branch in range(1, count))]

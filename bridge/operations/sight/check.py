"""Check of an adapter: whether pictures reach an agent whole, and whether it can use them.

The suite ``sight-canary`` is played twice, by an agent that reads pixels and by one that guesses.
Then the easiest level of each family is played by its plan. Every picture that arrives is held
against the one that the simulator draws.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from bridge.episode.choices import Obs
from bridge.episode.episode import Episode
from bridge.episode.observation import View
from bridge.episode.records import Options
from bridge.episode.rendering import SharedRenderer
from bridge.episode.tools import ToolCall
from bridge.operations.sight.protocol import IMAGE_SIZE, Decide, Play, Received
from bridge.operations.sight.reader import PixelReader, measure_difference, rescale
from pysim.catalog import AnyLevel, discover_families, list_shipped_levels
from pysim.suites import find_suite, load_levels

__all__ = ["SUITE", "Arrival", "SightCheck", "check_sight"]

SUITE = "sight-canary"
_SEED = 0
_ALIKE = 12.0
"""Mean difference of grey levels up to which two pictures may show the same."""
_LUCK = 2
"""Most levels that guesses solve: by chance they solve three with a probability below 0.0001."""


class Arrival(StrEnum):
    """Condition of a picture on its arrival."""

    IDENTICAL = "byte for byte as they were drawn"
    SAME_PIXELS = "pixel for pixel as they were drawn"
    LOSSY = "encoded anew with losses"
    RESIZED = "of another size"
    FOREIGN = "that show something else than what was drawn"
    UNREADABLE = "that can't be decoded"
    LOST = "lost"


@dataclass
class SightCheck:
    """Findings about one adapter.

    Attributes:
        arrivals: pictures by their condition.
        sizes: sizes of those that arrived in another size, as ``64 x 64``.
        lost_later: pictures that were lost after actions, of those that were lost.
        extra: pictures that arrived and were never drawn.
        levels: levels of the suite.
        seen: levels that the agent solved by reading pixels.
        guessed: levels that it solved without pictures.
        chance: share of the levels that guesses solve on average.
        unsolved: families whose level was not solved by its plan.
        has_equal_texts: whether the words before the first action were the same for all levels of
            the suite.
    """

    arrivals: Counter[Arrival] = field(default_factory=Counter)
    sizes: Counter[str] = field(default_factory=Counter)
    lost_later: int = 0
    extra: int = 0
    levels: int = 0
    seen: int = 0
    guessed: int = 0
    chance: float = 0.0
    unsolved: list[str] = field(default_factory=list)
    has_equal_texts: bool = True

    @property
    def drawn(self) -> int:
        """Number of pictures that the simulator drew."""
        return self.arrivals.total()

    @property
    def is_whole(self) -> bool:
        """Whether every picture arrived, and shows what was drawn."""
        bad = (Arrival.FOREIGN, Arrival.UNREADABLE, Arrival.LOST)
        return self.drawn > 0 and not self.extra and not any(self.arrivals[one] for one in bad)

    @property
    def is_at_chance(self) -> bool:
        """Whether guesses solved no more than luck does."""
        return self.guessed <= _LUCK

    @property
    def passed(self) -> bool:
        """Whether an agent behind the adapter can see, and needs to."""
        sees = self.is_whole and self.seen == self.levels and not self.unsolved
        return sees and self.is_at_chance and self.has_equal_texts


def check_sight(
    play: Play,
    levels: Sequence[AnyLevel] | None = None,
    others: Sequence[AnyLevel] | None = None,
) -> SightCheck:
    """Check a way to play.

    Args:
        play: plays an episode.
        levels: some of the suite's levels; None for all.
        others: levels that are played by their plans; None for one of each family.
    """
    levels = load_levels(find_suite(SUITE)) if levels is None else levels
    reader = PixelReader(levels, random.Random(_SEED))
    found = SightCheck(levels=len(levels), chance=_compute_chance(levels, reader))
    texts = set[str]()
    with closing(SharedRenderer()) as renderer:
        for level in levels:
            watch = _Watch(level, renderer, found, reader.decide)
            found.seen += play(level, Obs.IMAGE, watch.decide).solved
            texts.add(watch.first_text)
        for level in levels:
            found.guessed += play(level, Obs.NONE, reader.guess).solved
        for level in _list_easiest() if others is None else others:
            watch = _Watch(level, renderer, found, _follow_plan(level))
            if not play(level, Obs.IMAGE, watch.decide).solved:
                found.unsolved.append(level.family)
    found.has_equal_texts = len(texts) == 1
    return found


def _compute_chance(levels: Sequence[AnyLevel], reader: PixelReader) -> float:
    lengths = [len(level.plan or ()) for level in levels]
    return sum(reader.chance**length for length in lengths) / len(lengths)


def _list_easiest() -> Iterator[AnyLevel]:
    """Yield the level with the shortest plan of two actions or more of each family."""
    for family in discover_families():
        levels = [one for one in list_shipped_levels(family) if one.plan and len(one.plan) > 1]
        if levels:
            yield min(levels, key=lambda one: (len(one.plan or ()), one.id))


def _follow_plan(level: AnyLevel) -> Decide:
    assert level.plan is not None
    calls = iter([ToolCall.of(action) for action in level.plan.actions])
    return lambda received: next(calls)


class _Watch:
    """Holds pictures that arrive against those that an episode of its own draws.

    Args:
        level: the level that is played.
        renderer: draws.
        found: takes the findings.
        decide: the agent, which is given all that arrives.

    Attributes:
        first_text: words before the first action.
    """

    def __init__(
        self, level: AnyLevel, renderer: SharedRenderer, found: SightCheck, decide: Decide
    ) -> None:
        options = Options(Obs.IMAGE, picture_size=IMAGE_SIZE)
        self._episode = Episode(level, renderer=renderer, options=options)
        self._found, self._decide = found, decide
        self._before: tuple[View, ...] = ()
        self.first_text = ""

    def decide(self, received: Received) -> ToolCall:
        """Note the pictures, and let the agent decide."""
        if self._episode.steps == 0:
            self.first_text = received.text
        if self._episode.outcome is None:
            self._note(received.views)
        call = self._decide(received)
        if self._episode.outcome is None:
            self._episode.step(call)
        return call

    def _note(self, arrived: Sequence[View]) -> None:
        drawn = self._episode.observe().views
        found = self._found
        others = [view.rgb() for view in (*drawn, *self._before)]
        for view, other in zip(drawn, arrived, strict=False):
            condition = _compare(view, other, others)
            found.arrivals[condition] += 1
            if condition is Arrival.RESIZED:
                found.sizes[f"{other.width} x {other.height}"] += 1
        lost = max(0, len(drawn) - len(arrived))
        found.arrivals[Arrival.LOST] += lost
        found.lost_later += lost if self._episode.steps else 0
        found.extra += max(0, len(arrived) - len(drawn))
        self._before = drawn


def _compare(drawn: View, arrived: View, others: Sequence[NDArray[np.uint8]]) -> Arrival:
    """Return the condition of a picture.

    Args:
        others: the pictures of this state and the one before, with which it may be confused.
    """
    if not arrived.width:
        return Arrival.UNREADABLE
    if arrived.data == drawn.data:
        return Arrival.IDENTICAL
    one, other = drawn.rgb(), arrived.rgb()
    if one.shape == other.shape and (one == other).all():
        return Arrival.SAME_PIXELS
    edge = min(one.shape[0], other.shape[0])
    shown = rescale(other, edge)
    difference = measure_difference(rescale(one, edge), shown)
    if difference > _ALIKE or any(
        measure_difference(rescale(wrong, edge), shown) < difference for wrong in others
    ):
        return Arrival.FOREIGN
    return Arrival.LOSSY if one.shape == other.shape else Arrival.RESIZED

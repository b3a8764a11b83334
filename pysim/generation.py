"""Generators of levels, as every family offers them.

A generator makes numbered attempts. What an attempt gives follows from its settings and its number
alone, so that attempts can be made in any order, by any number of processes, and again after a
break, and the levels are the same.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any, Generic, Protocol, TypeVar

from pysim.puzzle import Fact, Family, Plan, Tier
from pysim.scene import Colour

__all__ = [
    "Draft",
    "GenerationResult",
    "Generator",
    "GeneratorPlugin",
    "Rejected",
    "Rung",
    "TierGenerator",
    "load_generator",
]

Asked = TypeVar("Asked")


@dataclass(frozen=True, slots=True)
class Draft:
    """A puzzle that an attempt made, certified.

    Attributes:
        puzzle: the family's own data.
        title: what people call it.
        tier: how hard it is.
        budget: steps for an agent.
        plan: a solution that the rules have replayed.
        key: equal for puzzles that count as the same.
        score: how hard it is, by the generator's own measure.
        facts: what was measured of it.
    """

    puzzle: Any
    title: str
    tier: Tier
    budget: int
    plan: Plan
    key: str
    score: int
    facts: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rejected:
    """An attempt that made nothing of use.

    Attributes:
        reason: a few words, the same for attempts that failed alike.
        score: how hard the best puzzle was that it came to all the same.
    """

    reason: str
    score: int = 0


GenerationResult = Draft | Rejected


class Generator(Protocol):
    """Makes puzzles of one family. Generators are values that can be sent to other processes."""

    @property
    def family(self) -> str:
        """The family's name."""

    @property
    def name(self) -> str:
        """Its name and version, as in ``family/kind 1``."""

    @property
    def slug(self) -> str:
        """A word for ids of levels, made of a-z, 0-9 and -."""

    @property
    def seed(self) -> int:
        """Seed of its random numbers."""

    @property
    def settings(self) -> Mapping[str, Fact]:
        """All that the attempts depend on, the seed too."""

    @property
    def command(self) -> str:
        """The command line that makes the same levels again."""

    def attempt(self, number: int) -> GenerationResult:
        """Attempt ``number``, from 0."""


@dataclass(frozen=True, slots=True)
class TierGenerator:
    """Rejects what another generator makes of other tiers; attempts keep their numbers."""

    inner: Generator
    tier: Tier

    @property
    def family(self) -> str:
        """Return the family's name."""
        return self.inner.family

    @property
    def name(self) -> str:
        """Return the name and version of the generator."""
        return self.inner.name

    @property
    def slug(self) -> str:
        """Return its word for ids."""
        return self.inner.slug

    @property
    def seed(self) -> int:
        """Return its seed."""
        return self.inner.seed

    @property
    def settings(self) -> Mapping[str, Fact]:
        """Return its settings, and the tier."""
        return {**self.inner.settings, "tier": self.tier.value}

    @property
    def command(self) -> str:
        """Return the command line that makes the same levels again."""
        return f"{self.inner.command} --tier {self.tier}"

    def attempt(self, number: int) -> GenerationResult:
        """Return the puzzle of an attempt if it is of the tier."""
        found = self.inner.attempt(number)
        if isinstance(found, Draft) and found.tier is not self.tier:
            return Rejected("another tier", found.score)
        return found


@dataclass(frozen=True, slots=True)
class Rung(Generic[Asked]):
    """One tier of a ladder: what is asked of the generator, and which of its levels are taken.

    Attributes:
        options: attempts go through these in turn.
        moves: the fewest and the most actions of a plan.
        branching: the least and the greatest mean number of legal actions along the plan.
    """

    options: tuple[Asked, ...]
    moves: tuple[int, int]
    branching: tuple[float, float] = (0.0, inf)


@dataclass(frozen=True, slots=True)
class GeneratorPlugin(Generic[Asked]):
    """A generator as a family offers it; a family says where it is, see :attr:`Family.generator`.

    Attributes:
        summary: what it makes, a sentence for the help.
        options: a frozen dataclass of what can be asked of it, the seed aside. Its fields have
            defaults, unless they are required, and metadata: ``help``, and whatever else
            :mod:`bridge.cli.dataclass_options` makes options of.
        make: the generator for options, a seed and the names that pieces can have; raises
            ValueError for what can't be made.
        ladder: the recipe of a series of levels that become harder tier by tier; empty if the
            family has none.
        difficulties: requests of tasks of each difficulty, the easiest first; attempts go through
            those of one difficulty in turn. Empty if the family has no tasks.
        advice: reason of :class:`Rejected` -> what to ask for where most attempts fail so.
        extras: extras that it needs; see :mod:`pysim.extras`.
    """

    summary: str
    options: type[Asked]
    make: Callable[[Asked, int, tuple[Colour, ...]], Generator]
    ladder: Mapping[Tier, Rung[Asked]] = field(default_factory=dict)
    difficulties: tuple[tuple[Asked, ...], ...] = ()
    advice: Mapping[str, str] = field(default_factory=dict)
    extras: tuple[str, ...] = ()


def load_generator(family: Family[Any, Any]) -> GeneratorPlugin[Any] | None:
    """Load the generator of a family; None if it makes no levels.

    Raises:
        TypeError: it says that it does, and offers something else.
    """
    if family.generator is None:
        return None
    offer = family.generator()
    if not isinstance(offer, GeneratorPlugin):
        raise TypeError(f"the generator of {family.name} is a {type(offer).__name__}, no offer")
    return offer

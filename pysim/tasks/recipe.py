"""Recipes of tasks: a family, a seed, and for each difficulty a stream of numbered attempts."""

import hashlib
from dataclasses import dataclass
from functools import cache, cached_property

from pysim.catalog import AnyLevel, compute_content_hash, discover_families
from pysim.generation import Draft, Generator, Rejected, load_generator
from pysim.limits import quote
from pysim.manifests import list_family_manifests
from pysim.puzzle import Level, Outcome, Source, Tier
from pysim.render.palette import COLOURS
from pysim.tasks.splits import (
    PUBLIC,
    Split,
    TaskError,
    assign_split,
    compute_digest,
    list_shipped_digests,
)

__all__ = [
    "CHECKED",
    "DIFFICULTY",
    "MAX_BARREN",
    "SHIPPED_LEVEL",
    "Candidate",
    "TaskRecipe",
    "count_difficulties",
    "find_tier",
    "has_tasks",
    "make_secret_source",
]

CHECKED = ("hash", "plan")
"""Claims of a task that are confirmed when it is drawn."""
MAX_BARREN = 2_000
"""Attempts in a row without a new task after which a stream has no more."""
SHIPPED_LEVEL = "a level that ships"
"""Reason for which a puzzle becomes no task: it equals a level that ships, up to symmetry."""
LEAST_SECRET = 16
"""Bytes of a secret seed."""
DIFFICULTY = "task_difficulty"
"""Fact of levels that are tasks."""
_TIERS = tuple(Tier)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A level that an attempt made, which becomes a task if it is new.

    Attributes:
        difficulty: of the stream.
        attempt: its number in the stream.
        level: with an id that says nothing.
        digest: see :func:`pysim.tasks.splits.compute_digest`.
    """

    difficulty: int
    attempt: int
    level: AnyLevel
    digest: bytes

    @property
    def split(self) -> Split:
        """The split to which it belongs."""
        return assign_split(self.digest)


@dataclass(frozen=True)
class TaskRecipe:
    """All that tasks follow from, besides the family's generators and the levels that ship.

    Attributes:
        family: its name.
        seed: of the random numbers; bytes are a secret, and make private tasks.

    Raises:
        TaskError: the family has no tasks, or the seed is none, negative or too short a secret.
    """

    family: str
    seed: int | bytes = 0

    def __post_init__(self) -> None:
        count_difficulties(self.family)
        if not isinstance(self.seed, int | bytes):  # It may be a secret, which is not repeated.
            kind = type(self.seed).__name__
            raise TaskError(f"a seed is a whole number, or bytes for a secret, not of type {kind}")
        if isinstance(self.seed, int) and self.seed < 0:
            raise TaskError(f"a seed is 0 or more, not {quote(self.seed)}")
        if isinstance(self.seed, bytes) and len(self.seed) < LEAST_SECRET:
            raise TaskError(
                f"a secret seed has at least {LEAST_SECRET} bytes, not {len(self.seed)}: "
                "secrets.token_bytes(32) makes one"
            )

    @property
    def is_secret(self) -> bool:
        """Whether the seed is a secret."""
        return isinstance(self.seed, bytes)

    @property
    def splits(self) -> tuple[Split, ...]:
        """Splits that it has tasks of."""
        return (Split.PRIVATE,) if self.is_secret else PUBLIC

    @cached_property
    def fingerprint(self) -> str:
        """A text that names the seed; a secret one it doesn't give away."""
        if isinstance(self.seed, int):
            return str(self.seed)
        return hashlib.sha256(b"luban tasks\0" + self.seed).hexdigest()[:32]

    @cached_property
    def generators(self) -> tuple[tuple[Generator, ...], ...]:
        """Generators of each difficulty; attempts go through them in turn."""
        return tuple(
            self._make_generators(difficulty)
            for difficulty in range(1, count_difficulties(self.family) + 1)
        )

    def _make_generators(self, difficulty: int) -> tuple[Generator, ...]:
        plugin = load_generator(discover_families()[self.family])
        assert plugin is not None
        secret = self.seed if isinstance(self.seed, bytes) else str(self.seed).encode()
        digest = hashlib.sha256(secret + f"/{self.family}/{difficulty}".encode()).digest()
        seed = int.from_bytes(digest[: 8 if self.is_secret else 4], "big") >> 1
        wanted = plugin.difficulties[difficulty - 1]
        return tuple(plugin.make(options, seed, COLOURS) for options in wanted)

    def list_names(self) -> list[list[str]]:
        """Return the names and versions of the generators of each difficulty."""
        return [[generator.name for generator in stream] for stream in self.generators]

    def make_source(self, difficulty: int, attempt: int) -> Source:
        """Return the source of a level; that of a secret seed tells nothing."""
        generator, number = self._find_generator(difficulty, attempt)
        if self.is_secret:
            return make_secret_source(generator.name)
        reference = f"{generator.command}, attempt {number}"
        return Source("luban", reference, generator.seed, generator.name)

    def _find_generator(self, difficulty: int, attempt: int) -> tuple[Generator, int]:
        stream = self.generators[difficulty - 1]
        return stream[attempt % len(stream)], attempt // len(stream)

    def attempt(self, difficulty: int, attempt: int) -> Candidate | Rejected:
        """Make an attempt of a stream; rejected are those of splits that the recipe has not."""
        generator, number = self._find_generator(difficulty, attempt)
        draft = generator.attempt(number)
        if not isinstance(draft, Draft):
            return draft
        level = self._make_level(draft, difficulty, attempt)
        digest = compute_digest(level)
        if assign_split(digest) not in self.splits:
            return Rejected("of another split")
        if digest in list_shipped_digests(self.family):
            return Rejected(SHIPPED_LEVEL)
        if not is_solved(level):
            return Rejected("the rules don't replay the plan")
        return Candidate(difficulty, attempt, level, digest)

    def _make_level(self, draft: Draft, difficulty: int, attempt: int) -> AnyLevel:
        family = discover_families()[self.family]
        return Level(
            id="task",
            family=self.family,
            name=draft.title,
            tier=find_tier(difficulty),
            budget=draft.budget,
            puzzle=draft.puzzle,
            colours=family.colours(draft.puzzle),
            plan=draft.plan,
            source=self.make_source(difficulty, attempt),
            hash=compute_content_hash(family, draft.puzzle, draft.budget),
            facts={**draft.facts, DIFFICULTY: difficulty},
        )


def find_tier(difficulty: int) -> Tier:
    """Return the tier of tasks of a difficulty: each of the first four has one of its own."""
    return _TIERS[min(difficulty, len(_TIERS)) - 1]


def make_secret_source(generator: str) -> Source:
    """Return the source of a task of a secret seed, which tells neither seed nor attempt."""
    return Source("luban", "a private draw", None, generator)


def is_solved(level: AnyLevel) -> bool:
    """Return whether the rules replay a level's plan, and it ends solved, not before."""
    rules = discover_families()[level.family].rules
    state = rules.initial(level)
    for action in level.plan.actions if level.plan is not None else ():
        if rules.outcome(level, state) is not None:
            return False
        state = rules.apply(level, state, action).state
    return rules.outcome(level, state) is Outcome.SOLVED


def has_tasks(family: str) -> bool:
    """Return whether there is a family with tasks under a name."""
    return family in discover_families() and _count(family) > 0


def count_difficulties(family: str) -> int:
    """Return the number of difficulties of a family; they are counted from 1.

    Raises:
        TaskError: there is no such family, or it has no tasks.
    """
    if not has_tasks(family):
        known = [name for name in list_family_manifests() if has_tasks(name)]
        raise TaskError(f"no family {quote(family)} has tasks; {', '.join(known)} have")
    return _count(family)


@cache
def _count(name: str) -> int:
    family = discover_families()[name]
    plugin = load_generator(family)
    return 0 if plugin is None or family.canonical_form is None else len(plugin.difficulties)

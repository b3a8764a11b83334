"""Cases of the bench: recipes with strengths, for each family."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from zlib import crc32

import numpy as np

from perf.clips.corruptions import CORRUPTIONS
from perf.clips.degradations import DEGRADATIONS, MIXTURES, UNSEEN

__all__ = ["GROUPS", "Case", "list_recipes", "plan_cases"]

DEGRADED, CORRUPTED, UNSEEN_GROUP, RANKED = GROUPS = (
    "degraded",
    "corrupted",
    "unseen",
    "ranked",
)
"""Groups of cases: true clips, false ones, true ones in which nothing is seen, and six models."""
MIXED, RANKING = "mixed", "ranking"
_FAMILIES = 6
_EACH_DEGRADED, _EACH_CORRUPTED, _EACH_UNSEEN, _EACH_RANKED = 600, 100, 24, 24
"""Clips of all degradations, of each corruption, of all that can't be seen, and rankings."""


@dataclass(frozen=True, slots=True)
class Case:
    """A clip to be made and scored.

    Attributes:
        group: one of :data:`GROUPS`.
        recipe: what is done to a film.
        strength: how much, in the unit of its row.
        family: of the level.
        number: from 0, among those that are like it in all else.
    """

    group: str
    recipe: str
    strength: float
    family: str
    number: int

    @property
    def name(self) -> str:
        """Name of its files."""
        return f"{self.family}-{self.recipe}-{self.strength:g}-{self.number}"

    def make_rng(self, seed: int) -> np.random.Generator:
        """Return the random numbers of this case, independent of all other cases."""
        return np.random.default_rng([seed, crc32(self.name.encode())])


def list_recipes() -> list[str]:
    """Return the names of all recipes."""
    return [*DEGRADATIONS, MIXED, *CORRUPTIONS, *UNSEEN, RANKING]


def plan_cases(families: Sequence[str], only: Sequence[str] = ()) -> list[Case]:
    """Return all cases, in an order in which it may be stopped anywhere.

    Families, groups and recipes take turns.

    Args:
        only: groups or recipes; none for all.
    """
    queues = [list(_plan_group(group, family, only)) for family in families for group in GROUPS]
    turns = chain.from_iterable(zip_longest(*queues))
    return [case for case in turns if case is not None]


def _plan_group(group: str, family: str, only: Sequence[str]) -> Iterator[Case]:
    rows = _list_rows(group)
    chosen = [row for row in rows if not only or group in only or row[0] in only]
    # A shuffle of its own for each family, so that a sample has all recipes.
    rng = np.random.default_rng([crc32(group.encode()), crc32(family.encode())])
    recipes = sorted({recipe for recipe, _ in rows})
    queues = _FAMILIES * (1 if group == CORRUPTED else len(recipes))
    each = -(-_count_each(group) // queues)
    for number in range(each):
        for place in rng.permutation(len(recipes)).tolist():
            strengths = [strength for recipe, strength in rows if recipe == recipes[place]]
            row = (recipes[place], strengths[-1 - number % len(strengths)])
            if row in chosen:
                yield Case(group, *row, family, number)


def _count_each(group: str) -> int:
    counts: Mapping[str, int] = {
        DEGRADED: _EACH_DEGRADED,
        CORRUPTED: _EACH_CORRUPTED,
        UNSEEN_GROUP: _EACH_UNSEEN,
        RANKED: _EACH_RANKED,
    }
    return counts[group]


def _list_rows(group: str) -> list[tuple[str, float]]:
    """Return recipes with strengths."""
    if group == RANKED:
        return [(RANKING, 1.0)]
    if group == CORRUPTED:
        return [(name, v) for name, row in CORRUPTIONS.items() for v in row.strengths]
    table = DEGRADATIONS if group == DEGRADED else UNSEEN
    rows = [(name, float(v)) for name, row in table.items() for v in row.strengths]
    return [*rows, *((MIXED, float(v)) for v in MIXTURES)] if group == DEGRADED else rows

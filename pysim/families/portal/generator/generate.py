"""The generator: a chain of mechanics is drawn, and modules that need them are put together.

That a module needs its mechanic is proven: without the parts that make it, a search through all of
its states finds no plan. Fields part the modules, so that nothing of one helps in another one.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from pysim.families.portal.chamber import Chamber
from pysim.families.portal.documents import write_chamber
from pysim.families.portal.generator.building import (
    Built,
    build,
    build_parts,
    is_symmetric,
    remove_parts,
)
from pysim.families.portal.generator.modules import MAKERS, Module
from pysim.families.portal.planner import plan_for, search
from pysim.generation import Draft, GenerationResult, Rejected
from pysim.puzzle import Fact, Plan, Proof, Tier

__all__ = [
    "PARTS",
    "ChamberGenerator",
    "add_bounds",
    "certify_chain",
    "count_fewest",
    "draw_module",
    "is_needed",
    "make_draft",
]

Variant = tuple[str, int]
"""A mechanic, and which of its modules."""

_CHAIN = {1: 1, 2: 2, 3: 3, 4: 5, 5: 7}
_SHORTEST = {1: 3, 2: 6, 3: 9, 4: 13, 5: 18}
"""Actions of a plan, at least."""
_TIERS = {1: Tier.EASY, 2: Tier.EASY, 3: Tier.MEDIUM, 4: Tier.MEDIUM, 5: Tier.HARD}
VARIANTS = 8
PARTS: Mapping[str, tuple[str, ...]] = {
    "pad": ("pads",),
    "gates": ("panels",),
    "button": ("boxes",),
    "fling": ("panels",),
    "stair": ("boxes",),
    "relay": ("panels", "lasers"),
    "mirror": ("boxes", "lasers"),
    "bridge": ("panels", "bridges"),
    "beam": ("panels", "beams"),
    "timer": ("panels",),
}
"""Mechanic -> the parts without any of which its module can't be left."""
_MOST = 20_000


@dataclass(frozen=True, slots=True)
class ChamberGenerator:
    """See :class:`pysim.generation.Generator`.

    Attributes:
        difficulty: from 1 to 5.
        seed: where the random numbers come from.
    """

    difficulty: int
    seed: int

    @property
    def family(self) -> str:
        """``portal``."""
        return "portal"

    @property
    def name(self) -> str:
        """The difficulty, and the version."""
        return f"portal/{self.difficulty} 1"

    @property
    def slug(self) -> str:
        """The difficulty."""
        return f"d{self.difficulty}"

    @property
    def settings(self) -> Mapping[str, Fact]:
        """All that the attempts depend on."""
        return {"difficulty": self.difficulty, "seed": self.seed}

    @property
    def command(self) -> str:
        """The command line that makes the same levels again."""
        return f"luban generate portal --difficulty {self.difficulty} --seed {self.seed}"

    def attempt(self, number: int) -> GenerationResult:
        """Return a chain of mechanics, no two neighbours alike."""
        random = Random(f"{self.name} {self.seed} {number}")
        names = list(MAKERS)
        chain: list[Variant] = []
        while len(chain) < _CHAIN[self.difficulty]:
            name = random.choice(names)
            if not chain or chain[-1][0] != name:
                chain.append((name, random.randrange(VARIANTS)))
        draft = certify_chain(chain, self.difficulty)
        if draft is None:
            return Rejected("a module needs no mechanic")
        if len(draft.plan) < _SHORTEST[self.difficulty]:
            return Rejected("the plan is too short", len(draft.plan))
        return Rejected("it is symmetric") if is_symmetric(draft.puzzle) else draft


def certify_chain(chain: Sequence[Variant], difficulty: int) -> Draft | None:
    """Return a chamber of some modules; None if a mechanic is not needed."""
    if not all(is_needed(*variant) for variant in chain):
        return None
    modules = [draw_module(*variant) for variant in chain]
    built = build(modules)
    found = plan_for(built.chamber)
    if found is None:
        return None
    plan = add_bounds(found, [count_fewest(part) for part in build_parts(modules)])
    names = [name for name, _ in chain]
    return make_draft(built, plan, ", ".join(names).capitalize(), difficulty, names)


def make_draft(
    built: Built, plan: Plan, title: str, difficulty: int, names: Sequence[str]
) -> Draft:
    """Return a chamber with its plan as a level to be; the names are those of its modules."""
    return Draft(
        puzzle=built.chamber,
        title=title,
        tier=_TIERS[difficulty],
        budget=max(20, 3 * len(plan)),
        plan=plan,
        key=_key(built.chamber),
        score=len(plan),
        facts={
            "chain": (", " if any(" " in name for name in names) else " ").join(names),
            "difficulty": difficulty,
            "moves": len(plan),
            "key": " ".join(f"{s.cell[0]},{s.cell[1]},{s.cell[2]}{s.side}" for s in built.key)
            or "-",
        },
    )


def add_bounds(plan: Plan, least: Sequence[int]) -> Plan:
    """Return a plan with what is known of all plans.

    Args:
        least: of each module the actions that it takes by itself. Whoever goes on to the next one
            may with the same action do what comes first there, so that all but the first of them
            count for one less; to go back is an action more.
    """
    bound = max(plan.lower_bound, sum(least) - len(least) + 1)
    assert bound <= len(plan), "modules are more apart than they should be"
    if bound == len(plan):
        return Plan(plan.actions, Proof.OPTIMAL, bound)
    return Plan(plan.actions, Proof.UPPER_BOUND, bound)


@lru_cache(maxsize=512)
def count_fewest(chamber: Chamber) -> int:
    """Return the actions that it takes at least, found with every cell and every time."""
    return search(chamber, most=_MOST, every=True).least


def _key(chamber: Chamber) -> str:
    return hashlib.sha256(json.dumps(write_chamber(chamber)).encode()).hexdigest()[:32]


@lru_cache(maxsize=512)
def draw_module(name: str, variant: int) -> Module:
    """Return a module; the same for the same number."""
    return MAKERS[name](Random(f"{name} {variant}"))


@lru_cache(maxsize=512)
def is_needed(name: str, variant: int) -> bool:
    """Return whether a module can be left, but not without its mechanic."""
    chamber = build([draw_module(name, variant)]).chamber
    if search(chamber, most=_MOST).plan is None:
        return False
    tried = (search(remove_parts(chamber, part), most=_MOST, every=True) for part in PARTS[name])
    return all(found.plan is None and found.complete for found in tried)

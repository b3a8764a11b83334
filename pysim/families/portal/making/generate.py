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
from pysim.families.portal.making.building import build, without
from pysim.families.portal.making.modules import MAKERS, Module
from pysim.families.portal.planner import plan_for, search
from pysim.generation import Draft, GenerationResult, Rejected
from pysim.puzzle import Fact, Plan, Proof, Tier

__all__ = ["PARTS", "ChamberGenerator", "certified", "drawn", "needed"]

Variant = tuple[str, int]
"""A mechanic, and which of its modules."""

_CHAIN = {1: 1, 2: 2, 3: 3, 4: 5, 5: 7}
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
        """A chain of mechanics, no two neighbours alike."""
        random = Random(f"{self.name} {self.seed} {number}")
        names = list(MAKERS)
        chain: list[Variant] = []
        while len(chain) < _CHAIN[self.difficulty]:
            name = random.choice(names)
            if not chain or chain[-1][0] != name:
                chain.append((name, random.randrange(VARIANTS)))
        draft = certified(chain, self.difficulty)
        return Rejected("a module needs no mechanic") if draft is None else draft


def certified(chain: Sequence[Variant], difficulty: int) -> Draft | None:
    """A chamber of some modules; None if a mechanic is not needed."""
    fewest = [needed(*variant) for variant in chain]
    if None in fewest:
        return None
    built = build([drawn(*variant) for variant in chain])
    found = plan_for(built.chamber)
    if found is None:
        return None
    plan = _proven(found, [few for few in fewest if few is not None])
    names = [name for name, _ in chain]
    return Draft(
        puzzle=built.chamber,
        title=", ".join(names).capitalize(),
        tier=_TIERS[difficulty],
        budget=max(20, 3 * len(plan)),
        plan=plan,
        key=_key(built.chamber),
        score=len(plan),
        facts={
            "chain": " ".join(names),
            "difficulty": difficulty,
            "moves": len(plan),
            "key": " ".join(f"{s.cell[0]},{s.cell[1]},{s.cell[2]}{s.side}" for s in built.key)
            or "-",
        },
    )


def _proven(plan: Plan, fewest: Sequence[int]) -> Plan:
    """A plan with what is known of all plans.

    Every module takes as many actions as it does alone, but that which leads out of one may be the
    first of the next one.
    """
    least = max(plan.lower_bound, sum(fewest) - len(fewest) + 1)
    if plan.proof is Proof.OPTIMAL or least == len(plan):
        return Plan(plan.actions, Proof.OPTIMAL, len(plan))
    return Plan(plan.actions, Proof.UPPER_BOUND, least)


def _key(chamber: Chamber) -> str:
    return hashlib.sha256(json.dumps(write_chamber(chamber)).encode()).hexdigest()[:32]


@lru_cache(maxsize=512)
def drawn(name: str, variant: int) -> Module:
    """A module; the same for the same number."""
    return MAKERS[name](Random(f"{name} {variant}"))


@lru_cache(maxsize=512)
def needed(name: str, variant: int) -> int | None:
    """The fewest actions of a module alone; None if it can be left without its mechanic.

    With a timed button the search may miss a shorter plan; then it is the fewest of two, one to
    press it and one to leave.
    """
    chamber = build([drawn(name, variant)]).chamber
    found = search(chamber, most=_MOST)
    if found.plan is None:
        return None
    for part in PARTS[name]:
        tried = search(without(chamber, part), most=_MOST)
        if tried.plan is not None or not tried.complete:
            return None
    return 2 if name == "timer" else len(found.plan)

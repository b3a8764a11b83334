"""Suites whose levels become harder tier by tier, drawn from a seed.

A family offers a ladder: for each tier what is asked of its generator, and between which bounds
plans lie. Attempts are taken in their order, and a level is kept if its plan lies between the
bounds and players that know nothing pass it hardly ever. So a seed determines all levels.
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, cycle
from typing import Any

from bridge.generating.walks import is_solved_by_first_legal, plan_shape, random_passes
from pysim.catalog import AnyLevel, check_id, compute_content_hash, discover_families
from pysim.generation import Draft, Generator, GeneratorPlugin, Rung, load_generator
from pysim.puzzle import Level, Source, Tier
from pysim.render.palette import PALETTE
from pysim.scene import Colour

__all__ = ["LEVELS_PER_TIER", "LadderDraw", "TierStep", "draw_step", "format_recipe", "list_steps"]

LEVELS_PER_TIER = 5
"""Levels of each tier of a family."""
VERSION = 1
"""Changes with the way in which levels are drawn."""
BUDGET_FACTOR = 2
"""Steps that an agent has for each action of the plan."""
MAX_RANDOM_SOLVE_RATE = 0.03
"""Share of random attempts that may pass a level."""


@dataclass(frozen=True, slots=True)
class TierStep:
    """One tier of one family's ladder.

    Attributes:
        family: its name.
        tier: of the levels.
    """

    family: str
    tier: Tier


@dataclass(frozen=True, slots=True)
class LadderDraw:
    """The way in which levels are drawn.

    Attributes:
        prefix: stands in ids of levels, behind the family.
        seed: all levels follow from it.
        attempts: random attempts at each candidate.
        secret: whether levels keep the seed and the number of their attempt to themselves.
    """

    prefix: str
    seed: bytes
    attempts: int
    secret: bool = False


def list_steps(names: Collection[str]) -> tuple[TierStep, ...]:
    """Return the tiers of some families, by family."""
    return tuple(TierStep(name, tier) for name in sorted(names) for tier in _offer(name).ladder)


def format_recipe(steps: Sequence[TierStep]) -> str:
    """Return a text that differs where levels would be drawn otherwise."""
    rungs = [(one.family, one.tier.value, _offer(one.family).ladder[one.tier]) for one in steps]
    return repr((VERSION, LEVELS_PER_TIER, BUDGET_FACTOR, MAX_RANDOM_SOLVE_RATE, rungs))


def draw_step(step: TierStep, draw: LadderDraw) -> Iterator[AnyLevel]:
    """Draw the levels of a tier; the same ones in any process."""
    offer = _offer(step.family)
    keys: set[str] = set()
    for number, generator in zip(count(), cycle(_generators(offer, step, draw))):
        level = _draw_level(step, draw, offer.ladder[step.tier], generator, number, keys)
        if level is not None:
            yield level
        if len(keys) == LEVELS_PER_TIER:
            return


def _draw_level(
    step: TierStep,
    draw: LadderDraw,
    rung: Rung[Any],
    generator: Generator,
    number: int,
    keys: set[str],
) -> AnyLevel | None:
    """Return the level of an attempt, and add its key; None if it is not to be kept."""
    draft = generator.attempt(number)
    if not isinstance(draft, Draft) or draft.key in keys:
        return None
    level = _level(step, draw, draft, _source(draw, generator, number), len(keys) + 1)
    if not _fits(level, rung) or not _is_unguessed(level, draw.attempts):
        return None
    keys.add(draft.key)
    return level


def _offer(family: str) -> GeneratorPlugin[Any]:
    offer = load_generator(discover_families()[family])
    assert offer is not None, f"{family} has no generator"
    return offer


def _generators(offer: GeneratorPlugin[Any], step: TierStep, draw: LadderDraw) -> list[Generator]:
    digest = hashlib.sha256(draw.seed + f"/{step.family}/{step.tier}".encode()).digest()
    seed = int.from_bytes(digest[: 8 if draw.secret else 4], "big") >> 1
    colours = tuple(map(Colour, PALETTE))
    return [offer.make(options, seed, colours) for options in offer.ladder[step.tier].options]


def _source(draw: LadderDraw, generator: Generator, number: int) -> Source:
    if draw.secret:
        return Source("luban", "a private draw", None, generator.name)
    reference = f"{generator.command}, attempt {number}"
    return Source("luban", reference, generator.seed, generator.name)


def _level(step: TierStep, draw: LadderDraw, draft: Draft, source: Source, number: int) -> AnyLevel:
    family, budget = discover_families()[step.family], BUDGET_FACTOR * len(draft.plan)
    return Level(
        id=check_id(f"{step.family}-{draw.prefix}-{step.tier}-{number:02}"),
        family=step.family,
        name=draft.title,
        tier=step.tier,
        budget=budget,
        puzzle=draft.puzzle,
        colours=family.colours(draft.puzzle),
        plan=draft.plan,
        source=source,
        hash=compute_content_hash(family, draft.puzzle, budget),
        facts={**draft.facts, "ladder": VERSION},
    )


def _fits(level: AnyLevel, rung: Rung[Any]) -> bool:
    if not rung.moves[0] <= len(level.plan or ()) <= rung.moves[1]:
        return False
    return rung.branching[0] <= plan_shape(level).branching <= rung.branching[1]


def _is_unguessed(level: AnyLevel, attempts: int) -> bool:
    """Return whether first legal actions don't solve it, and random ones hardly ever."""
    if is_solved_by_first_legal(level):
        return False
    return random_passes(level, attempts) <= MAX_RANDOM_SOLVE_RATE * attempts

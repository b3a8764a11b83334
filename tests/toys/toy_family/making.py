"""The toys' generator: attempt i is a rail whose counters stand apart as asked."""

from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from toy_family import COLOURS, FAMILY, Rail

from pysim.generation import Draft, GenerationResult, GeneratorPlugin, Rejected
from pysim.puzzle import Fact, Level, Source, Tier
from pysim.scene import Colour

__all__ = ["GENERATOR"]


class Apart(StrEnum):
    NEAR = "near"
    FAR = "far"


@dataclass(frozen=True, slots=True)
class ToyOptions:
    apart: Apart = field(metadata={"help": "How the counters stand."})
    length: int = field(default=6, metadata={"least": 3, "most": 12, "help": "Of the rail."})


@dataclass(frozen=True, slots=True)
class ToyGenerator:
    """See :class:`pysim.generation.Generator`."""

    options: ToyOptions
    seed: int

    family = "toy"
    name = "toy/rail 1"

    @property
    def slug(self) -> str:
        return f"{self.options.apart}-{self.options.length}"

    @property
    def settings(self) -> dict[str, Fact]:
        return {
            "apart": self.options.apart.value,
            "length": self.options.length,
            "seed": self.seed,
        }

    @property
    def command(self) -> str:
        asked = f"--apart {self.options.apart} --length {self.options.length}"
        return f"luban generate toy {asked} --seed {self.seed}"

    def attempt(self, number: int) -> GenerationResult:
        rng = Random(f"{self.seed}/{number}")
        length = self.options.length
        blue = 1 if self.options.apart is Apart.NEAR else length - 1
        rail = Rail(length, (0, blue), rng.randrange(1, length - 1))
        draft = Level(
            "draft", "toy", "draft", Tier.EASY, 50, rail, COLOURS, None, Source("x", "y"), ""
        )
        plan = FAMILY.rules.plan(draft)
        if plan is None:
            return Rejected("no plan")
        key, facts = f"{rail}", {"cells": length, "maker": "the generator"}
        return Draft(rail, f"Rail of {length}", Tier.EASY, 50, plan, key, len(plan), facts)


def make(options: ToyOptions, seed: int, colours: tuple[Colour, ...]) -> ToyGenerator:
    if options.apart is Apart.FAR and options.length < 4:
        raise ValueError("on a rail of 3 nothing stands far apart; make --length 4 or more")
    return ToyGenerator(options, seed)


GENERATOR = GeneratorPlugin("Make rails.", ToyOptions, make)

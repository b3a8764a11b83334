"""A generator with a family of its own to lean on, quick enough to make hundreds of attempts."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass

from pysim.families.burr.lock import Goal
from pysim.families.burr.planner import plan_lock
from pysim.generation import Draft, GenerationResult, Rejected
from pysim.puzzle import Fact, Tier
from tests.families.burr.locks import drawn

__all__ = ["Counting"]


@dataclass(frozen=True)
class Counting:
    """Makes bars of growing length: of every third attempt nothing comes, every fourth is a copy.

    Attributes:
        fatal: the attempt that ends its process; -1 for none.
        pause: seconds for every attempt.
    """

    seed: int = 0
    fatal: int = -1
    pause: float = 0.0

    family = "burr"
    name = "burr/counting 1"
    slug = "counting"

    @property
    def settings(self) -> Mapping[str, Fact]:
        return {"kind": "counting", "seed": self.seed}

    @property
    def command(self) -> str:
        return f"luban generate counting --seed {self.seed}"

    def attempt(self, number: int) -> GenerationResult:
        if number == self.fatal:
            os._exit(3)
        # The first of each pair takes longer, so that workers overtake each other.
        time.sleep(self.pause * (2 - number % 2))
        if number % 3 == 2:
            return Rejected("a third", score=number % 5)
        length = 1 + self.seed + (number - 3 if number % 4 == 3 else number) % 40
        bar = ("#" * length,)
        lock = drawn(Goal.DISASSEMBLE, (bar, (0, 0, 0)), (bar, (0, 1, 0))).puzzle
        plan = plan_lock(lock)
        assert plan is not None
        return Draft(lock, f"Bars of {length}", Tier.EASY, 30, plan, str(length), 1, {"n": length})

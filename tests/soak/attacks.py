"""The attacks: how much each does in half an hour, and which share of the time it may take."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from tests.soak import (
    clocks,
    disks,
    files,
    floods,
    injected,
    kills,
    kills_server,
    load,
    messages,
    outputs,
    trainers,
    two,
)
from tests.soak.budget import Budget, Row

__all__ = ["ATTACKS", "FULL", "LANES", "Attack", "find"]

FULL = 30.0
"""Minutes for which the counts hold."""
LANES = 3
"""Attacks that go on at once, one more than cores: many of them wait for something."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One of the attacks.

    Attributes:
        name: of its row.
        function: does it.
        count: cases in :data:`FULL` minutes.
        share: of the time of all lanes that it may take, in percent.
        least: cases, however short the time is.
    """

    name: str
    function: Callable[[Budget, int], Row]
    count: int
    share: float
    least: int = 1

    def cases(self, minutes: float) -> int:
        """How many cases are planned for so many minutes."""
        return max(self.least, ceil(self.count * minutes / FULL))

    def seconds(self, minutes: float) -> float:
        """For how long cases are begun."""
        return minutes * 60 * LANES * self.share / 100


# The longest first, so that the lanes end at about the same time.
ATTACKS: Sequence[Attack] = (
    Attack("files", files.attack, 100_000, 28),
    Attack("outputs", outputs.attack, 102_000, 24),
    Attack("messages", messages.attack, 1_000_000, 18),
    Attack("kills", kills.attack, 40, 6, least=2),  # Of each of the four commands.
    Attack("server-kills", kills_server.attack, 200, 5.5),
    Attack("disks", disks.attack, 60, 4, least=6),
    Attack("clocks", clocks.attack, 40, 4, least=2),
    Attack("floods", floods.attack, 40, 1.5),
    Attack("two-at-once", two.attack, 40, 2.5, least=5),
    Attack("load", load.attack, 100_000, 2.5),
    Attack("trainers", trainers.attack, 100_000, 2.5),
    Attack("faults", injected.attack, 60, 1.5),
)


def find(name: str) -> Attack:
    """The attack of a name.

    Raises:
        KeyError: there is none.
    """
    return {attack.name: attack for attack in ATTACKS}[name]


def budget_of(attack: Attack, minutes: float, folder: Path) -> Budget:
    """What an attack may do in its part of so many minutes."""
    return Budget(attack.cases(minutes), attack.seconds(minutes), folder, least=attack.least)

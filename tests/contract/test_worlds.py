"""Every world keeps what a world has to, the one in a player of the Unity wire too."""

from collections.abc import Iterator
from typing import ClassVar

import pytest

from luban.testing import WorldContract
from luban.testing.contract import Case
from pysim.physics.world import World
from tests.sampling import more, rest
from tests.unity.standins import engines


class Each(WorldContract):
    """Of the engines of the tests, among which are stand-ins for players."""

    rest: ClassVar[pytest.MarkDecorator | None] = rest()
    few: ClassVar[int] = 1

    def make(self) -> World:
        return engines().create_world(self.world)


class TestLattice(Each):
    world = "lattice"


class TestBullet(Each):
    """It takes as long as all others together, so one level of each family is enough by day."""

    world = "bullet"
    moves = min(WorldContract.moves, more(32))

    def cases(self, what: str) -> Iterator[Case]:
        done: set[str] = set()
        for name, level, few in super().cases(what):
            day = few and level.family not in done and level.id != "checkerboard"
            if day:
                done.add(level.family)
            if day or self.rest is not None:
                yield name, level, day


class TestUnity(Each):
    world = "unity"


def test_every_world_is_tested_here() -> None:
    assert {kind.world for kind in Each.__subclasses__()} == set(engines().list_worlds())

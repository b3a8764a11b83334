"""Every world keeps what a world has to, the one in a player of the Unity wire too."""

from typing import ClassVar

import pytest

from luban.testing import WorldContract
from pysim.physics.world import World
from tests.contract.few import OneOfEachFamily
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


class TestBullet(OneOfEachFamily, Each):
    """It takes as long as all others together."""

    world = "bullet"
    moves = min(WorldContract.moves, more(32))


class TestUnity(OneOfEachFamily, Each):
    world = "unity"


def test_every_world_is_tested_here() -> None:
    assert {kind.world for kind in Each.__subclasses__()} == set(engines().list_worlds())

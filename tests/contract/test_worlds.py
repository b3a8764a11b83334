"""Every world keeps what a world has to, the one in a player of the Unity wire too."""

from typing import ClassVar

import pytest

from luban.testing import WorldContract
from pysim.physics.world import World
from tests.sampling import more
from tests.unity.standins import engines


class Each(WorldContract):
    """Of the engines of the tests, among which are stand-ins for players."""

    rest: ClassVar[pytest.MarkDecorator | None] = pytest.mark.slow
    few: ClassVar[int] = 1

    def make(self) -> World:
        return engines().create_world(self.world)


class TestLattice(Each):
    world = "lattice"


class TestBullet(Each):
    world = "bullet"
    moves = min(WorldContract.moves, more(32))  # It is slow.


class TestUnity(Each):
    world = "unity"


def test_every_world_is_tested_here() -> None:
    assert {kind.world for kind in Each.__subclasses__()} == set(engines().list_worlds())

"""Jigsaw cubes keep what every family keeps, and worlds say what their rules say."""

from luban.testing import FamilyContract, WorldContract
from pysim.catalog import AnyFamily, families


class TestJigsaw(FamilyContract):
    family = "jigsaw"


class Of(WorldContract):
    """Over this family alone."""

    def families(self) -> list[AnyFamily]:
        return [families()["jigsaw"]]


class TestJigsawOnTheLattice(Of):
    world = "lattice"


class TestJigsawInBullet(Of):
    world = "bullet"

"""Each world in turn, with a bar, a wall and a stone in it."""

from collections.abc import Iterator

import pytest

from pysim.physics.world import World
from tests.physics.motions import SCENE
from tests.unity.standins import engines


@pytest.fixture(params=engines().list_worlds())
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    if request.param == "bullet":
        pytest.importorskip("pybullet")
    world = engines().create_world(request.param)
    world.reset(SCENE)
    yield world
    world.close()

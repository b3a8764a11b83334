"""What PyBullet says of placements that the rules allow."""

from collections.abc import Iterator

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from pysim.families.packing.actions import PickUp, Place
from pysim.geometry import Cell
from pysim.physics.factory import create_world
from pysim.physics.world import World
from pysim.puzzle import IllegalMove, Reason
from pysim.scene import Colour
from tests.families.packing.puzzles import PackingLevel, drawn

pytest.importorskip("pybullet")
QUIET = Options(obs=Obs.STATE)
RED, BLUE, GREEN = map(Colour, ("red", "blue", "green"))


@pytest.fixture
def world() -> Iterator[World]:
    world = create_world("bullet")
    yield world
    world.close()


def bar(length: int, z: int) -> tuple[Cell, ...]:
    return tuple((x, 0, z) for x in range(length))


def ledge(foot: int) -> PackingLevel:
    """A foot of some cells, and a bar of four to lie on it."""
    return drawn((4, 1, 2), ["#" * foot], ["####"], *[["#"]] * (4 - foot))


@pytest.mark.parametrize("foot", [4, 3])
def test_a_bar_with_support_to_spare_stays(world: World, foot: int) -> None:
    episode = Episode(ledge(foot), world, None, QUIET)
    for action in (Place(RED, bar(foot, 0)), Place(BLUE, bar(4, 1))):
        assert episode.step(action).disagreement is None
    for body in episode.scene.bodies:
        assert abs(world.transforms()[body.name] - body.pose.transform()).max() < 0.1
    episode.close()
    assert episode.disagreements == 0


def test_a_bar_that_just_balances_is_allowed_and_its_fall_is_counted(world: World) -> None:
    episode = Episode(ledge(2), world, None, QUIET)
    episode.step(Place(RED, bar(2, 0)))
    found = episode.step(Place(BLUE, bar(4, 1))).disagreement
    assert found is not None and found.world == "blue fell"
    assert episode.disagreements == 1
    # The world goes on from where the rules say.
    assert episode.step(PickUp(BLUE)).disagreement is None
    episode.close()
    assert episode.disagreements == 1


def test_a_bar_without_support_is_refused(world: World) -> None:
    episode = Episode(ledge(1), world, None, QUIET)
    episode.step(Place(RED, bar(1, 0)))
    with pytest.raises(IllegalMove) as refused:
        episode.step(Place(BLUE, bar(4, 1)))
    assert refused.value.reason is Reason.UNSTABLE
    episode.close()
    assert episode.disagreements == 0


def test_a_refused_way_in_is_confirmed_by_the_world(world: World) -> None:
    level = drawn((3, 1, 3), ["###"], ["###"], ["###"])
    episode = Episode(level, world, None, QUIET)
    for colour, z in ((RED, 0), (BLUE, 1), (GREEN, 2)):
        episode.step(Place(colour, bar(3, z)))
    assert episode.disagreements == 0
    shut_in = Episode(level, create_world("bullet"), None, QUIET)
    shut_in.step(Place(RED, bar(3, 0)))
    shut_in.step(Place(BLUE, bar(3, 1)))
    with pytest.raises(IllegalMove) as refused:
        shut_in.step(PickUp(RED))
    assert refused.value.culprits == (BLUE,)
    shut_in.close()
    assert shut_in.disagreements == 0

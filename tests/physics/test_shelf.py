"""Many worlds in Bullet take turns with a few clients, and nobody notices."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bridge.episode.episode import Episode
from pysim.catalog import list_shipped_levels
from pysim.physics.factory import create_world
from tests.needs import needs_pybullet

pytestmark = needs_pybullet
WORLDS = 6


def episode(level: str) -> Episode:
    found = next(known for known in list_shipped_levels() if known.id == level)
    return Episode(found, create_world("bullet"))


def story(played: Episode, steps: int = 3) -> list[object]:
    """What the world says of the first steps of the plan."""
    told: list[object] = []
    plan = played.level.plan
    assert plan is not None
    for action in plan.actions[:steps]:
        result = played.step(action)
        told.append((result.state_hash, result.disagreement))
        told.append({n: t.tobytes() for n, t in played._world.transforms().items()})
    return told


def packing() -> str:
    return next(level.id for level in list_shipped_levels() if level.family == "packing")


def test_worlds_that_move_in_turn_do_as_each_does_alone() -> None:
    alone = episode(packing())
    expected = story(alone)
    alone.close()
    many = [episode(packing()) for _ in range(WORLDS)]
    told: list[list[object]] = [[] for _ in many]
    plan = many[0].level.plan
    assert plan is not None
    for action in plan.actions[:3]:
        for played, mine in zip(many, told, strict=True):
            result = played.step(action)
            mine.append((result.state_hash, result.disagreement))
            mine.append({n: t.tobytes() for n, t in played._world.transforms().items()})
    for played in many:
        played.close()
    assert told == [expected] * WORLDS


@pytest.mark.slow
def test_worlds_that_move_at_once_do_as_each_does_alone() -> None:
    alone = episode(packing())
    expected = story(alone)
    alone.close()
    many = [episode(packing()) for _ in range(WORLDS)]
    with ThreadPoolExecutor(WORLDS) as pool:
        told = list(pool.map(story, many))
    for played in many:
        played.close()
    assert told == [expected] * WORLDS


def test_no_more_clients_are_kept_than_there_is_room_for() -> None:
    many = [episode(packing()) for _ in range(WORLDS)]
    for played in many:
        story(played, 1)
    shelf = many[0]._world._shelf  # type: ignore[attr-defined]
    assert 0 < len(shelf) <= 4
    for played in many:
        played.close()
    others = shelf._worlds  # Of tests that have left some open.
    assert len(shelf) <= (1 if others == 0 else 4)
    if others == 0:
        assert len(shelf) == 0

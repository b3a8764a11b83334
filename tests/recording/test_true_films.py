"""What a film shows is possible, frame by frame, as it is shown: slow, gentle, and at rest at last.

Judged by the referee, which shares no code with what makes films. Every level that ships, and a
thousand that are generated, are looked at 240 times a second in the slow run.
"""

from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.generating.batch import make_level
from bridge.recording.layout import HeldFrame, Phase
from bridge.recording.timeline import EpisodeRecording, make_timeline
from bridge.referee.films import judge
from pysim.catalog import AnyLevel, find_level, list_shipped_levels, scramble_level
from pysim.families.burr.generator import LockGenerator, LockKind, Settings
from pysim.families.jigsaw.generate import JigsawGenerator
from pysim.families.nets.generate import NetGenerator
from pysim.families.packing.generator.generate import SAMPLINGS, PackingGenerator
from pysim.generation import Draft, Generator
from pysim.physics.factory import create_world
from pysim.puzzle import Tier
from pysim.render.palette import COLOURS
from tests.recording.test_picturing import every_family

DEEPEST = 0.02
FASTEST = 12.0
"""Units a second: half a unit between two pictures of 24 a second."""
GENTLE = 0.1
"""Units between two pictures of 24 a second with which a motion begins and ends at most."""


def film_of(level: AnyLevel, fps: int) -> list[HeldFrame]:
    assert level.plan is not None
    recorded, world = EpisodeRecording(), create_world("lattice")
    options = Options(budget=max(level.budget, len(level.plan.actions)))
    episode = Episode(level, world, options=options, listener=recorded)
    for action in level.plan.actions:
        episode.step(action)
    episode.close()
    return make_timeline(recorded, fps)


def check_film(level: AnyLevel, fps: int) -> list[HeldFrame]:
    film = film_of(level, fps)
    scene = film[0].scene
    bodies = {body.name: np.array(body.shape.cells, np.float64) for body in scene.bodies}
    verdict = judge(bodies, (held.transforms for held in film), DEEPEST)
    assert verdict.overlap is None
    assert verdict.step * fps <= FASTEST
    if scene.table is not None:
        assert verdict.lowest >= scene.table.low[2] - 0.5 - DEEPEST
    check_rest(film, fps)
    return film


def check_rest(film: list[HeldFrame], fps: int) -> None:
    """For a second before and after, nothing moves, and at last all is where the rules say."""
    for held, phase in ((film[0], Phase.OPENING), (film[-1], Phase.CLOSING)):
        assert held.phase is phase and held.frames >= fps
    for body in film[-1].scene.bodies:
        assert np.allclose(film[-1].transforms[body.name], body.pose.transform(), atol=1e-9)
    for before, held in pairwise(film):
        if held.phase is Phase.CLOSING:
            assert held.looks_like(before)


def farthest(before: HeldFrame, after: HeldFrame) -> float:
    """The most that the middle of a body moves from one picture to the next."""
    ways = [
        np.linalg.norm((after.transforms[name] - place)[:3, 3])
        for name, place in before.transforms.items()
    ]
    return float(max(ways))


def steps_of(film: list[HeldFrame]) -> Iterator[NDArray[np.float64]]:
    """How far bodies move from picture to picture, one array for each step that moves any."""
    for step in range(1, film[-1].step + 1):
        own = [held for held in film if held.step == step and held.phase is not Phase.CLOSING]
        before = film[film.index(own[0]) - 1]
        ways = np.array([farthest(a, b) for a, b in zip([before, *own], own, strict=False)])
        if (ways > 1e-6).any():
            yield ways


@pytest.mark.by_day(3)
@every_family
def test_a_film_is_possible_slow_and_gentle(level: AnyLevel) -> None:
    film = check_film(level, 24)
    for ways in steps_of(film):
        assert ways[0] <= GENTLE and ways[np.flatnonzero(ways)[-1]] <= GENTLE


@pytest.mark.slow
@pytest.mark.parametrize(
    "level", [v for v in list_shipped_levels() if v.plan is not None], ids=lambda level: level.id
)
def test_the_film_of_every_level_is_possible(level: AnyLevel) -> None:
    check_film(level, 240)


def generators() -> list[Generator]:
    sizes = ((2, 2, 3), (2, 3, 3), (3, 3, 3), (2, 3, 4))
    return [
        *(NetGenerator(tier, 11) for tier in (Tier.EASY, Tier.MEDIUM, Tier.HARD)),
        *(JigsawGenerator(tier, 11, COLOURS) for tier in (Tier.EASY, Tier.MEDIUM)),
        *(PackingGenerator(size, SAMPLINGS[Tier.EASY], 11, COLOURS) for size in sizes),
        LockGenerator(Settings(LockKind.RODS, pieces=4, level=1), COLOURS),
        LockGenerator(Settings(LockKind.CUBE, level=2), COLOURS),
        LockGenerator(Settings(LockKind.BOARD, pieces=4, level=2), COLOURS),
    ]


def made(generator: Generator, count: int) -> Iterator[AnyLevel]:
    """Levels of a generator; it may take a few attempts for each."""
    drafts = ((number, generator.attempt(number)) for number in range(50 * count))
    found = (make_level(generator, d, number) for number, d in drafts if isinstance(d, Draft))
    return islice(found, count)


@pytest.mark.slow
@pytest.mark.parametrize("generator", generators(), ids=lambda generator: generator.slug)
def test_the_films_of_generated_levels_are_possible(generator: Generator) -> None:
    count = 0
    for level in made(generator, 82):
        check_film(level, 240)
        count += 1
    assert count == 82


@pytest.mark.slow
def test_the_films_of_scrambled_cubes_are_possible() -> None:
    from dataclasses import replace

    from pysim.catalog import find_family

    base, rng = find_level("checkerboard"), np.random.default_rng(11)
    for number in range(25):
        level = scramble_level(base, 1 + number % 8, lambda below: int(rng.integers(below)))
        plan = find_family(level).rules.plan(level)
        check_film(replace(level, plan=plan), 240)

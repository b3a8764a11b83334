"""Nets lie on the table: after every action, and nothing gets through it on the way."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from bridge.referee.films import judge
from pysim.catalog import AnyLevel, discover_families
from pysim.families.nets.actions import Crease, Fold, TurnNet, Unfold
from pysim.field_types import QuarterTurns
from pysim.geometry import Axis
from pysim.motion import Motion, Turn
from pysim.physics.lattice import LatticeWorld
from pysim.puzzle import Action, IllegalMove
from pysim.scene import Scene
from pysim.suites import find_suite, load_levels
from pysim.trajectory import Transform, sample_frames

RULES = discover_families()["nets"].rules
LEVELS = list(load_levels(find_suite("nets-33")))
SURFACE = -0.5
ROUNDING = 1e-6


def drawn(level: AnyLevel, rng: Random) -> Action:
    face = rng.choice(level.colours)
    return rng.choice(
        [
            Fold(face, Crease.MOUNTAIN),
            Fold(face, Crease.VALLEY),
            Unfold(face),
            TurnNet(face, rng.choice(list(Axis)), QuarterTurns(rng.choice((1, 2, 3)))),
        ]
    )


def played(level: AnyLevel, actions: int) -> Iterator[tuple[Scene, tuple[Motion, ...], Scene]]:
    """What random play does: a scene, motions, and the scene after them."""
    rng, state = Random(level.id), RULES.initial(level)
    done = 0
    while done < actions:
        try:
            transition = RULES.apply(level, state, drawn(level, rng))
        except IllegalMove:
            continue
        yield RULES.scene(level, state), transition.motions, RULES.scene(level, transition.state)
        state, done = transition.state, done + 1


def lowest(scene: Scene) -> list[int]:
    """Of the first and of the second six plates, cell by cell."""
    heights = [min(cell[2] for cell in body.place().cells) for body in scene.bodies]
    return [min(heights[k : k + 6]) for k in range(0, len(heights), 6)]


def shown(scene: Scene, motions: tuple[Motion, ...]) -> Iterator[dict[str, Transform]]:
    world = LatticeWorld()
    world.reset(scene)
    yield dict(world.transforms())
    yield from sample_frames(world.execute(motions).trajectory, 60.0)


def lowest_shown(scene: Scene, motions: tuple[Motion, ...]) -> float:
    cells = {body.name: np.array(body.shape.cells, float) for body in scene.bodies}
    return judge(cells, shown(scene, motions), 1.0).lowest


@pytest.mark.parametrize("level", LEVELS[::4], ids=[level.id for level in LEVELS[::4]])
def test_every_net_lies_on_the_table_whatever_is_done_to_it(level: AnyLevel) -> None:
    nets = len(level.puzzle.nets)
    assert lowest(RULES.scene(level, RULES.initial(level))) == [0] * nets
    for before, _, after in played(level, 40):
        assert after.table == before.table and after.table is not None
        assert after.table.low[2] == 0
        assert lowest(after) == [0] * nets


@pytest.mark.by_day(1)
@pytest.mark.parametrize("number", [4, 30])
def test_no_face_gets_through_the_table_while_it_is_folded_or_turned(number: int) -> None:
    """Films of the motions, frame by frame; and without being lifted they would."""
    through = 0
    for before, motions, _ in played(LEVELS[number], 8):
        assert lowest_shown(before, motions) >= SURFACE - ROUNDING
        bare = tuple(motion for motion in motions if isinstance(motion, Turn))
        if len(bare) < len(motions) and motions[0] is not bare[0]:
            (turn,) = bare
            low = Turn(turn.bodies, turn.axis, centre_before(motions, turn), turn.quarters, True)
            through += lowest_shown(before, (low,)) < SURFACE - ROUNDING
    assert through >= 2


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_net_that_is_turned_as_it_lies_stays_on_the_table(quarters: int) -> None:
    level = LEVELS[0]
    turn = TurnNet(level.colours[0], Axis.Z, QuarterTurns(quarters))
    (motion,) = RULES.apply(level, RULES.initial(level), turn).motions
    assert isinstance(motion, Turn) and motion.axis is Axis.Z


def centre_before(motions: tuple[Motion, ...], turn: Turn) -> tuple[int, int, int]:
    """Where the axis would be if nothing were lifted."""
    (shift,) = motions[0].path  # type: ignore[union-attr]
    x, y, z = turn.centre
    return (x, y, z - shift.distance)

"""Playing a level's plan in a world, and looking at the film of it frame by frame."""

from collections.abc import Iterator, Sequence
from math import ceil

import numpy as np

from bridge.episode.engines import Engines
from bridge.episode.episode import Episode
from bridge.episode.records import Ending, LiveStep, Obs, Options, Start
from bridge.referee.films import judge
from bridge.referee.findings import JudgementBuilder
from bridge.referee.progress import report
from pysim.catalog import AnyLevel
from pysim.physics.world import World, WorldError
from pysim.puzzle import ActionError, Outcome, Plan
from pysim.scene import Scene
from pysim.trajectory import Trajectory, Transform

__all__ = ["judge_worlds"]

_HERTZ, _DEEP_HERTZ = 60.0, 240.0
"""How often films are looked at."""
_DEEPEST = 0.02
"""Units that bodies may be in each other in a film: for floats, and what rests off its pose."""


def judge_worlds(
    level: AnyLevel,
    worlds: Sequence[str],
    engines: Engines,
    docket: JudgementBuilder,
    *,
    films: bool,
    deep: bool,
) -> None:
    """Play the plan in each world; without a plan there is nothing to play."""
    if level.plan is None:
        return
    for name in worlds:
        try:
            world = engines.create_world(name)
        except (ImportError, WorldError) as error:
            docket.mark_undecided(f"plan in {name}", str(error))
            continue
        try:
            _judge_world(level, level.plan, world, docket, films=films, deep=deep)
        finally:
            world.close()


class _FilmRecorder:
    """Keeps what each step showed."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.scene: Scene | None = None
        self.places: dict[str, Transform] = {}
        self.shown: list[Trajectory] = []
        self.disagreements: list[str] = []

    def record_start(self, start: Start) -> None:
        self.scene = start.scene
        self.places = self._world.transforms()

    def record_step(self, record: LiveStep) -> None:
        self.shown.append(record.trajectory)
        if record.disagreement is not None:
            self.disagreements.append(f"action {record.step}: {record.disagreement}")

    def record_end(self, ending: Ending) -> None:
        """Nothing is shown at the end."""


def _judge_world(
    level: AnyLevel, plan: Plan, world: World, docket: JudgementBuilder, *, films: bool, deep: bool
) -> None:
    claim = f"plan in {world.name}"
    projector = _FilmRecorder(world)
    episode = Episode(level, world, options=Options(obs=Obs.STATE), listener=projector)
    for number, action in enumerate(plan.actions, start=1):
        report(f"{claim}, action {number} of {len(plan.actions)}")
        try:
            episode.step(action)
        except ActionError as error:
            docket.refute(claim, f"action {number} is refused: {error.message}")
            return
        except (RuntimeError, WorldError) as error:
            docket.refute(claim, f"action {number} can't be made: {error}")
            return
    if episode.disagreements:
        docket.refute(claim, "; ".join(projector.disagreements) or "the final poses differ")
    else:
        words = f"the episode ends {episode.outcome or 'without a verdict'}"
        docket.decide(claim, episode.outcome is Outcome.SOLVED, words)
    if films:
        _judge_film(projector, f"film in {world.name}", docket, _DEEP_HERTZ if deep else _HERTZ)


def _judge_film(
    projector: _FilmRecorder, claim: str, docket: JudgementBuilder, hertz: float
) -> None:
    scene = projector.scene
    assert scene is not None
    report(claim)
    bodies = {body.name: np.array(body.shape.cells, np.float64) for body in scene.bodies}
    verdict = judge(bodies, _frames(projector, hertz), _DEEPEST)
    overlap = verdict.overlap
    if overlap is not None:
        one, other = overlap.names
        words = f"{one} is {overlap.depth:.2f} units in {other} after {overlap.frame / hertz:.1f} s"
        docket.refute(claim, words)
        return
    floor = None if scene.table is None else scene.table.low[2] - 0.5
    low = floor is not None and verdict.lowest < floor - _DEEPEST
    docket.decide(claim, not low, f"a piece is at height {verdict.lowest:.2f}, under the table")


def _frames(projector: _FilmRecorder, hertz: float) -> Iterator[dict[str, Transform]]:
    yield dict(projector.places)
    for trajectory in projector.shown:
        for number in range(ceil(trajectory.duration * hertz) + 1):
            if trajectory.keyframes:
                yield trajectory.sample(min(number / hertz, trajectory.duration))

"""Task and physics: the two scores of a video, each from 0 to 1.

*Task* is the share of the film's plan that a video carries out lawfully. *Physics* is the share of
its frames that are lawful: nothing is broken in them, and what they show can be decided.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.bundle import Bundle
from bridge.video.tracking.course import measure_turns
from bridge.video.verdict.reading import ReadMove
from bridge.video.verdict.ruling import Ruling
from bridge.video.verdict.tracks import Tracks
from bridge.video.verdict.violations import Violation
from pysim.catalog import AnyLevel, find_family
from pysim.errors import InputError
from pysim.field_types import build_action
from pysim.puzzle import IllegalMove, Outcome

__all__ = ["ClipMetrics", "measure_clip"]

_AROUND = 1
"""Frames before and after a move in which a violation still belongs to it."""
_FAR, _TURNED = 0.5, 20.0
"""Units by which a piece has to have moved, or degrees by which it has to have turned."""


@dataclass(frozen=True, slots=True)
class ClipMetrics:
    """Scores of a video.

    Attributes:
        steps: steps of the film's plan that were carried out lawfully.
        planned: steps of the film's plan.
        lawful_frames: frames in which nothing is broken and that are decided.
        undecided_frames: frames in which nothing is broken and that are not decided.
        frames: all frames.
        is_moving: whether any piece leaves its place in a lawful frame.
    """

    steps: int
    planned: int
    lawful_frames: int
    undecided_frames: int
    frames: int
    is_moving: bool

    @property
    def task(self) -> float:
        """Share of the plan that was carried out lawfully."""
        return self.steps / max(1, self.planned)

    @property
    def physics(self) -> float:
        """Share of the frames that are lawful."""
        return self.lawful_frames / self.frames

    @property
    def score(self) -> float:
        """Product of both, by which models are ranked."""
        return self.task * self.physics

    @property
    def is_completed(self) -> bool:
        """Whether all that the film shows was carried out."""
        return self.steps == self.planned > 0


def measure_clip(
    bundle: Bundle, ruling: Ruling, tracks: Tracks, undecided: NDArray[np.bool_]
) -> ClipMetrics:
    """Measure a video that was ruled on.

    Args:
        tracks: of its pieces.
        undecided: (F,) whether a frame shows too little to be decided.
    """
    broken = np.zeros(ruling.frames, bool)
    for violation in ruling.violations:
        broken[violation.first : violation.last + 1] = True
    lawful = ~broken & ~undecided
    return ClipMetrics(
        steps=_count_steps(bundle, ruling),
        planned=len(bundle.manifest.steps),
        lawful_frames=int(lawful.sum()),
        undecided_frames=int((undecided & ~broken).sum()),
        frames=ruling.frames,
        is_moving=_has_motion(tracks, lawful),
    )


def _count_steps(bundle: Bundle, ruling: Ruling) -> int:
    """Return how many steps of the plan lawful moves from the start lead through, at most.

    Another way to the same state counts, and so does another solution. What follows a move that is
    unlawful does not count: nobody knows whether it could have been made.
    """
    level, rules = bundle.level, find_family(bundle.level).rules
    reached = {_describe(level, state): k for k, state in enumerate(_play_film(bundle))}
    most, state = 0, rules.initial(level)
    for move in ruling.reading.moves[: ruling.reading.prefix]:
        done = _apply(level, state, move.tool, move.arguments)
        if done is None or _is_broken(move, done[1], ruling.violations):
            break
        state = done[0]
        most = max(most, reached.get(_describe(level, state), 0))
        if rules.outcome(level, state) is Outcome.SOLVED:
            return len(bundle.manifest.steps)
    return most


def _play_film(bundle: Bundle) -> Iterator[Any]:
    """Yield the states of a film, the first one included."""
    state = find_family(bundle.level).rules.initial(bundle.level)
    yield state
    for step in bundle.manifest.steps:
        done = _apply(bundle.level, state, step.action, step.arguments)
        if done is None:  # The manifest was edited: no step of a film is refused.
            return
        state = done[0]
        yield state


def _apply(
    level: AnyLevel, state: Any, tool: str, arguments: Any
) -> tuple[Any, frozenset[str]] | None:
    """Return the state after an action and the bodies that it moves; None if it is refused."""
    family = find_family(level)
    types = {action.tool: action for action in family.actions}
    try:
        done = family.rules.apply(level, state, build_action(types[tool], arguments))
    except (KeyError, InputError, IllegalMove):
        return None
    return done.state, frozenset(name for motion in done.motions for name in motion.bodies)


def _is_broken(move: ReadMove, moved: frozenset[str], violations: Sequence[Violation]) -> bool:
    """Return whether any piece that a move moves breaks something meanwhile."""
    return any(
        violation.first <= move.last + _AROUND
        and violation.last >= move.first - _AROUND
        and moved & set(violation.pieces)
        for violation in violations
    )


def _describe(level: AnyLevel, state: Any) -> object:
    """Return a value that is equal for states that look alike.

    Where nothing but pieces is seen, nobody can tell a piece that moves from all others that move
    the other way.
    """
    rules = find_family(level).rules
    scene = rules.scene(level, state)
    if scene.scenery or not scene.bodies:
        return rules.encode(state)
    origin = np.array(scene.bodies[0].pose.offset)
    return tuple(
        (
            body.name,
            body.pose.rotation,
            tuple((np.array(body.pose.offset) - origin).tolist()),
            body.stickers,
        )
        for body in scene.bodies
    )


def _has_motion(tracks: Tracks, lawful: NDArray[np.bool_]) -> bool:
    """Return whether any piece is seen away from its first place in a lawful frame."""
    poses, known = tracks.poses, tracks.decided & lawful[:, None] & tracks.decided[:1]
    far = np.linalg.norm(poses[:, :, :3, 3] - poses[:1, :, :3, 3], axis=2)
    turns = measure_turns(poses[:, :, :3, :3], poses[:1, :, :3, :3])
    return bool((known & ((far > _FAR) | (turns > _TURNED))).any())

"""Reading moves of any family: what is seen at rest is compared with what legal actions lead to.

This asks nothing of a family but its rules. It knows no way between two rests, so it says of a
move whether it leads where a legal one does, not whether it went there as it should.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.compare.judging.depths import centres_of
from bridge.compare.judging.reading import ReadMove, ReadPlan
from bridge.compare.judging.subject import Subject
from bridge.compare.judging.tracks import Tracks
from bridge.compare.judging.violations import Violation, ViolationKind, stretches
from pysim.catalog import family_of
from pysim.fields import arguments_of
from pysim.puzzle import Action, Outcome
from pysim.scene import Scene

__all__ = ["read_rests"]

_Array = NDArray[np.float64]
_Cells = frozenset[tuple[int, int, int]]

_MOST = 3000
"""Legal actions that are looked through; a family with more can't be read this way."""
_STILL = 0.1
"""Units by which a piece at rest may move."""
_FRAMES, _SECONDS = 3, 0.15
"""For how long it has to rest at least: who sets out moves as little as that at first."""
_OFF = 0.3
"""Units off the lattice at which a piece is between two places."""


def read_rests(subject: Subject, tracks: Tracks) -> ReadPlan:
    """Read the moves between the rests of a video; all pieces have to be seen at each of them."""
    if len({body.name for body in subject.scene.bodies} & set(tracks.names)) < 1:
        return ReadPlan(unread="no piece of the puzzle has a track")
    rules, level = family_of(subject.level).rules, subject.level
    state: Any = rules.initial(level)
    seen = _held_cells(subject.scene, {n: tracks.poses[0, i] for i, n in enumerate(tracks.names)})
    moves: list[ReadMove] = []
    wrong: list[Violation] = []
    before = 0
    for frame in _rests(tracks):
        places = {n: tracks.poses[frame, i] for i, n in enumerate(tracks.names)}
        now = _held_cells(subject.scene, places)
        if now is None or now == seen:
            continue
        found = _explained(subject, state, places)
        if isinstance(found, str):
            return ReadPlan(tuple(moves), tuple(wrong), len(moves), False, found)
        changed = tuple(n for n in tracks.names if seen is None or now.get(n) != seen.get(n))
        if not found:
            reason = "no legal move leads there"
            units = float(len(changed))
            wrong.append(Violation(ViolationKind.ILLEGAL, before, frame, changed, units, reason))
            return ReadPlan(tuple(moves), tuple(wrong), len(moves), False)
        for action in found:
            state = rules.apply(level, state, action).state
            arguments = arguments_of(action)
            moves.append(ReadMove(type(action).tool, arguments, before, frame, True))
        seen, before = now, frame
    solved = rules.outcome(level, state) is Outcome.SOLVED
    return ReadPlan(tuple(moves), tuple(wrong), len(moves), solved)


def _rests(tracks: Tracks) -> Iterator[int]:
    """Frames in which nothing has moved for a while and everything is seen."""
    long = max(_FRAMES, round(_SECONDS * tracks.fps))
    steps = np.abs(np.diff(tracks.poses, axis=0)).max(axis=(1, 2, 3))
    seen = np.all(tracks.decided, axis=1)[1:]
    for first, last in stretches((steps < _STILL) & seen, long):
        for frame in range(first + long, last + 2):
            way = np.abs(tracks.poses[frame] - tracks.poses[frame - long])
            if way.max() < _STILL:
                yield frame


def _held_cells(scene: Scene, places: Mapping[str, _Array]) -> dict[str, _Cells] | None:
    """The cells that pieces cover; None if one of them is between two places."""
    found = {}
    for body in scene.bodies:
        if body.name not in places:
            continue
        centres = centres_of(np.array(body.shape.cells, np.float64), places[body.name])
        if np.abs(centres - np.round(centres)).max() > _OFF:
            return None
        found[body.name] = frozenset((int(x), int(y), int(z)) for x, y, z in np.round(centres))
    return found


def _explained(
    subject: Subject, state: Any, places: Mapping[str, _Array]
) -> tuple[Action, ...] | str:
    """The legal action that leads to what is seen; none if there is none; or why it can't be said.

    Pieces that lie loose after it may lie anywhere.
    """
    rules, level = family_of(subject.level).rules, subject.level
    actions = list(islice(rules.legal(level, state), _MOST + 1))
    if len(actions) > _MOST:
        return f"a state of this puzzle has more than {_MOST:,} legal moves"
    for action in actions:
        scene = rules.scene(level, rules.apply(level, state, action).state)
        if _shows(scene, places):
            return (action,)
    return ()


def _shows(scene: Scene, places: Mapping[str, _Array]) -> bool:
    seen = _held_cells(scene, places)
    return seen is not None and all(
        body.loose or body.name not in seen or seen[body.name] == body.placed().cell_set
        for body in scene.bodies
    )

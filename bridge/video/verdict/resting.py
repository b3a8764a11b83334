"""Reading moves of any family: what is seen at rest is compared with what legal actions lead to.

This asks nothing of a family but its rules. It knows no way between two rests, so it says of a
move whether it leads where a legal one does, not whether it went there as it should.
"""

from collections.abc import Iterator, Mapping, Set
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.depths import centres_of
from bridge.video.verdict.reading import ReadMove, ReadPlan
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import Presence, Tracks
from bridge.video.verdict.violations import Violation, ViolationKind, stretches
from pysim.catalog import find_family
from pysim.field_types import encode_arguments
from pysim.puzzle import Action, Outcome
from pysim.scene import Body, Scene

__all__ = ["LONG", "HeldCells", "held_cells", "places_of", "read_rests", "rests_of"]

_Array = NDArray[np.float64]
_Cell = tuple[int, int, int]
HeldCells = frozenset[_Cell | tuple[_Cell, _Cell, str, str]]
"""What a piece covers, and what sticks there: cell, side, colour and glyph."""
_Tries = dict[tuple[Action, ...], Any]
"""Actions, one after another, and the state that they lead to."""

_MOST = 3000
"""Legal actions that are looked through; a family with more can't be read this way."""
_STILL = 0.1
"""Units by which a piece at rest may move."""
_FRAMES, _SECONDS = 3, 0.15
"""For how long it has to rest at least: who sets out moves as little as that at first."""
_OFF = 0.4
"""Units off the lattice at which a piece is between two places."""
LONG = 0.5
"""Seconds for which all has to rest where no legal move leads, if one leads on from there."""
_LOOSE, _HELD = 1, 2
"""What it is worth that a piece may lie anywhere, and that it is just where it has to be."""
_SEEN = 0.5
"""Share of the pieces that have to be seen at a rest; others are where they are taken to be."""


def read_rests(subject: Subject, tracks: Tracks) -> ReadPlan:
    """Read the moves between the rests of a video.

    A piece that is hidden there is taken to be where its tracks have it; what is seen decides.
    """
    if len({body.name for body in subject.scene.bodies} & set(tracks.names)) < 1:
        return ReadPlan(unread="no piece of the puzzle has a track")
    reader = _Reader(subject, tracks)
    for frame in rests_of(tracks):
        reader.look(frame)
        if reader.unread or reader.wrong_for >= LONG * tracks.fps:
            break
    return reader.plan()


class _Reader:
    """Plan as it has been read so far.

    Attributes:
        unread: why no more can be read; empty if it can.
        wrong_for: frames of a rest to which no legal move leads; a group that is lifted, turned and
            put down may rest in between for a moment.
    """

    def __init__(self, subject: Subject, tracks: Tracks) -> None:
        self._subject, self._tracks = subject, tracks
        self._rules = find_family(subject.level).rules
        self._state: Any = self._rules.initial(subject.level)
        self._seen = held_cells(subject.scene, places_of(tracks, 0))
        self._before = 0
        self._moves: list[ReadMove] = []
        self._wrong: Violation | None = None
        self.unread, self.wrong_for = "", 0

    def look(self, frame: int) -> None:
        """The next frame in which everything rests."""
        tracks = self._tracks
        now = held_cells(self._subject.scene, places_of(tracks, frame))
        if now is None:
            return
        if now == self._seen:
            self._before = frame
            return
        sure = {n for i, n in enumerate(tracks.names) if tracks.decided[frame, i]}
        found = _explained(self._subject, self._state, now, sure)
        if isinstance(found, str):
            self.unread = found
        elif found:
            self._note_all(found, now, sure, frame)
        else:
            self._refuse(now, sure, frame)

    def _note_all(
        self, first: tuple[Action, ...], now: dict[str, HeldCells], sure: Set[str], frame: int
    ) -> None:
        """Return the actions that explain a rest, as some rests are not seen."""
        found: tuple[Action, ...] | str = first
        while found and not isinstance(found, str):
            self._note(found, frame)
            found = _explained(self._subject, self._state, now, sure, gain=1)
        self._seen, self._before = now, frame
        self._wrong, self.wrong_for = None, 0

    def _note(self, actions: tuple[Action, ...], frame: int) -> None:
        for action in actions:
            self._state = self._rules.apply(self._subject.level, self._state, action).state
            told = encode_arguments(action)
            self._moves.append(ReadMove(type(action).tool, told, self._before, frame, True))

    def _refuse(self, now: Mapping[str, HeldCells], sure: Set[str], frame: int) -> None:
        """No legal move leads there, if most of what has changed is seen."""
        seen = self._seen or {}
        changed = [name for name in self._tracks.names if now.get(name) != seen.get(name)]
        if 2 * sum(name in sure for name in changed) <= len(changed):
            return
        self.wrong_for += 1
        pieces = tuple(sorted(changed, key=lambda name: name not in sure))
        units, reason = float(len(changed)), "no legal move leads there"
        self._wrong = self._wrong or Violation(
            ViolationKind.ILLEGAL, self._before, frame, pieces, units, reason
        )

    def plan(self) -> ReadPlan:
        """All that was read."""
        moves, level = tuple(self._moves), self._subject.level
        if self.unread or self._wrong is not None:
            wrong = () if self._wrong is None else (self._wrong,)
            return ReadPlan(moves, wrong, len(moves), False, self.unread)
        solved = self._rules.outcome(level, self._state) is Outcome.SOLVED
        return ReadPlan(moves, (), len(moves), solved)


def places_of(tracks: Tracks, frame: int) -> dict[str, _Array]:
    """The poses of all pieces in a frame."""
    return {name: tracks.poses[frame, i] for i, name in enumerate(tracks.names)}


def rests_of(tracks: Tracks) -> Iterator[int]:
    """Frames in which nothing has moved for a while and enough is seen."""
    long = max(_FRAMES, round(_SECONDS * tracks.fps))
    steps = np.abs(np.diff(tracks.poses, axis=0)).max(axis=(1, 2, 3))
    there = np.all(tracks.presence != Presence.ABSENT, axis=1)[1:]
    seen = there & (tracks.decided.mean(axis=1) >= _SEEN)[1:]
    for first, last in stretches((steps < _STILL) & seen, long):
        for frame in range(first + long, last + 2):
            way = np.abs(tracks.poses[frame] - tracks.poses[frame - long])
            if way.max() < _STILL:
                yield frame


def held_cells(scene: Scene, places: Mapping[str, _Array]) -> dict[str, HeldCells] | None:
    """Return the cells that pieces cover, and their stickers; None if one is between two places."""
    found = {}
    for body in scene.bodies:
        if body.name not in places:
            continue
        cells = _covered(body, places[body.name])
        if cells is None:
            return None
        found[body.name] = cells
    return found


def _covered(body: Body, pose: _Array) -> HeldCells | None:
    centres = centres_of(np.array(body.shape.cells, np.float64), pose)
    turn = np.round(pose[:3, :3])
    turned = bool(body.stickers) and np.abs(pose[:3, :3] - turn).max() > _OFF
    if np.abs(centres - np.round(centres)).max() > _OFF or turned:
        return None
    cells = [_whole(centre) for centre in centres]
    stuck = [
        (
            _whole(pose[:3, :3] @ one.cell + pose[:3, 3]),
            _whole(turn @ one.side.vector),
            str(one.colour),
            str(one.glyph),
        )
        for one in body.stickers
    ]
    return frozenset([*cells, *stuck])


def _whole(vector: _Array) -> _Cell:
    x, y, z = np.round(vector).astype(int).tolist()
    return x, y, z


def _explained(
    subject: Subject,
    state: Any,
    now: Mapping[str, HeldCells],
    sure: Set[str],
    gain: int | None = None,
) -> tuple[Action, ...] | str:
    """The legal action that leads to what is seen, or two of them where there are few.

    None if there is none; or why it can't be said. What lies loose may lie anywhere. Of several the
    one that puts most pieces where they are taken to be.

    Args:
        gain: how much more of what is seen it has to explain at least.
    """
    rules, level = find_family(subject.level).rules, subject.level
    actions = [*islice(rules.legal(level, state), _MOST + 1)]
    if len(actions) > _MOST:
        return f"a state of this puzzle has more than {_MOST:,} legal moves"
    found: _Tries = {(action,): rules.apply(level, state, action).state for action in actions}
    chosen = _likeliest(subject, state, found, now, sure, gain)
    if chosen or gain is not None or len(actions) ** 2 > _MOST:
        return chosen
    twice: _Tries = {
        (*first, action): rules.apply(level, after, action).state
        for first, after in found.items()
        for action in rules.legal(level, after)
    }
    return _likeliest(subject, state, twice, now, sure, gain)


def _likeliest(
    subject: Subject,
    state: Any,
    tries: _Tries,
    now: Mapping[str, HeldCells],
    sure: Set[str],
    gain: int | None,
) -> tuple[Action, ...]:
    rules, level = find_family(subject.level).rules, subject.level
    here = _shown(rules.scene(level, state), now)
    best: tuple[Action, ...] = ()
    most = -len(here) * _HELD - 1 if gain is None else gain - 1
    for actions, after in tries.items():
        there = _shown(rules.scene(level, after), now)
        # What shows the action: pieces that are right after it, and were not before.
        more = sum(there.values()) - sum(here.values())
        if more > most and all(there[name] for name in there if name in sure):
            most, best = more, actions
    return best


def _shown(scene: Scene, now: Mapping[str, HeldCells]) -> dict[str, int]:
    """Return for each piece whether a scene explains it not, as one that lies loose, or held."""
    return {
        body.name: _LOOSE
        if body.loose
        else _HELD * (now[body.name] == _covered(body, body.pose.transform()))
        for body in scene.bodies
        if body.name in now
    }

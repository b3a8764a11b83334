"""From tracks to unit steps on the lattice: who went where, and what was no step at all.

Pieces that hang together form a group, and a group has a frame of its own: when all of it moves as
one it is carried, and its frame goes with it. A piece that is more than half a unit from its place
in the frame of its group, along one axis, has made a step; whoever else is on the same way makes
it together with it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import Tracks
from bridge.video.verdict.violations import Thresholds
from pysim.geometry import Direction

__all__ = ["Stepper", "UnitStep", "Wrong"]

_Array = NDArray[np.float64]

_GONE = 0.6
"""Units from its place at which a piece has left it."""
_OFF = 0.3
"""Units from its place at which a piece is looked at."""
_WITH = 0.4
"""Units from their places at which others are on the same way: then none has to go back again."""
_CARRIED = 0.25
"""Units by which pieces that are carried as one may differ."""
_MEMORY = 0.35
"""Seconds of a way that are looked at to see whether it goes along two axes at once."""
_STAYS = 0.1
"""Units from its place within which a piece has not moved."""
_TURNED = 8.0
"""Degrees by which pieces that are carried as one may differ."""
_DEPTH = 0.1
"""Units along the line of sight that are always unknown."""


@dataclass(frozen=True, slots=True)
class UnitStep:
    """Some pieces of a group went one unit, and others of it did not.

    Attributes:
        frame: when it was seen.
        pieces: who.
        direction: where to, in the frame of the group.
        sure: whether it is known where all of them are.
    """

    frame: int
    pieces: frozenset[str]
    direction: Direction
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Wrong:
    """A piece that is held was off its axis, or turned, in one frame.

    Attributes:
        frame: when.
        piece: which.
        aside: units off the nearest line of the lattice, or 0.
        degrees: by how much it was turned, or 0.
    """

    frame: int
    piece: str
    aside: float
    degrees: float


@dataclass
class _Group:
    """Pieces that hang together.

    Attributes:
        members: their places in the tracks.
        turn, shift: the frame of the group: from its own to world coordinates.
    """

    members: list[int]
    turn: _Array = field(default_factory=lambda: np.eye(3))
    shift: _Array = field(default_factory=lambda: np.zeros(3))


class Stepper:
    """Reads the steps of a video, frame by frame.

    Args:
        subject: the puzzle; it must stand at the start as its rules say.
        tracks: of its pieces, in its order.
    """

    def __init__(self, subject: Subject, tracks: Tracks, least: Thresholds) -> None:
        self._tracks, self._least = tracks, least
        self._index = {name: i for i, name in enumerate(tracks.names)}
        start = np.stack([subject.scene.find_body(n).pose.transform() for n in tracks.names])
        # Where pieces have their places, and how they stand there, in the frames of their groups.
        middles = [(c.min(axis=0) + c.max(axis=0)) / 2.0 for c in _cells(subject, tracks)]
        self._middles = np.stack(middles)
        self._turns = start[:, :3, :3].copy()
        self._places = _applied(start, self._middles)
        held = [i for i, n in enumerate(tracks.names) if not subject.scene.find_body(n).loose]
        self._groups = [_Group(held)]
        self._last = np.full((len(tracks.names), 3), np.nan)
        window = max(2, round(_MEMORY * tracks.fps))
        self._askew = np.zeros((window, len(tracks.names), 3))
        self._size = np.stack([np.ptp(c, axis=0) + 1.0 for c in _cells(subject, tracks)])

    @property
    def held(self) -> frozenset[str]:
        """The pieces that are not free."""
        return frozenset(self._tracks.names[i] for g in self._groups for i in g.members)

    def group_of(self, piece: str) -> frozenset[str]:
        """The pieces that hang together with one; none if it is free."""
        index = self._index[piece]
        members = next((g.members for g in self._groups if index in g.members), [])
        return frozenset(self._tracks.names[i] for i in members)

    def free(self, pieces: Iterable[str]) -> None:
        """Some pieces lie free from now on."""
        gone = {self._index[name] for name in pieces}
        for group in self._groups:
            group.members = [i for i in group.members if i not in gone]
        self._groups = [group for group in self._groups if group.members]

    def part(self, pieces: Iterable[str]) -> None:
        """Some pieces of a group form one of their own from now on."""
        apart = sorted(self._index[name] for name in pieces)
        old = next((g for g in self._groups if set(apart) <= set(g.members)), None)
        if old is not None and len(apart) < len(old.members):
            old.members = [i for i in old.members if i not in apart]
            self._groups.append(_Group(apart, old.turn.copy(), old.shift.copy()))

    def boxes(self) -> Mapping[str, tuple[_Array, _Array]]:
        """The boxes around the places of pieces, in the frames of their groups."""
        half = np.abs(self._turns @ self._size[:, :, None])[:, :, 0] / 2.0
        return {
            name: (self._places[i] - half[i], self._places[i] + half[i])
            for i, name in enumerate(self._tracks.names)
        }

    def pose_on_lattice(self, piece: str) -> _Array:
        """The 4x4 pose of a piece's place, in the frame of its group."""
        i = self._index[piece]
        pose = np.eye(4)
        pose[:3, :3] = self._turns[i]
        pose[:3, 3] = self._places[i] - self._turns[i] @ self._middles[i]
        return pose

    def look(self, frame: int) -> Iterator[UnitStep | Wrong]:
        """Take what is new in a frame; between two of them groups may be changed."""
        self._askew[frame % len(self._askew)] = 0.0
        for group in list(self._groups):
            self._note_way(group, frame)
            yield from self._look_at(group, frame)
        now = _applied(self._tracks.poses[frame], self._middles)
        self._last = np.where(self._tracks.decided[frame][:, None], now, np.nan)

    def _look_at(self, group: _Group, frame: int) -> Iterator[UnitStep | Wrong]:
        for _ in range(64):  # A leap may be many steps at once.
            seen = [i for i in group.members if self._tracks.decided[frame, i]]
            if not seen:
                return
            away, degrees = self._away(group, frame, seen)
            if np.abs(away).max() <= _OFF and degrees.max() <= _TURNED:
                return
            if self._carried(group, frame, seen, away, degrees):
                return
            yield from self._wrong(group, frame, seen, away, degrees)
            step = self._step(group, frame, seen, away)
            if step is None:
                return
            yield step
            if not set(seen) & set(group.members):
                return

    def _away(self, group: _Group, frame: int, seen: list[int]) -> tuple[_Array, _Array]:
        """(n, 3) how far pieces are from their places, and (n,) degrees by which they are turned.

        Both in the frame of their group; positions are drawn along the line of sight towards the
        nearest axis, as far as they are not known.
        """
        poses = self._tracks.poses[frame, seen]
        turns = group.turn.T @ poses[:, :3, :3] @ self._turns[seen].transpose(0, 2, 1)
        cosine = np.clip((np.trace(turns, axis1=1, axis2=2) - 1.0) / 2.0, -1.0, 1.0)
        middles = _applied(poses, self._middles[seen])
        away = (middles - group.shift) @ group.turn - self._places[seen]
        along = self._tracks.along[frame, seen]
        if along.any():
            sight = self._tracks.sight[frame, seen] @ group.turn
            away = np.stack([_towards_axis(*row) for row in zip(away, sight, along, strict=True)])
        return away, np.degrees(np.arccos(cosine))

    def _carried(
        self, group: _Group, frame: int, seen: list[int], away: _Array, degrees: _Array
    ) -> bool:
        """Whether all of the group moved as one; if so its frame goes with it."""
        if degrees.max() <= _TURNED and np.abs(away).max(axis=1).min() < _STAYS:
            return False
        poses = self._tracks.poses[frame, seen]
        turn = poses[0, :3, :3] @ self._turns[seen[0]].T
        others = poses[:, :3, :3] @ self._turns[seen].transpose(0, 2, 1)
        if np.abs(others - turn).max() > np.radians(_TURNED):
            return False
        middles = _applied(poses, self._middles[seen])
        shifts = middles - self._places[seen] @ turn.T
        doubt = 2.0 * float(np.hypot(self._tracks.across, self._tracks.along)[frame, seen].max())
        if len(seen) > 1 and np.ptp(shifts, axis=0).max() > _CARRIED + doubt:
            return False
        if len(group.members) > 1 and len(seen) == 1:
            return False  # Of one piece alone it can't be said whether all went.
        group.turn, group.shift = turn, np.asarray(shifts.mean(axis=0))
        self._askew[:, group.members] = 0.0
        return True

    def _wrong(
        self, group: _Group, frame: int, seen: list[int], away: _Array, degrees: _Array
    ) -> Iterator[Wrong]:
        # Off all lines of the lattice: whoever turns a corner is on one of them all the time.
        off = np.sort(np.abs(away - np.round(away)), axis=1)[:, 1]
        # Or along two axes at once, which nobody does who turns corners.
        way = np.abs(self._askew[:, seen].sum(axis=0)).max(axis=1)
        aside = np.maximum(off, way) - 2.0 * self._tracks.across[frame, seen]
        for i, off, turned in zip(seen, aside.tolist(), degrees.tolist(), strict=True):
            name = self._tracks.names[i]
            if off > self._least.aside:
                yield Wrong(frame, name, off, 0.0)
            if turned > self._least.turn:
                yield Wrong(frame, name, 0.0, turned)

    def _note_way(self, group: _Group, frame: int) -> None:
        """Remember how far pieces have gone along two axes at once since the frame before."""
        seen = [i for i in group.members if self._tracks.decided[frame, i]]
        now = _applied(self._tracks.poses[frame, seen], self._middles[seen])
        steps = np.nan_to_num((now - self._last[seen]) @ group.turn)
        # Who is on the lattice is as far away in one frame as in the next.
        along = np.maximum(self._tracks.along[frame, seen] - _DEPTH, 0.0)
        if along.any():
            sight = self._tracks.sight[frame, seen] @ group.turn
            steps = np.stack([_towards_axis(*row) for row in zip(steps, sight, along, strict=True)])
        leapt = np.abs(steps).max(axis=1, keepdims=True) > self._least.jump
        self._askew[frame % len(self._askew), seen] = np.where(leapt, 0.0, _both(steps))

    def _step(self, group: _Group, frame: int, seen: list[int], away: _Array) -> UnitStep | None:
        far = int(np.abs(away).max(axis=1).argmax())
        axis = int(np.abs(away[far]).argmax())
        if abs(away[far, axis]) <= _GONE:
            return None
        sign = 1.0 if away[far, axis] > 0 else -1.0
        going = [i for i, row in zip(seen, away, strict=True) if sign * row[axis] > _WITH]
        # Hidden pieces go with the group if all that is seen of it goes.
        hidden = [i for i in group.members if i not in seen]
        whole = len(going) == len(seen)
        moving = going + hidden if whole else going
        self._places[moving, axis] += sign
        names = frozenset(self._tracks.names[i] for i in going)
        direction = list(Direction)[2 * axis + (sign < 0)]
        return UnitStep(frame, names, direction, sure=not (whole and hidden))


def _both(steps: _Array) -> _Array:
    """(n, 3) how far steps go along two axes at once, for each two; below 0 if they go apart."""
    there, back = steps[:, [0, 1, 2]], steps[:, [1, 2, 0]]
    both: _Array = np.minimum(np.abs(there), np.abs(back)) * np.sign(there * back)
    return both


def _cells(subject: Subject, tracks: Tracks) -> list[_Array]:
    return [subject.cells[name] for name in tracks.names]


def _applied(poses: _Array, points: _Array) -> _Array:
    """(n, 3) where one point of each of n bodies is."""
    there: _Array = (poses[:, :3, :3] @ points[:, :, None])[:, :, 0] + poses[:, :3, 3]
    return there


def _towards_axis(away: _Array, sight: _Array, along: float) -> _Array:
    """Return the least distance off any axis, to two deviations along the line of sight."""
    moved = away + np.linspace(-2.0, 2.0, 17)[:, None] * along * sight
    aside = np.sort(np.abs(moved), axis=1)[:, 1] + 0.1 * np.abs(np.linspace(-2.0, 2.0, 17)) * along
    chosen: _Array = moved[int(aside.argmin())]
    return chosen

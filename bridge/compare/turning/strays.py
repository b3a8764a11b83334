"""Pieces that are not where moves put them: elsewhere, gone, or in the places of others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.search import FEWEST, Found, around, free_search
from bridge.compare.tracking.weighing import components
from bridge.compare.turning.board import PaintedFrame
from pysim.geometry import list_rotations
from pysim.scene import Body

__all__ = ["Strays"]

_Array = NDArray[np.float64]
_Flags = NDArray[np.bool_]

_GONE, _MUCH = 0.25, 150.0
"""By what share of its pixels its place looks better without a piece that is gone, or by how many:
most of a sheet is as light as the ground, and what is missed is its print and its edges."""
_SPEAKS = 0.15
"""By what share of its pixels a place looks better with a piece that is there."""
_LIKE = 0.6
"""Share of its pixels that look like a piece where it is found."""
_BETTER = 0.15
"""By what share of its pixels a place looks better with another piece in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Strays:
    """Who is not in its place. The places of pieces go with the moves, whoever is in them.

    Attributes:
        bodies: all pieces.
        there: (P,) whether a piece is anywhere at all.
        source: (P,) in whose place it is.
        twist: (P, 4, 4) how it stands there.
        astray: (P,) whether it is in no place.
        poses: (P, 4, 4) where it is then.
    """

    bodies: Sequence[Body]
    there: _Flags
    source: NDArray[np.int64]
    twist: _Array
    astray: _Flags
    poses: _Array

    @staticmethod
    def none(bodies: Sequence[Body]) -> "Strays":
        """Everybody is where it should be."""
        count = len(bodies)
        still = np.tile(np.eye(4), (count, 1, 1))
        return Strays(
            bodies, np.ones(count, bool), np.arange(count), still, np.zeros(count, bool), still
        )

    @property
    def none_there(self) -> bool:
        """Whether there are none."""
        return bool(self.there.all() and not self.astray.any() and not self._moved.any())

    @property
    def _moved(self) -> _Flags:
        moved: _Flags = self.source != np.arange(len(self.source))
        return moved

    @property
    def wears(self) -> NDArray[np.int64]:
        """(P,) which piece is in the place of each."""
        found = np.arange(len(self.source))
        for piece, place in enumerate(self.source.tolist()):
            if place != piece:
                found[place] = piece
        return found

    def placed(self, places: _Array) -> _Array:
        """(P, 4, 4) where pieces are to be seen, for the poses that the moves give them."""
        poses: _Array = places[self.source] @ self.twist
        poses[self.astray] = self.poses[self.astray]
        return poses

    def told(self, places: _Array) -> _Array:
        """(P, 4, 4) poses as tracks have them: who is in another one's place wears its colours."""
        poses = places.copy()
        poses[self.astray] = self.poses[self.astray]
        return poses

    def moving(self, places: _Flags) -> _Flags:
        """(P,) the pieces in some places."""
        found: _Flags = places[self.source] & ~self.astray
        return found

    def along(self) -> _Array:
        """(P,) deviations along the line of sight: of who is in its place not much is unknown."""
        return np.where(self.astray, 0.4, 0.05)

    def looked_for(self, frame: PaintedFrame, places: _Array, odd: _Flags) -> "Strays":
        """Look for pieces that don't look right, and for those that did not before.

        Args:
            places: (P, 4, 4) where the moves put pieces.
            odd: (P,) who does not look right.
        """
        found = self._back(frame, places)
        wrong = np.flatnonzero(odd | found.astray | ~found.there).tolist()
        found = found._exchanged(frame, places, wrong)
        for piece in wrong:
            if found.source[piece] == piece:
                found = found._searched(frame, places, piece)
        return found

    def _back(self, frame: PaintedFrame, places: _Array) -> "Strays":
        """Who is in its place again."""
        found = self
        for piece in np.flatnonzero(self.astray | ~self.there | self._moved).tolist():
            home = found._home(piece)
            sight = frame.sight(piece, home.placed(places), home.there)
            if _is_good(sight.weigh(places[piece])):
                found = home
        return found

    def _home(self, piece: int) -> "Strays":
        """A piece is in its place."""
        this = np.arange(len(self.source)) == piece
        return replace(
            self,
            there=self.there | this,
            source=np.where(this, piece, self.source),
            twist=np.where(this[:, None, None], np.eye(4), self.twist),
            astray=self.astray & ~this,
        )

    def _exchanged(self, frame: PaintedFrame, places: _Array, wrong: list[int]) -> "Strays":
        """Pieces that are in each other's places."""
        found = self
        for one, other in combinations(wrong, 2):
            if found._fit(one, other):
                here = found._in_place(frame, places, one, other)
                there = found._in_place(frame, places, other, one)
                if here is not None and there is not None:
                    found = found._home(one)._home(other)
                    found.source[[one, other]] = other, one
                    found.twist[other], found.twist[one] = here, there
        return found

    def _fit(self, one: int, other: int) -> bool:
        plain = self.source[one] == one and self.source[other] == other
        return plain and self.bodies[one].shape == self.bodies[other].shape

    def _in_place(
        self, frame: PaintedFrame, places: _Array, place: int, piece: int
    ) -> _Array | None:
        """How a piece stands in another one's place, if it is there."""
        there = self.there.copy()
        there[place] = False
        sight = frame.sight(piece, self.placed(places), there)
        own = frame.sight(place, self.placed(places), there).weigh(places[place])
        tries = [
            (sight.weigh(places[place] @ twist), twist) for twist in _twists(self.bodies[piece])
        ]
        best, twist = min(tries, key=lambda pair: pair[0].cost)
        better = best.cost < own.cost - _BETTER * own.seen
        return twist if better and _is_good(best) else None

    def _searched(self, frame: PaintedFrame, places: _Array, piece: int) -> "Strays":
        """A piece that may have gone from its place."""
        sight = frame.sight(piece, self.placed(places), self.there)
        here = sight.weigh(places[piece])
        was = sight.weigh(self.poses[piece]) if self.astray[piece] else here
        missed = here.cost > min(_GONE * here.seen, _MUCH)
        gone = missed or self.astray[piece] or not self.there[piece]
        if here.seen < 2 * FEWEST or not gone:
            return self
        starts = [was.pose]
        _, labels = frame.board.draw(self.placed(places), self.there)
        spots = frame.unexplained(labels, frame.cost_of(labels))
        for _, spot in components(spots, FEWEST / 2)[:3]:
            starts += around(sight, places[piece], spot)
        best = free_search(sight, starts)
        there, astray, poses = self.there.copy(), self.astray.copy(), self.poses.copy()
        there[piece] = _is_good(best)
        astray[piece] = there[piece]
        poses[piece] = best.pose if there[piece] else places[piece]
        return replace(self, there=there, astray=astray, poses=poses)


def _is_good(found: Found) -> bool:
    """Whether much speaks for a piece to be there."""
    return found.seen >= FEWEST and found.fit >= _LIKE and found.cost < -_SPEAKS * found.seen


def _twists(body: Body) -> list[_Array]:
    """The turns (4, 4) after which a body covers the same cells, up to a translation."""
    found = []
    low = np.array(body.shape.bounds.low)
    for rotation in list_rotations():
        turned = body.shape.rotate(rotation)
        shift = low - np.array(turned.bounds.low)
        cells = {(x, y, z) for x, y, z in (np.array(turned.cells) + shift).tolist()}
        if cells == body.shape.cell_set:
            twist = np.eye(4)
            twist[:3, :3], twist[:3, 3] = rotation.matrix, shift
            found.append(twist)
    return found

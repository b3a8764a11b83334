"""What may be going on, and how well a picture speaks for it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bridge.compare.roaming.passages import Passage
from bridge.compare.roaming.story import Story
from bridge.compare.roaming.surroundings import StagedFrame, StagedPieces
from bridge.compare.tracking.search import FEWEST, WORTH
from bridge.compare.tracking.weighing import components
from bridge.compare.turning.board import GroupSight, PatchFits
from bridge.compare.turning.strays import Strays

__all__ = ["ODD", "Option", "PassageScales"]

_Array = NDArray[np.float64]
_Flags = NDArray[np.bool_]

ODD = 0.6
"""Share of the pixels of a piece that look like it below which something is wrong."""
_NEAR = (-1.2, -0.6, -0.25, 0.0, 0.15, 0.35, 0.6, 1.0, 1.5, 2.2)
"""Units along a passage from where it would be if it went on as before."""
_FIRST = (0.15, 0.35, 0.7, 1.1, 1.6, 2.2)
"""Units along a passage that is begun."""
_STEP = 0.4
"""Units between places where all of a passage is looked at."""
_FINEST = 0.02
_BACKWARDS = 0.1
"""Units by which nothing goes back."""
_RETURNS = 10.0 * WORTH
"""Pixels that have to look better before something goes back all the same."""
_ELSEWHERE = 0.6
"""The same where it is on another passage."""
_LEAVE = 0.01
"""Pixels that have to look better, as a share of all, before another passage is taken."""
_PULL, _FAR = 16.0, 30.0
"""Pixels that a unit costs by which a piece that is seen is away from where it is likely to be:
squared, and if it is far away."""
_PLANNED = 4.0 * WORTH
"""Pixels that have to look better before something else is taken to be done than what is known to
lead to the goal: as long as nothing is seen of a difference, it is that."""
_SNAP = 0.15
"""Units from the end of a passage at which it may be over."""
_LEAP = 1.2
"""Units from one picture to the next that no piece goes."""
_SURELY, _ALIKE = 0.5, 0.75
"""Share of a face that has to be seen, and share of its pixels that have to look right, of a piece
that has leapt."""
_TRIED = 8
"""Options that are looked at more closely."""


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """What may be going on.

    Attributes:
        story: before it.
        passage: what is done.
        way: how far along.
        cost: of the whole picture then.
        seen: pixels of what moves.
    """

    story: Story
    passage: Passage
    way: float
    cost: float = np.inf
    seen: int = 0

    @property
    def bonus(self) -> float:
        """Pixels that it is worth to be what the known plan does next."""
        return _PLANNED if self.story.is_planned(self.passage) else 0.0


_Line = Callable[[float], Option]


@dataclass(frozen=True, slots=True, eq=False)
class PassageScales:
    """Weighs what may be going on in one picture.

    Attributes:
        board: the pieces.
        frame: the picture.
        strays: who is not where the story puts it.
        story: what was going on in the picture before.
        seen: (P,) who was seen there, or was gone.
        groups: what was worked out already.
    """

    board: StagedPieces
    frame: StagedFrame
    strays: Strays
    story: Story
    seen: _Flags
    groups: dict[bytes, tuple[GroupSight, float]]

    @property
    def here(self) -> float:
        """What the whole picture costs if nothing has changed."""
        return self.frame.total(self.strays.placed(self.story.poses), self.strays.there)

    def onward(self, step: float) -> Option | None:
        """What goes on as before; None at rest.

        Args:
            step: units that it went from the picture before the last one.
        """
        story, passage = self.story, self.story.passage
        if passage is None:
            return None
        going = story.way + step
        line = self._line(story, passage, passage.path.at(going))
        best = _lightest(line, [going + way for way in _NEAR])
        if not self.returns(best):
            return best
        # Where it comes by the same place again, it is there for the second time.
        line = self._line(story, passage, passage.path.at(best.way))
        ways = np.arange(story.way, passage.length + _STEP, _STEP).tolist()
        found = _lightest(line, ways)
        return found if found.cost < best.cost + 2.0 * WORTH else best

    def likeliest(
        self, best: Option | None, options: Iterable[Option], far: bool, here: float
    ) -> Option | None:
        """The best option, if it is much better than staying or what is known.

        Args:
            far: whether all of each passage is looked at, or what is near where it is.
            here: what it costs to stay.
        """
        tried = []
        for option in options:
            ways = [option.way + way for way in _NEAR] if option.way > 0.0 else list(_FIRST)
            if far:
                ways = np.arange(_STEP, option.passage.length + _STEP, _STEP).tolist()
            line = self._line(option.story, option.passage, None)
            tried.append((line, min(map(line, ways), key=lambda one: one.cost)))
        tried.sort(key=lambda pair: pair[1].cost)
        for line, coarse in tried[:_TRIED]:
            found = _refined(line, coarse)
            # To be planned tells among what is begun, but not that anything is.
            known = here - found.bonus if best is None else best.cost
            better = found.cost < known - WORTH - _LEAVE * found.seen
            if better and not self._flees(found):
                best = found
        return best

    def _flees(self, option: Option) -> bool:
        """Whether a piece that was seen would be elsewhere at once, and not be seen there.

        Who is nowhere is gone, and did not go to where nobody sees it.
        """
        poses = option.passage.path.at(option.way)
        off = np.linalg.norm((poses - self.story.poses)[:, :3, 3], axis=1)
        leaping = self.seen & (off > _LEAP)
        if not leaping.any():
            return False
        placed = self.strays.placed(poses)
        labels = self.board.draw(placed, self.strays.there)[1]
        fits = self.frame.fits(labels, self.frame.cost_of(labels), placed)
        unlike = (fits.seen < _SURELY * self._full(placed)) | (fits.worst < _ALIKE)
        return bool((leaping & unlike).any())

    def _full(self, poses: _Array) -> _Array:
        """(P,) pixels that pieces have about, if nothing is in front of them."""
        pieces = range(len(poses))
        density = np.array([self.board.pixels_per_unit(poses[p], p) for p in pieces])
        return np.asarray(self.board.areas * density**2)

    def returns(self, option: Option) -> bool:
        """Whether something would go back where it came from, which nothing does."""
        story = self.story
        if story.passage is None:
            return False
        if option.passage is story.passage:
            return option.way < story.way - _BACKWARDS
        step, way = option.passage.within(option.way)
        same = step.action == story.passage.steps[0].action or option.story.rest is story.rest
        return same and way < story.way - _ELSEWHERE

    def is_wrong(self, best: Option | None) -> bool:
        """Whether something looks wrong, or pieces are seen where none is said to be."""
        if best is not None and self.returns(best):
            return True
        poses = self.story.poses if best is None else best.passage.path.at(best.way)
        poses = self.strays.placed(poses)
        labels = self.board.draw(poses, self.strays.there)[1]
        cost = self.frame.cost_of(labels)
        odd = self.frame.fits(labels, cost, poses).worst < ODD
        return bool(odd.any()) or bool(components(self.frame.unexplained(labels, cost), FEWEST))

    def fits(self, story: Story, strays: Strays) -> PatchFits:
        """How well all pieces look where they are said to be."""
        poses = strays.placed(story.poses)
        labels = self.board.draw(poses, strays.there)[1]
        return self.frame.fits(labels, self.frame.cost_of(labels), poses)

    def hides(self, passage: Passage) -> bool:
        """Whether what a passage moves is not seen where it ends."""
        labels = self.board.by_piece(self.board.draw(passage.path.after, self.strays.there)[1])
        moving = np.flatnonzero(passage.path.pieces).tolist()
        return all(int((labels >> 2 == piece).sum()) < FEWEST for piece in moving)

    def _line(self, story: Story, passage: Passage, likely: _Array | None) -> _Line:
        """What places on a passage cost; more if pieces that are seen leap.

        Args:
            likely: (P, 4, 4) where it goes if it goes on as before; None for where it was.
        """
        strays = self.strays
        which = strays.moving(passage.path.pieces)
        usual = self.story.poses if likely is None else likely
        group, base = self._group(story, which & strays.there)
        told = self.seen[which] if likely is None else np.ones(int(which.sum()), bool)
        bonus = Option(story, passage, 0.0).bonus

        def placed(way: float) -> Option:
            way = min(max(way, 0.0), passage.length)
            there = passage.path.at(way)
            poses = strays.placed(there)
            found = group.found(poses, poses[0])
            off = np.abs((there - usual)[which][:, :3, 3]).max(axis=1)
            away = float(np.max(off * told, initial=0.0))
            cost = base + found.cost + min(_PULL * away * away, _FAR * (1.0 + away)) - bonus
            option = Option(story, passage, way, cost, found.seen)
            return replace(option, cost=cost + _RETURNS) if self.returns(option) else option

        return placed

    def _group(self, story: Story, which: _Flags) -> tuple[GroupSight, float]:
        key = which.tobytes() + story.rest.tobytes()
        if key not in self.groups:
            group = self.frame.group(which, self.strays.placed(story.rest), self.strays.there)
            self.groups[key] = group, float(group.cost_behind.sum())
        return self.groups[key]


def _lightest(line: _Line, ways: Iterable[float]) -> Option:
    return _refined(line, min(map(line, ways), key=lambda one: one.cost))


def _refined(line: _Line, best: Option) -> Option:
    """The best place near one; the end of the passage, if that is near and looks as good."""
    step = 0.2
    while step > _FINEST:
        tried = (line(best.way + sign * step) for sign in (1.0, -1.0))
        best = min(best, *tried, key=lambda one: one.cost)
        step /= 2.0
    for end in (0.0, best.passage.length):
        if abs(best.way - end) < _SNAP:
            there = line(end)
            if there.cost < best.cost + WORTH + _LEAVE / 2.0 * best.seen:
                return there
    return best

"""Tracking pieces that roam through a place that does not move, and in which much is hidden."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.compare.bundles.format import Bundle
from bridge.compare.judging.reading import Deed
from bridge.compare.judging.subject import movers_of
from bridge.compare.judging.tracks import Presence
from bridge.compare.roaming.learning import Learned, learned_from
from bridge.compare.roaming.passages import Branches, Passage, Quiet
from bridge.compare.roaming.story import Story
from bridge.compare.roaming.surroundings import StagedFrame, StagedPieces, Terrain
from bridge.compare.tracking.alignment import Drift, aligned, inside, unwarped
from bridge.compare.tracking.colours import match_colours, recoloured
from bridge.compare.tracking.search import FEWEST, WORTH
from bridge.compare.tracking.trackable import first_scene
from bridge.compare.tracking.tracker import Sighting
from bridge.compare.tracking.weighing import components
from bridge.compare.turning.board import GroupSight, PatchFits
from bridge.compare.turning.spares import spare_faces
from bridge.compare.turning.strays import Strays

__all__ = ["RoamingTracker"]

_Array = NDArray[np.float64]
_Picture = NDArray[np.float32]
_Flags = NDArray[np.bool_]

_FINE = 14.0
"""Pixels to a unit that are enough; larger pictures are made smaller."""
_COARSEST = 10.0
"""Pixels to a unit below which nothing is decided."""
_ODD = 0.6
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
_ELSEWHERE = 0.6
"""The same where it is on another passage."""
_RETURNS = 10.0 * WORTH
"""Pixels that have to look better before something goes back all the same."""
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
_STILL, _FRAMES = 0.03, 2
"""Units from frame to frame, and frames, after which what is being done may be over."""
_HERE = 0.25
"""Units by which pieces may be off where something ends."""
_AHEAD = 10
"""Actions of the known plan that are looked ahead."""
_SKIPPED = 3
"""Of these the first may have been done otherwise."""
_BACK = 3
"""Rests from which on it may have gone otherwise while nothing was seen."""
_AGAIN = 6
"""Frames after which is looked once more for what explains what can't be explained."""
_CALM, _RISE = 3.0 * WORTH, 0.02
"""Pixels, and as a share of what moves, by which it may look worse than in the frame before while
nothing else is looked for."""
_SWUNG, _SWAYED = 1.3, 0.002
"""By how much worse what never moves has to look before the camera is looked after."""
_PAIRS = 300
"""Pairs of actions that are tried then."""


@dataclass(frozen=True, slots=True, eq=False)
class _Option:
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


_Line = Callable[[float], _Option]


class RoamingTracker:
    """Follows the pieces of a bundle through pictures of another video, one after the other.

    What the rules allow comes first, from where the puzzle is; then what goes on as the known plan
    does while much is hidden; then pieces that are elsewhere, or are gone.

    Args:
        bundle: what is looked for.
        density: pixels to a unit that the video has.
    """

    def __init__(self, bundle: Bundle, density: float) -> None:
        scene, level = first_scene(bundle), bundle.level
        self.names = movers_of(level, scene)
        camera = bundle.camera
        scale = min(1.0, _FINE / bundle.manifest.pixels_per_unit)
        self.size = max(16, round(camera.width * scale)), max(16, round(camera.height * scale))
        lens = camera.intrinsics * [[self.size[0] / camera.width], [1.0], [1.0]]
        eye = np.array([lens[0, 0], lens[0, 2], lens[1, 2] * self.size[1] / camera.height])
        view = np.ascontiguousarray(camera.extrinsics)
        still = [body for body in scene.bodies if body.name not in self.names]
        plan = () if level.plan is None else level.plan.actions
        self._branches = Branches(level, self.names, tuple(body.name for body in still))
        lights = self._branches.lights(plan)
        terrain = Terrain.of(still, lights, view, eye, (self.size[1], self.size[0]))
        moving = [scene.body(name) for name in self.names]
        self.board = StagedPieces.among(moving, terrain, view, eye)
        self._bundle = bundle
        self._learned: Learned | None = None
        pick = [bundle.names.index(name) for name in self.names]
        rest = np.ascontiguousarray(np.nan_to_num(bundle.poses[0, pick]))
        self._story = Story(self._branches.initial, rest, (), plan)
        self._strays = Strays.none(moving)
        self._decidable = density >= _COARSEST
        self._drift, self._first, self._number = Drift.none(), True, -1
        self._colours: _Array = np.vstack([np.eye(3), np.zeros(3)])
        self._last_colours: _Array | None = None
        self._step, self._slow, self._tried = 0.0, 0, -_AGAIN
        self._cost, self._steady = np.inf, 0.0
        self._far = np.ones(self.board.size, bool)
        self._asked: Quiet | None = None
        self._now = np.ones(len(self.names), bool)
        self._near = np.zeros(self.board.size, bool)

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """What was done so far."""
        return self._story.deeds

    def labels(self, poses: _Array, there: _Flags) -> NDArray[np.int16]:
        """Which piece is seen where (H, W), as a :class:`Sighting` has it."""
        return self.board.by_piece(self.board.draw(poses, there)[1])

    def look(self, picture: _Picture) -> Sighting:
        """Find the pieces in the next picture, (height, width, 3) of :attr:`size`."""
        self._number += 1
        if self._learned is None:
            self._learned = learned_from(self._bundle, self.board, self.names)
        frame = self._frame(picture, self._learned)
        if self._first or self._swings(frame):
            self._aligned(picture, self._learned)
            frame = self._frame(picture, self._learned)
            self._steady = self._off(frame)
        self._doubt = np.zeros(len(self.names))
        self._groups: dict[bytes, tuple[GroupSight, float]] = {}
        self._follow(frame)
        self._settle()
        self._listen(frame, self._learned)
        fits = self._stray(frame)
        self._first = False
        return self._seen(frame, fits)

    def _swings(self, frame: StagedFrame) -> bool:
        """Whether what never moves looks worse than when it was last looked where the camera is."""
        return self._off(frame) > _SWUNG * self._steady + _SWAYED

    def _off(self, frame: StagedFrame) -> float:
        """What a pixel costs on the average, away from where pieces are."""
        return float(frame.empty[self._far].mean())

    def _frame(self, picture: _Picture, learned: Learned) -> StagedFrame:
        """The picture as the true camera would have taken it, in true colours."""
        self._straight = recoloured(unwarped(picture, self._drift, self.board.lens), self._colours)
        shown = inside(self.board.size, self._drift, self.board.lens)
        return StagedFrame(self.board, learned.looks, learned.plates, self._straight, shown)

    def _aligned(self, picture: _Picture, learned: Learned) -> None:
        """Where the camera looks, and what its colours are: most of what it sees never moves."""
        lens, board = self.board.lens, self.board
        labels = board.draw(self._strays.placed(self._story.poses), self._strays.there)[1]
        owners = np.where(labels >= 0, board.by_piece(labels), -1)
        far = 4 * (board.terrain.owners + len(self.names))
        groups = np.where((owners < 0) & (far >= 4 * len(self.names)), far, owners)
        known = cv2.dilate((labels >= 0).astype(np.uint8), np.ones((15, 15), np.uint8)) == 0
        self._far = known
        for _ in range(2 if self._first else 1):
            straight = unwarped(picture, self._drift, lens)
            expected = learned.plates.likest(recoloured(straight, self._colours))
            painted = learned.looks.expected(labels, np.arange(len(self.names)))
            expected = np.where(labels[..., None] >= 0, painted, expected).astype(np.float32)
            self._colours = match_colours(straight, expected, self._last_colours)
            self._last_colours = self._colours
            self._drift = aligned(
                recoloured(picture, self._colours),
                expected,
                known,
                groups.astype(np.int16),
                lens,
                self._drift,
                rounds=12 if self._first else 3,
            )

    def _total(self, frame: StagedFrame) -> float:
        return frame.total(self._strays.placed(self._story.poses), self._strays.there)

    def _follow(self, frame: StagedFrame) -> None:
        """On along the passage, or into another one."""
        story, here = self._story, self._total(frame)
        best: _Option | None = None
        if story.passage is not None:
            going = story.way + self._step
            best = self._along(frame, story, story.passage, [going + n for n in _NEAR], going)
            if best.way < story.way - _BACKWARDS:
                best = self._forward(frame, story, story.passage, best)
        if self._goes_on(here, best):
            self._cost = min(self._cost, here) if best is None else best.cost
            self._go(best)
            return
        best = self._likeliest(frame, best, here, self._next(), False)
        if self._is_wrong(frame, best) and self._may_try():
            for more in self._explanations():
                best = self._likeliest(frame, best, here, more, True)
                if not self._is_wrong(frame, best):
                    break
            else:
                self._tried = self._number
        self._cost = here if best is None else best.cost
        self._go(best)

    def _goes_on(self, here: float, best: _Option | None) -> bool:
        """Whether it rests, or goes on as before, and looks as good."""
        if best is None:
            return here < self._cost + _CALM
        if self._returns(best):
            return False
        return best.cost < self._cost + _CALM + _RISE * best.seen

    def _returns(self, option: _Option) -> bool:
        """Whether something would go back where it came from, which nothing does."""
        story = self._story
        if story.passage is None:
            return False
        if option.passage is story.passage:
            return option.way < story.way - _BACKWARDS
        step, way = option.passage.within(option.way)
        same = step.action == story.passage.steps[0].action or option.story.rest is story.rest
        return same and way < story.way - _ELSEWHERE

    def _may_try(self) -> bool:
        return self._number >= self._tried + _AGAIN

    def _go(self, best: _Option | None) -> None:
        story = self._story
        if best is None:
            self._step, self._slow = 0.0, self._slow + 1
            return
        if best.way >= best.passage.length:
            best = self._longer(best)
        same = best.passage is story.passage
        self._step = best.way - story.way if same else 0.0
        self._slow = self._slow + 1 if same and abs(self._step) < _STILL else 0
        self._story = best.story.on(best.passage, best.way, self._number).as_in(story)
        if not same:
            self._doubt = np.abs(self._story.poses - story.poses)[:, :3, 3].max(axis=1)

    def _longer(self, best: _Option) -> _Option:
        """Of what looks the same so far, what takes longest: it may not be over yet."""
        if _is_planned(best.story, best.passage) or len(best.passage.steps) > 1:
            return best
        poses, found = best.passage.path.after, best
        for passage in self._branches.moving(best.story.state):
            same = np.abs(passage.path.at(best.way) - poses).max() < _STILL
            if same and passage.length > found.passage.length:
                found = replace(best, passage=passage)
        return found

    def _next(self) -> Iterator[_Option]:
        """What may be done from the last rest, and what may follow at once."""
        story = self._story
        for passage in self._branches.moving(story.state):
            if passage is not story.passage:
                yield _Option(story.at_rest, passage, story.way)
        if story.passage is not None and story.way > story.passage.ends[0] - 1.5:
            first = story.passage.steps[0]
            for passage in self._branches.moving(first.state):
                yield _Option(story.at_rest, Passage.of([first, *passage.steps]), story.way)

    def _planned(self, story: Story | None) -> Iterator[_Option]:
        """The known plan goes on from a rest, with some of it hidden."""
        for skipped in range(_SKIPPED) if story is not None else ():
            assert story is not None
            actions = story.plan[skipped : skipped + _AHEAD]
            steps = list(self._branches.along(story.state, actions))
            steps = steps[: self._told_so_far(story, [step.state for step in steps])]
            if steps and Passage.of(steps).length > 0.0:
                yield _Option(story, Passage.of(steps), 0.0)

    def _explanations(self) -> Iterator[Iterator[_Option]]:
        """What may be going on where much is hidden, the likeliest first."""
        yield self._next()
        yield self._planned(self._story.at_rest)
        yield self._after_quiet()
        story = self._story.before
        for _ in range(_BACK):
            yield self._planned(story)
            story = None if story is None else story.before
        yield self._in_hiding()

    def _told_so_far(self, story: Story, states: list[object]) -> int:
        """How many of the next actions no sign contradicts that would be seen."""
        before = story.state
        for number, state in enumerate(states):
            for quiet in self._branches.quiet(before):
                same = self._branches.code(quiet.state) == self._branches.code(state)
                if same and False in self._verdicts(quiet):
                    return number
            before = state
        return len(states)

    def _after_quiet(self) -> Iterator[_Option]:
        """What can be done only after an action that moves nothing, and may not be seen."""
        story = self._story.at_rest
        usual = {passage.steps[0].action for passage in self._moving(story)}
        for quiet in self._branches.quiet(story.state):
            if False in self._verdicts(quiet):
                continue
            first = next(iter(self._branches.along(story.state, [quiet.action])))
            for passage in self._branches.moving(quiet.state):
                if passage.steps[0].action not in usual:
                    yield _Option(story, Passage.of([first, *passage.steps]), 0.0)

    def _moving(self, story: Story) -> tuple[Passage, ...]:
        return self._branches.moving(story.state)

    def _in_hiding(self) -> Iterator[_Option]:
        """What can be done after something of which nothing is seen."""
        story, pairs = self._story.at_rest, 0
        for first in self._moving(story):
            hidden = self._hidden(first)
            for second in self._branches.moving(first.path.state) if hidden else ():
                yield _Option(story, Passage.of([*first.steps, *second.steps]), 0.0)
                pairs += 1
                if pairs >= _PAIRS:
                    return

    def _hidden(self, passage: Passage) -> bool:
        """Whether what a passage moves is not seen where it ends."""
        labels = self.board.by_piece(self.board.draw(passage.path.after, self._strays.there)[1])
        moving = np.flatnonzero(passage.path.pieces).tolist()
        return all(int((labels >> 2 == piece).sum()) < FEWEST for piece in moving)

    def _likeliest(
        self,
        frame: StagedFrame,
        best: _Option | None,
        here: float,
        options: Iterable[_Option],
        far: bool,
    ) -> _Option | None:
        """The best option, if it is much better than staying or what is known.

        Args:
            far: whether all of each passage is looked at, or what is near where it is.
        """
        tried = []
        for option in options:
            ways = [option.way + n for n in _NEAR] if option.way > 0.0 else list(_FIRST)
            if far:
                ways = np.arange(_STEP, option.passage.length + _STEP, _STEP).tolist()
            line = self._line(frame, option.story, option.passage, None)
            tried.append((line, min(map(line, ways), key=lambda one: one.cost)))
        tried.sort(key=lambda pair: pair[1].cost)
        for line, coarse in tried[:8]:
            found = _refined(line, coarse)
            known = here if best is None else best.cost
            if found.cost < known - WORTH - _LEAVE * found.seen:
                best = found
        return best

    def _along(
        self,
        frame: StagedFrame,
        story: Story,
        passage: Passage,
        ways: Iterable[float],
        likely: float,
    ) -> _Option:
        """The best place on a passage near some; one of them is likely."""
        line = self._line(frame, story, passage, passage.path.at(likely))
        return _refined(line, min(map(line, ways), key=lambda one: one.cost))

    def _forward(
        self, frame: StagedFrame, story: Story, passage: Passage, back: _Option
    ) -> _Option:
        """Where a passage comes by the same place again, it is there for the second time."""
        line = self._line(frame, story, passage, back.passage.path.at(back.way))
        ways = np.arange(story.way, passage.length + _STEP, _STEP).tolist()
        found = _refined(line, min(map(line, ways), key=lambda one: one.cost))
        return found if found.cost < back.cost + 2.0 * WORTH else back

    def _line(
        self, frame: StagedFrame, story: Story, passage: Passage, likely: _Array | None
    ) -> _Line:
        """What places on a passage cost; more if pieces that are seen leap."""
        strays, here = self._strays, self._story.poses
        which = strays.moving(passage.path.pieces)
        away_from = here if likely is None else likely
        group, base = self._group(frame, story, which & strays.there)
        seen_now = self._now[which] if likely is None else np.ones(int(which.sum()), bool)
        bonus = _PLANNED if _is_planned(story, passage) else 0.0

        def placed(way: float) -> _Option:
            way = min(max(way, 0.0), passage.length)
            there = passage.path.at(way)
            poses = strays.placed(there)
            found = group.found(poses, poses[0])
            off = np.abs((there - away_from)[which][:, :3, 3]).max(axis=1)
            away = float(np.max(off * seen_now, initial=0.0))
            cost = base + found.cost + min(_PULL * away * away, _FAR * (1.0 + away)) - bonus
            option = _Option(story, passage, way, cost, found.seen)
            return replace(option, cost=cost + _RETURNS) if self._returns(option) else option

        return placed

    def _group(self, frame: StagedFrame, story: Story, which: _Flags) -> tuple[GroupSight, float]:
        key = which.tobytes() + story.rest.tobytes()
        if key not in self._groups:
            poses = self._strays.placed(story.rest)
            group = frame.group(which, poses, self._strays.there)
            self._groups[key] = group, float(group.cost_behind.sum())
        return self._groups[key]

    def _is_wrong(self, frame: StagedFrame, best: _Option | None) -> bool:
        """Whether something looks wrong, or pieces are seen where none is said to be."""
        story = self._story
        if best is not None and self._returns(best):
            return True
        poses = story.poses if best is None else best.passage.path.at(best.way)
        poses = self._strays.placed(poses)
        _, labels = self.board.draw(poses, self._strays.there)
        cost = frame.cost_of(labels)
        odd = frame.fits(labels, cost, poses).worst < _ODD
        return bool(odd.any()) or bool(components(frame.unexplained(labels, cost), FEWEST))

    def _settle(self) -> None:
        """What has stopped is over, if something that may be done ends there."""
        story = self._story
        if story.passage is None or self._slow < _FRAMES:
            return
        ends = [
            passage
            for passage in (story.passage, *self._moving(story))
            if np.abs(passage.path.after - story.poses).max() < _HERE
        ]
        planned = [passage for passage in ends if _is_planned(story, passage)]
        for passage in (*planned, *ends)[:1]:
            self._story = story.on(passage, passage.length, self._number)
            self._step = 0.0

    def _listen(self, frame: StagedFrame, learned: Learned) -> None:
        """Actions that move nothing are told by signs, twice in a row."""
        self._near = self._covered()
        story = self._story
        if story.passage is not None:
            self._asked = None
            return
        found = self._told(story)
        asked = None if self._asked is None else self._asked.action
        if found is not None and found.action == asked:
            self._story, found = story.told(found, story.rest, self._number), None
        self._asked = found

    def _told(self, story: Story) -> Quiet | None:
        """The action of which all signs speak that are seen; None if there are several."""
        speaking = []
        for quiet in self._branches.quiet(story.state):
            verdicts = self._verdicts(quiet)
            if True in verdicts and False not in verdicts:
                speaking.append((verdicts.count(True), quiet))
        most = [q for count, q in speaking if count == max(c for c, _ in speaking)]
        planned = [quiet for quiet in most if quiet.action in story.plan[:_SKIPPED]]
        chosen = planned or most
        return chosen[0] if len(chosen) == 1 else None

    def _verdicts(self, quiet: Quiet) -> list[bool | None]:
        assert self._learned is not None
        signs = self._learned.signs
        return [signs.speaks_for(c, self._straight, self._near) for c in quiet.changes]

    def _covered(self) -> _Flags:
        """(H, W) where pieces are, or near."""
        labels = self.board.draw(self._strays.placed(self._story.poses), self._strays.there)[1]
        near = cv2.dilate((labels >= 0).astype(np.uint8), np.ones((5, 5), np.uint8))
        return np.asarray(near > 0)

    def _stray(self, frame: StagedFrame) -> PatchFits:
        """Pieces that do not look right may be elsewhere; how they look then."""
        fits = self._fits(frame)
        odd = fits.worst < _ODD
        if odd.any() or not self._strays.none_there:
            found = self._strays.looked_for(frame, self._story.poses, odd)
            if found is not self._strays:
                self._strays, self._cost = found, np.inf
                return self._fits(frame)
        return fits

    def _fits(self, frame: StagedFrame) -> PatchFits:
        poses = self._strays.placed(self._story.poses)
        labels = self.board.draw(poses, self._strays.there)[1]
        return frame.fits(labels, frame.cost_of(labels), poses)

    def _seen(self, frame: StagedFrame, fits: PatchFits) -> Sighting:
        strays, board = self._strays, self.board
        slots, everybody = self._story.poses, range(len(self.names))
        poses = strays.placed(slots)
        labels = board.draw(poses, strays.there)[1]
        cost = frame.cost_of(labels)
        self._now = fits.seen >= FEWEST
        near = cv2.dilate((labels >= 0).astype(np.uint8), np.ones((15, 15), np.uint8))
        self._far = np.asarray(near == 0)
        density = np.array([board.pixels_per_unit(poses[p], p) for p in everybody])
        return Sighting(
            strays.told(slots),
            self._presence(poses),
            np.maximum(0.03, 0.3 / density),
            np.maximum(strays.along(), self._doubt),
            np.stack([_sight(board, poses[p], p) for p in everybody]),
            fits.worst,
            spare_faces(frame, labels, cost, poses),
            strays.wears.copy(),
            np.zeros(len(self.names)),
            board.by_piece(labels),
            self._drift,
            frame.changed_background(labels, cost),
        )

    def _presence(self, poses: _Array) -> NDArray[np.uint8]:
        everybody = np.ones(len(self.names), bool)
        labels = self.board.by_piece(self.board.draw(poses, everybody)[1])
        would = np.bincount(labels[labels >= 0] >> 2, minlength=len(self.names))
        presence = np.where(self._strays.there, Presence.PRESENT, Presence.ABSENT)
        hidden = (would < FEWEST) | (not self._decidable)
        return np.where(hidden, Presence.UNDECIDED, presence).astype(np.uint8)


def _is_planned(story: Story, passage: Passage) -> bool:
    """Whether something is what the known plan does next, or after what may be hidden."""
    return passage.steps[0].action in story.plan[:_SKIPPED]


def _refined(line: _Line, best: _Option) -> _Option:
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


def _sight(board: StagedPieces, pose: _Array, piece: int) -> _Array:
    middle = pose[:3, :3] @ board.middles[piece] + pose[:3, 3]
    seen = board.view[:3, :3] @ middle + board.view[:3, 3]
    way: _Array = board.view[:3, :3].T @ (seen / np.linalg.norm(seen))
    return way

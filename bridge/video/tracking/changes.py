"""Changes of single bodies that explain what the true film does not: found frame by frame.

A change is taken only if the pixels it explains are many more than those of noise. What no change
explains stays unexplained.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice, product

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.thresholds import LIMITS
from bridge.video.tracking.comparison import count_unexplained, find_alike, find_region
from bridge.video.tracking.hypotheses import Behind, Composer, Placed, Weight
from bridge.video.tracking.weighing import add_off, refine_pose
from pysim.geometry import Rotation

__all__ = ["BodyChange", "ChangeFinder", "ChangeKind", "FrameChanges", "count_least"]

_Array = NDArray[np.float64]
_Picture = NDArray[np.uint8]
_Index = NDArray[np.int64]

_SCALED = (np.ones(3), *np.eye(3))
"""All axes, and each alone."""
_AROUND = np.ones((9, 9), np.uint8)
"""Pixels around a body that belong to it, if it has grown."""
_OFF_COSTS = np.array(LIMITS.pose_costs_off)
_STEP_SHIFTS = np.array([shift for shift, _ in LIMITS.pose_steps])
_STEP_TURNS = np.array(
    [
        [
            cv2.Rodrigues(sign * np.radians(angle) * axis)[0]
            for axis, sign in product(np.eye(3), (-1.0, 1.0))
        ]
        for _, angle in LIMITS.pose_steps
    ]
)
"""By which poses are refined: units, and turns (S, 6, 3, 3) about the axes."""
_TURNS = tuple(np.array(Rotation(k).matrix, np.float64) for k in range(24))


def count_least(area: _Array) -> _Array:
    """Return the pixels that have to be unexplained of bodies that so many pixels show."""
    share = np.minimum(LIMITS.least_share * area, LIMITS.least_root * np.sqrt(area))
    return np.asarray(np.maximum(LIMITS.least_pixels, share))


def _list_scales() -> Iterator[_Array]:
    """Yield scales: of all axes, of one, and of one with the volume kept."""
    for way, size in product(_SCALED, LIMITS.scales):
        yield 1.0 + (size - 1.0) * way
    for axis, size in product(range(3), LIMITS.scales):
        spread = np.full(3, size**-0.5)
        spread[axis] = size
        yield spread


class ChangeKind(StrEnum):
    """Kind of a change."""

    MOVED = "moved"
    ABSENT = "absent"
    RECOLORED = "recolored"
    RESIZED = "resized"
    DOUBLED = "doubled"


_PENALTIES = {
    ChangeKind.ABSENT: 4.0,
    ChangeKind.RECOLORED: 10.0,
    ChangeKind.RESIZED: 6.0,
    ChangeKind.DOUBLED: 10.0,
}
"""Pixels that a change has to explain beyond those of a simpler one."""


@dataclass(frozen=True, slots=True, eq=False)
class BodyChange:
    """A change of a body in a frame.

    Attributes:
        kind: what has changed.
        body: its number.
        pose: (4, 4) where it is, or where another one of it is.
        gain: number of pixels that this explains.
        scale: (3,) by how much it is larger along its own axes.
        color: (3,) the colour that most of it has, if that is another one.
        alpha: how much another one of it covers what is behind.
    """

    kind: ChangeKind
    body: int
    pose: _Array
    gain: float
    scale: _Array = field(default_factory=lambda: np.ones(3))
    color: _Array | None = None
    alpha: float = 1.0
    placed: Placed | None = None


def _find_worth(change: BodyChange) -> float:
    """Return by how much a gain counts: that there is much more than there was is hard to believe.

    That is so where a body is doubled, and where it is more than twice as long. What is longer in
    one direction alone looks as if it stuck out, which is simpler.
    """
    if change.kind is ChangeKind.DOUBLED or change.scale.max() > LIMITS.far_larger:
        return LIMITS.worth_of_more
    more = np.sort(np.abs(change.scale - 1.0))
    is_longer = change.scale.max() - 1.0 == more[2] > LIMITS.mostly_longer * more[1]
    return LIMITS.worth_of_longer if is_longer else 1.0


@dataclass(frozen=True, slots=True, eq=False)
class FrameChanges:
    """All changes of a frame, and what they leave unexplained.

    Attributes:
        changes: in the order in which they were found.
        left: (B + 1,) pixels of the background and of each body that stay unexplained.
        unseen: number of pixels whose look is not known.
    """

    changes: tuple[BodyChange, ...]
    left: _Array
    unseen: int


@dataclass(eq=False)
class ChangeFinder:
    """Finds changes in the frames of a video.

    Args:
        composer: composes and weighs hypotheses.
        caution: how many times as many pixels as usual a change has to explain.
    """

    composer: Composer
    caution: float = 1.0
    _middles: _Array = field(init=False)
    _sizes: _Array = field(init=False)
    _age: int = 0
    _waited: int = 0
    _patience: int = 1
    _futile: _Array = field(init=False)
    _palettes: list[_Array] = field(init=False)

    def __post_init__(self) -> None:
        look = self.composer.look
        surfaces = look.surfaces
        self._middles, self._sizes = np.zeros((2, len(look.names), 3))
        self._palettes, self._futile = [], np.zeros(1 + len(look.names))
        counts = surfaces.grid.prod(axis=1)
        owners = np.repeat(surfaces.owners, counts)
        for body in range(len(look.names)):
            corners = surfaces.corners[surfaces.first[body] : surfaces.first[body + 1]]
            if len(corners):
                flat = corners.reshape(-1, 3)
                low, high = flat.min(axis=0), flat.max(axis=0)
                self._middles[body], self._sizes[body] = (low + high) / 2.0, high - low
            self._palettes.append(self._make_palette(look.texture[owners == body]))

    def _make_palette(self, texels: NDArray[np.float32]) -> _Array:
        """Return the colours of which a body shows much, in all lights."""
        if not len(texels):
            return np.zeros((0, 3))
        rough, counts = np.unique((texels / 32.0).round(), axis=0, return_counts=True)
        common = 32.0 * rough[counts >= LIMITS.common_color * len(texels)]
        lights = np.unique(self.composer.look.shade.round(1), axis=0)
        return np.asarray((common[:, None] * lights[None]).reshape(-1, 3), np.float64)

    def find(
        self,
        picture: _Picture,
        position: int,
        before: Sequence[BodyChange] = (),
        is_enough: Callable[[_Array], bool] = lambda left: False,
    ) -> FrameChanges:
        """Find the changes of a picture (H, W, 3) from the film's at a position.

        Args:
            before: changes of the frame before, which are tried first.
            is_enough: tells of pixels (B + 1,) that stay unexplained whether they are too few to
                look for more changes.
        """
        self.composer.show(picture)
        followed: list[BodyChange] = []
        for old in before:
            self._follow(position, followed, old)
        self._age = self._age + 1 if before else 0
        best = self._describe(position, followed)
        is_known = len(followed) == len(before) > 0 and not self._is_time()
        if is_known and is_enough(best.left):
            return best
        if not is_known or self._is_worse(position, best.left):
            best = self._extend(picture, position, followed)
            is_futile = len(best.changes) == len(followed)
            self._futile = best.left if is_futile else np.zeros_like(best.left)
        if followed and (self._is_time() or self._is_doubtful(position, best)):
            anew = self._extend(picture, position, [])
            if self._is_better(position, anew, best):
                best, self._patience = anew, 1
        return best

    def _is_time(self) -> bool:
        """Whether to look anew: 1, 2, and 4 frames after a change began, as it is plainer then."""
        return self._age in {1, 2, 4}

    def _is_worse(self, position: int, left: _Array) -> bool:
        """Return whether more pixels (B + 1,) are left than when no more changes were found."""
        _, labels = self.composer.draw(position, frozenset())
        area = np.bincount(labels.ravel() + 1, minlength=len(left)).astype(np.float64)
        return bool((left - self._futile > LIMITS.worse_share * count_least(area)).any())

    def _is_better(self, position: int, anew: FrameChanges, followed: FrameChanges) -> bool:
        """Return whether changes leave much less unexplained than others, or are plainer."""
        if anew.left.sum() < LIMITS.better_share * followed.left.sum():
            return True
        old, new = (
            sum(self._rank(position, some[:k], change) for k, change in enumerate(some))
            for some in (followed.changes, anew.changes)
        )
        return old < LIMITS.better_rank * new

    def find_least(self, position: int, body: int) -> float:
        """Return the pixels that a change of a body has to explain at a position."""
        _, labels = self.composer.draw(position, frozenset())
        area = np.array((labels == body).sum(), np.float64)
        return self.caution * float(count_least(area))

    def measure_region(self, position: int) -> tuple[int, int]:
        """Return the pixels of the largest part that the film does not explain of what is fixed.

        That is the ground, and bodies that never move. The second figure is how many of them have a
        colour of no body, and are no shadow.
        """
        _, labels = self.composer.draw(position, frozenset())
        fixed = np.where(np.isin(labels, self.composer.look.fixtures), -1, labels)
        region = find_region(self._compose(position, ()).cost, fixed)
        seen = self.composer.seen
        strange = region & ~self.composer.look.background.find_shadows(seen)
        alike = self._find_alike(seen[strange].astype(np.float64), self.composer.look.pieces)
        return int(region.sum()), int((~alike).sum())

    def _is_doubtful(self, position: int, found: FrameChanges) -> bool:
        """Whether changes that were followed explain little, and it is time to look anew."""
        usual = self._count(position, self._compose(position, ()))
        if found.left.sum() < LIMITS.doubtful_share * usual.sum():
            return False
        self._waited += 1
        if self._waited < self._patience:
            return False
        self._waited, self._patience = 0, min(2 * self._patience, LIMITS.most_patience)
        return True

    def _extend(
        self, picture: _Picture, position: int, found: Sequence[BodyChange]
    ) -> FrameChanges:
        """Add changes to some, as long as any explains enough."""
        changes = [*found]
        while len(changes) < LIMITS.most_changes:
            bodies = self._list_suspects(picture, position, changes)
            if not self._try(position, changes, bodies):
                break
        return self._describe(position, changes)

    def _describe(self, position: int, changes: Sequence[BodyChange]) -> FrameChanges:
        now = self._compose(position, changes)
        return FrameChanges(tuple(changes), self._count(position, now), now.unseen)

    def _try(
        self,
        position: int,
        found: list[BodyChange],
        bodies: Iterable[int],
    ) -> bool:
        """Add the change of any of some bodies that explains most; return whether there is one."""
        now = self._compose(position, found)
        best: tuple[float, BodyChange] | None = None
        for body in bodies:
            for change in self._list_changes(position, found, now, body):
                rank = self._rank(position, found, change)
                if best is None or rank > best[0]:
                    best = rank, change
        if best is None:
            return False
        change = best[1]
        # In another look, what is elsewhere may be light.
        worth = 1.0 if self.caution == 1.0 else _find_worth(change)
        price = change.gain * worth - self._penalize(position, change)
        if price < self.find_least(position, change.body):
            return False
        found.append(change)
        return True

    def _rank(self, position: int, found: Sequence[BodyChange], change: BodyChange) -> float:
        """Return how good a change is among others.

        Sides that are shown nowhere might have any look: what turns them up explains everything.
        """
        price = change.gain * _find_worth(change) - self._penalize(position, change)
        if change.kind not in {ChangeKind.MOVED, ChangeKind.DOUBLED}:
            return price
        is_moved, cost = change.kind is ChangeKind.MOVED, np.zeros(1)
        there = self.composer.find_poses(position)[change.body]
        if is_moved:
            add_off(cost, change.pose[None], there, self._middles[change.body], _OFF_COSTS)
        without = change.body if is_moved else None
        turned_up = self._compose(position, found, without, change.placed).unseen
        unseen = max(0, turned_up - self._compose(position, found, without).unseen)
        return price - float(cost[0]) - LIMITS.unseen_rank * unseen

    def _penalize(self, position: int, change: BodyChange) -> float:
        """Return the pixels that a change has to explain beyond those of a simpler one.

        What goes away from the camera looks as if it shrank, which is nearer at hand; and what goes
        elsewhere need not have another size, too.
        """
        if change.kind is ChangeKind.MOVED:
            depth = self.composer.look.lens.view[2, :3] @ self._find_way(position, change)
            return LIMITS.depth_cost * abs(float(depth))
        if change.kind is not ChangeKind.RESIZED:
            return _PENALTIES[change.kind]
        own = self.composer.find_poses(position)[change.body, :3, :3].T
        way = np.abs(own @ self._find_way(position, change))
        # Its middle goes as far as that where one of its ends stays in its place.
        due = np.abs(change.scale - 1.0) * self._sizes[change.body] / 2.0
        return _PENALTIES[change.kind] + LIMITS.astray_cost * float(
            np.maximum(0.0, way - due).sum()
        )

    def _find_way(self, position: int, change: BodyChange) -> _Array:
        """Return the way (3,) that the middle of a body goes with a change."""
        pose = change.pose if change.placed is None else change.placed.pose
        off = pose - self.composer.find_poses(position)[change.body]
        return np.asarray((off @ np.append(self._middles[change.body], 1.0))[:3])

    def _follow(self, position: int, found: list[BodyChange], old: BodyChange) -> None:
        """Add a change of the frame before, if it still explains nearly as much as it did."""
        body = old.body
        there = self.composer.find_poses(position)[body]
        now = self._compose(position, found)
        new: BodyChange | None
        if old.kind is ChangeKind.DOUBLED:
            pose, gain = self._search(now, body, there, [old.pose], old.alpha)
            new = replace(old, pose=pose, gain=-gain, placed=Placed(body, pose, alpha=old.alpha))
        else:
            behind = self._compose(position, found, body)
            plain = self.composer.weigh(behind, Placed(body, there))
            lost = now.total - behind.total
            if old.kind is ChangeKind.ABSENT:
                # What fades is less and less there.
                ways = self._list_absences(position, found, now, body, lost)
                new = max(ways, key=lambda change: change.gain)
            elif old.kind is ChangeKind.MOVED:
                pose, gain = self._search(behind, body, there, self._list_ways_on(old, there))
                explained = min(lost, plain.gain) - gain
                new = replace(old, pose=pose, gain=explained, placed=Placed(body, pose))
            elif old.kind is ChangeKind.RESIZED:
                least = self.find_least(position, body)
                new = self._resize(behind, body, there, lost, plain, least, old)
            else:
                texture = None if old.placed is None else old.placed.texture
                placed = Placed(body, there, texture)
                gain = self._measure_gain(position, found, now, placed)
                new = replace(old, pose=there, gain=gain, placed=placed)
        if new and new.gain > max(LIMITS.followed_gain * old.gain, self.find_least(position, body)):
            found.append(new)

    def _compose(
        self,
        position: int,
        found: Sequence[BodyChange],
        without: int | None = None,
        placed: Placed | None = None,
    ) -> Behind:
        """Compose a picture with some changes, without a body, or with it placed otherwise."""
        removed = {c.body for c in found if c.kind is not ChangeKind.DOUBLED}
        removed |= set() if without is None else {without}
        every = [c.placed for c in found if c.placed is not None]
        every += [] if placed is None else [placed]
        return self.composer.compose(position, frozenset(removed), every)

    def _count(self, position: int, now: Behind) -> _Array:
        _, labels = self.composer.draw(position, frozenset())
        return count_unexplained(now.cost, labels, len(self.composer.look.names))

    def _list_suspects(
        self, picture: _Picture, position: int, found: Sequence[BodyChange]
    ) -> list[int]:
        """Return bodies that don't look as they should, or that seem to be elsewhere, too."""
        now = self._compose(position, found)
        left = self._count(position, now)[1:]
        unlike = now.cost > LIMITS.unlike_cost
        step = max(1, int(unlike.sum()) // LIMITS.sampled_pixels)
        many = step * min(1.0, float(now.cost[unlike].mean()) if unlike.any() else 1.0)
        open_pixels = picture[unlike][::step].astype(np.float64)
        grounds = now.picture[unlike][::step].astype(np.float64)
        layers = [(open_pixels - (1.0 - alpha) * grounds) / alpha for alpha in LIMITS.alphas]
        changed = {c.body for c in found}
        wrong: dict[int, float] = {}
        elsewhere: dict[int, float] = {}
        for body in self.composer.look.pieces.tolist():
            if body in changed:
                continue
            least = self.find_least(position, body)
            if left[body] > 0.7 * least:
                wrong[body] = left[body]
            like = many * max(
                alpha * int(self._find_alike(colors, [body]).sum())
                for alpha, colors in zip(LIMITS.alphas, layers, strict=True)
            )
            if like > (1.4 if wrong else 0.7) * least:
                elsewhere[body] = like
        first = sorted(wrong, key=lambda body: -wrong[body])[: LIMITS.most_suspects]
        more = sorted(elsewhere, key=lambda body: -elsewhere[body])[: LIMITS.most_suspects]
        return list(dict.fromkeys([*first, *more]))

    def _find_alike(self, colors: _Array, bodies: Iterable[int]) -> NDArray[np.bool_]:
        """Return whether colours (N, 3) are near those of any of some bodies."""
        alike = np.zeros(len(colors), bool)
        palette = np.concatenate([self._palettes[body] for body in bodies])
        find_alike(colors, palette, LIMITS.near_color, alike)
        return alike

    def _list_changes(
        self,
        position: int,
        found: Sequence[BodyChange],
        now: Behind,
        body: int,
    ) -> Iterator[BodyChange]:
        """Yield the best change of each kind."""
        composer = self.composer
        behind = self._compose(position, found, body)
        there = composer.find_poses(position)[body]
        _, labels = composer.draw(position, frozenset())
        shown = labels == body
        plain = composer.weigh(behind, Placed(body, there))
        lost = now.total - behind.total  # What its absence explains.
        least = self.find_least(position, body)
        is_wrong = plain.own > 0.7 * least
        if shown.any():
            ways = self._list_absences(position, found, now, body, lost)
            yield from ways if is_wrong else islice(ways, 1)
        around = cv2.dilate(shown.astype(np.uint8), _AROUND) > 0
        if is_wrong or float(now.cost[around].sum()) > 0.7 * least:
            resized = self._resize(behind, body, there, lost, plain, least)
            if resized is not None:
                yield resized
        if not shown.any() or is_wrong:
            seeds = self._list_seeds(behind, body, there)
            pose, gain = self._search(behind, body, there, seeds)
            # A body that is nowhere to be seen is absent, not hidden.
            is_seen = not shown.any() or -gain > max(0.5 * least, LIMITS.seen_elsewhere * lost)
            if is_seen and gain < plain.gain and np.abs(pose - there).max() > 0.02:
                explained = min(lost, plain.gain) - gain
                yield BodyChange(ChangeKind.MOVED, body, pose, explained, placed=Placed(body, pose))
            yield from self._recolor(position, found, now, body)
        yield from self._double(now, body, there)

    def _list_absences(
        self, position: int, found: Sequence[BodyChange], now: Behind, body: int, lost: float
    ) -> Iterator[BodyChange]:
        """Yield the absence of a body, and then what is left of it where it fades.

        Args:
            lost: what its absence explains.
        """
        there, kind = self.composer.find_poses(position)[body], ChangeKind.ABSENT
        yield BodyChange(kind, body, there, lost)
        for alpha in LIMITS.alphas[1:]:
            placed = Placed(body, there, alpha=alpha)
            gain = self._measure_gain(position, found, now, placed)
            yield BodyChange(kind, body, there, gain, alpha=alpha, placed=placed)

    def _list_seeds(self, behind: Behind, body: int, there: _Array) -> Iterator[_Array]:
        yield there
        yield from self._list_shifts(there, body)
        for axis, angle in product(np.eye(3), (-60.0, -45.0, -30.0, 30.0, 45.0, 60.0)):
            turn, _ = cv2.Rodrigues(np.radians(angle) * axis)
            yield self._turn(there, body, turn)
        places = [there, *self._list_places(behind, body, there)]
        for place in places:
            for turn in _TURNS:
                yield self._turn(place, body, turn)

    def _list_ways_on(self, old: BodyChange, there: _Array) -> Iterator[_Array]:
        """Yield the pose of the frame before, and that pose as it would be unturned."""
        yield old.pose
        yield self._turn(old.pose, old.body, there[:3, :3] @ old.pose[:3, :3].T)

    def _list_doubles(
        self, now: Behind, body: int, there: _Array, alpha: float
    ) -> Iterator[_Array]:
        places = list(self._list_places(now, body, there, alpha))
        if not places:
            return
        yield from places
        yield from (self._turn(places[0], body, turn) for turn in _TURNS)
        yield from self._list_shifts(there, body)

    def _list_shifts(self, there: _Array, body: int) -> Iterator[_Array]:
        """Yield poses along the axes of the lattice, up to beside where the body is."""
        size = float(self._sizes[body].max())
        more = (size / 2.0, size, size + 1.0) if size > LIMITS.shifts[-1] else ()
        shifts = (*LIMITS.shifts, *more)
        for axis, shift, sign in product(range(3), shifts, (-1.0, 1.0)):
            pose = there.copy()
            pose[axis, 3] += sign * shift
            yield pose

    def _turn(self, pose: _Array, body: int, turn: _Array) -> _Array:
        """Return a pose turned about the middle of the body."""
        middle = pose[:3, :3] @ self._middles[body] + pose[:3, 3]
        turned = np.eye(4)
        turned[:3, :3] = turn @ pose[:3, :3]
        turned[:3, 3] = middle - turned[:3, :3] @ self._middles[body]
        return turned

    def _list_places(
        self, behind: Behind, body: int, there: _Array, alpha: float = 1.0
    ) -> Iterator[_Array]:
        """Yield poses where unexplained pixels look like the body, or like a ghost of it."""
        seen = self.composer.seen
        rows, columns = np.nonzero(behind.cost > LIMITS.unlike_cost)
        if not len(rows):
            return
        colors = seen[rows, columns].astype(np.float64)
        colors = (colors - (1.0 - alpha) * behind.picture[rows, columns]) / alpha
        like = np.zeros(behind.cost.shape, np.uint8)
        near = self._find_alike(colors, [body])
        like[rows[near], columns[near]] = 1
        count, _, boxes, middles = cv2.connectedComponentsWithStats(like)
        largest = sorted(range(1, count), key=lambda k: -boxes[k, cv2.CC_STAT_AREA])[:2]
        spots = [middles[k] for k in largest if boxes[k, cv2.CC_STAT_AREA] >= LIMITS.least_pixels]
        if near.sum() >= LIMITS.least_pixels:
            spots.append(np.array([columns[near].mean(), rows[near].mean()]))
        lens = self.composer.look.lens
        middle = there[:3, :3] @ self._middles[body] + there[:3, 3]
        own = lens.measure_depth(middle)
        for column, row in spots:
            nearest = float(behind.depth[int(row), int(column)])
            # It is before what should be seen there, and no nearer than it has to be.
            front = 1.0 / nearest - self._sizes[body].min() / 2.0 if nearest > 0.0 else own
            depth = np.array([1.0 / max(0.1, min(own, front))], np.float32)
            pose = there.copy()
            pose[:3, 3] += lens.locate(np.array([row]), np.array([column]), depth)[0] - middle
            yield pose

    def _search(
        self, behind: Behind, body: int, there: _Array, seeds: Iterable[_Array], alpha: float = 1.0
    ) -> tuple[_Array, float]:
        """Return the pose that explains most, and the cost with it less that without."""
        half, middle = behind.halve(), self._middles[body]
        poses = np.array([*seeds])
        prices = self.composer.weigh_each(half, np.array([body]), poses[:, None], alpha)[:, 0]
        add_off(prices, poses, there, middle, _OFF_COSTS)
        best, least = there, np.inf
        order = np.argsort(prices, kind="stable")
        # A body that only moves is the simplest case, and must not be lost among many turned ones.
        simple = np.abs(poses[order, :3, :3] - there[:3, :3]).max(axis=(1, 2)) < 1e-6
        first = np.arange(len(order)) < LIMITS.refined_poses
        first[np.flatnonzero(simple)[:1]] = True
        for k in order[first].tolist():
            placed = Placed(body, poses[k], alpha=alpha)
            refined, price = self._refine(half, placed, float(prices[k]), there, slice(-1))
            if price < least:
                best, least = refined, price
        placed = Placed(body, best, alpha=alpha)
        fine = np.array([self.composer.weigh(behind, placed).gain])
        add_off(fine, best[None], there, middle, _OFF_COSTS)
        best, _ = self._refine(behind, placed, float(fine[0]), there, slice(-2, None))
        return best, self.composer.weigh(behind, Placed(body, best, alpha=alpha)).gain

    def _refine(
        self, behind: Behind, placed: Placed, price: float, there: _Array, steps: slice
    ) -> tuple[_Array, float]:
        """Return the pose near by that explains most, and its price."""
        bodies, pose, trial = np.array([placed.body]), placed.pose.copy(), np.empty((1, 4, 4))
        price = refine_pose(
            pose, price, there, self._middles[placed.body], _OFF_COSTS, _STEP_SHIFTS[steps],
            _STEP_TURNS[steps], self.composer.count_pixels(behind), trial,
            self.composer.list_arguments(behind, bodies, trial, None, placed.alpha),
        )  # fmt: skip
        return pose, price

    def _measure_gain(
        self, position: int, found: Sequence[BodyChange], now: Behind, placed: Placed
    ) -> float:
        """Return the pixels that a body explains that looks otherwise where it is."""
        return now.total - self._compose(position, found, placed.body, placed).total

    def _recolor(
        self, position: int, found: Sequence[BodyChange], now: Behind, body: int
    ) -> Iterator[BodyChange]:
        look, expected = self.composer.look, now.picture
        there = self.composer.find_poses(position)[body]
        drawing = look.draw(np.array([body]), there[None])
        pixels = (self.composer.draw(position, frozenset())[1] == body) & (drawing.faces >= 0)
        if not pixels.any():
            return
        seen = self.composer.seen[pixels].astype(np.float64)
        texture = look.texture.copy()
        paints = self._sort_paints(body)
        shown_paints = paints[drawing.texels[pixels]]
        colors = np.zeros((paints.max(initial=-1) + 1, 3))
        counts = np.bincount(shown_paints[shown_paints >= 0], minlength=len(colors))
        offs = np.zeros_like(colors)
        for paint in np.flatnonzero(counts).tolist():
            mine = shown_paints == paint
            off = np.median(seen[mine] - expected[pixels][mine], axis=0)
            if mine.sum() >= LIMITS.least_pixels and np.abs(off).sum() > LIMITS.near_color:
                colors[paint], offs[paint] = np.median(seen[mine], axis=0), off
                texture[paints == paint] += off.astype(np.float32)
        if not offs.any():
            return
        placed = Placed(body, there, texture)
        gain = self._measure_gain(position, found, now, placed)
        # That of most pixels: a paint of which little is seen may look like anything.
        color = colors[int(np.argmax(counts * np.abs(offs).sum(axis=1)))]
        yield BodyChange(ChangeKind.RECOLORED, body, there, gain, color=color, placed=placed)

    def _sort_paints(self, body: int) -> _Index:
        """Return which paint of a body each texel has (T,), -1 for those of others."""
        texture = self.composer.look.texture
        paints = np.full(len(texture), -1)
        mine = self._list_texels(body)
        rough = (texture[mine] / 64.0).round()
        paints[mine] = np.unique(rough, axis=0, return_inverse=True)[1].ravel()
        return paints

    def _list_texels(self, body: int) -> slice:
        surfaces = self.composer.look.surfaces
        first, end = surfaces.first[body : body + 2]
        last = int(surfaces.base[end - 1] + surfaces.grid[end - 1].prod())
        return slice(int(surfaces.base[first]), last)

    def _resize(
        self,
        behind: Behind,
        body: int,
        there: _Array,
        lost: float,
        plain: Weight,
        least: float,
        old: BodyChange | None = None,
    ) -> BodyChange | None:
        """Return the best change of size; near an old one, if there is one.

        Args:
            lost: what its absence explains.
            least: pixels that the body has to explain where it is.
        """
        middle = self._middles[body]
        half = behind.halve()

        def place(scale: _Array, shift: _Array) -> Placed:
            pose = there.copy()
            pose[:3, :3] = there[:3, :3] * scale
            pose[:3, 3] += there[:3, :3] @ middle - pose[:3, :3] @ middle + shift
            return Placed(body, pose)

        best, shift = np.ones(3), np.zeros(3)
        cost = self.composer.weigh(half, Placed(body, there)).gain
        seeds = self._list_resizings(body) if old is None else [self._find_resizing(old)]
        ways = [(scale, there[:3, :3] @ own) for scale, own in seeds]
        poses = np.array([[place(scale, way).pose] for scale, way in ways])
        gains = self.composer.weigh_each(half, np.array([body]), poses)[:, 0]
        for (scale, way), gain in zip(ways, gains, strict=True):
            if gain < cost:
                best, shift, cost = scale, way, gain
        cost = self.composer.weigh(behind, place(best, shift)).gain
        for step, off in LIMITS.scale_steps if old is None else LIMITS.scale_steps[-2:]:
            for way, sign in product(_SCALED, (-1.0, 1.0)):
                scale = np.clip(best * (1.0 + sign * step * way), 0.05, 4.0)
                if (new := self.composer.weigh(behind, place(scale, shift)).gain) < cost:
                    best, cost = scale, new
            for way, sign in product(np.eye(3), (-1.0, 1.0)):
                moved = shift + sign * off * way
                if (new := self.composer.weigh(behind, place(best, moved)).gain) < cost - 1.0:
                    shift, cost = moved, new
        # A body is absent if hardly a pixel shows it in its new size.
        if np.abs(best - 1.0).max() < LIMITS.least_scale or -cost < least:
            return None
        explained = min(lost, plain.gain) - cost
        return BodyChange(
            ChangeKind.RESIZED, body, there, explained, scale=best, placed=place(best, shift)
        )

    def _is_near(self, pose: _Array, there: _Array, body: int) -> bool:
        off = pose - there
        return math.dist(off[:3, :3] @ self._middles[body], -off[:3, 3]) < LIMITS.double_distance

    def _list_resizings(self, body: int) -> Iterator[tuple[_Array, _Array]]:
        """Yield scales about the middle of a body, and about its ends, with shifts (3,)."""
        ends = np.concatenate([np.zeros((1, 3)), np.eye(3), -np.eye(3)]) * self._sizes[body] / 2.0
        for scale, end in product(_list_scales(), ends):
            yield scale, (1.0 - scale) * end

    def _find_resizing(self, old: BodyChange) -> tuple[_Array, _Array]:
        """Return the scale of a change, and the shift (3,) of the middle in axes of the body."""
        pose = old.pose if old.placed is None else old.placed.pose
        shift = ((pose - old.pose) @ np.append(self._middles[old.body], 1.0))[:3]
        return old.scale, np.asarray(old.pose[:3, :3].T @ shift)

    def _double(self, now: Behind, body: int, there: _Array) -> Iterator[BodyChange]:
        # In another look, what covers half may be light.
        for alpha in LIMITS.alphas if self.caution == 1.0 else LIMITS.alphas[:1]:
            if places := list(self._list_doubles(now, body, there, alpha)):
                pose, gain = self._search(now, body, there, places, alpha)
                if self._is_near(pose, there, body):
                    continue
                placed = Placed(body, pose, alpha=alpha)
                yield BodyChange(ChangeKind.DOUBLED, body, pose, -gain, alpha=alpha, placed=placed)
                if -gain > 0.5 * now.total:
                    break

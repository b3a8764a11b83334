"""Alignment of a video with the true film: a beam over the film's pictures, and one backward pass.

In every frame of the video those positions in the film are compared that its speed allows after
one that was kept, or that are near the same time. A position that can't be reached is a leap, and
costs as much as the pixels that a leap has to explain. The way that explains the whole video best
is found at its end, so that a later frame corrects an earlier one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.reference.look import Look
from bridge.video.reference.pictures import PackedPictures, Recent, cover_picture
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.comparison import (
    FULL,
    compare_pixels,
    sum_changes,
    sum_differences,
)
from bridge.video.tracking.course import Course

__all__ = ["AlignedFrames", "FilmAlignment"]

_Picture = NDArray[np.uint8]

_MOTION_COST = 1e-6
"""Pixels that it costs to go from a picture of the film to the next where nothing is seen."""
_ALIKE = 1e-2
"""Pixels by which ways differ that are told apart by their motion alone."""
_KEPT = 60
"""Pictures of a branch that are kept without shadows."""


@dataclass(frozen=True, slots=True, eq=False)
class AlignedFrames:
    """The frames of a video, each with the picture of the film that explains it best.

    Attributes:
        positions: (F,) pictures of the film.
        leaps: (F,) whether the film could not have gone there from the frame before.
    """

    positions: NDArray[np.int64]
    leaps: NDArray[np.bool_]

    def join(self, later: "AlignedFrames", first: int) -> "AlignedFrames":
        """Return these up to a frame, and others from there on."""
        return AlignedFrames(
            np.concatenate([self.positions[:first], later.positions]),
            np.concatenate([self.leaps[:first], later.leaps]),
        )


@dataclass(frozen=True, slots=True)
class _Place:
    """The best way to a position: its cost, and where among those of the frame before it is."""

    position: int
    total: float
    before: int
    leap: bool


@dataclass(eq=False)
class FilmAlignment:
    """Aligns a video with a film, frame by frame.

    Args:
        film: the film.
        ratio: frames of the film for each of the video.
        caution: how many times as many pixels as usual a leap has to explain.
        start: position at the beginning.
        passed: frames of the video before that.
        look: of the film, where shadows on the ground do not count: they may fall otherwise in the
            video, or are not in composed pictures.
        on_bodies: whether what looks so on a body does not count either, for shadows do fall
            otherwise.
        is_branch: whether the film is a branch: its pictures are composed as they are looked at.
            Motions can't go back once they are nearly over, for only the rules know a way, and
            shadows count nowhere.
    """

    film: TrueFilm
    ratio: float
    caution: float = 1.0
    start: int = 0
    passed: int = 0
    look: Look | None = None
    on_bodies: bool = False
    is_branch: bool = False
    _bright: Recent[int, _Picture] = field(default_factory=partial(Recent, _KEPT))
    _beams: list[list[_Place]] = field(default_factory=list)
    _reach: NDArray[np.float64] = field(init=False)
    _few: int = field(init=False)

    def __post_init__(self) -> None:
        self._steps = []
        if self.is_branch:
            self._steps = Course.of_film(self.film).list_ends(LIMITS.nearly_over)
        near = LIMITS.near_time * self.film.bundle.manifest.fps + self.ratio
        self._reach = LIMITS.haste * self.film.find_local_speeds(near) * self.ratio
        self._few = max(1, round(2 * self.ratio))

    @property
    def position(self) -> int:
        """The picture of the film that explains the last frame best, by all frames until then."""
        return self._beams[-1][0].position if self._beams else self.start

    @property
    def same_time(self) -> int:
        """The picture of the film at the time of the next frame of the video."""
        time = round((self.passed + len(self._beams)) * self.ratio)
        return int(np.searchsorted(self.film.frames, time, side="right")) - 1

    @property
    def _before(self) -> list[_Place]:
        return self._beams[-1] if self._beams else [_Place(self.start, 0.0, -1, False)]

    def advance(self, picture: _Picture) -> None:
        """Compare the next picture (H, W, 3) of the video, in the colours of the film."""
        now, every = self.same_time, {*range(len(self.film.frames))}
        reachable = [self._find_reachable(place.position) for place in self._before]
        around = range(now - LIMITS.around_time, now + LIMITS.around_time + 1)
        near = every.intersection(set(around).union(*reachable))
        cost = self.caution * LIMITS.leap_cost
        found = self._weigh(picture, sorted(near), reachable, cost)
        if not self.is_branch and near != every and self._is_lost(found):
            cost *= LIMITS.far_leap
            found += self._weigh(picture, sorted(every - near), reachable, cost)
        self._beams.append(_choose(found))

    def _weigh(
        self,
        picture: _Picture,
        positions: Sequence[int],
        reachable: Sequence[range],
        leap_cost: float,
    ) -> list[_Place]:
        """Return the best ways to some positions.

        Args:
            reachable: what is in reach of each place of the frame before.
        """
        totals = np.array([place.total for place in self._before])
        places = np.array([place.position for place in self._before])
        found = []
        costs = self._compare_all(picture, positions)
        for position, cost in zip(positions, costs, strict=True):
            allowed = np.array([position in some for some in reachable])
            ways = np.where(allowed, totals, totals + leap_cost)
            # Of pictures that are alike, as where all is hidden, the nearest is meant.
            ways += _count_motion(position - places)
            k = int(np.argmin(ways))
            found.append(_Place(position, float(ways[k]) + cost, k, not allowed[k]))
        return found

    def _is_lost(self, found: Sequence[_Place]) -> bool:
        """Return whether a picture is explained by much less than the one before it was."""
        more = min(place.total for place in found) - self._before[0].total
        known = self._before[0].total - self._beams[-2][0].total if len(self._beams) > 1 else 0.0
        return more > known + self.caution * LIMITS.leap_cost

    def skip(self) -> None:
        """Pass over a frame of the video that shows nothing: the film may have gone on meanwhile.

        Places are not limited to those of the beam, for nothing tells which of them are good. Those
        at which it waits come first.
        """
        totals = np.full(len(self.film.frames), np.inf)
        ways = np.zeros(len(totals), np.int64)
        for k, place in enumerate(self._before):
            there = self._find_reachable(place.position)
            some = np.arange(max(0, there.start), there.stop)
            costs = place.total + _count_motion(some - place.position)
            better = some[costs < totals[some]]
            totals[better], ways[better] = costs[better - some[0]], k
        found = np.flatnonzero(np.isfinite(totals)).tolist()
        places = [_Place(p, float(totals[p]), int(ways[p]), False) for p in found]
        self._beams.append(sorted(places, key=lambda p: (p.total, p.position)))

    def repeat(self, picture: _Picture) -> None:
        """Compare the last picture (H, W, 3) once more, in better colours."""
        self._beams.pop()
        self.advance(picture)

    def forget(self) -> None:
        """Pass over the last picture: it shows nothing."""
        self._beams.pop()
        self.skip()

    def _compare_all(self, picture: _Picture, positions: Sequence[int]) -> list[float]:
        """Return what the pictures at some positions leave unexplained of another one."""
        bright = picture if self.look is None else self.look.background.remove_shadows(picture)
        if self.is_branch:
            return self._compare_branch(bright, positions)
        pictures = self._references
        runs, colors = zip(*map(pictures.find_changes, positions), strict=True)
        ends, sums = np.cumsum([len(some) for some in runs]), np.empty(len(runs))
        joined = np.concatenate(runs), np.concatenate(colors)
        seen, lit, first = _flatten(picture), _flatten(bright), _flatten(pictures.first)
        sum_changes(seen, lit, first, *joined, ends, sums)
        return list(sums)

    @cached_property
    def _references(self) -> PackedPictures:
        """The film's pictures (H, W, 3), or (H, W, 4) with where shadows do not count: 1, else 0.

        Shadows are not in those then.
        """
        pictures = self.film.pictures
        if self.look is not None:
            lifted = (self._remove_shadows(self.look, k) for k in range(len(pictures)))
            return PackedPictures(lifted)
        return pictures if isinstance(pictures, PackedPictures) else PackedPictures(pictures)

    def _remove_shadows(self, look: Look, position: int) -> _Picture:
        picture, poses = self.film.pictures[position], self.film.find_poses(position)
        where = np.ones(picture.shape[:2], np.uint8)
        if not self.on_bodies:
            bodies = look.find_present(poses)
            where = np.asarray(look.draw(bodies, poses[bodies]).depth == 0.0, np.uint8)
        plain = cover_picture(picture, look.background.remove_shadows(picture), where)
        return np.dstack([plain, where])

    def _compare_branch(self, picture: _Picture, positions: Sequence[int]) -> list[float]:
        """Return what a branch's pictures leave unexplained of another one without shadows.

        All that are composed may be off by as much as the one about which most is in doubt, or that
        would be the best.
        """
        found = [self._compare(picture, position) for position in positions]
        within = max((doubted for _, doubted in found if doubted is not None), default=0.0)
        # What is within doubt still tells which of two pictures is meant.
        return [
            cost
            if doubted is None
            else max(0.0, cost - within) + LIMITS.doubted_cost * min(cost, within)
            for cost, doubted in found
        ]

    def _compare(self, picture: _Picture, position: int) -> tuple[float, float | None]:
        """Return the costs of a picture at a position, and those in doubt; None if it is known."""
        expected = self._bright.get(position, self._brighten)
        doubt = self.film.doubts.get(position)
        if doubt is None:
            return sum_differences(picture, expected), None
        scratch = np.empty_like(doubt.spread)
        cost = compare_pixels(picture, expected, doubt.spread, FULL, scratch)
        # What is not known may look like anything, but it is not free to show it.
        return cost + LIMITS.unknown_cost * self.film.count_unknown(position), doubt.cost

    def _brighten(self, position: int) -> _Picture:
        picture = self.film.pictures[position]
        return picture if self.look is None else self.look.background.remove_shadows(picture)

    def trace(self) -> AlignedFrames:
        """Return the way that explains all frames best."""
        place, found = 0, []
        for beam in reversed(self._beams):
            found.append(beam[place])
            place = beam[place].before
        found.reverse()
        positions = np.array([place.position for place in found], np.int64)
        return AlignedFrames(positions, np.array([place.leap for place in found], bool))

    def _find_reachable(self, position: int) -> range:
        """Return the positions to which the film's speed there leads in one frame of the video.

        What hardly moves may be shown in any time, so the next few are always among them.
        """
        travel, reach = self.film.travel, self._reach[position]
        low, high = travel[position] - reach, travel[position] + reach
        first = min(int(np.searchsorted(travel, low, side="left")), position - self._few)
        end = max(int(np.searchsorted(travel, high, side="right")), position + self._few + 1)
        least = 0
        for begin, over, last in self._steps:
            if position >= begin - 1:
                least = min(position, last) if position >= over else max(least, begin - 1)
        return range(max(least, first), min(len(travel), end))


def _flatten(picture: _Picture) -> _Picture:
    """Return the pixels (N, C) of a picture (H, W, C)."""
    return picture.reshape(-1, picture.shape[2])


def _count_motion(way: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what it costs to go some pictures on or back: back twice as much."""
    return _MOTION_COST * np.maximum(way, -2 * way)


def _choose(found: Sequence[_Place]) -> list[_Place]:
    """Return the best places, the best one first.

    Where more are alike, as when a body is out of the picture for long, they are spread evenly:
    it may come back from any of them.
    """
    best = sorted(found, key=lambda p: (p.total, p.position))
    alike = [place for place in best if place.total < best[0].total + _ALIKE]
    if len(alike) <= LIMITS.beam:
        return best[: LIMITS.beam]
    alike.sort(key=lambda place: place.position)
    spread = np.linspace(0, len(alike) - 1, LIMITS.beam - 1).round().astype(int).tolist()
    return [best[0], *(alike[k] for k in spread if alike[k] is not best[0])]

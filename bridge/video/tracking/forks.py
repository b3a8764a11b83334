"""Forks: places where a video leaves its film, and goes on as the rules allow.

Each action that is lawful there is tried: first by how well its end explains pictures that follow,
and the best ones by a film of them that is composed of the look of bodies. One that explains every
frame until it is done, without a leap, is lawful, and the video is followed from there on.
"""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.branch_films import compose_branch
from bridge.video.tracking.changes import ChangeFinder
from bridge.video.tracking.comparison import sum_differences
from bridge.video.tracking.course import (
    Course,
    find_departure,
    find_places,
    list_branches,
    list_others,
    list_rest,
    measure_poses,
)
from bridge.video.tracking.following import FollowedVideo, Shown, follow_from, measure_picture
from bridge.video.tracking.hypotheses import Behind, Composer
from bridge.video.tracking.preparation import PreparedVideo, sum_unexplained
from pysim.puzzle import Action

__all__ = ["choose_pictures", "compare_ends", "follow_rules"]

_Array = NDArray[np.float64]

_HARDLY = 1e-9
"""Pixels that count as unexplained of each body, at least."""


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """A lawful film that a video follows for some frames.

    Attributes:
        film: the film.
        course: what it shows.
        positions: (N,) in it, of the frames that it explains.
        cost: pixels of such a frame that stay unexplained, in the mean.
    """

    film: TrueFilm
    course: Course
    positions: NDArray[np.int64]
    cost: float = math.inf

    def is_better(self, other: "_Path") -> bool:
        """Return whether it explains more frames, or about as many better."""
        more, few = len(self.positions) - len(other.positions), LIMITS.lasting_frames
        return more > few or (more >= -few and self.cost < other.cost)


@dataclass(frozen=True, slots=True, eq=False)
class _Fork:
    """A place where a video leaves its film.

    Attributes:
        path: the film.
        steps: actions that are done before.
        first: frame from which the video is followed anew.
        shown: pictures from there on.
    """

    path: _Path
    steps: int
    first: int
    shown: Sequence[Shown]

    @property
    def end(self) -> int:
        """Position at which the last of these actions is over."""
        return int(self.path.course.step_ends[self.steps - 1]) if self.steps else 0

    @property
    def later(self) -> Sequence[Shown]:
        """Pictures that the film does not explain, the first ones of them perhaps."""
        return self.shown[len(self.path.positions) - self.first :]


@dataclass(frozen=True, slots=True, eq=False)
class _End:
    """An end of actions.

    Attributes:
        places: (B, 4, 4) of bodies.
        actions: those that lead there, on other ways.
    """

    places: _Array
    actions: list[Action]


def follow_rules(followed: FollowedVideo) -> FollowedVideo:
    """Return a video, followed along lawful branches as long as these explain more of it.

    A branch has to explain more frames from their beginning, and more of all that follow.
    """
    prepared = followed.prepared
    end = _find_end(followed)
    # Nobody knows whether what follows a leap could have been made.
    if not 0 < end < len(followed.left) or prepared.aligned.leaps[:end].any():
        return followed
    path = _Path(prepared.film, followed.course, prepared.aligned.positions[:end])
    seeker = _Seeker(followed, end)
    branches: list[tuple[_Fork, _Path]] = []
    while len(branches) < LIMITS.most_branches and (found := seeker.find_branch(path)):
        branches.append(found)
        path = found[1]
    if not branches:
        return followed
    first = min(fork.first for fork, _ in branches)
    start = int(path.positions[first - 1])
    branch = follow_from(followed, path.film, range(first, len(path.positions)), start)
    alike = np.array([followed.find_alike(k, left) for k, left in enumerate(branch.left)])
    until = find_departure(branch.flagged & ~alike)
    is_less = branch.left[end:].sum() < followed.left[end:].sum()
    frames = range(end, until)
    if until <= end or not is_less or not _explains_pictures(followed, branch, frames):
        return followed
    return followed if _is_change(followed, branch, frames) else branch


def _find_end(followed: FollowedVideo) -> int:
    """Return the frame in which a video leaves its film; the number of frames if never.

    What leaves it may look like a later part of it at first: that is no leap.
    """
    end = find_departure(followed.flagged)
    leaps = np.flatnonzero(followed.prepared.aligned.leaps[:end])
    is_near = len(leaps) > 0 and end - leaps[0] <= LIMITS.fork_frames
    return int(leaps[0]) if is_near and end < len(followed.left) else end


def _end_unseen(path: _Path, steps: int, over: int, count: int) -> tuple[_Path, NDArray[np.int64]]:
    """Return a path on which a step is over as soon as it may be, and the frame, if there is one.

    What goes on behind other bodies looks as if it waited there, or had moved before the first
    frame.

    Args:
        steps: number of the step; 0 for the beginning of the film.
        over: position at which it is over.
        count: of the frames in which it may be over.
    """
    found = _find_waiting(path, over, count) if steps else np.zeros(1, np.int64)
    if len(found):
        positions = path.positions.copy()
        positions[found] = over
        path = replace(path, positions=positions)
    return path, found


def _find_waiting(path: _Path, over: int, count: int) -> NDArray[np.int64]:
    """Return the last frame that shows just what is seen once a step is over; empty for none."""
    pictures, positions = path.film.pictures, path.positions[:count]
    alike = [
        place
        for place in np.unique(positions).tolist()
        if place < over and sum_differences(pictures[place], pictures[over]) == 0.0
    ]
    return np.flatnonzero(np.isin(positions, alike))[-1:]


def _explains_pictures(followed: FollowedVideo, branch: FollowedVideo, frames: range) -> bool:
    """Return whether a branch explains more of whole pictures, in which only shadows may differ.

    Light may differ, too, in what it composes, and so all may where pieces look like shadows.
    """
    own, other = (_sum_pictures(one.prepared, frames) for one in (followed, branch))
    return other < LIMITS.branch_share * own


def _sum_pictures(prepared: PreparedVideo, frames: range) -> float:
    """Return the pixels of some pictures that are not explained, without shadows on the ground."""
    film, positions, ground = prepared.film, prepared.aligned.positions, prepared.look.background
    pictures = islice(prepared.read_pictures(), frames.start, frames.stop)
    return sum(
        sum_unexplained(picture, film, int(position), seen, ground)
        for position, (picture, seen) in zip(positions[frames], pictures, strict=True)
    )


def _is_change(followed: FollowedVideo, branch: FollowedVideo, frames: range) -> bool:
    """Return whether changes of single bodies explain frames far better than a branch does.

    Sides of which a branch knows nothing may look like anything, also like what is behind them. But
    enough changes explain anything, too: each counts as many pixels as it had to explain, times the
    number of those that are made at once.
    """
    own, other = followed.prepared, branch.prepared
    finder, free, lawful = ChangeFinder(followed.composer, own.caution), 0.0, 0.0
    places = np.linspace(0, len(frames) - 1, LIMITS.weighed_pictures).round().astype(int)
    chosen = {frames[place] for place in places}
    for k, (picture, _) in enumerate(islice(own.read_pictures(), frames.stop)):
        if k in chosen:
            position = int(own.aligned.positions[k])
            found = finder.find(picture, position)
            free += found.left.sum() + LIMITS.unseen_cost * found.unseen
            least = sum(finder.find_least(position, change.body) for change in found.changes)
            free += len(found.changes) * least
            unknown = other.film.count_unknown(int(other.aligned.positions[k]))
            lawful += branch.left[k].sum() + LIMITS.unseen_cost * unknown
    return free < LIMITS.change_share * lawful


def choose_pictures(shown: Sequence[Shown]) -> list[Shown]:
    """Return some pictures, more of the first ones: of each stretch that where least moves.

    Nothing moves where an action is done, and so its end is seen there.
    """
    grey = (picture.mean(axis=2, dtype=np.float32) for picture, _ in shown)
    moved = [float(np.abs(now - last).mean()) for last, now in pairwise(grey)]
    # On both sides, for a picture may be shown twice.
    moved = [sum(pair) for pair in pairwise([*moved[:1], *moved, *moved[-1:]])] or [0.0]
    shares = np.linspace(0.0, 1.0, LIMITS.weighed_pictures + 1)
    bounds = np.unique((len(shown) * shares**2).round().astype(int)).tolist()
    return [shown[min(range(*ends), key=moved.__getitem__)] for ends in pairwise(bounds)]


def compare_ends(
    composer: Composer, behind: Behind, bodies: NDArray[np.int64], here: _Array, there: _Array
) -> float:
    """Return how many pixels more bodies (N,) explain that fade or are gone than moved ones do.

    Args:
        here, there: (N, 4, 4) where they fade, and where they are moved.
    """
    moved = composer.weigh_bodies(behind, bodies, there)
    faded = [
        composer.weigh_bodies(behind, bodies, here, alpha=alpha).gain for alpha in LIMITS.alphas
    ]
    # Sides of which nothing is known say nothing.
    own = moved.gain - LIMITS.unseen_cost * moved.unseen
    own = own if moved.seen > LIMITS.hidden_pixels else 0.0
    return own - min(0.0, *faded)


class _Seeker:
    """Seeks lawful branches of a video."""

    def __init__(self, followed: FollowedVideo, end: int) -> None:
        # What most frames leave unexplained is known from those that the film explains.
        self._whole, self._followed, self._prepared = followed, followed.cut(end), followed.prepared
        self._kept: deque[Shown] = deque()
        self._first = 0
        self._reader = iter(self._prepared.read_pictures())

    def find_branch(self, path: _Path) -> tuple[_Fork, _Path] | None:
        """Return where a path is left, and the lawful one that explains most; None for none."""
        if len(path.positions) >= len(self._prepared):
            return None
        if single := self._find_next(path):
            return single
        best: tuple[_Fork, _Path] | None = None
        for fork, shorter in self._list_shorter(path):
            found = self._find_next(shorter)
            if found and found[1].is_better(best[1] if best else path):
                best = fork, found[1]
        return best

    def _find_next(self, path: _Path) -> tuple[_Fork, _Path] | None:
        """Return where a path is left for a single action, and the path along the best one."""
        for fork in self._list_forks(path):
            best, most = path, 0.0
            for gain, end in self._rank_ends(fork):
                # What is hardly worse may still be the true one, as pieces look alike.
                is_whole = len(best.positions) == fork.first + len(fork.shown)
                if is_whole or gain < LIMITS.alike_gain * most:
                    break
                for action in end.actions:
                    new = self._try(fork, action)
                    if len(new.positions) > len(path.positions) and new.is_better(best):
                        best, most = new, max(most, gain)
            if best is not path:
                return fork, self._extend(best)
        return None

    def _list_shorter(self, path: _Path) -> Iterator[tuple[_Fork, _Path]]:
        """Yield forks, and paths along actions that end where a path only passes by.

        A step that is cut short is seen as a part of the film's, until something else follows.
        """
        for fork in self._list_forks(path):
            for action in self._list_passed(fork)[: LIMITS.tried_cuts]:
                shorter = self._try(fork, action)
                if len(shorter.positions) > fork.first:
                    # Where the film is left, what is cut short there does not go on either.
                    yield fork, replace(shorter, positions=shorter.positions[: len(path.positions)])

    def _list_passed(self, fork: _Fork) -> list[Action]:
        """Return actions that end where a path passes by: first those where it rests longest."""
        course = fork.path.course
        passed, counts = np.unique(fork.path.positions[fork.first :], return_counts=True)
        here = find_places(course, course.find_state(fork.steps))
        rests: dict[bytes, tuple[int, Action]] = {}
        for action, there in list_others(course, fork.steps):
            far = np.nan_to_num(measure_poses(course.poses[passed], there, course.boxes))
            near = far.max(axis=1) < LIMITS.off
            moved = np.nan_to_num(measure_poses(there, here, course.boxes)).max()
            if near.any() and moved > LIMITS.off:
                rests.setdefault(there.tobytes(), (int(counts[near].sum()), action))
        return [action for _, action in sorted(rests.values(), key=lambda one: -one[0])]

    def _list_forks(self, path: _Path) -> Iterator[_Fork]:
        """Yield the state that is reached at the end of a path, and the one before."""
        course, positions = path.course, path.positions
        ends = [(0, 0), *((over, end) for _, over, end in course.list_ends(LIMITS.step_slack))]
        known = positions[: max(1, len(positions) - LIMITS.fork_frames)]
        # What goes back the same way seems to undo the last step, but that was done.
        for steps in list_branches(course, int(positions.max()), LIMITS.step_slack):
            over, end = ends[steps]
            own, before = path, np.flatnonzero((over <= known) & (known <= end))
            if not len(before):
                own, before = _end_unseen(path, steps, over, len(known))
            if len(before):
                # What begins to move otherwise may look as if the film went back a little.
                there = own.positions[before]
                first = int(before[there == there.max()][-1]) + 1
                count = len(positions) - first + round(LIMITS.fork_time * self._prepared.fps)
                yield _Fork(own, steps, first, self._read(first, count))

    def _read(self, first: int, count: int) -> Sequence[Shown]:
        """Return some pictures of the video; the same and later ones are at hand."""
        if first < self._first:
            self._kept.clear()
            self._first, self._reader = 0, iter(self._prepared.read_pictures())
        while self._first < first:
            if self._kept:
                self._kept.popleft()
            else:
                next(self._reader)
            self._first += 1
        self._kept.extend(islice(self._reader, max(0, count - len(self._kept))))
        return tuple(islice(self._kept, count))

    def _rank_ends(self, fork: _Fork) -> list[tuple[float, _End]]:
        """Return the ends of lawful actions that explain any picture best, with what they explain.

        First come those that explain most of some picture, then the best one of each picture, also
        if sides that the film never shows may look like anything, and of each set of bodies.
        """
        course = fork.path.course
        here = find_places(course, course.find_state(fork.steps))
        ends: dict[tuple[int, ...], dict[bytes, _End]] = {}
        for action, there in list_others(course, fork.steps):
            far = measure_poses(there, here, course.boxes)
            moved = np.flatnonzero((far > LIMITS.moved_body) & self._prepared.look.drawn)
            if len(moved):
                alike = ends.setdefault(tuple(moved.tolist()), {})
                alike.setdefault(there[moved].tobytes(), _End(there, [])).actions.append(action)
        shown = choose_pictures(fork.later)
        found = [
            (gains, end, bodies)
            for bodies in self._choose_sets(fork, shown, [*ends])
            for gains, end in self._weigh_ends(fork, shown, here, bodies, [*ends[bodies].values()])
        ]
        if not found:
            return []
        gains = np.stack([gains for gains, _, _ in found])
        most = gains[..., 0].max(axis=1)
        order = np.argsort(-most, kind="stable").tolist()
        # Later pictures may show what other actions have led to meanwhile.
        first = gains.argmax(axis=0).T.ravel().tolist()
        own = {found[k][2]: k for k in reversed(order)}
        chosen = dict.fromkeys([*order[: LIMITS.tried_ends], *first, *sorted(own.values())])
        return [(float(most[k]), found[k][1]) for k in chosen if most[k] > 0.0]

    def _choose_sets(
        self, fork: _Fork, shown: Sequence[Shown], sets: Sequence[tuple[int, ...]]
    ) -> list[tuple[int, ...]]:
        """Return the sets of bodies of which most is unexplained in some picture.

        Bodies that are hidden, or look like the ground, leave nothing unexplained, and may have
        moved: they come last.
        """
        composer = self._make_composer(fork.path.film)
        wrong = np.full(len(composer.look.names), _HARDLY)
        for picture, seen in shown:
            left, area = measure_picture(composer, fork.end, picture, seen)
            more = left - self._followed.usual * np.maximum(area, 1.0)
            wrong = np.maximum(wrong, more[1:])
        rates = {bodies: wrong[[*bodies]].sum() / math.sqrt(len(bodies)) for bodies in sets}
        chosen = sorted(sets, key=lambda bodies: (-rates[bodies], bodies))
        return chosen[: LIMITS.weighed_sets]

    def _make_composer(self, film: TrueFilm) -> Composer:
        return Composer(film, self._prepared.look, self._prepared.tolerance)

    def _weigh_ends(
        self,
        fork: _Fork,
        shown: Sequence[Shown],
        here: _Array,
        bodies: tuple[int, ...],
        ends: Sequence[_End],
    ) -> Iterator[tuple[_Array, _End]]:
        """Yield ends of actions with what they explain of each picture (N, 2).

        The second figure leaves out what it costs to show sides that the film never does.
        """
        composer, moved = self._make_composer(fork.path.film), np.array(bodies, np.int64)
        gains, places = [], np.stack([end.places[moved] for end in ends])
        for picture, _ in shown:
            composer.show(picture)
            behind = composer.compose(fork.end, frozenset(bodies)).halve()
            base = composer.weigh_bodies(behind, moved, here[moved]).gain
            own, unseen = composer.weigh_each(behind, moved, places).T
            gains.append(np.stack([base - own, base - own + LIMITS.unseen_cost * unseen], axis=1))
        yield from zip(np.stack(gains, axis=1), ends, strict=True)

    def _try(self, fork: _Fork, action: Action) -> _Path:
        """Return a path along an action and then the film's, as far as it explains the video.

        Nothing is explained by an action that is not done by then, or that has hardly begun.
        """
        course, old = fork.path.course, fork.path.positions[: fork.first]
        actions = [*course.list_actions()[: fork.steps], action]
        recorded = course.branch([*actions, *list_rest(course, actions)])
        film = compose_branch(fork.path.film, self._prepared.look, recorded, fork.steps)
        branch = replace(Course.of_film(film), planned=recorded.planned)
        _, over, _ = branch.list_ends(LIMITS.step_slack)[fork.steps]
        positions, way, cost = self._follow(film, old, fork.shown)
        is_whole = len(positions) == fork.first + len(fork.shown)
        reached = int(positions[fork.first - 1 :].max())
        gone = measure_poses(branch.poses[reached], branch.poses[fork.end], branch.boxes)
        is_done = reached >= over or (is_whole and np.nan_to_num(gone).max() > LIMITS.off)
        path = _Path(film, branch, positions, cost)
        is_shown = is_done and not self._is_missing(fork, replace(path, positions=way))
        return path if is_shown else replace(path, positions=old)

    def _is_missing(self, fork: _Fork, path: _Path) -> bool:
        """Return whether what an action moves is rather gone, or fades where it was.

        What fades looks as if it went where it is hidden, but for its way there.
        """
        composer, here = self._make_composer(path.film), path.course.poses[fork.end]
        last, lost = int(path.course.step_ends[fork.steps]), 0.0
        positions, firsts = np.unique(path.positions[fork.first :], return_index=True)
        for position, k in zip(positions.tolist(), firsts.tolist(), strict=True):
            there = path.course.poses[position]
            far = np.nan_to_num(measure_poses(there, here, path.course.boxes))
            moved = np.flatnonzero((far > LIMITS.off) & self._prepared.look.drawn)
            if len(moved) and position <= last:
                composer.show(fork.shown[k][0])
                behind = composer.compose(position, frozenset(moved.tolist()))
                lost += compare_ends(composer, behind, moved, here[moved], there[moved])
        return lost > LIMITS.least_pixels

    def _extend(self, path: _Path) -> _Path:
        """Return a path with all frames that it explains."""
        count = round(LIMITS.fork_time * self._prepared.fps)
        while shown := self._read(before := len(path.positions), count):
            path = replace(path, positions=self._follow(path.film, path.positions, shown)[0])
            if len(path.positions) < before + len(shown):
                break
        return path

    def _follow(
        self, film: TrueFilm, old: NDArray[np.int64], shown: Sequence[Shown]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], float]:
        """Return positions (N,) with those of more frames, as long as a film explains them.

        Also the same as later frames correct them, and the pixels of such a frame that stay
        unexplained, in the mean. No more frames are looked at once some are unexplained.
        """
        alignment = self._prepared.make_steady_alignment(film, int(old[-1]), len(old))
        composer, wrong, positions = self._make_composer(film), 0, [*old.tolist()]
        costs: list[float] = []
        for picture, seen in shown:
            alignment.advance(picture)
            positions.append(alignment.position)
            left, area = measure_picture(composer, alignment.position, picture, seen)
            costs.append(float(left.sum()))
            composed = np.array([alignment.position in film.doubts])
            flagged = self._followed.flag(left[None], area[None], composed)[0]
            number = len(positions) - 1
            flagged &= ~self._whole.find_alike(number, left)
            is_wrong = flagged.any() or self._followed.is_better(number, left)
            wrong = wrong + 1 if is_wrong else 0
            if wrong == LIMITS.lasting_frames:
                break
        known = np.array(positions[: len(positions) - wrong], np.int64)
        way = np.concatenate([old, alignment.trace().positions])[: len(known)]
        return known, way, float(np.mean(costs[: len(known) - len(old)] or [math.inf]))

"""Judgement of a video: which of its changes break a rule, and which frames can't be judged.

Changes of one body in frames next to each other are one episode, and an episode is at most one
violation: the first thing that is wrong with it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bridge.video.tracking.alignment import HASTE
from bridge.video.tracking.changes import BodyChange, ChangeKind
from bridge.video.tracking.explaining import ExplainedVideo
from bridge.video.verdict.depths import depth_between
from bridge.video.verdict.violations import Violation, ViolationKind, stretches
from pysim.catalog import find_family

__all__ = ["Judgement", "judge_video"]

_Array = NDArray[np.float64]

_FRAMES = 3
"""Frames for which anything has to be wrong."""
_GAP = 3
"""Frames between two changes of a body that are one episode."""
_MINOR = 0.25
"""Share of the pixels of a larger episode below which one at the same time is a part of it."""
_MINOR_EXTRA = 0.8
"""The same for one more of a body: what another change leaves unexplained may look like one."""
_SPARE = 0.45
"""Units by which a body may be farther on than the film's speed allows: how exact poses are."""
_DEPTH = 0.35
"""Units by which a body has to be in another one."""
_ASIDE = 0.25
"""Units off the lines of the lattice."""
_TURN = 10.0
"""Degrees by which a body has to be turned."""
_OFF = 0.3
"""Units by which a body has to be off its place."""
_RELIEF = 0.45
"""Share of the unexplained pixels that a change has to explain."""
_SCALE = 0.03
"""Share by which a body has to be larger or smaller."""
_AREA = 0.6
"""Faces of a cell that have to be seen of another one of a body."""
_SLOW = 3.0
"""How many times as large as its next steps the first step of a leap is."""
_LIKE = 60.0
"""Distance of colours, summed over channels, within which they are one piece's."""
_ZOOM = 0.034
"""Share by which a whole scene may be larger or smaller: cameras do that."""
_ANOTHER = 0.5
"""Share of the pieces that have to be wrong at once, with the ground, for another scene."""
_LEAPS_APART = 2.0
"""Seconds between two leaps that have one cause."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Judgement of a video.

    Attributes:
        violations: by their first frame.
        undecided: (F,) whether a frame breaks no rule that can be named, and is explained by none.
    """

    violations: tuple[Violation, ...]
    undecided: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Episode:
    """Changes of a body in frames next to each other.

    Attributes:
        body: its number.
        changes: frame -> change.
    """

    body: int
    changes: dict[int, BodyChange]

    @property
    def first(self) -> int:
        return min(self.changes)

    @property
    def last(self) -> int:
        return max(self.changes)

    @property
    def gain(self) -> float:
        """Pixels that it explains, in all frames together."""
        return sum(change.gain for change in self.changes.values())

    @property
    def kind(self) -> ChangeKind:
        """The kind that explains most."""
        gains = {
            kind: sum(c.gain for c in self.changes.values() if c.kind is kind)
            for kind in ChangeKind
        }
        return max(ChangeKind, key=lambda kind: gains[kind])

    @property
    def minor(self) -> float:
        """Share of another episode's gain below which it is a part of that one."""
        return _MINOR_EXTRA if self.kind is ChangeKind.DOUBLED else _MINOR

    def list_moves(self) -> dict[int, _Array]:
        """Return frame -> pose where it is elsewhere."""
        return {k: c.pose for k, c in self.changes.items() if c.kind is ChangeKind.MOVED}

    def is_beside(self, other: "_Episode") -> bool:
        """Whether both have frames in common, or nearly."""
        return self.first <= other.last + _GAP and other.first <= self.last + _GAP


def judge_video(explained: ExplainedVideo) -> Judgement:
    """Judge a video that was explained as well as can be done."""
    judge = _Judge(explained)
    found = list(judge.find_violations())
    broken = np.zeros(len(explained.prepared), bool)
    for violation in found:
        broken[violation.first : violation.last + 1] = True
    undecided = explained.flagged.any(axis=1) & ~broken
    ordered = sorted(found, key=lambda v: (v.first, v.kind, v.pieces))
    return Judgement(tuple(ordered), undecided)


class _Judge:
    def __init__(self, explained: ExplainedVideo) -> None:
        self.explained = explained
        self.prepared, self.look = explained.prepared, explained.look
        self.film = self.prepared.film
        bundle = self.film.bundle
        self.names = bundle.names
        self.poses = np.nan_to_num(self.film.find_poses(self.prepared.aligned.positions))
        self.limit = _SPARE + HASTE * self.film.top_speed * bundle.manifest.fps / self.prepared.fps
        family = find_family(bundle.level)
        scene = family.rules.scene(bundle.level, family.rules.initial(bundle.level))
        self.cells = [
            np.array(scene.find_body(name).shape.cells, np.float64) for name in self.names
        ]

    def find_violations(self) -> Iterator[Violation]:
        """Yield all violations."""
        another = self._find_another_scene()
        if another is not None:
            yield another
        growth = self._find_growth()
        if growth is not None:
            yield growth
            return
        yield from self._find_leaps()
        end = len(self.prepared) if another is None else another.first
        episodes = [e for e in self._list_episodes() if e.first < end]
        found = list(_merge(self._judge_episodes(episodes), round(self.prepared.fps)))
        yield from found
        if not found:
            yield from self._find_ground(end)

    def _find_another_scene(self) -> Violation | None:
        flagged = self.explained.flagged
        shown = self.look.pieces
        wrong = flagged[:, 1 + shown].mean(axis=1) >= _ANOTHER
        wrong &= flagged[:, 0] & (self.prepared.unexplained > self._count_pieces_pixels())
        for first, last in stretches(wrong, _FRAMES):
            if first and flagged[first - 1, 1 + shown].mean() > _ANOTHER / 2.0:
                continue  # It has not come at once.
            share = float(flagged[first : last + 1].mean())
            return Violation(
                ViolationKind.BACKGROUND, first, last, (), share, "another scene is shown"
            )
        return None

    def _count_pieces_pixels(self) -> float:
        """Return half the pixels that show pieces in the first frame."""
        drawing = self.look.draw(self.look.pieces, self.poses[0, self.look.pieces])
        return 0.5 * float((drawing.depth > 0.0).sum())

    def _find_growth(self) -> Violation | None:
        large = np.abs(np.log(self.prepared.zooms)) > _ZOOM
        for first, last in stretches(large, _FRAMES):
            zoom = self.prepared.zooms[first : last + 1]
            most = float(np.abs(zoom - 1.0).max())
            pieces = tuple(self.names[b] for b in self.look.pieces)
            return Violation(
                ViolationKind.RIGIDITY,
                first,
                last,
                pieces,
                most,
                "the whole scene changes its size",
            )
        return None

    def _find_leaps(self) -> Iterator[Violation]:
        aligned = self.prepared.aligned
        wrong = np.asarray(self.explained.flagged.any(axis=1))
        sure = ~(wrong | np.concatenate([[True], wrong[:-1]]))
        leaps = np.flatnonzero(aligned.leaps & sure).tolist()
        groups: list[list[int]] = []
        for leap in leaps:
            if groups and leap - groups[-1][-1] <= _LEAPS_APART * self.prepared.fps:
                groups[-1].append(leap)
            else:
                groups.append([leap])
        for group in groups:
            far = self._measure_steps(group)
            pieces = tuple(self.names[b] for b in np.argsort(-far, kind="stable") if far[b] > 0.0)
            if pieces:
                note = "" if len(group) == 1 else f"{len(group)} leaps"
                yield Violation(
                    ViolationKind.TELEPORT, group[0], group[-1], pieces, float(far.max()), note
                )

    def _measure_steps(self, frames: Sequence[int]) -> _Array:
        """Return the largest step (B,) of each body into some frames; 0 for one that stays."""
        far = np.zeros(len(self.names))
        for frame in frames:
            step = self.poses[frame] - self.poses[frame - 1]
            moved = np.abs(step).max(axis=(1, 2)) > 0.05
            size = np.linalg.norm(step[:, :3, 3], axis=1)
            far = np.maximum(far, np.where(moved, np.maximum(size, 0.05), 0.0))
        return far

    def _list_episodes(self) -> list[_Episode]:
        found: list[_Episode] = []
        last: dict[int, _Episode] = {}
        for frame, changes in enumerate(self.explained.changes):
            for change in changes:
                now = last.get(change.body)
                if now is None or frame - now.last > 1 + _GAP:
                    now = last[change.body] = _Episode(change.body, {})
                    found.append(now)
                now.changes[frame] = change
        large = [e for e in found if self._is_sure(e)]
        kept: list[_Episode] = []
        for one in sorted(large, key=lambda e: -e.gain):
            if not any(o.is_beside(one) and one.gain < one.minor * o.gain for o in kept):
                kept.append(one)
        return sorted(kept, key=lambda e: (e.first, e.body))

    def _is_sure(self, episode: _Episode) -> bool:
        """Whether an episode lasts, and its changes explain most of what the film does not."""
        frames = sorted(episode.changes)
        relief = float(np.mean(self.explained.relief[frames]))
        return len(frames) >= min(_FRAMES, len(self.prepared) - episode.first) and relief > _RELIEF

    def _judge_episodes(self, episodes: Sequence[_Episode]) -> Iterator[Violation]:
        done: set[int] = set()
        for k, episode in enumerate(episodes):
            if k in done:
                continue
            partner = self._find_partner(episode, episodes)
            if partner is not None:
                done.add(episodes.index(partner))
                first, last = min(episode.first, partner.first), max(episode.last, partner.last)
                pieces = self.names[episode.body], self.names[partner.body]
                way = self.poses[first, episode.body] - self.poses[first, partner.body]
                far = float(np.linalg.norm(way[:3, 3]))
                yield Violation(ViolationKind.SWAP, first, last, pieces, far)
            elif (violation := self._judge(episode)) is not None:
                yield violation

    def _find_partner(self, episode: _Episode, episodes: Sequence[_Episode]) -> _Episode | None:
        """Return the episode of a body that has this one's colours or place, and the other way."""
        if self._find_wearer(episode) is None:
            return None
        for other in episodes:
            if other is episode or abs(other.first - episode.first) > _GAP + 1:
                continue
            if self._find_wearer(episode) == other.body and (
                self._find_wearer(other) == episode.body
            ):
                return other
        return None

    def _find_wearer(self, episode: _Episode) -> int | None:
        """Return the other body whose colours, or whose place and shape, a body has."""
        if episode.kind is ChangeKind.RECOLORED:
            colors = [c.color for c in episode.changes.values() if c.color is not None]
            return self._name_color(np.median(colors, axis=0), episode.body)
        return None

    def _name_color(self, color: _Array, body: int) -> int | None:
        palette = self.film.bundle.manifest.palette
        best: tuple[float, int] | None = None
        for other in self.look.pieces.tolist():
            own = np.array(palette[self.names[other]], np.float64)
            # Light changes lightness most: colours are compared without it, for the most part.
            scale = float(np.clip(float(color @ own) / max(float(own @ own), 1.0), 0.5, 1.3))
            off = float(np.abs(color - scale * own).sum())
            if other != body and (best is None or off < best[0]):
                best = off, other
        return best[1] if best is not None and best[0] < _LIKE else None

    def _judge(self, episode: _Episode) -> Violation | None:
        kind, first, last = episode.kind, episode.first, episode.last
        name = self.names[episode.body]
        if kind is ChangeKind.ABSENT:
            return Violation(ViolationKind.PERMANENCE, first, last, (name,), last - first + 1.0)
        if kind is ChangeKind.RECOLORED:
            wearer = self._find_wearer(episode)
            if wearer is None:
                return Violation(
                    ViolationKind.RIGIDITY, first, last, (name,), 1.0, "its colour changes"
                )
            pieces = name, self.names[wearer]
            way = self.poses[first, episode.body] - self.poses[first, wearer]
            far = float(np.linalg.norm(way[:3, 3]))
            return Violation(ViolationKind.MERGE, first, last, pieces, far)
        if kind is ChangeKind.RESIZED:
            most = max(float(np.abs(c.scale - 1.0).max()) for c in episode.changes.values())
            if most < _SCALE:
                return None
            return Violation(ViolationKind.RIGIDITY, first, last, (name,), most)
        if kind is ChangeKind.DOUBLED:
            unit = self.look.lens.measure_unit(self.poses[first, episode.body, :3, 3])
            gains = [float(c.gain / c.alpha) for c in episode.changes.values()]
            area = float(np.max(gains)) / unit**2
            if area < _AREA:
                return None
            return Violation(ViolationKind.EXTRA, first, last, (name,), area)
        return self._judge_motion(episode, first, last)

    def _judge_motion(self, episode: _Episode, first: int, last: int) -> Violation | None:
        body, name = episode.body, self.names[episode.body]
        moves = episode.list_moves()
        lawful = self.poses[:, body]
        leap = self._measure_leap(body, moves)
        if leap > self.limit:
            return Violation(ViolationKind.TELEPORT, first, last, (name,), leap)
        turned = max(_measure_turn(pose, lawful[k]) for k, pose in moves.items())
        if turned > _TURN:
            return Violation(ViolationKind.ROTATION, first, last, (name,), turned)
        depth, other = self._measure_depth(body, moves)
        if depth > _DEPTH:
            return Violation(ViolationKind.INTERPENETRATION, first, last, (name, other), depth)
        ways = np.array([pose[:3, 3] - lawful[k][:3, 3] for k, pose in moves.items()])
        if (aside := float(np.sort(np.abs(ways), axis=1)[:, 1].max())) > _ASIDE:
            return Violation(ViolationKind.DIAGONAL, first, last, (name,), aside)
        far = float(np.linalg.norm(ways, axis=1).max())
        return Violation(ViolationKind.ILLEGAL, first, last, (name,), far) if far > _OFF else None

    def _measure_leap(self, body: int, moves: dict[int, _Array]) -> float:
        """Return the largest step of a body's middle from one frame to the next, in units."""
        middle = self.cells[body].mean(axis=0)
        frames = sorted(moves)
        poses = [self.poses[max(0, frames[0] - 1), body], *(moves[k] for k in frames)]
        places = np.array([pose[:3, :3] @ middle + pose[:3, 3] for pose in poses])
        steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
        steps /= np.diff([frames[0] - 1, *frames])
        # What has gone slowly before it was seen to is no leap.
        if len(steps) > 2 and steps[0] < _SLOW * np.median(steps[1:7]) + _SPARE:
            steps[0] = 0.0
        return float(steps.max())

    def _measure_depth(self, body: int, moves: dict[int, _Array]) -> tuple[float, str]:
        """Return how deep a body is in another one, and in which."""
        most, name = 0.0, ""
        for frame, pose in moves.items():
            changed = {c.body: c.pose for c in self.explained.changes[frame]}
            for other in np.flatnonzero(self.look.drawn).tolist():
                if other != body:
                    there = changed.get(other, self.poses[frame, other])
                    depth = depth_between(self.cells[body], pose, self.cells[other], there)
                    if depth > most:
                        most, name = depth, self.names[other]
        return most, name

    def _find_ground(self, end: int) -> Iterator[Violation]:
        """Yield changes of what is behind the pieces that no piece explains."""
        ground = self.explained.left[:end, 0]
        height, width = self.look.size
        many = self.prepared.unexplained[:end] > 0.05 * height * width
        for first, last in stretches(ground & many, _FRAMES):
            share = float(self.prepared.unexplained[first : last + 1].max()) / (height * width)
            yield Violation(ViolationKind.BACKGROUND, first, last, (), share)


def _merge(violations: Iterable[Violation], gap: int) -> Iterator[Violation]:
    """Yield violations, one for those that share a piece, with few frames between them."""
    kept: list[Violation] = []
    for new in sorted(violations, key=lambda v: v.first):
        for k, old in enumerate(kept):
            if set(old.pieces) & set(new.pieces) and new.first <= old.last + gap:
                kept[k] = replace(old, last=max(old.last, new.last))
                break
        else:
            kept.append(new)
    yield from kept


def _measure_turn(one: _Array, other: _Array) -> float:
    """Return the degrees between two poses."""
    cosine = (float(np.trace(one[:3, :3] @ other[:3, :3].T)) - 1.0) / 2.0
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))

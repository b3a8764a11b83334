"""Judgement of a video: which of its changes break a rule, and which frames can't be judged.

Changes of one body in frames next to each other are one episode, and an episode is at most one
violation: what is wrong with it in most frames.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bridge.video.thresholds import LIMITS
from bridge.video.tracking.changes import BodyChange, ChangeKind
from bridge.video.tracking.course import measure_poses
from bridge.video.verdict.depths import depth_between
from bridge.video.verdict.evidence import Evidence
from bridge.video.verdict.order import find_early
from bridge.video.verdict.violations import Violation, ViolationKind, stretches
from bridge.video.verdict.ways import Way

__all__ = ["Judgement", "judge_video"]

_Array = NDArray[np.float64]
_Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Judgement of a video.

    Attributes:
        violations: by their first frame.
        undecided: (F,) whether a frame breaks no rule that can be named, and is explained by none.
    """

    violations: tuple[Violation, ...]
    undecided: _Mask


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
    def is_look(self) -> bool:
        """Whether its colours are other ones from the first frame on: so the body looks there."""
        return self.kind is ChangeKind.RECOLORED and self.first == 0

    @property
    def minor(self) -> float:
        """Share of another episode's gain below which it is a part of that one."""
        return LIMITS.minor_double if self.kind is ChangeKind.DOUBLED else LIMITS.minor_episode

    def list_moves(self) -> dict[int, _Array]:
        """Return frame -> pose where it is elsewhere."""
        return {k: c.pose for k, c in self.changes.items() if c.kind is ChangeKind.MOVED}

    def is_beside(self, other: "_Episode") -> bool:
        """Whether both have frames in common, or nearly."""
        return (
            self.first <= other.last + LIMITS.episode_gap
            and other.first <= self.last + LIMITS.episode_gap
        )


def judge_video(evidence: Evidence) -> Judgement:
    """Judge a video that was explained as well as can be done."""
    judge = _Judge(evidence)
    found = list(judge.find_violations()) if evidence.is_large else []
    broken = np.zeros(len(evidence), bool)
    for violation in found:
        broken[violation.first : violation.last + 1] = True
    ordered = sorted(found, key=lambda v: (v.first, v.kind, v.pieces))
    return Judgement(tuple(ordered), evidence.unclear & ~broken)


class _Judge:
    def __init__(self, evidence: Evidence) -> None:
        self.evidence, self.course = evidence, evidence.course
        self.names, self.cells = self.course.names, self.course.cells
        self.positions = evidence.aligned.positions
        self.poses = np.nan_to_num(self.course.poses[self.positions])
        # Against the first frames: a video that is cropped alike all along has not changed.
        self.zooms = evidence.zooms / np.median(evidence.zooms[: LIMITS.lasting_frames])
        self.resized = np.abs(np.log(self.zooms)) > LIMITS.zoom

    def find_violations(self) -> Iterator[Violation]:
        """Yield all violations."""
        another = self._find_another_scene()
        if another is not None:
            yield another
        growth = self._find_growth()
        if growth is not None:
            yield growth
            return
        end = len(self.evidence) if another is None else another.first
        end = min(end, self._find_lost())
        episodes = [e for e in self._list_episodes() if e.first < end and not e.is_look]
        wrong = [*self._find_leaps(), *self._judge_episodes(episodes)]
        found = list(self._merge(wrong)) or list(self._merge(self._find_deformed(end)))
        yield from found or list(self._find_ground(end)) or self._find_things(end)

    def _find_another_scene(self) -> Violation | None:
        flagged, shown = self.evidence.flagged, self.evidence.pieces
        wrong = flagged[:, 1 + shown].mean(axis=1) >= LIMITS.another_scene
        wrong &= flagged[:, 0] & self.evidence.is_otherwise
        for first, last in stretches(wrong, LIMITS.lasting_frames):
            if first and flagged[first - 1, 1 + shown].mean() > LIMITS.another_scene / 2.0:
                continue  # It has not come at once.
            relief = float(self.evidence.relief[first : last + 1].mean())
            if relief > LIMITS.scene_relief and not self.evidence.is_exact:
                continue  # Changes of single bodies explain it.
            share = float(flagged[first : last + 1].mean())
            return Violation(
                ViolationKind.BACKGROUND, first, last, (), share, "another scene is shown"
            )
        return None

    def _find_lost(self) -> int:
        """Return the frame from which on nothing can be judged; their number for none.

        The camera can't be followed, or hardly anything is known of bodies.
        """
        unclear = self.evidence.unclear[: self.evidence.lost]
        is_rolled = np.abs(self.evidence.rolls[: len(unclear)]) > np.radians(LIMITS.lost_turn)
        lost = np.flatnonzero(is_rolled & unclear)
        if not len(lost):
            return len(unclear)
        clear = np.flatnonzero(~unclear[: lost[0]])
        return 1 + int(clear.max(initial=-1))

    def _find_growth(self) -> Violation | None:
        zooms, sure = self.zooms, ~self.evidence.unclear
        # No camera that goes wrong for a moment is as far off as that for long.
        is_level = np.abs(self.evidence.rolls) < np.radians(LIMITS.level_roll)
        far = (np.abs(np.log(zooms)) > LIMITS.far_zoom) & is_level
        for first, last in stretches(far, round(LIMITS.far_zoom_time * self.evidence.fps)):
            sure[first : last + 1] = True
        for first, last in stretches(self.resized & sure, LIMITS.lasting_frames):
            most = float(np.abs(zooms[first : last + 1] - 1.0).max())
            pieces = tuple(self.names[b] for b in self.evidence.pieces)
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
        wrong = np.asarray(self.evidence.flagged.any(axis=1))
        sure = ~(wrong | np.concatenate([[True], wrong[:-1]]))
        leaps = np.flatnonzero((self.evidence.aligned.leaps & sure)[: self.evidence.lost]).tolist()
        if self.evidence.is_exact:
            limits = self.evidence.limits
            leaps = [k for k in leaps if (self._measure_steps([k]) > limits[k]).any()]
        groups: list[list[int]] = []
        for leap in leaps:
            if groups and self._have_one_cause(groups[-1][-1], leap):
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

    def _have_one_cause(self, leap: int, other: int) -> bool:
        """Return whether two leaps are close together, or out of one step into the same."""
        between = self.positions[leap:other]
        first = np.searchsorted(self.course.step_ends, between, side="left").max()
        last = np.searchsorted(self.course.step_ends, between, side="right").min()
        return bool(other - leap <= LIMITS.leaps_apart * self.evidence.fps or first <= last)

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
        for frame, changes in enumerate(self.evidence.changes):
            for change in changes:
                now = last.get(change.body)
                if now is None or frame - now.last > 1 + LIMITS.episode_gap:
                    now = last[change.body] = _Episode(change.body, {})
                    found.append(now)
                now.changes[frame] = change
        large = [e for e in found if self._is_sure(e)]
        kept: list[_Episode] = []
        for one in sorted(large, key=lambda e: -e.gain):
            if self.evidence.is_exact or not any(self._is_part(one, other) for other in kept):
                kept.append(one)
        return sorted(kept, key=lambda e: (e.first, e.body))

    def _is_part(self, one: _Episode, other: _Episode) -> bool:
        """Return whether an episode is only a part of a larger one."""
        is_minor = one.is_beside(other) and one.gain < one.minor * other.gain
        return is_minor and not self._have_swapped(one, other)

    def _is_sure(self, episode: _Episode) -> bool:
        """Whether an episode lasts, and its changes explain most of what the film does not."""
        frames = sorted(episode.changes)
        relief = float(np.mean(self.evidence.relief[frames]))
        return (
            len(frames) >= min(LIMITS.lasting_frames, len(self.evidence) - episode.first)
            and relief > LIMITS.relief
        )

    def _judge_episodes(self, episodes: Sequence[_Episode]) -> Iterator[Violation]:
        done: set[int] = set()
        groups = {id(e): [o for o in episodes if self._go_together(e, o)] for e in episodes}
        for k, episode in enumerate(episodes):
            if k in done:
                continue
            partner = self._find_partner(episode, episodes)
            if partner is not None:
                done.add(episodes.index(partner))
                yield self._make_swap(episode, partner)
                continue
            group = groups[id(episode)]
            done.update(episodes.index(other) for other in group)
            mates = [other.body for other in group]
            violation = self._judge(episode, mates)
            if violation is not None:
                names = [*violation.pieces[:1], *(self.names[b] for b in mates)]
                names += [name for name in violation.pieces[1:] if name not in names]
                yield replace(violation, pieces=tuple(names))

    def _make_swap(self, episode: _Episode, partner: _Episode) -> Violation:
        first, last = min(episode.first, partner.first), max(episode.last, partner.last)
        pieces = self.names[episode.body], self.names[partner.body]
        way = self.poses[first, episode.body] - self.poses[first, partner.body]
        far = float(np.linalg.norm(way[:3, 3]))
        return Violation(ViolationKind.SWAP, first, last, pieces, far)

    def _go_together(self, one: _Episode, other: _Episode) -> bool:
        """Return whether two bodies are moved as one, or leap or are resized at the same time."""
        is_late = abs(one.first - other.first) > LIMITS.episode_gap
        if one is not other and not is_late and one.kind is other.kind is ChangeKind.RESIZED:
            return True
        mine, theirs = one.list_moves(), other.list_moves()
        both = sorted(mine.keys() & theirs.keys())
        if one is not other and self.evidence.is_exact and self._keep_distance(one, other):
            return True
        if one is other or is_late or 2 * len(both) <= len(mine):
            return False
        if one.first == other.first and self._starts_at_once(one) and self._starts_at_once(other):
            return True
        here, there = (np.stack([moves[k] for k in both]) for moves in (mine, theirs))
        lawful = self.poses[both]
        led = here @ np.linalg.inv(lawful[:, one.body]) @ lawful[:, other.body]
        off = measure_poses(led, there, self.course.boxes[other.body])
        return bool(np.mean(off < LIMITS.off) > LIMITS.mostly)

    def _keep_distance(self, one: _Episode, other: _Episode) -> bool:
        """Return whether two bodies move and keep the distance that they had before."""
        frames = np.arange(
            max(0, min(one.first, other.first) - 1), min(one.last, other.last) + 1
        ).tolist()
        if len(frames) <= LIMITS.lasting_frames:
            return False
        here, there = (
            np.stack([moves.get(k, self.poses[k, e.body]) for k in frames])
            for e, moves in ((e, e.list_moves()) for e in (one, other))
        )
        led = here @ np.linalg.inv(here[0]) @ there[0]
        box = self.course.boxes[other.body]
        is_moved = measure_poses(there, there[:1], box).max() > LIMITS.off
        return bool(
            is_moved and np.mean(measure_poses(led, there, box) < LIMITS.off) > LIMITS.mostly
        )

    def _starts_at_once(self, episode: _Episode) -> bool:
        """Return whether a body is elsewhere from one frame to the next, or turned."""
        moves, first = episode.list_moves(), episode.first
        if first not in moves or not first:
            return False
        before, after = self.poses[first - 1, episode.body], moves[first]
        far = measure_poses(before, after, self.course.boxes[episode.body])
        return bool(far > self.evidence.limits[first, episode.body])

    def _find_partner(self, episode: _Episode, episodes: Sequence[_Episode]) -> _Episode | None:
        """Return the episode of a body that has this one's colours or place, and the other way."""
        return next((other for other in episodes if self._have_swapped(episode, other)), None)

    def _have_swapped(self, one: _Episode, other: _Episode) -> bool:
        """Return whether two bodies have each other's colours or places, at the same time."""
        return (
            other is not one
            and abs(other.first - one.first) <= LIMITS.episode_gap + 1
            and self._find_wearer(one) == other.body
            and self._find_wearer(other) == one.body
        )

    def _find_wearer(self, episode: _Episode) -> int | None:
        """Return the other body whose colours, or whose place and shape, a body has."""
        if episode.kind is ChangeKind.MOVED:
            return self._find_place(episode)
        if episode.kind is not ChangeKind.RECOLORED:
            return None
        if self.evidence.wears is not None:
            worn = self.evidence.wears[sorted(episode.changes), episode.body]
            found = worn[(worn >= 0) & (worn != episode.body)].tolist()
            return max(sorted(found), key=found.count, default=None)
        colors = [c.color for c in episode.changes.values() if c.color is not None]
        return self._name_color(np.median(colors, axis=0), episode.body)

    def _find_place(self, episode: _Episode) -> int | None:
        """Return the body to whose place a body has leapt."""
        moves = episode.list_moves()
        first = min(moves)
        if self._measure_leap(episode.body, moves)[0] == 0.0:
            return None
        places = (self.poses[first] @ self.course.boxes)[:, :3, 3]
        here = (moves[first] @ self.course.boxes[episode.body])[:3, 3]
        near = np.linalg.norm(places - here, axis=1)
        other = int(near[self.evidence.pieces].argmin())
        body = int(self.evidence.pieces[other])
        return body if body != episode.body and near[body] < LIMITS.same_place else None

    def _name_color(self, color: _Array, body: int) -> int | None:
        offs = {
            other: min(_compare_colors(color, own) for own in self.course.colors[other])
            for other in [*self.evidence.pieces.tolist(), body]
        }
        # In another light, a side that was hidden is lighter or darker than thought.
        if offs.pop(body) < LIMITS.like_color and self.evidence.is_relit:
            return None
        best = min(offs, key=lambda other: offs[other], default=None)
        return best if best is not None and offs[best] < LIMITS.like_color else None

    def _judge(self, episode: _Episode, mates: Sequence[int]) -> Violation | None:
        first, last = episode.first, episode.last
        episode = self._take_beginning(episode)
        kind = episode.kind
        name = self.names[episode.body]
        if kind is ChangeKind.ABSENT:
            return Violation(ViolationKind.PERMANENCE, first, last, (name,), last - first + 1.0)
        if kind is ChangeKind.RECOLORED:
            wearer = self._find_wearer(episode)
            if wearer is None:
                if self.evidence.is_relit:
                    return None  # Sides that were hidden at first have other colours than thought.
                return Violation(
                    ViolationKind.RIGIDITY, first, last, (name,), 1.0, "its colour changes"
                )
            pieces = name, self.names[wearer]
            way = self.poses[first, episode.body] - self.poses[first, wearer]
            far = float(np.linalg.norm(way[:3, 3]))
            return Violation(ViolationKind.MERGE, first, last, pieces, far)
        if kind is ChangeKind.RESIZED:
            most = max(float(np.abs(c.scale - 1.0).max()) for c in episode.changes.values())
            if most < LIMITS.scale:
                return None
            return Violation(ViolationKind.RIGIDITY, first, last, (name,), most)
        if kind is ChangeKind.DOUBLED:
            unit = self.evidence.measure_unit(self.poses[first, episode.body, :3, 3])
            gains = [float(c.gain / c.alpha) for c in episode.changes.values()]
            area = float(np.max(gains)) / unit**2
            if area < LIMITS.double_area:
                return None
            return Violation(ViolationKind.EXTRA, first, last, (name,), area)
        violation = self._judge_motion(episode, mates)
        return violation and replace(violation, first=first, last=last)

    def _take_beginning(self, episode: _Episode) -> _Episode:
        """Return the part of an episode that tells what its body did at first.

        A body that has nearly melted, or faded, looks as if it were elsewhere: then that is the
        part before it leaps there.
        """
        if episode.kind is ChangeKind.ABSENT:
            return self._take_way(episode)
        if episode.kind is not ChangeKind.MOVED:
            return episode
        moves = episode.list_moves()
        leap, frame = self._measure_leap(episode.body, moves)
        before = {k: change for k, change in episode.changes.items() if k < frame}
        others = sum(change.kind is not ChangeKind.MOVED for change in before.values())
        if leap == 0.0 or others < LIMITS.lasting_frames:
            return episode
        return _Episode(episode.body, before)

    def _take_way(self, episode: _Episode) -> _Episode:
        """Return the way on which an absent body was lost from sight, if it began with one."""
        end = min(k for k, c in episode.changes.items() if c.kind is not ChangeKind.MOVED)
        moves = {k: pose for k, pose in episode.list_moves().items() if k < end}
        if not self._is_off(episode.body, moves) or self._measure_leap(episode.body, moves)[0]:
            return episode
        return _Episode(episode.body, {k: episode.changes[k] for k in moves})

    def _judge_motion(self, episode: _Episode, mates: Sequence[int]) -> Violation | None:
        first, last, body = episode.first, episode.last, episode.body
        name, moves = self.names[body], episode.list_moves()
        lawful = self.poses[:, body]
        leap, frame = self._measure_leap(body, moves)
        before = {k: pose for k, pose in moves.items() if k < frame}
        if leap > 0.0 and not self._is_off(body, before):
            return Violation(ViolationKind.TELEPORT, first, last, (name,), leap)
        # What has gone elsewhere step by step is lost from sight, rather than that it leaps then.
        moves = before if leap > 0.0 else moves
        if early := find_early(self.course, self.positions, body, moves):
            pieces = tuple(self.names[b] for b in early)
            return Violation(ViolationKind.ORDER, first, last, pieces, len(pieces) - 1.0)
        frames, middle = tuple(sorted(moves)), self.cells[body].mean(axis=0)
        there = np.stack([moves[k] for k in frames])
        return self._judge_way(Way(body, frames, there, lawful[[*frames]], middle), episode, mates)

    def _judge_way(self, way: Way, episode: _Episode, mates: Sequence[int]) -> Violation | None:
        """Return what is wrong with a way that is no leap, if anything is."""
        name, span = self.names[way.body], (episode.first, episode.last)
        turns, shifts = way.measure_turns(), way.measure_shifts()
        asides = np.sort(np.abs(shifts), axis=1)[:, 1]
        depths, others = self._measure_depths(way, mates)
        if (turned := turns > LIMITS.turn).any():
            deep = np.minimum(depths, self._measure_depths(way.unturn(), mates)[0]) > LIMITS.depth
            otherwise = deep | ((asides > LIMITS.aside) & ~turned)
            if (turned & ~deep).sum() > otherwise.sum():
                return Violation(ViolationKind.ROTATION, *span, (name,), float(turns.max()))
        if (deepest := float(depths.max())) > LIMITS.depth:
            pieces = name, others[int(depths.argmax())]
            return Violation(ViolationKind.INTERPENETRATION, *span, pieces, deepest)
        if (aside := float(asides.max())) > LIMITS.aside:
            return Violation(ViolationKind.DIAGONAL, *span, (name,), aside)
        off = measure_poses(way.poses, way.lawful, self.course.boxes[way.body])
        if (far := float(off.max())) <= LIMITS.off:
            return None
        return Violation(ViolationKind.ILLEGAL, *span, (name,), far)

    def _is_off(self, body: int, moves: Mapping[int, _Array]) -> bool:
        """Return whether a body is off its place for some frames."""
        frames = sorted(moves)
        if len(frames) < LIMITS.lasting_frames:
            return False
        there, lawful = np.stack([moves[k] for k in frames]), self.poses[frames, body]
        far = measure_poses(there, lawful, self.course.boxes[body])
        return int((far > LIMITS.off).sum()) >= LIMITS.lasting_frames

    def _measure_leap(self, body: int, moves: dict[int, _Array]) -> tuple[float, int]:
        """Return the largest step of a body's middle that is too large for a frame, and the first.

        Returns:
            Its length in units, 0 for none, and the frame into which the first such step leads.
        """
        middle, spare = self.cells[body].mean(axis=0), self.evidence.spare
        frames = sorted(moves)
        poses = [self.poses[max(0, frames[0] - 1), body], *(moves[k] for k in frames)]
        places = np.array([pose[:3, :3] @ middle + pose[:3, 3] for pose in poses])
        steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
        steps /= np.diff([frames[0] - 1, *frames])
        # What has gone slowly before it was seen to is no leap.
        if len(steps) > 2 and steps[0] < LIMITS.slow_factor * np.median(steps[1:7]) + spare:
            steps[0] = 0.0
        wide = steps > self.evidence.limits[frames, body]
        return float(steps[wide].max(initial=0.0)), frames[int(wide.argmax())]

    def _measure_depths(self, way: Way, mates: Sequence[int]) -> tuple[_Array, list[str]]:
        """Return how deep (K,) a body is in others that aren't moved with it, and in which most."""
        found = [
            self._find_deepest(*at, way.body, mates)
            for at in zip(way.frames, way.poses, strict=True)
        ]
        return np.array([depth for depth, _ in found]), [name for _, name in found]

    def _find_deepest(
        self, frame: int, pose: _Array, body: int, mates: Sequence[int]
    ) -> tuple[float, str]:
        """Return how deep a body is in a frame in another one, and in which."""
        changed = {c.body: c.pose for c in self.evidence.changes[frame]}
        most, name = 0.0, ""
        for other in self.evidence.solid.tolist():
            if other != body and other not in mates:
                there = changed.get(other, self.poses[frame, other])
                depth = depth_between(self.cells[body], pose, self.cells[other], there)
                if depth > most:
                    most, name = depth, self.names[other]
        return most, name

    def _find_deformed(self, end: int) -> Iterator[Violation]:
        """Yield pieces in their places that no size or colour explains, and that are most wrong.

        In another look or light they may look otherwise without being so.
        """
        evidence = self.evidence
        if evidence.unexplained is None or evidence.is_relit:
            return
        pixels = evidence.unexplained[:end, 1 + evidence.pieces]
        most = pixels > LIMITS.deformed_share * pixels.sum(axis=1, keepdims=True)
        # What hides part of a piece is no piece of another shape.
        is_thing = self._count_faces(evidence.strange[:end]) > LIMITS.double_area
        is_open = (evidence.relief[:end] <= LIMITS.relief) & ~is_thing
        for column, body in enumerate(evidence.pieces.tolist()):
            wrong = most[:, column] & evidence.flagged[:end, 1 + body] & is_open
            for frame in np.flatnonzero(wrong).tolist():
                wrong[frame] = self._stays(frame, body)
            for first, last in self._list_lasting(wrong):
                share = 1.0 - float(evidence.relief[first : last + 1].mean())
                pieces, note = (self.names[body],), "its shape changes"
                yield Violation(ViolationKind.RIGIDITY, first, last, pieces, share, note)

    def _stays(self, frame: int, body: int) -> bool:
        """Return whether all changes of a frame are of a body that is about where it has to be."""
        there, box = self.poses[frame, body], self.course.boxes[body]
        changes = self.evidence.changes[frame]
        moved = [change.pose for change in changes if change.kind is ChangeKind.MOVED]
        is_near = all(measure_poses(pose, there, box) < LIMITS.deformed_off for pose in moved)
        return is_near and {change.body for change in changes} <= {body}

    def _find_ground(self, end: int) -> Iterator[Violation]:
        """Yield changes of what is behind the pieces that no piece explains."""
        ground = self.evidence.ground[:end]
        for first, last in stretches(ground > 0.0, LIMITS.lasting_frames):
            share = float(ground[first : last + 1].max())
            yield Violation(ViolationKind.BACKGROUND, first, last, (), share)

    def _find_things(self, end: int) -> Iterator[Violation]:
        """Yield what is seen on the ground and is no piece."""
        evidence = self.evidence
        faces = self._count_faces(evidence.regions[:end])
        is_open = evidence.relief[:end] <= LIMITS.relief
        for first, last in self._list_lasting((faces > LIMITS.double_area) & is_open):
            most = float(faces[first : last + 1].max())
            yield Violation(ViolationKind.EXTRA, first, last, (), most, "something is no piece")

    def _count_faces(self, pixels: _Array) -> _Array:
        """Return how many faces of a cell pixels (F,) of frames are as large as."""
        faces, evidence = np.zeros(len(pixels)), self.evidence
        for frame in np.flatnonzero(pixels).tolist():
            middle = self.poses[frame, evidence.pieces, :3, 3].mean(axis=0)
            faces[frame] = pixels[frame] / evidence.measure_unit(middle) ** 2
        return faces

    def _list_lasting(self, wrong: _Mask) -> Iterator[tuple[int, int]]:
        """Yield the first and the last frame of each time for which something looks wrong (F,).

        What looks so in the first frame has not changed: it may be a caption, or other colours.
        """
        if not wrong[:1].any():
            yield from stretches(wrong, round(LIMITS.deformed_time * self.evidence.fps))

    def _merge(self, violations: Iterable[Violation]) -> Iterator[Violation]:
        """Yield violations, one for those that share a piece and have one cause."""
        kept: list[Violation] = []
        for new in sorted(violations, key=lambda v: v.first):
            for k, old in enumerate(kept):
                if set(old.pieces) & set(new.pieces) and self._follows(old, new):
                    kept[k] = replace(old, last=max(old.last, new.last))
                    break
            else:
                kept.append(new)
        yield from kept

    def _follows(self, old: Violation, new: Violation) -> bool:
        """Return whether few frames are between two violations, or both are leaps in one step."""
        leaps = old.kind is new.kind is ViolationKind.TELEPORT
        return new.first <= old.last + round(self.evidence.fps) or (
            leaps and self._have_one_cause(old.last, new.first)
        )


def _compare_colors(color: _Array, own: _Array) -> float:
    """Return how far apart two colours (3,) are, summed over channels, but for their lightness."""
    # Light changes that most.
    scale = float(np.clip(float(color @ own) / max(float(own @ own), 1.0), 0.5, 1.3))
    return float(np.abs(color - scale * own).sum())

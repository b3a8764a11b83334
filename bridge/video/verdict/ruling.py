"""Ruling on a video: what it breaks, and its plan."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from bridge.recording.movers import movers_of
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.course import Course
from bridge.video.verdict.branches import follow_rules, read_refusal
from bridge.video.verdict.judging import judge_video
from bridge.video.verdict.plan import read_plan
from bridge.video.verdict.reading import ReadPlan
from bridge.video.verdict.track_evidence import gather_evidence
from bridge.video.verdict.tracks import Tracks, TracksError
from bridge.video.verdict.violations import Violation, ViolationKind, stretches

__all__ = ["Ruling", "rule_on"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """Ruling on a video: violations and plan.

    Attributes:
        violations: by their first frame.
        reading: the plan that was read off it.
        frames: how many it has.
        unseen: share of all pieces in all frames that are hidden, or of which nothing is known.
    """

    violations: tuple[Violation, ...]
    reading: ReadPlan
    frames: int
    unseen: float

    def count(self, kind: ViolationKind) -> int:
        """Return the number of violations of a kind."""
        return Counter(v.kind for v in self.violations)[kind]

    @property
    def broken_frames(self) -> int:
        """Frames in which anything is wrong."""
        wrong = np.zeros(self.frames, bool)
        for violation in self.violations:
            wrong[violation.first : violation.last + 1] = True
        return int(wrong.sum())


def rule_on(course: Course, tracks: Tracks) -> Ruling:
    """Judge a video by the tracks of its pieces.

    Args:
        course: the film that it should show.
        tracks: of all bodies of the film that may move.

    Raises:
        TracksError: a piece has no track, or they start elsewhere than the puzzle does.
    """
    known = _take_movers(course, tracks)
    posed = follow_rules(course, known)
    evidence = gather_evidence(posed)
    found = [*judge_video(evidence).violations, *_find_splits(known)]
    ordered = tuple(sorted(found, key=lambda v: (v.first, v.kind, v.pieces)))
    unlike = np.asarray(evidence.flagged.any(axis=1))
    reading = read_plan(posed.course, posed.aligned, unlike)
    refused = read_refusal(course.level, known.deeds or ())
    if refused is not None:
        reading = replace(reading, moves=(*reading.moves, refused))
    return Ruling(ordered, reading, len(known), known.unseen_share)


def _take_movers(course: Course, tracks: Tracks) -> Tracks:
    known = tracks.of(movers_of(course.level, course.scene))
    _check_start(course, known)
    return known


def _find_splits(tracks: Tracks) -> Iterator[Violation]:
    """Yield pieces that are in two."""
    for piece, name in enumerate(tracks.names):
        apart = tracks.apart[:, piece]
        for first, last in stretches(
            (apart >= LIMITS.split) & tracks.decided[:, piece], LIMITS.lasting_frames
        ):
            most = float(apart[first : last + 1].max())
            yield Violation(ViolationKind.SPLIT, first, last, (name,), most)


def _check_start(course: Course, tracks: Tracks) -> None:
    """Refuse tracks that start elsewhere: they are not of this puzzle, or not from its start."""
    for piece, name in enumerate(tracks.names):
        body = course.scene.find_body(name)
        away = tracks.poses[0, piece, :3, 3] - body.pose.offset
        if tracks.decided[0, piece] and not body.loose and np.abs(away).max() > LIMITS.start_off:
            raise TracksError(
                f"{name} starts {np.abs(away).max():.1f} units from where the puzzle has it; "
                "is this a video of another level?"
            )

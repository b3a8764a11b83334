"""All that is said of a video by rule."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from bridge.video.verdict.becoming import as_one, exchanged, repainted
from bridge.video.verdict.doing import read_deeds
from bridge.video.verdict.onsets import dated
from bridge.video.verdict.overlaps import grounded, overlaps
from bridge.video.verdict.reading import ReadPlan
from bridge.video.verdict.resting import read_rests
from bridge.video.verdict.slides import read_slides
from bridge.video.verdict.steadiness import (
    leaps,
    lost_pieces,
    odd_shapes,
    taken_over,
    unsteady_background,
)
from bridge.video.verdict.subject import Subject, slides_of
from bridge.video.verdict.tracks import Tracks, TracksError
from bridge.video.verdict.violations import Thresholds, Violation, ViolationKind

__all__ = ["Ruling", "rule_on"]

_FAR = 1.5
"""Units by which pieces may be elsewhere at the start than the rules say."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """Ruling on a video: violations and plan.

    Attributes:
        violations: by their first frame.
        reading: the plan that was read off it.
        frames: how many it has.
        undecided: share of all pieces in all frames of which nothing is known.
    """

    violations: tuple[Violation, ...]
    reading: ReadPlan
    frames: int
    undecided: float

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


def rule_on(subject: Subject, tracks: Tracks, least: Thresholds | None = None) -> Ruling:
    """Judge a video by the tracks of its pieces.

    Raises:
        TracksError: a piece has no track, or they start elsewhere than the puzzle does.
    """
    chosen = least or Thresholds()
    known = tracks.of(subject.names)
    _check_start(subject, known)
    reading = _read(subject, known, chosen)
    leapt, gone = taken_over(
        subject,
        known,
        leaps(subject, known, chosen),
        list(lost_pieces(subject, known, chosen)),
    )
    found = [
        *leapt,
        *exchanged(
            [*repainted(known, chosen), *as_one([*gone, *odd_shapes(known, chosen)])],
        ),
        *overlaps(subject, known, chosen),
        *grounded(subject, known, chosen),
        *unsteady_background(known, chosen),
        *reading.violations,
    ]
    told = dated(subject, known, found, chosen)
    ordered = tuple(sorted(told, key=lambda v: (v.first, v.kind, v.pieces)))
    return Ruling(ordered, reading, len(known), known.undecided_share)


def _read(subject: Subject, tracks: Tracks, least: Thresholds) -> ReadPlan:
    maker = slides_of(subject.level)
    if maker is not None:
        return read_slides(subject, maker, tracks, least)
    return read_rests(subject, tracks) if tracks.deeds is None else read_deeds(subject, tracks)


def _check_start(subject: Subject, tracks: Tracks) -> None:
    """Refuse tracks that start elsewhere: they are not of this puzzle, or not from its start."""
    for piece, name in enumerate(tracks.names):
        body = subject.scene.find_body(name)
        away = tracks.poses[0, piece, :3, 3] - body.pose.offset
        if tracks.decided[0, piece] and not body.loose and np.abs(away).max() > _FAR:
            raise TracksError(
                f"{name} starts {np.abs(away).max():.1f} units from where the puzzle has it; "
                "is this a video of another level?"
            )

"""One case, made and judged, and what is kept of it."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from bridge.video.verdict.ruling import rule_on
from bridge.video.verdict.violations import Violation, ViolationKind
from bridge.compare.roaming.following import track
from bridge.video.report.scores import TrackedVideo, score_video, subject_of
from bridge.recording.dataset.forging.forgeries import Forgery, ForgeryError, ForgeryKind
from bridge.video.tracking.footage import open_footage
from perf.video.cases import CLEAN_CLIP, Case
from perf.video.clips import WITHIN, Clip, clean_clip, forged_clip

__all__ = ["ACCEPTED", "Judged", "is_it", "judged", "read_judged", "violation_line"]

ACCEPTED: dict[ForgeryKind, set[ViolationKind]] = {
    ForgeryKind.TELEPORT: {ViolationKind.TELEPORT},
    ForgeryKind.PASS_THROUGH: {ViolationKind.ILLEGAL, ViolationKind.INTERPENETRATION},
    ForgeryKind.DIAGONAL: {ViolationKind.DIAGONAL},
    ForgeryKind.ROTATION: {ViolationKind.ROTATION},
    ForgeryKind.STRETCH: {ViolationKind.RIGIDITY},
    ForgeryKind.WRONG_ORDER: {
        ViolationKind.ORDER,
        ViolationKind.ILLEGAL,
        ViolationKind.INTERPENETRATION,
    },
    ForgeryKind.VANISH: {ViolationKind.PERMANENCE},
    ForgeryKind.DUPLICATE: {ViolationKind.EXTRA},
    ForgeryKind.SPLIT: {ViolationKind.SPLIT, ViolationKind.EXTRA},
    ForgeryKind.SWAP: {ViolationKind.SWAP},
    ForgeryKind.MERGE: {ViolationKind.MERGE},
    ForgeryKind.RECOLOUR: {ViolationKind.PERMANENCE, ViolationKind.RIGIDITY},
}
"""What a forgery may be called."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcome of a case.

    Attributes:
        case: which.
        level: of the film; empty if no place for a forgery was found.
        frames: of the video.
        seconds: of a core that tracking and judging took; in a clean clip, likeness, too.
        undecided: share of pieces and frames.
        unseen: films that were forged before it and show too little of that.
        found: whether the forgery was found; in a clean clip, whether there was an alarm.
        label: of the forgery; empty if there is none.
        violations: all that the judge found, in a line each.
        off: errors of moving pieces along the motion, in units; of clean clips alone.
        likeness: name -> measure, likewise.
        nowhere: why there is no place for the forgery; empty if there is.
        plan: of clean clips of cubes and nets: ``read``, ``short`` if only the first steps of it
            are, or ``wrong``.
    """

    case: Case
    level: str = ""
    frames: int = 0
    seconds: float = 0.0
    undecided: float = 0.0
    unseen: int = 0
    found: bool = False
    label: str = ""
    violations: tuple[str, ...] = ()
    off: tuple[float, ...] = ()
    likeness: Mapping[str, float] | None = None
    nowhere: str = ""
    plan: str = ""

    def to_json(self) -> dict[str, object]:
        """As JSON."""
        return asdict(self)


def read_judged(row: dict[str, Any]) -> Judged:
    """Read a case from the row that :meth:`Judged.to_json` wrote."""
    lists = {name: tuple(row[name]) for name in ("violations", "off")}
    return Judged(**{**row, **lists, "case": Case(**row["case"])})


def judged(case: Case, seed: int, known: list[Clip], video: Path) -> Judged:
    """Make a case's clip, and judge it.

    Args:
        seed: of all cases.
        known: the true films.
        video: where to put it.
    """
    if case.kind == CLEAN_CLIP:
        return _clean(case, clean_clip(known, case.sort, case.make_rng(seed), video))
    kind = ForgeryKind(case.kind)
    try:
        clip, label = forged_clip(known, kind, case.strength, case.make_rng(seed), video)
    except ForgeryError as error:
        return Judged(case, nowhere=str(error))
    return _forged(case, clip, label)


def _clean(case: Case, clip: Clip) -> Judged:
    begin = process_time()
    score, tracked = score_video(clip.bundle, clip.video)
    seconds = process_time() - begin
    measures = {name: getattr(score.likeness, name) for name in ("psnr", "ssim", "iou")}
    return Judged(
        case,
        clip.bundle.manifest.level,
        score.ruling.frames,
        seconds,
        score.ruling.undecided,
        found=bool(score.ruling.violations),
        violations=tuple(map(violation_line, score.ruling.violations)),
        off=tuple(round(off, 4) for off in _errors(clip, tracked)),
        likeness={name: value for name, value in measures.items() if value is not None},
    )


def _forged(case: Case, clip: Clip, label: Forgery) -> Judged:
    begin = process_time()
    footage = open_footage(clip.video, clip.bundle.camera.width / clip.bundle.camera.height)
    ruling = rule_on(subject_of(clip.bundle), track(clip.bundle, footage))
    return Judged(
        case,
        clip.bundle.manifest.level,
        ruling.frames,
        process_time() - begin,
        ruling.undecided,
        clip.unseen,
        any(is_it(violation, label) for violation in ruling.violations),
        f"{', '.join(label.pieces)} {label.first_frame}-{label.last_frame}, "
        f"reached {label.reached}, {label.magnitude:.2f}",
        tuple(map(violation_line, ruling.violations)),
    )


def is_it(violation: Violation, label: Forgery) -> bool:
    """Return whether a violation says of a forgery what it is, with whom and when.

    It may begin with the first false frame, and has to by the one that is half a unit off; what was
    wrong before that is another thing.
    """
    begins = label.first_frame - WITHIN <= violation.first <= label.reached + WITHIN
    lasts = violation.last >= label.reached - WITHIN
    guilty = bool({*violation.pieces} & {*label.pieces[:2]})
    return violation.kind in ACCEPTED[label.kind] and begins and lasts and guilty


def violation_line(violation: Violation) -> str:
    """Return a violation in a line."""
    names, size = ", ".join(violation.pieces), f"{violation.magnitude:.2f}"
    return f"{violation.kind} {violation.first}-{violation.last} {names} {size} {violation.note}"


def _errors(clip: Clip, tracked: TrackedVideo) -> Iterator[float]:
    """Measure how far moving pieces are from their true places, along the motion, in units."""
    truth, poses, known = clip.poses, tracked.tracks.poses, tracked.tracks.decided
    frames = min(len(truth), len(poses))
    step = np.diff(truth[:frames, :, :3, 3], axis=0)
    size = np.linalg.norm(step, axis=2)
    turned = np.abs(np.diff(truth[:frames, :, :3, :3], axis=0)).max(axis=(2, 3)) > 1e-6
    straight = (np.abs(step) > 1e-6).sum(axis=2) == 1
    for frame, piece in np.argwhere((size > 0.02) & straight & ~turned).tolist():
        if known[frame + 1, piece]:
            off = poses[frame + 1, piece, :3, 3] - truth[frame + 1, piece, :3, 3]
            yield float(abs(off @ step[frame, piece]) / size[frame, piece])

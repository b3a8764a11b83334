"""Score of a video: its ruling, task and physics, and its similarity to the true film."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.bundle import Bundle, file_hash
from bridge.video.report.clip_metrics import ClipMetrics, measure_clip
from bridge.video.report.measures import FilmLikeness, measure_likeness
from bridge.video.report.scorable import check_scorable
from bridge.video.tracking.course import Course
from bridge.video.tracking.footage import Footage, open_footage
from bridge.video.tracking.preparation import PreparedVideo
from bridge.video.verdict.judged_footage import JudgedFootage, judge_footage
from bridge.video.verdict.ruling import Ruling, rule_on
from bridge.video.verdict.tracks import Presence, Tracks, write_tracks
from bridge.video.verdict.violations import MAGNITUDES, Violation

__all__ = [
    "SCORE_FORMAT",
    "CameraFigures",
    "TrackedVideo",
    "VideoScore",
    "score_video",
]

SCORE_FORMAT = "luban-video-score/4"


@dataclass(frozen=True, slots=True, eq=False)
class TrackedVideo:
    """A video, and how it was judged.

    Attributes:
        undecided: (F,) frames that show too little to be decided.
    """

    footage: Footage
    judged: JudgedFootage
    undecided: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CameraFigures:
    """Motion of a video's camera from the true one, at most.

    Attributes:
        turn: angle in degrees.
        zoom: share by which all looks larger or smaller.
    """

    turn: float
    zoom: float

    @staticmethod
    def of(prepared: PreparedVideo) -> "CameraFigures":
        """Return those of the maps between the pixels of both."""
        if not prepared.maps:
            return CameraFigures(0.0, 0.0)
        maps = np.stack(prepared.maps).astype(np.float64)
        lens = prepared.look.lens.values
        middle = maps[:, :, :2] @ lens[1:] + maps[:, :, 2] - lens[1:]
        swings = np.arctan(np.linalg.norm(middle, axis=1) / lens[0])
        turn = float(np.degrees(np.hypot(prepared.rolls, swings).max()))
        return CameraFigures(turn, float(np.abs(prepared.zooms - 1.0).max()))


@dataclass(frozen=True, slots=True, eq=False)
class VideoScore:
    """All that is said of a video.

    Attributes:
        name: model and file.
        model: the model that made it: by default the folder of the file.
        level: the level of the bundle.
        sha256: of the file.
        ruling: what it breaks, and the plan that was read off it.
        metrics: task and physics.
        likeness: to the true film.
        camera: motion of the camera.
        agreement: median distance from a second tracker's tracks in units; None without one.
    """

    name: str
    model: str
    level: str
    sha256: str
    ruling: Ruling
    metrics: ClipMetrics
    likeness: FilmLikeness
    camera: CameraFigures
    fps: float
    size: tuple[int, int]
    agreement: float | None = None

    def document(self) -> dict[str, object]:
        """As JSON."""
        ruling, reading, metrics = self.ruling, self.ruling.reading, self.metrics
        return {
            "format": SCORE_FORMAT,
            "video": self.name,
            "model": self.model,
            "level": self.level,
            "sha256": self.sha256,
            "fps": self.fps,
            "size": list(self.size),
            "frames": ruling.frames,
            "task": metrics.task,
            "physics": metrics.physics,
            "score": metrics.score,
            "steps": metrics.steps,
            "planned_steps": metrics.planned,
            "completed": metrics.is_completed,
            "moving": metrics.is_moving,
            "lawful_frames": metrics.lawful_frames,
            "broken_frames": ruling.broken_frames,
            "undecided_frames": metrics.undecided_frames,
            "undecided_ratio": metrics.undecided_frames / ruling.frames,
            "unseen_ratio": ruling.unseen,
            "violations": [_violation(v) for v in ruling.violations],
            "plan": {
                "moves": [_in_frames(asdict(move)) for move in reading.moves],
                "legal_prefix": reading.prefix,
                "solved": reading.solved,
                "not_read_because": reading.unread,
            },
            "similarity": {
                "frames": self.likeness.frames,
                "psnr": self.likeness.psnr,
                "ssim": self.likeness.ssim,
                "iou": self.likeness.iou,
                "trajectory_error_median": self.likeness.trajectory,
                "trajectory_error_p95": self.likeness.trajectory_95,
            },
            "camera": {"turn_degrees": self.camera.turn, "zoom": self.camera.zoom},
            "tracker_distance": self.agreement,
        }


def _violation(violation: Violation) -> Mapping[str, object]:
    row = _in_frames(asdict(violation))
    return {**row, "kind": violation.kind.value, "unit": MAGNITUDES[violation.kind]}


def _in_frames(row: Mapping[str, object]) -> dict[str, object]:
    """Return a row with ``first_frame`` and ``last_frame`` for ``first`` and ``last``."""
    names = {"first": "first_frame", "last": "last_frame"}
    return {names.get(key, key): value for key, value in row.items()}


def score_video(
    bundle: Bundle,
    video: Path,
    *,
    other: Tracks | None = None,
    progress: Callable[[int, int], None] | None = None,
    keep: Path | None = None,
) -> tuple[VideoScore, TrackedVideo]:
    """Track a video, judge it, and compare it.

    Args:
        other: tracks of a second tracker, which are judged instead of ours; how far the two are
            apart is said.
        keep: where to write our tracks.

    Raises:
        FootageError, TrackError, TracksError, UnscorableError: the message says why it can't be.
    """
    footage = open_footage(video, bundle.camera.width / bundle.camera.height)
    check_scorable(bundle, footage)
    judged = judge_footage(bundle, footage, progress)
    if keep is not None:
        write_tracks(keep, judged.tracks)
    ruling, undecided = judged.ruling, judged.undecided
    if other is not None:
        ruling = rule_on(Course.of_bundle(bundle), other)
        undecided = other.undecided_frames
    model = video.parent.resolve().name
    score = VideoScore(
        name=f"{model}/{video.name}",
        model=model,
        level=bundle.manifest.level,
        sha256=file_hash(video),
        ruling=ruling,
        metrics=measure_clip(bundle, ruling, other or judged.tracks, undecided),
        likeness=measure_likeness(bundle, footage, judged.tracks, judged.explained.look),
        camera=CameraFigures.of(judged.explained.prepared),
        fps=footage.fps,
        size=(footage.width, footage.height),
        agreement=None if other is None else _apart(judged.tracks, other),
    )
    return score, TrackedVideo(footage, judged, undecided)


def _apart(mine: Tracks, other: Tracks) -> float | None:
    """Median distance of two tracks where both know where a piece is."""
    theirs = other.of(mine.names)
    count = min(len(mine), len(theirs))
    known = (mine.presence[:count] == Presence.PRESENT) & (
        theirs.presence[:count] == Presence.PRESENT
    )
    off = mine.poses[:count, :, :3, 3] - theirs.poses[:count, :, :3, 3]
    far = np.linalg.norm(off, axis=2)[known]
    return float(np.median(far)) if len(far) else None

"""Comparing many videos with their bundles: each is scored once, and what was scored is kept.

A folder holds for each video one with ``score.json``, ``tracks.npz``, ``index.html`` and pictures;
besides there are the leaderboard as ``index.html``, ``leaderboard.json`` and tables, and, if asked
for, ``annotate.html`` with its videos.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from bridge.jobs.work import Executor
from bridge.recording.fields import FieldError, Fields, json_object
from bridge.recording.files import write_whole
from bridge.video.reference.bundle import MANIFEST, Bundle, file_hash
from bridge.video.report.agreement import Accord, Annotation, Stretch, accord
from bridge.video.report.annotating import AnnotatedClip, annotation_page, make_clip_id, place_clip
from bridge.video.report.leaderboard import ClipResult, LeaderboardRow, rank_models
from bridge.video.report.page import overview_page
from bridge.video.report.scores import SCORE_FORMAT
from bridge.video.report.submissions import Clip
from bridge.video.report.tables import write_tables
from bridge.video.report.video_jobs import (
    SCORE,
    FrameProgress,
    ScoredVideo,
    ScoreWork,
    VideoJob,
    read_bundle_files,
)
from bridge.video.tracking.footage import MOST_FRAMES, VIDEO_FILE
from bridge.video.verdict.tracks import Tracks
from pysim.untrusted import MIB, FileKind, read_untrusted

__all__ = [
    "Compared",
    "Overview",
    "accord_with",
    "compare_videos",
    "rank_videos",
    "write_annotation_page",
    "write_overview",
]

_Document = Mapping[str, object]

SCORE_FILE = FileKind("a score of a video", 64 * MIB)

_RULES = 3
"""Counted up when the same video would be scored otherwise."""
NO_VIDEO = "there is no video"


@dataclass(frozen=True, slots=True)
class Compared:
    """Outcome of a video.

    Attributes:
        clip: the video.
        score: its document, or None if it can't be scored.
        error: why not; empty if it was.
        kept: whether it had been scored before.
    """

    clip: Clip
    score: _Document | None
    error: str = ""
    kept: bool = False

    @property
    def result(self) -> ClipResult:
        """Scores for the leaderboard."""
        if self.score is not None:
            return ClipResult.of(self.score)
        return ClipResult(self.clip.model, self.clip.level, self.clip.name, self.error)


def compare_videos(
    bundles: Mapping[str, Bundle],
    clips: Sequence[Clip],
    out: Path,
    executor: Executor,
    *,
    tracks: Tracks | None = None,
    send_files: bool = False,
    report: Callable[[int, int], None] = lambda done, total: None,
    frames: FrameProgress | None = None,
) -> list[Compared]:
    """Score videos that were not scored yet; one that is no good does not stop the others.

    Args:
        bundles: by level.
        executor: scores the videos. Their files are written here.
        send_files: whether its processes share no folder with this one.
        report: called with the number of videos that are done, and that of all.
        frames: told of frames; only if the executor scores in this process.

    Raises:
        WorkerLost: processes end again and again.
    """
    out.mkdir(parents=True, exist_ok=True)
    films = {level: file_hash(bundle.path / MANIFEST) for level, bundle in bundles.items()}
    done: dict[int, Compared] = {}
    jobs = []
    for place, clip in enumerate(clips):
        job = VideoJob(place, clip, clip.folder, _mark(films[clip.level], clip, tracks))
        if (old := _kept(out, job)) is None:
            jobs.append(job)
        else:
            done[place] = Compared(clip, old, kept=True)
    report(len(done), len(clips))
    # A worker keeps the bundle of its last video.
    jobs.sort(key=lambda job: job.clip.level)
    sent = (_with_content(job) for job in jobs) if send_files else jobs
    levels = dict.fromkeys(job.clip.level for job in jobs)
    files = {level: read_bundle_files(bundles[level]) for level in levels if send_files}
    folders = {level: bundle.path for level, bundle in bundles.items()}
    with closing(executor.run(ScoreWork(folders, tracks, files, frames), sent)) as results:
        for job, scored in results:
            done[job.place] = _keep(job.clip, scored, out / job.folder)
            report(len(done), len(clips))
    return [done[place] for place in range(len(clips))]


def _with_content(job: VideoJob) -> VideoJob:
    try:
        return replace(job, content=read_untrusted(job.clip.video, VIDEO_FILE))
    except OSError:  # It can't be scored, which the worker finds out.
        return job


def _keep(clip: Clip, scored: ScoredVideo, folder: Path) -> Compared:
    """Write the files of a video down, its score last: with it, the video is scored."""
    if scored.error:
        return Compared(clip, None, scored.error)
    folder.mkdir(exist_ok=True)
    score = scored.files[SCORE]
    for name, content in scored.files.items():
        if name != SCORE:
            write_whole(folder / name, content)
    write_whole(folder / SCORE, score)
    return Compared(clip, json.loads(score))


def _mark(film: str, clip: Clip, tracks: Tracks | None) -> str:
    """Return a text of all that a score depends on.

    Args:
        film: hash of the bundle's manifest.
    """
    own = "" if tracks is None else f" {sha256(tracks.poses.tobytes()).hexdigest()}"
    try:
        seen = clip.floor or file_hash(clip.video)
    except OSError:
        seen = "nothing"
    return f"{_RULES} {film} {seen}{own}"


def _kept(out: Path, job: VideoJob) -> _Document | None:
    """Return a score that was made before; None if there is none, or of something else."""
    folder = out / job.folder
    wanted = SCORE_FORMAT, job.mark, job.clip.name, job.clip.model
    try:
        found = json_object(read_untrusted(folder / SCORE, SCORE_FILE, folder))
        if tuple(found.get(key) for key in ("format", "mark", "video", "model")) != wanted:
            return None
        _check_score(Fields(found), job.folder)
    except FileNotFoundError:
        return None
    except FieldError:  # It is scored again.
        return None
    return found


def _check_score(score: Fields, folder: str) -> None:
    """Raise FieldError for a document that no page can be made of, or that is another folder's."""
    plan, similarity, camera = (score.inner(key) for key in ("plan", "similarity", "camera"))
    if score.text("folder") != folder or score.whole("frames", 1) > MOST_FRAMES:
        raise FieldError("this is the score of another video")
    for fields, key in ((score, "broken_frames"), (score, "undecided_frames"), (score, "steps")):
        fields.whole(key, 0)
    score.text("video"), score.text("model"), score.text("level")
    if not re.fullmatch("[0-9a-f]{64}", score.text("sha256")):
        raise FieldError("its hash is none")
    numbers = "fps", "undecided_ratio", "unseen_ratio", "task", "physics", "score"
    for fields, key in (
        *((score, name) for name in numbers),
        (camera, "turn_degrees"),
        (camera, "zoom"),
    ):
        fields.number(key)
    for key in ("psnr", "ssim", "iou"):
        if not similarity.is_null(key):
            similarity.number(key)
    plan.whole("legal_prefix", 0), plan.objects("moves"), plan.value("solved")
    score.value("completed"), score.value("moving")
    for violation in score.objects("violations"):
        violation.text("kind"), violation.whole("first_frame", 0), violation.whole("last_frame", 0)


@dataclass(frozen=True, slots=True)
class Overview:
    """Leaderboard of all videos.

    Attributes:
        models: best first.
        floors: clips that any program can make of the bundles, best first.
        clips: all videos of models, missing ones included.
    """

    models: Sequence[LeaderboardRow]
    floors: Sequence[LeaderboardRow]
    clips: Sequence[ClipResult]


def rank_videos(compared: Sequence[Compared], missing: Iterable[tuple[str, str]] = ()) -> Overview:
    """Return the leaderboard of videos.

    Args:
        missing: model and level of which there is no video: as bad as one that can't be scored.
    """
    clips = [one.result for one in compared if one.clip.floor is None]
    clips += [ClipResult(model, level, "", f"{NO_VIDEO} of {level}") for model, level in missing]
    floors = [one.result for one in compared if one.clip.floor is not None]
    return Overview(rank_models(clips), rank_models(floors, ranked=False), clips)


def write_overview(
    bundles: Mapping[str, Bundle],
    compared: Sequence[Compared],
    overview: Overview,
    out: Path,
    agreed: Accord | None = None,
) -> None:
    """Write the page, the tables and the leaderboard of all videos."""
    mine = [one for one in compared if one.clip.floor is None]
    document = {
        "format": "luban-leaderboard/3",
        "levels": [
            {
                "level": level,
                "planned_steps": len(bundle.manifest.steps),
                "frames": bundle.manifest.frames,
                "fps": bundle.manifest.fps,
            }
            for level, bundle in bundles.items()
        ],
        "models": [row.document() for row in overview.models],
        "floors": [row.document() for row in overview.floors],
        "videos": [one.score for one in mine if one.score is not None],
        "unscorable": [
            {"model": c.model, "level": c.level, "video": c.video, "reason": c.reason}
            for c in overview.clips
            if c.reason
        ],
        "annotator_agreement": None
        if agreed is None
        else {
            "annotators": agreed.annotators,
            "videos": agreed.videos,
            "cohen_kappa": agreed.kappa,
            "frame_f1": agreed.f1,
            "kendall_tau": agreed.tau,
        },
    }
    write_whole(out / "leaderboard.json", json.dumps(document, indent=1).encode() + b"\n")
    write_tables(overview.models, overview.floors, overview.clips, out)
    scores = [one.score for one in compared if one.score is not None]
    page = overview_page([*bundles], overview.models, overview.floors, overview.clips, scores)
    write_whole(out / "index.html", page.encode())


def write_annotation_page(compared: Sequence[Compared], out: Path) -> Path:
    """Write the page on which people mark what is wrong, and the videos that it shows."""
    clips = {}
    for one in compared:
        if one.score is not None and one.clip.floor is None:
            name = make_clip_id(str(one.score["sha256"]))
            source = place_clip(one.clip.video, name, out)
            frames, fps = int(str(one.score["frames"])), float(str(one.score["fps"]))
            clips[name] = AnnotatedClip(name, source, fps, frames)
    path = out / "annotate.html"
    write_whole(path, annotation_page([clips[name] for name in sorted(clips)]).encode())
    return path


def accord_with(compared: Sequence[Compared], people: Sequence[Annotation]) -> Accord:
    """Return how far people agree with each other and with these scores.

    Raises:
        AnnotationError: nobody looked at any of these videos.
    """
    scores = [one.score for one in compared if one.score is not None and one.clip.floor is None]
    ours = {str(s["video"]): _stretches(s["violations"]) for s in scores}
    frames = {str(s["video"]): int(str(s["frames"])) for s in scores}
    ids = {str(s["video"]): make_clip_id(str(s["sha256"])) for s in scores}
    return accord(ours, frames, [_name_videos(person, ids) for person in people])


def _name_videos(person: Annotation, ids: Mapping[str, str]) -> Annotation:
    """Return marks by the names of videos; files of version 1 have these."""
    marks = {
        video: person.marks[key]
        for video, name in ids.items()
        for key in (name, video)
        if key in person.marks
    }
    return Annotation(person.annotator, marks)


def _stretches(violations: object) -> list[Stretch]:
    assert isinstance(violations, Sequence)
    return [(str(v["kind"]), int(v["first_frame"]), int(v["last_frame"])) for v in violations]

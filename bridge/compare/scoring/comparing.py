"""Comparing many videos with one bundle: each is scored once, and what was scored is kept.

A folder holds for each video one with ``score.json``, ``tracks.npz``, ``index.html`` and pictures;
and besides ``leaderboard.json``, ``index.html`` and, if asked for, ``annotate.html``.
"""

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from bridge.compare.judging.tracks import Tracks
from bridge.compare.scoring.agreement import Accord, Annotation, Stretch, accord
from bridge.compare.scoring.annotating import Clip, annotation_page
from bridge.compare.scoring.leaderboard import Standing, standings
from bridge.compare.scoring.page import overview_page
from bridge.compare.scoring.scores import SCORE_FORMAT
from bridge.compare.scoring.video_jobs import (
    SCORE,
    FrameProgress,
    ScoredVideo,
    ScoreWork,
    VideoJob,
    read_bundle_files,
)
from bridge.jobs.work import Executor
from bridge.recording.fields import FieldError, Fields, json_object
from bridge.recording.files import write_whole
from bridge.video.reference.bundle import MANIFEST, Bundle, file_hash
from bridge.video.tracking.footage import MOST_FRAMES, VIDEO_FILE
from pysim.untrusted import MIB, FileKind, read_untrusted

__all__ = ["Compared", "accord_with", "compare_videos", "write_annotation_page", "write_overview"]

_Document = Mapping[str, object]

SCORE_FILE = FileKind("a score of a video", 64 * MIB)
_RULES = 1
"""Counted up when the same video would be scored otherwise."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of one video.

    Attributes:
        video: the file.
        score: its document, or None if it can't be scored.
        error: why not; empty if it was.
        kept: whether it had been scored before.
    """

    video: Path
    score: _Document | None
    error: str = ""
    kept: bool = False


def compare_videos(
    bundle: Bundle,
    videos: Sequence[Path],
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
        executor: scores the videos. Their files are written here.
        send_files: whether its processes share no folder with this one.
        report: called with the number of videos that are done, and that of all.
        frames: told of frames; only if the executor scores in this process.

    Raises:
        WorkerLost: processes end again and again.
    """
    out.mkdir(parents=True, exist_ok=True)
    done: dict[int, Compared] = {}
    jobs = []
    for place, (video, name) in enumerate(zip(videos, _folder_names(videos), strict=True)):
        job = VideoJob(place, video, name, _mark(bundle, video, tracks))
        if (old := _kept(out / name, job.mark)) is None:
            jobs.append(job)
        else:
            done[place] = Compared(video, old, kept=True)
    report(len(done), len(videos))
    sent = (_with_content(job) for job in jobs) if send_files else jobs
    files = read_bundle_files(bundle) if send_files else {}
    with closing(executor.run(ScoreWork(bundle, tracks, files, frames), sent)) as results:
        for job, scored in results:
            done[job.place] = _keep(job.video, scored, out / job.folder)
            report(len(done), len(videos))
    return [done[place] for place in range(len(videos))]


def _with_content(job: VideoJob) -> VideoJob:
    try:
        return replace(job, content=read_untrusted(job.video, VIDEO_FILE))
    except OSError:  # It can't be scored, which the worker finds out.
        return job


def _keep(video: Path, scored: ScoredVideo, folder: Path) -> Compared:
    """Write the files of a video down, its score last: with it, the video is scored."""
    if scored.error:
        return Compared(video, None, scored.error)
    folder.mkdir(exist_ok=True)
    score = scored.files[SCORE]
    for name, content in scored.files.items():
        if name != SCORE:
            write_whole(folder / name, content)
    write_whole(folder / SCORE, score)
    return Compared(video, json.loads(score))


def _mark(bundle: Bundle, video: Path, tracks: Tracks | None) -> str:
    """What a score depends on."""
    own = "" if tracks is None else f" {sha256(tracks.poses.tobytes()).hexdigest()}"
    film = file_hash(bundle.path / MANIFEST)
    try:
        seen = file_hash(video)
    except OSError:
        seen = "nothing"
    return f"{_RULES} {film} {seen}{own}"


def _kept(folder: Path, mark: str) -> _Document | None:
    try:
        found = json_object(read_untrusted(folder / SCORE, SCORE_FILE, folder))
        if (found.get("format"), found.get("mark")) != (SCORE_FORMAT, mark):
            return None
        _check_score(Fields(found), folder.name)
    except FileNotFoundError:
        return None
    except FieldError:  # It is scored again.
        return None
    return found


def _check_score(score: Fields, folder: str) -> None:
    """Raise FieldError for a document that no page can be made of, or that is another folder's."""
    plan, similarity = score.inner("plan"), score.inner("similarity")
    if score.text("folder") != folder or score.whole("frames", 1) > MOST_FRAMES:
        raise FieldError("this is the score of another video")
    for fields, key in ((score, "broken_frames"), (plan, "legal_prefix")):
        fields.whole(key, 0)
    for key in ("video", "model"):
        score.text(key)
    for key in ("fps", "undecided_ratio"):
        score.number(key)
    for key in ("ssim", "iou"):
        if not similarity.is_null(key):
            similarity.number(key)
    plan.objects("moves"), plan.value("solved")
    for violation in score.objects("violations"):
        violation.text("kind"), violation.whole("first_frame", 0), violation.whole("last_frame", 0)


def _folder_names(videos: Sequence[Path]) -> list[str]:
    """A folder for each: model and file, told apart by a number where two have the same."""
    names: list[str] = []
    for video in videos:
        base = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{video.resolve().parent.name}-{video.stem}")
        name, count = base, 1
        while name in names:
            count += 1
            name = f"{base}-{count}"
        names.append(name)
    return names


def write_overview(
    bundle: Bundle, compared: Sequence[Compared], out: Path, agreed: Accord | None = None
) -> list[Standing]:
    """Write the page and the leaderboard of all videos that could be scored."""
    scores = [one.score for one in compared if one.score is not None]
    table = standings(scores, len(bundle.manifest.steps))
    document = {
        "format": "luban-leaderboard/2",
        "level": bundle.manifest.level,
        "models": [standing.document() for standing in table],
        "videos": scores,
        "not_scored": [
            {"video": str(one.video), "reason": one.error} for one in compared if one.error
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
    write_whole(out / "index.html", overview_page(bundle, scores, table).encode())
    return table


def write_annotation_page(compared: Sequence[Compared], out: Path) -> Path:
    """Write the page on which people mark what is wrong."""
    clips = [
        Clip(
            str(one.score["video"]),
            quote(os.path.relpath(one.video.resolve(), out.resolve())),
            float(str(one.score["fps"])),
            int(str(one.score["frames"])),
        )
        for one in compared
        if one.score is not None
    ]
    path = out / "annotate.html"
    write_whole(path, annotation_page(clips).encode())
    return path


def accord_with(compared: Sequence[Compared], people: Sequence[Annotation]) -> Accord:
    """How far people agree with each other and with these scores.

    Raises:
        AnnotationError: nobody looked at any of these videos.
    """
    scores = [one.score for one in compared if one.score is not None]
    ours = {str(s["video"]): _stretches(s["violations"]) for s in scores}
    frames = {str(s["video"]): int(str(s["frames"])) for s in scores}
    return accord(ours, frames, people)


def _stretches(violations: object) -> list[Stretch]:
    assert isinstance(violations, Sequence)
    return [(str(v["kind"]), int(v["first_frame"]), int(v["last_frame"])) for v in violations]

"""Comparing many videos with one bundle: each is scored once, and what was scored is kept.

A folder holds for each video one with ``score.json``, ``tracks.npz``, ``index.html`` and pictures;
and besides ``leaderboard.json``, ``index.html`` and, if asked for, ``annotate.html``.
"""

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from bridge.compare.bundles.format import MANIFEST, Bundle, file_hash
from bridge.compare.judging.tracks import Tracks
from bridge.compare.scoring.agreement import Accord, Annotation, Stretch, accord
from bridge.compare.scoring.annotating import Clip, annotation_page
from bridge.compare.scoring.drawing import draw_frames
from bridge.compare.scoring.leaderboard import Standing, standings
from bridge.compare.scoring.page import ShownFrame, overview_page, video_page
from bridge.compare.scoring.scores import SCORE_FORMAT, score_video
from bridge.recording.files import write_whole
from pysim.errors import InputError

__all__ = ["Compared", "accord_with", "compare_videos", "write_annotation_page", "write_overview"]

_Document = Mapping[str, object]
_Progress = Callable[[str], Callable[[int, int], None]]
"""Given what is worked on, who is told of frames done and of all."""

_SCORE = "score.json"
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
    *,
    tracks: Tracks | None = None,
    progress: _Progress | None = None,
) -> list[Compared]:
    """Score videos that were not scored yet; one that is no good does not stop the others."""
    out.mkdir(parents=True, exist_ok=True)
    names = _folder_names(videos)
    return [
        _compared(bundle, video, out / name, tracks, progress and progress(str(video)))
        for video, name in zip(videos, names, strict=True)
    ]


def _compared(
    bundle: Bundle,
    video: Path,
    folder: Path,
    tracks: Tracks | None,
    progress: Callable[[int, int], None] | None,
) -> Compared:
    try:
        mark = _mark(bundle, video, tracks)
        if (old := _kept(folder, mark)) is not None:
            return Compared(video, old, kept=True)
        folder.mkdir(exist_ok=True)
        score, tracked = score_video(
            bundle, video, other=tracks, progress=progress, keep=folder / "tracks.npz"
        )
        pictures = draw_frames(bundle, tracked, score.ruling.violations, folder)
    except InputError as error:
        with suppress(OSError):  # Nothing is left of it, unless there was something before.
            folder.rmdir()
        return Compared(video, None, str(error))
    document = {**score.document(), "folder": folder.name, "mark": mark}
    page = video_page(bundle, document, [ShownFrame(*picture) for picture in pictures])
    write_whole(folder / "index.html", page.encode())
    write_whole(folder / _SCORE, json.dumps(document, indent=1).encode() + b"\n")
    return Compared(video, document)


def _mark(bundle: Bundle, video: Path, tracks: Tracks | None) -> str:
    """What a score depends on."""
    own = "" if tracks is None else f" {sha256(tracks.poses.tobytes()).hexdigest()}"
    film = file_hash(bundle.path / MANIFEST)
    seen = file_hash(video) if video.is_file() else "nothing"
    return f"{_RULES} {film} {seen}{own}"


def _kept(folder: Path, mark: str) -> _Document | None:
    try:
        found = json.loads((folder / _SCORE).read_bytes())
    except (OSError, ValueError):
        return None
    same = isinstance(found, dict) and found.get("format") == SCORE_FORMAT
    return found if same and found.get("mark") == mark else None


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

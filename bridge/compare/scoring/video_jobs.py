"""Videos as jobs: a worker scores one after another, and sends back the files of each."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from bridge.compare.judging.tracks import Tracks
from bridge.compare.scoring.drawing import draw_frames
from bridge.compare.scoring.page import ShownFrame, video_page
from bridge.compare.scoring.scores import score_video
from bridge.video.reference.bundle import BUNDLED_FILE, FILES, MANIFEST, Bundle
from pysim.errors import InputError
from pysim.untrusted import read_untrusted

__all__ = ["SCORE", "FrameProgress", "ScoreWork", "ScoredVideo", "VideoJob", "read_bundle_files"]

SCORE = "score.json"
FrameProgress = Callable[[Path], Callable[[int, int], None]]
"""Called with a video, returns a function that is called with its frames that are done, and all."""


@dataclass(frozen=True, slots=True)
class VideoJob:
    """A video to score.

    Attributes:
        place: among all videos.
        video: the file.
        folder: name of the folder of its files.
        mark: what the score depends on.
        content: of the file, for processes that share no folder with this one; None for others.
    """

    place: int
    video: Path
    folder: str
    mark: str
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class ScoredVideo:
    """Files of a scored video.

    Attributes:
        files: name -> content, :data:`SCORE` among them; empty if it can't be scored.
        error: why it can't; empty if it was.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class ScoreWork:
    """Scores videos of a bundle; see :class:`~bridge.jobs.work.Work`.

    Attributes:
        bundle: the bundle.
        tracks: tracks to score in place of our own; None for our own.
        files: of the bundle, name -> content, for processes that share no folder with this one;
            empty for others.
        progress: told of frames, in this process only.
    """

    bundle: Bundle
    tracks: Tracks | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    progress: FrameProgress | None = None
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "_Scorer":
        return _Scorer(self)

    def report_lost(self, job: VideoJob, message: str) -> ScoredVideo:
        return ScoredVideo(error=f"{job.video}: {message}; the same command tries again")


def read_bundle_files(bundle: Bundle) -> Mapping[str, bytes]:
    """Return the content of a bundle's files, by name."""
    return {name: read_untrusted(bundle.path / name, BUNDLED_FILE) for name in (MANIFEST, *FILES)}


class _Scorer:
    """Scores videos with a copy of the bundle where it was sent one."""

    def __init__(self, work: ScoreWork) -> None:
        self._work = work
        self._home = TemporaryDirectory(prefix="luban-score-")
        self._bundle = work.bundle
        if work.files:
            self._bundle = replace(work.bundle, path=Path(self._home.name))
        for name, content in work.files.items():
            (self._bundle.path / name).write_bytes(content)

    def perform(self, job: VideoJob) -> ScoredVideo:
        with TemporaryDirectory(dir=self._home.name) as temporary:
            video, out = _place_video(job, Path(temporary)), Path(temporary, "out", job.folder)
            out.mkdir(parents=True)
            progress = self._work.progress and self._work.progress(job.video)
            try:
                document = _score_into(self._bundle, video, out, self._work.tracks, progress)
            except InputError as error:
                told = str(error).replace(str(video), str(job.video))
                own, given = str(self._bundle.path), str(self._work.bundle.path)
                return ScoredVideo(error=told.replace(own, given))
            files = {path.name: path.read_bytes() for path in out.iterdir()}
            whole = json.dumps({**document, "mark": job.mark}, indent=1).encode() + b"\n"
            return ScoredVideo({**files, SCORE: whole})

    def close(self) -> None:
        """Remove the copies."""
        self._home.cleanup()


def _place_video(job: VideoJob, folder: Path) -> Path:
    """Return a video on this machine, in a folder of the same name as its own."""
    if job.content is None:
        return job.video
    video = folder / "videos" / job.video.parent.resolve().name / job.video.name
    video.parent.mkdir(parents=True)
    video.write_bytes(job.content)
    return video


def _score_into(
    bundle: Bundle,
    video: Path,
    folder: Path,
    tracks: Tracks | None,
    progress: Callable[[int, int], None] | None,
) -> Mapping[str, object]:
    """Score a video, and write its page, its pictures and its tracks into a folder.

    Returns:
        The document of its score.

    Raises:
        InputError: it can't be scored.
    """
    score, tracked = score_video(
        bundle, video, other=tracks, progress=progress, keep=folder / "tracks.npz"
    )
    pictures = draw_frames(bundle, tracked, score.ruling.violations, folder)
    document = {**score.document(), "folder": folder.name}
    page = video_page(bundle, document, [ShownFrame(*picture) for picture in pictures])
    (folder / "index.html").write_bytes(page.encode())
    return document

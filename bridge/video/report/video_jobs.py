"""Videos as jobs: a worker scores one after another, and sends back the files of each."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from bridge.video.reference.bundle import BUNDLED_FILE, FILES, MANIFEST, Bundle, read_bundle
from bridge.video.report.drawing import draw_frames
from bridge.video.report.floors import write_floor
from bridge.video.report.page import ShownFrame, video_page
from bridge.video.report.scores import score_video
from bridge.video.report.submissions import Clip
from bridge.video.verdict.tracks import Tracks
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
        clip: the video.
        folder: name of the folder of its files.
        mark: what the score depends on.
        content: of the file, for processes that share no folder with this one; None for others.
    """

    place: int
    clip: Clip
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
    """Scores videos of bundles; see :class:`~bridge.jobs.work.Work`.

    Attributes:
        bundles: level -> folder of its bundle.
        tracks: tracks to score in place of our own; None for our own.
        files: level -> files of its bundle, name -> content, for processes that share no folder
            with this one; empty for others.
        progress: told of frames, in this process only.
    """

    bundles: Mapping[str, Path]
    tracks: Tracks | None = None
    files: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    progress: FrameProgress | None = None
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "_Scorer":
        return _Scorer(self)

    def report_lost(self, job: VideoJob, message: str) -> ScoredVideo:
        return ScoredVideo(error=f"{job.clip.video}: {message}; the same command tries again")


def read_bundle_files(bundle: Bundle) -> Mapping[str, bytes]:
    """Return the content of a bundle's files, by name."""
    return {name: read_untrusted(bundle.path / name, BUNDLED_FILE) for name in (MANIFEST, *FILES)}


class _Scorer:
    """Scores videos; keeps the bundle of the last one, of which there are more as a rule."""

    def __init__(self, work: ScoreWork) -> None:
        self._work = work
        self._home = TemporaryDirectory(prefix="luban-score-")
        self._bundle: tuple[str, Bundle] | None = None

    def perform(self, job: VideoJob) -> ScoredVideo:
        with TemporaryDirectory(dir=self._home.name) as temporary:
            bundle = self._open_bundle(job.clip.level)
            out = Path(temporary, "out", job.folder)
            out.mkdir(parents=True)
            video = _place_video(job, bundle, out, Path(temporary))
            progress = self._work.progress and self._work.progress(job.clip.video)
            try:
                document = _score_into(bundle, job.clip, video, out, self._work.tracks, progress)
            except InputError as error:
                told = str(error).replace(str(video), str(job.clip.video))
                own, given = str(bundle.path), str(self._work.bundles[job.clip.level])
                return ScoredVideo(error=told.replace(own, given))
            files = {path.name: path.read_bytes() for path in out.iterdir()}
            whole = json.dumps({**document, "mark": job.mark}, indent=1).encode() + b"\n"
            return ScoredVideo({**files, SCORE: whole})

    def _open_bundle(self, level: str) -> Bundle:
        """Return the bundle of a level, or a copy of it where its files were sent."""
        if self._bundle is not None and self._bundle[0] == level:
            return self._bundle[1]
        path = self._work.bundles[level]
        if self._work.files:
            path = Path(self._home.name, "bundles", level)
            path.mkdir(parents=True, exist_ok=True)
        for name, content in self._work.files.get(level, {}).items():
            (path / name).write_bytes(content)
        self._bundle = level, read_bundle(path, check=False)
        return self._bundle[1]

    def close(self) -> None:
        """Remove the copies."""
        self._home.cleanup()


def _place_video(job: VideoJob, bundle: Bundle, out: Path, temporary: Path) -> Path:
    """Return a video on this machine; a floor is made, and kept with its files."""
    if job.clip.floor is not None:
        video = out / "video.mp4"
        write_floor(bundle, job.clip.floor, video)
        return video
    if job.content is None:
        return job.clip.video
    video = temporary / job.clip.video.name
    video.write_bytes(job.content)
    return video


def _score_into(
    bundle: Bundle,
    clip: Clip,
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
    named = replace(score, name=clip.name, model=clip.model)
    document = {**named.document(), "folder": folder.name}
    shown = [ShownFrame(*picture) for picture in pictures]
    page = video_page(bundle, document, shown, tracked.undecided)
    (folder / "index.html").write_bytes(page.encode())
    return document

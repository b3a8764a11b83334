"""Scores of videos of a puzzle, against the true film of a bundle."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.compare.judging.tracks import read_tracks
from bridge.operations.executors import open_executor
from bridge.runs.folders import RunError
from bridge.video.reference.bundle import read_bundle
from bridge.video.report.agreement import Accord, read_annotation
from bridge.video.report.comparing import (
    Compared,
    accord_with,
    compare_videos,
    write_annotation_page,
    write_overview,
)
from pysim.machine import count_cores

__all__ = ["ScoredVideos", "VideoScore", "score_video_files"]

Progress = Callable[[int, int], None]
Show = Callable[[str, str], Progress]
"""Called with what is worked on and its unit, returns what is called with parts done, and all."""
_ENDINGS = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".gif", ".m4v")


@dataclass(frozen=True, slots=True)
class VideoScore:
    """The score of a video.

    Attributes:
        video: the file.
        error: why it can't be scored; empty if it was, else all that follows is zero or False.
        violations: number of violations of the rules.
        broken_frames: number of frames in which a rule is broken.
        legal_prefix: moves of the plan that were made before anything else.
        moves: number of moves of the plan.
        solved: whether the video ends in the goal.
        undecided_ratio: share of what could not be seen, from 0 to 1.
        document: the whole ``score.json``; empty if it can't be scored.
    """

    video: Path
    error: str
    violations: int
    broken_frames: int
    legal_prefix: int
    moves: int
    solved: bool
    undecided_ratio: float
    document: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ScoredVideos:
    """Scores of several videos.

    Attributes:
        scores: in the order of the videos.
        out: folder of pages and documents.
        agreement: with the annotations of people; None without any.
        annotation_page: page on which people annotate; None if none was asked for.
    """

    scores: tuple[VideoScore, ...]
    out: Path
    agreement: Accord | None
    annotation_page: Path | None


def score_video_files(
    bundle: Path,
    videos: Sequence[Path],
    out: Path,
    *,
    tracks: Path | None = None,
    annotate: bool = False,
    annotations: Sequence[Path] = (),
    workers: int = 0,
    ray: str = "",
    report: Progress = lambda done, total: None,
    show: Show | None = None,
    notice: Callable[[str], None] = lambda text: None,
) -> ScoredVideos:
    """Score videos, and write a page for each and one for all.

    Args:
        bundle: folder of the bundle.
        videos: files, or folders of them.
        out: folder for the scores; videos already scored there are skipped.
        tracks: tracks to score in place of our own; only with a single video.
        annotate: whether to write a page on which people annotate violations.
        annotations: of people, a file for each person.
        workers: processes; 0 for one per core.
        ray: address of a Ray cluster; empty for none.
        report: called with the number of videos that are done, and that of all.
        show: shows the progress of each video that is scored in this process, or else of all.
        notice: called with the reason for which a video can't be scored.

    Raises:
        RunError: there is no video, or none could be scored.
        InputError: the bundle, the tracks or an annotation can't be read.
        WorkerLost: processes end again and again; what was scored is kept.
    """
    files = list(_list_files(videos))
    read = read_bundle(bundle)
    if tracks is not None and len(files) != 1:
        raise RunError("--tracks is for a single video")
    given = None if tracks is None else read_tracks(tracks)
    people = [read_annotation(path) for path in annotations]
    count = workers or (1 if len(files) == 1 else count_cores())
    is_here = count == 1 and not ray
    tell = report if show is None or is_here else _join(report, show("scoring", "videos"))
    frames = None if show is None or not is_here else _name_frames(show)
    with open_executor(ray, count) as executor:
        compared = compare_videos(
            read,
            files,
            out,
            executor,
            tracks=given,
            send_files=bool(ray),
            report=tell,
            frames=frames,
        )
    for one in compared:
        if one.error:
            notice(one.error)
    if all(one.score is None for one in compared):
        raise RunError("none of the videos could be scored")
    agreement = accord_with(compared, people) if people else None
    write_overview(read, compared, out, agreement)
    page = write_annotation_page(compared, out) if annotate else None
    return ScoredVideos(tuple(map(_make_score, compared)), out, agreement, page)


def _join(first: Progress, second: Progress) -> Progress:
    def both(done: int, total: int) -> None:
        first(done, total)
        second(done, total)

    return both


def _name_frames(show: Show) -> Callable[[Path], Progress]:
    return lambda video: show(video.name, "frames")


def _list_files(given: Sequence[Path]) -> Iterator[Path]:
    """Yield the videos, those in folders too."""
    for path in given:
        if not path.is_dir():
            yield path
            continue
        found = sorted(file for file in path.iterdir() if file.suffix.lower() in _ENDINGS)
        if not found:
            raise RunError(f"there is no video in {path}")
        yield from found


def _make_score(one: Compared) -> VideoScore:
    score = one.score
    if score is None:
        return VideoScore(one.video, one.error, 0, 0, 0, 0, False, 0.0, {})
    plan, violations = score["plan"], score["violations"]
    assert isinstance(plan, dict) and isinstance(violations, list | tuple)
    return VideoScore(
        one.video,
        "",
        len(violations),
        int(str(score["broken_frames"])),
        int(plan["legal_prefix"]),
        len(plan["moves"]),
        bool(plan["solved"]),
        float(str(score["undecided_ratio"])),
        score,
    )

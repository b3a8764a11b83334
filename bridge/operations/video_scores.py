"""Scores of videos of puzzles, against the true films of bundles."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.operations.executors import open_executor
from bridge.operations.floor_policy import FloorPolicy
from bridge.runs.folders import RunError
from bridge.video.reference.bundle import Bundle, read_bundle
from bridge.video.report.agreement import Accord, read_annotation
from bridge.video.report.comparing import (
    Compared,
    accord_with,
    compare_videos,
    rank_videos,
    write_annotation_page,
    write_overview,
)
from bridge.video.report.leaderboard import LeaderboardRow
from bridge.video.report.submissions import (
    Submissions,
    find_bundles,
    list_floors,
    list_submissions,
)
from bridge.video.report.tables import has_parquet
from bridge.video.verdict.tracks import read_tracks
from pysim.catalog import list_level_paths
from pysim.errors import InputError
from pysim.machine import count_cores

__all__ = ["FloorPolicy", "ScoredVideos", "VideoScore", "score_video_files", "split_paths"]

Progress = Callable[[int, int], None]
Show = Callable[[str, str], Progress]
"""Called with what is worked on and its unit, returns what is called with parts done, and all."""


@dataclass(frozen=True, slots=True)
class VideoScore:
    """The score of a video.

    Attributes:
        video: the file.
        model: name of the model.
        level: id of the level.
        error: why it can't be scored; empty if it was, else all that follows is zero or False.
        task: share of the film's plan that is carried out lawfully.
        physics: share of the frames that are lawful.
        violations: number of violations of the rules.
        broken_frames: number of frames in which a rule is broken.
        legal_prefix: moves of the plan that were made before anything else.
        moves: number of moves of the plan.
        solved: whether the video ends in the goal.
        undecided_ratio: share of the frames that show too little to be decided.
        document: the whole ``score.json``; empty if it can't be scored.
    """

    video: Path
    model: str
    level: str
    error: str
    task: float
    physics: float
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
        models: best first.
        floors: clips that any program can make of the bundles, best first; empty if there are none.
        out: folder of pages and documents.
        agreement: with the annotations of people; None without any.
        annotation_page: page on which people annotate; None if none was asked for.
    """

    scores: tuple[VideoScore, ...]
    models: tuple[LeaderboardRow, ...]
    floors: tuple[LeaderboardRow, ...]
    out: Path
    agreement: Accord | None
    annotation_page: Path | None

    @property
    def is_any_scored(self) -> bool:
        """Whether any video of a model could be scored."""
        return any(not score.error for score in self.scores)


def split_paths(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Return bundles and models: a folder that holds bundles stands for all of them.

    Raises:
        RunError: either is missing.
    """
    bundles, models = find_bundles(paths)
    if not bundles:
        return [paths[0]], list(paths[1:])  # Reading it says why it is none.
    if not models:
        raise RunError("there is no video to score; give files, or folders of models")
    return bundles, models


def score_video_files(
    bundles: Sequence[Path],
    videos: Sequence[Path],
    out: Path,
    *,
    tracks: Path | None = None,
    floors: FloorPolicy = FloorPolicy.AUTO,
    annotate: bool = False,
    annotations: Sequence[Path] = (),
    workers: int = 0,
    ray: str = "",
    report: Progress = lambda done, total: None,
    show: Show | None = None,
    notice: Callable[[str], None] = lambda text: None,
) -> ScoredVideos:
    """Score videos, and write a page for each and a leaderboard of all models.

    Args:
        bundles: folders of bundles, of a level each.
        videos: files, or folders of models.
        out: folder for the scores; videos already scored there are skipped.
        tracks: tracks to score in place of our own; only with a single video.
        floors: when clips that any program can make are scored, too.
        annotate: whether to write a page on which people annotate violations.
        annotations: of people, a file for each person.
        workers: processes; 0 for one per core.
        ray: address of a Ray cluster; empty for none.
        report: called with the number of videos that are done, and that of all.
        show: shows the progress of each video that is scored in this process, or else of all.
        notice: called with the reason for which a video can't be scored.

    Raises:
        RunError: there is no video, or too many for tracks.
        InputError: a bundle, the tracks or an annotation can't be read, or a video could be of any
            level.
        WorkerLost: processes end again and again; what was scored is kept.
    """
    read = _read_bundles(bundles)
    given = _list_submissions(read, videos)
    _tell_of(given, notice)
    if tracks is not None and len(given.clips) != 1:
        raise RunError("--tracks is for a single video")
    own = None if tracks is None else read_tracks(tracks)
    people = [read_annotation(path) for path in annotations]
    clips = list(given.clips)
    if _has_floors(floors, read, videos) and own is None:
        clips += [floor for level in read for floor in list_floors(level)]
    count = workers or (1 if len(clips) == 1 else count_cores())
    is_here = count == 1 and not ray
    tell = report if show is None or is_here else _join(report, show("scoring", "videos"))
    frames = None if show is None or not is_here else _name_frames(show)
    with open_executor(ray, count) as executor:
        compared = compare_videos(
            read,
            clips,
            out,
            executor,
            tracks=own,
            send_files=bool(ray),
            report=tell,
            frames=frames,
        )
    for one in compared:
        if one.error:
            notice(one.error)
    agreement = accord_with(compared, people) if people else None
    overview = rank_videos(compared, given.missing)
    write_overview(read, compared, overview, out, agreement)
    if not has_parquet():
        notice("tables are written as CSV alone; for Parquet: pip install 'luban[dataset]'")
    page = write_annotation_page(compared, out) if annotate else None
    scores = tuple(_make_score(one) for one in compared if one.clip.floor is None)
    models, floor_rows = tuple(overview.models), tuple(overview.floors)
    return ScoredVideos(scores, models, floor_rows, out, agreement, page)


def _read_bundles(paths: Sequence[Path]) -> dict[str, Bundle]:
    """Return bundles by their levels.

    Raises:
        RunError: two of them show one level.
        BundleError: one can't be read.
    """
    found: dict[str, Bundle] = {}
    for path in find_bundles(paths)[0] or paths:
        bundle = read_bundle(path)
        level = bundle.manifest.level
        if level in found:
            raise RunError(f"{found[level].path} and {path} both show {level}; give one of them")
        found[level] = bundle
    return found


def _list_submissions(bundles: Mapping[str, Bundle], videos: Sequence[Path]) -> Submissions:
    """Return the videos of models.

    Raises:
        RunError: there is none.
    """
    try:
        given = list_submissions(videos, [*bundles], {path.stem for path in list_level_paths()})
    except InputError as error:
        raise RunError(str(error)) from error
    if not given.clips:
        raise RunError("none of the videos shows a level of these bundles")
    return given


def _tell_of(given: Submissions, notice: Callable[[str], None]) -> None:
    """Say which videos are left out, and which are missing."""
    if given.others:
        count, first = len(given.others), given.others[0]
        notice(f"{count} videos of other levels are left out, such as {first}")
    for model in dict.fromkeys(model for model, _ in given.missing):
        levels = [level for name, level in given.missing if name == model]
        more = "" if len(levels) <= 3 else f" and {len(levels) - 3} more"
        notice(f"{model} has no video of {', '.join(levels[:3])}{more}; each counts as the worst")


def _has_floors(policy: FloorPolicy, bundles: Mapping[str, Bundle], videos: Sequence[Path]) -> bool:
    if policy is FloorPolicy.AUTO:
        return len(bundles) > 1 or any(path.is_dir() for path in videos)
    return policy is FloorPolicy.ALWAYS


def _join(first: Progress, second: Progress) -> Progress:
    def both(done: int, total: int) -> None:
        first(done, total)
        second(done, total)

    return both


def _name_frames(show: Show) -> Callable[[Path], Progress]:
    return lambda video: show(video.name, "frames")


def _make_score(one: Compared) -> VideoScore:
    score, clip = one.score, one.clip
    if score is None:
        named = clip.video, clip.model, clip.level
        return VideoScore(*named, one.error, 0.0, 0.0, 0, 0, 0, 0, False, 0.0, {})
    plan, violations = score["plan"], score["violations"]
    assert isinstance(plan, dict) and isinstance(violations, list | tuple)
    return VideoScore(
        video=clip.video,
        model=clip.model,
        level=clip.level,
        error="",
        task=float(str(score["task"])),
        physics=float(str(score["physics"])),
        violations=len(violations),
        broken_frames=int(str(score["broken_frames"])),
        legal_prefix=int(plan["legal_prefix"]),
        moves=len(plan["moves"]),
        solved=bool(plan["solved"]),
        undecided_ratio=float(str(score["undecided_ratio"])),
        document=score,
    )

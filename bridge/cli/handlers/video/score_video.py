"""``luban score-video``."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from bridge.cli.columns import Column, print_table
from bridge.cli.errors import CommandError
from bridge.cli.notices import print_notice
from bridge.cli.progress import show_frame_progress
from bridge.compare.bundles.format import read_bundle
from bridge.compare.judging.tracks import read_tracks
from bridge.compare.scoring.agreement import read_annotation
from bridge.compare.scoring.comparing import (
    Compared,
    accord_with,
    compare_videos,
    write_annotation_page,
    write_overview,
)

__all__ = ["ScoreVideoRequest", "run_score_video"]

_ENDINGS = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".gif", ".m4v")


@dataclass(frozen=True, slots=True)
class ScoreVideoRequest:
    """Arguments of ``luban score-video``; see its options."""

    bundle: Path
    videos: Sequence[Path]
    out: Path
    tracks: Path | None
    annotate: bool
    annotations: Sequence[Path]


def run_score_video(request: ScoreVideoRequest, as_json: bool) -> None:
    """Score videos, and write the pages."""
    videos = list(_files(request.videos))
    bundle = read_bundle(request.bundle)
    if request.tracks is not None and len(videos) != 1:
        raise CommandError("--tracks is for a single video")
    tracks = None if request.tracks is None else read_tracks(request.tracks)
    people = [read_annotation(path) for path in request.annotations]
    with ExitStack() as bars:

        def progress(video: str) -> Callable[[int, int], None]:
            bars.close()
            return bars.enter_context(show_frame_progress(Path(video).name, quiet=as_json))

        compared = compare_videos(bundle, videos, request.out, tracks=tracks, progress=progress)
    for one in compared:
        if one.error:
            print_notice(one.error)
    if all(one.score is None for one in compared):
        raise CommandError("none of the videos could be scored")
    agreed = accord_with(compared, people) if people else None
    write_overview(bundle, compared, request.out, agreed)
    page = write_annotation_page(compared, request.out) if request.annotate else None
    if as_json:
        told = (request.out / "leaderboard.json").read_text(encoding="utf-8")
        print(json.dumps({**json.loads(told), "out": str(request.out)}))
        return
    _print(compared)
    if agreed is not None:
        for name, value in asdict(agreed).items():
            print(f"{name}: {value if value is None else format(value, '.3g')}")
    print(f"pages: {request.out / 'index.html'}" + (f", {page}" if page is not None else ""))


def _files(given: Sequence[Path]) -> Iterator[Path]:
    """Yield the videos, those in folders too."""
    for path in given:
        if not path.is_dir():
            yield path
            continue
        found = sorted(file for file in path.iterdir() if file.suffix.lower() in _ENDINGS)
        if not found:
            raise CommandError(f"there is no video in {path}")
        yield from found


def _print(compared: Sequence[Compared]) -> None:
    rows = [row for one in compared if (row := _row(one))]
    video, violations, broken, prefix, solved, undecided = (
        [row[k] for row in rows] for k in range(6)
    )
    print_table(
        [
            Column("video", video, least=24),
            Column("violations", violations, True),
            Column("broken frames", broken, True),
            Column("legal prefix", prefix, True),
            Column("solved", solved),
            Column("undecided", undecided, True),
        ]
    )


def _row(one: Compared) -> tuple[str, ...]:
    score = one.score
    if score is None:
        return ()
    plan, violations = score["plan"], score["violations"]
    assert isinstance(plan, dict) and isinstance(violations, list | tuple)
    return (
        str(score["video"]),
        str(len(violations)),
        str(score["broken_frames"]),
        f"{plan['legal_prefix']} of {len(plan['moves'])}",
        "yes" if plan["solved"] else "no",
        f"{100.0 * float(str(score['undecided_ratio'])):.1f} %",
    )

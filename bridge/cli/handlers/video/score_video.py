"""``luban score-video``."""

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict

from bridge.cli.columns import Column, print_table
from bridge.cli.commands.score_video import ScoreVideoRequest
from bridge.cli.notices import print_notice
from bridge.cli.progress import show_frame_progress
from bridge.cli.terminal import outlast_reader
from bridge.operations.video_scores import (
    ScoredVideos,
    VideoScore,
    score_video_files,
    split_paths,
)
from bridge.video.report.leaderboard import LeaderboardRow
from pysim.extras import require_extra

__all__ = ["run_score_video"]

UNSCORABLE = 3
"""Exit status if no video could be scored."""
_MOST_VIDEOS = 40
"""Videos that are listed one by one; the page lists more."""


@outlast_reader()
def run_score_video(request: ScoreVideoRequest) -> None:
    """Score videos, and write the pages.

    Raises:
        SystemExit: no video could be scored.
    """
    require_extra("scores of videos", "video", "solve")
    bundles, videos = split_paths(request.paths)
    with ExitStack() as bars:

        def show(work: str, unit: str) -> Callable[[int, int], None]:
            bars.close()
            return bars.enter_context(show_frame_progress(work, quiet=request.as_json, unit=unit))

        scored = score_video_files(
            bundles,
            videos,
            request.out,
            tracks=request.tracks,
            floors=request.floors,
            annotate=request.annotate,
            annotations=request.annotations,
            workers=request.workers,
            ray=request.ray,
            show=show,
            notice=print_notice,
        )
    if request.as_json:
        told = (request.out / "leaderboard.json").read_text(encoding="utf-8")
        print(json.dumps({**json.loads(told), "out": str(request.out)}))
    else:
        _print(scored)
    if not scored.is_any_scored:
        print_notice("none of the videos could be scored")
        raise SystemExit(UNSCORABLE)


def _print(scored: ScoredVideos) -> None:
    videos = [score for score in scored.scores if not score.error]
    if len(videos) <= _MOST_VIDEOS:
        _print_videos(videos)
    if len(scored.models) > 1 or scored.floors:
        _print_models([*scored.models, *scored.floors])
    if scored.agreement is not None:
        for name, value in asdict(scored.agreement).items():
            print(f"{name}: {value if value is None else format(value, '.3g')}")
    page = scored.annotation_page
    print(f"pages: {scored.out / 'index.html'}" + (f", {page}" if page is not None else ""))


def _print_videos(scores: Sequence[VideoScore]) -> None:
    rows = [_make_row(score) for score in scores]
    video, task, physics, violations, broken, prefix, solved, undecided = (
        [row[k] for row in rows] for k in range(8)
    )
    print_table(
        [
            Column("video", video, least=24),
            Column("task", task, True),
            Column("physics", physics, True),
            Column("violations", violations, True),
            Column("broken frames", broken, True),
            Column("legal prefix", prefix, True),
            Column("solved", solved),
            Column("undecided", undecided, True),
        ]
    )


def _make_row(score: VideoScore) -> tuple[str, ...]:
    return (
        str(score.document["video"]),
        f"{100.0 * score.task:.0f} %",
        f"{100.0 * score.physics:.0f} %",
        str(score.violations),
        str(score.document["broken_frames"]),
        f"{score.legal_prefix} of {score.moves}",
        "yes" if score.solved else "no",
        f"{100.0 * score.undecided_ratio:.1f} %",
    )


def _print_models(rows: Sequence[LeaderboardRow]) -> None:
    print_table(
        [
            Column("rank", [str(row.rank or "") for row in rows], True),
            Column("model", [row.model for row in rows], least=16),
            Column("score", [row.score.text() for row in rows], True),
            Column("task", [row.task.text() for row in rows], True),
            Column("physics", [row.physics.text() for row in rows], True),
            Column("videos", [str(row.clips) for row in rows], True),
            Column("unscorable", [str(row.unscorable) for row in rows], True),
        ]
    )

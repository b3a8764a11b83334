"""``luban score-video``."""

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict

from bridge.cli.columns import Column, print_table
from bridge.cli.commands.score_video import ScoreVideoRequest
from bridge.cli.notices import print_notice
from bridge.cli.progress import show_frame_progress
from bridge.operations.video_scores import VideoScore, score_video_files

__all__ = ["run_score_video"]


def run_score_video(request: ScoreVideoRequest) -> None:
    """Score videos, and write the pages."""
    with ExitStack() as bars:

        def show(work: str, unit: str) -> Callable[[int, int], None]:
            bars.close()
            return bars.enter_context(show_frame_progress(work, quiet=request.as_json, unit=unit))

        scored = score_video_files(
            request.bundle,
            request.videos,
            request.out,
            tracks=request.tracks,
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
        return
    _print([score for score in scored.scores if not score.error])
    if scored.agreement is not None:
        for name, value in asdict(scored.agreement).items():
            print(f"{name}: {value if value is None else format(value, '.3g')}")
    page = scored.annotation_page
    print(f"pages: {request.out / 'index.html'}" + (f", {page}" if page is not None else ""))


def _print(scores: Sequence[VideoScore]) -> None:
    rows = [_make_row(score) for score in scores]
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


def _make_row(score: VideoScore) -> tuple[str, ...]:
    return (
        str(score.document["video"]),
        str(score.violations),
        str(score.document["broken_frames"]),
        f"{score.legal_prefix} of {score.moves}",
        "yes" if score.solved else "no",
        f"{100.0 * score.undecided_ratio:.1f} %",
    )

"""``luban score-video``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, RAY, WORKERS
from bridge.operations.floor_policy import FloorPolicy

__all__ = ["ScoreVideoRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreVideoRequest:
    """Options of ``luban score-video``."""

    paths: tuple[Path, ...] = field(
        metadata={
            "argument": True,
            "metavar": "BUNDLE... MODEL...",
            "help": "Bundles, then models: folders of videos named after levels, or videos.",
        }
    )
    out: Path = field(
        default=Path("scores"),
        metadata={"help": "Folder for the scores. Videos already scored there are skipped."},
    )
    tracks: Path | None = field(
        default=None,
        metadata={
            "metavar": "FILE",
            "help": "File of tracks, .npz, to score instead of tracking the video.",
        },
    )
    floors: FloorPolicy = field(
        default=FloorPolicy.AUTO,
        metadata={
            "help": "Whether to score clips that any program can make, too (auto: with folders or "
            "several bundles)."
        },
    )
    annotate: bool = field(
        default=False, metadata={"help": "Write a page on which people annotate violations."}
    )
    annotations: tuple[Path, ...] = field(
        default=(),
        metadata={
            "metavar": "FILE",
            "help": "Annotations of a person; may be repeated, once per person.",
        },
    )
    workers: int = field(default=0, metadata=WORKERS)
    ray: str = field(default="", metadata=RAY)
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "score-video",
    ScoreVideoRequest,
    run="bridge.cli.handlers.video.score_video:run_score_video",
    about="Score videos of puzzles by their rules, against the true films of bundles.",
    epilog="Exit status 3: no video could be scored.",
)

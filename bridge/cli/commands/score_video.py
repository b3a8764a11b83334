"""``luban score-video``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, RAY, WORKERS

__all__ = ["ScoreVideoRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreVideoRequest:
    """Options of ``luban score-video``."""

    bundle: Path = field(metadata={"argument": True, "help": "Folder of a bundle: the true film."})
    videos: tuple[Path, ...] = field(
        metadata={
            "argument": True,
            "metavar": "VIDEO...",
            "help": "Videos; a folder is a model, its files seeds.",
        }
    )
    out: Path = field(
        metadata={"help": "Folder for the scores. Videos already scored there are skipped."}
    )
    tracks: Path | None = field(
        default=None,
        metadata={
            "metavar": "FILE",
            "help": "File of tracks, .npz, to score instead of tracking the video.",
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
    about="Score videos of a puzzle by its rules, against the true film of a bundle.",
)

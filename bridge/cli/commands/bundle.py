"""``luban bundle``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, RENDERER

__all__ = ["BundleOptions", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleOptions:
    """Options of ``luban bundle``."""

    levels: tuple[str, ...] = field(
        metadata={
            "argument": True,
            "metavar": "SUITE|LEVEL...",
            "help": "Suites, families, levels or patterns.",
        }
    )
    out: Path = field(metadata={"help": "Folder for the bundles; resumes what is in it."})
    first_steps: int = field(
        default=0,
        metadata={
            "least": 0,
            "help": "Film only this many steps of each plan; 0 for all, or all that fit --seconds.",
        },
    )
    seconds: float = field(
        default=0.0,
        metadata={
            "least": 0,
            "help": "Longest time that a film may take, by faster carries; 0 for as long as it "
            "needs.",
        },
    )
    film_size: str = field(
        default="832x480",
        metadata={"metavar": "WxH", "help": "Width and height of the film in pixels."},
    )
    fps: int = field(default=24, metadata={"help": "Frames per second, 6 or more."})
    speed: float = field(default=1.0, metadata={"help": "How many times as fast as usual."})
    look: str = field(
        default="diagram", metadata={"help": "Finish of the pieces: diagram, plain or wood."}
    )
    renderer: str = field(default="auto", metadata=RENDERER)
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "bundle",
    BundleOptions,
    run="bridge.cli.handlers.video.bundle:run_bundle",
    about="Make bundles: what video models are given, and the true films that score them.",
)

"""``luban dataset``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, RAY, RENDERER

__all__ = ["DatasetOptions", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetOptions:
    """Options of ``luban dataset``."""

    sources: tuple[Path, ...] = field(
        metadata={
            "argument": True,
            "metavar": "RUN|LOG|LEVELS...",
            "help": "Folders of runs, or logs; for chat also levels, which the oracle plays, and "
            "for clips only levels.",
        }
    )
    out: Path = field(metadata={"help": "Folder to make."})
    format: str = field(default="lerobot", metadata={"help": "lerobot, parquet, chat or clips."})
    fps: int | None = field(
        default=None,
        metadata={
            "shown": "4; clips: 24",
            "help": "Frames per second; each step is one frame, but for clips.",
        },
    )
    image_size: int | None = field(
        default=None,
        metadata={"shown": "256; chat: the agent's", "help": "Edge of pictures in pixels."},
    )
    camera: tuple[str, ...] = field(
        default=(),
        metadata={"help": "stage (all there is), +x-y+z, ..., table; may be given several times."},
    )
    observation: str | None = field(
        default=None,
        metadata={
            "shown": "image+state; chat: the agent's",
            "help": "image, image+state or state.",
        },
    )
    mode: str = field(
        default="interactive",
        metadata={"help": "chat: interactive or one-shot, for levels that the oracle plays."},
    )
    family: str = field(default="", metadata={"help": "Episodes of this family only."})
    solved: bool = field(default=False, metadata={"help": "Solved episodes only."})
    count: int = field(default=100, metadata={"least": 1, "help": "clips: how many."})
    film_size: str = field(
        default="832x480",
        metadata={"metavar": "WxH", "help": "clips: width and height in pixels."},
    )
    look: tuple[str, ...] = field(
        default=(),
        metadata={
            "shown": "all",
            "help": "clips: finishes of pieces, diagram, plain or wood.",
        },
    )
    seconds: float = field(default=5.0, metadata={"help": "clips: length of each."})
    violations: float = field(
        default=0.0, metadata={"help": "clips: share with a labelled violation."}
    )
    blur: float = field(default=0.0, metadata={"help": "clips: share with motion blur."})
    shard: int = field(default=100, metadata={"help": "clips: number in each file."})
    seed: int = field(default=0, metadata={"least": 0, "help": "clips: seed."})
    workers: int = field(default=1, metadata={"least": 1, "most": 256, "help": "clips: processes."})
    renderer: str = field(default="auto", metadata=RENDERER)
    ray: str = field(default="", metadata={**RAY, "help": f"clips: {RAY['help']}"})
    force: bool = field(default=False, metadata={"help": "Replace a dataset that exists."})
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "dataset",
    DatasetOptions,
    run="bridge.cli.handlers.dataset:run_dataset",
    about="Make a dataset of episodes: LeRobot v3, Parquet and MP4, chats, or clips for "
    "video models.",
)

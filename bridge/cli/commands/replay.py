"""``luban replay``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, CAMERA, RENDERER, UNITY_PLAYER

__all__ = ["ReplayRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRequest:
    """Options of ``luban replay``."""

    log: Path = field(metadata={"argument": True, "help": "An episode's log, episode.jsonl."})
    video: Path | None = field(default=None, metadata={"help": "Video to write."})
    world: str = field(default="", metadata={"help": "World to replay in, instead of the log's."})
    image_size: int = field(default=512, metadata={"help": "Edge of the video in pixels."})
    camera: str = field(default="", metadata=CAMERA)
    codec: str = field(
        default="web",
        metadata={"help": "web, lossless, or png for a folder with a file for each frame."},
    )
    renderer: str = field(default="auto", metadata=RENDERER)
    unity_player: str = field(default="", metadata=UNITY_PLAYER)
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "replay",
    ReplayRequest,
    run="bridge.cli.handlers.replay:run_replay",
    about="Play a log again, check every state hash, and make the video from the log alone.",
)

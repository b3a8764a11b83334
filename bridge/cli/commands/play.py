"""``luban play``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import (
    AGENT,
    AS_JSON,
    BASE_URL,
    CAMERA,
    FEEDBACK,
    LEVEL,
    RENDERER,
    RUNS,
    SETTINGS,
    UNITY_PLAYER,
    VIDEO,
    VIEWS,
)
from bridge.runs.options import VideoPolicy

__all__ = ["PlayRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRequest:
    """Options of ``luban play``."""

    level: str = field(metadata=LEVEL)
    agent: str = field(default="oracle", metadata=AGENT)
    world: str = field(default="lattice", metadata={"help": "lattice (exact), bullet or unity."})
    seed: int = field(default=0, metadata={"help": "Seed of the agent."})
    settings: tuple[str, ...] = field(
        default=(), metadata={**SETTINGS, "help": "Setting of the agent."}
    )
    base_url: str = field(default="", metadata=BASE_URL)
    server: str = field(
        default="",
        metadata={
            "metavar": "ADDR",
            "help": "host:port of a running server; without it one is started.",
        },
    )
    budget: int | None = field(
        default=None,
        metadata={
            "least": 1,
            "most": 10_000,
            "help": "Number of steps, instead of the level's own.",
        },
    )
    observation: str = field(
        default="image+state", metadata={"help": "image, image+state, state or none."}
    )
    image_size: int = field(default=512, metadata={"help": "Edge of pictures and video in pixels."})
    video: VideoPolicy = field(default=VideoPolicy.ALL, metadata=VIDEO)
    name: str = field(default="", metadata={"help": "Name of the episode's folder."})
    runs: Path = field(default=Path("runs"), metadata=RUNS)
    feedback: str = field(default="full", metadata=FEEDBACK)
    views: str = field(default="composed", metadata=VIEWS)
    camera: str = field(default="", metadata=CAMERA)
    renderer: str = field(default="auto", metadata=RENDERER)
    unity_player: str = field(default="", metadata=UNITY_PLAYER)
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "play",
    PlayRequest,
    run="bridge.cli.handlers.play:run_play",
    about="Let an agent play one episode of a level.",
)

"""``luban mcp``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import FEEDBACK, RENDERER, UNITY_PLAYER, VIEWS

__all__ = ["McpRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class McpRequest:
    """Options of ``luban mcp``."""

    level: str = field(metadata={"help": "Id of a level, or a level file."})
    observation: str = field(
        default="image+state", metadata={"help": "image, image+state, state or none."}
    )
    budget: int | None = field(
        default=None,
        metadata={
            "least": 1,
            "most": 10_000,
            "help": "Number of steps, instead of the level's own.",
        },
    )
    world: str = field(default="lattice", metadata={"help": "lattice (exact), bullet or unity."})
    image_size: int = field(default=512, metadata={"help": "Edge of pictures in pixels."})
    history: int = field(default=5, metadata={"help": "Number of past turns that observe repeats."})
    log: Path | None = field(default=None, metadata={"help": "Where the episode's log goes."})
    runs: Path = field(
        default=Path("runs"),
        metadata={"help": "Without --log: folder for the episodes, one folder each."},
    )
    port: int | None = field(
        default=None,
        metadata={
            "least": 0,
            "most": 65535,
            "help": "Serve HTTP on 127.0.0.1 instead of stdio; 0 picks a free port.",
        },
    )
    verbose: bool = field(
        default=False,
        metadata={
            "help": "Print where the log is, on stderr, which some hosts show to the model. Its "
            "path names the level."
        },
    )
    feedback: str = field(default="full", metadata=FEEDBACK)
    views: str = field(default="composed", metadata=VIEWS)
    renderer: str = field(default="auto", metadata=RENDERER)
    unity_player: str = field(default="", metadata=UNITY_PLAYER)


command = make_command(
    "mcp",
    McpRequest,
    run="bridge.cli.handlers.mcp:run_mcp",
    about="Serve one episode over MCP: the puzzle's tools, and nothing else.",
)

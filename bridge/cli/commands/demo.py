"""``luban demo``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, RENDERER, RUNS, VIDEO
from bridge.runs.options import VideoPolicy

__all__ = ["DemoRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoRequest:
    """Options of ``luban demo``."""

    runs: Path = field(default=Path("runs"), metadata=RUNS)
    renderer: str = field(default="auto", metadata=RENDERER)
    video: VideoPolicy = field(default=VideoPolicy.ALL, metadata=VIDEO)
    no_video: bool = field(default=False, metadata={"help": "The same as --video none."})
    as_json: bool = field(default=False, metadata=AS_JSON)


command = make_command(
    "demo",
    DemoRequest,
    run="bridge.cli.handlers.demo:run_demo",
    about="Start a server and take two real locks apart over gRPC, in the physical world.",
)

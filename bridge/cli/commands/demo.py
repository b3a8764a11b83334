"""``luban demo``: its options."""

from pathlib import Path

from bridge.cli.options import (
    JsonFlag,
    RendererName,
    Runs,
    VideoChoice,
)

__all__ = ["demo"]


def demo(
    runs: Runs = Path("runs"),
    renderer: RendererName = "auto",
    video: VideoChoice = "all",
    as_json: JsonFlag = False,
) -> None:
    """Start a server and take two real locks apart over gRPC, in the physical world."""
    from bridge.cli.handlers.demo import run_demo
    from bridge.runs.options import VideoPolicy

    run_demo(runs, renderer, VideoPolicy(video), as_json)

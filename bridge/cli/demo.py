"""``luban demo``."""

import time
from pathlib import Path

from bridge.cli.playing import PlayRequest, notice_renderer, play_level, print_result
from bridge.cli.serving import server_process
from bridge.rpc.client import connect

__all__ = ["run_demo"]

LEVELS = ("burr-chinese-cross", "burr-piston")


def run_demo(runs: Path, renderer: str) -> None:
    """Two locks, taken apart by their plans over gRPC in PyBullet."""
    began = time.monotonic()
    print("Starting a server in its own process ...")
    with server_process(runs, renderer) as address:
        with connect(address) as client:
            print(f"It listens on {address} and renders with {notice_renderer(client)}")
        for level in LEVELS:
            request = PlayRequest(
                level=level, world="bullet", name=f"demo-{level}", runs=runs, renderer=renderer
            )
            print_result(play_level(address, request, own_server=True))
    print(f"\nDone in {time.monotonic() - began:.0f} s. Open a video, or play yourself:")
    print("  .venv/bin/luban play burr-chinese-cross --agent human")

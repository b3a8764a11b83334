"""``luban demo``."""

import json
import time
from pathlib import Path

from bridge.cli.playing import Played, PlayRequest, notice_renderer, play_level, print_result
from bridge.cli.serving import server_process
from bridge.rpc.client import connect

__all__ = ["run_demo"]

LEVELS = ("burr-chinese-cross", "burr-piston")


def run_demo(runs: Path, renderer: str, as_json: bool) -> None:
    """Two locks, taken apart by their plans over gRPC in PyBullet."""
    began = time.monotonic()
    say = print if not as_json else _say_nothing
    say("Starting a server in its own process ...")
    played: list[Played] = []
    with server_process(runs, renderer) as address:
        with connect(address) as client:
            say(f"It listens on {address} and renders with {notice_renderer(client)}")
        for level in LEVELS:
            request = PlayRequest(
                level=level, world="bullet", name=f"demo-{level}", runs=runs, renderer=renderer
            )
            played.append(play_level(address, request, own_server=True, quiet=as_json))
            if not as_json:
                print_result(played[-1])
    seconds = time.monotonic() - began
    if as_json:
        episodes = [episode.document() for episode in played]
        print(json.dumps({"episodes": episodes, "seconds": round(seconds, 1)}))
    say(f"\nDone in {seconds:.0f} s. Open a video, or play yourself:")
    say("  .venv/bin/luban play burr-chinese-cross --agent human")


def _say_nothing(text: str) -> None:
    """Where people are told something, a program is not."""

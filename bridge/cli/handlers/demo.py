"""``luban demo``."""

import json
import time
from collections.abc import Callable

from bridge.cli.commands.demo import DemoRequest
from bridge.cli.commands.play import PlayRequest
from bridge.cli.handlers.play import (
    Played,
    find_possible_video,
    play_level,
    print_renderer,
    print_result,
)
from bridge.cli.handlers.serve import launch_server
from bridge.cli.notices import print_notice
from bridge.cli.permissions import make_files_private
from bridge.cli.terminal import outlast_reader
from bridge.rpc.client import ServerError, connect
from bridge.runs.options import VideoPolicy
from pysim.physics.factory import explain_unavailable
from pysim.suites import find_suite

__all__ = ["SUITE", "run_demo"]

SUITE = "demo"
"""The suite that is played."""


@outlast_reader()
@make_files_private()
def run_demo(request: DemoRequest) -> None:
    """The suite's levels, solved by their plans over gRPC: in PyBullet, or else on the lattice."""
    began = time.monotonic()
    levels = find_suite(SUITE).level_ids
    say = print if not request.as_json else _say_nothing
    world = _best_world()
    video = VideoPolicy.NONE if request.no_video else find_possible_video(request.video)
    say("Starting a server in its own process ...")
    played: list[Played] = []
    with launch_server(request.runs, request.renderer) as address:
        pictures = _has_pictures(address, say)
        for level in levels:
            play = PlayRequest(
                level=level,
                world=world,
                observation="image+state" if pictures else "state",
                video=video if pictures else VideoPolicy.NONE,
                name=f"demo-{level}",
                runs=request.runs,
                renderer=request.renderer,
            )
            played.append(play_level(address, play, own_server=True, quiet=request.as_json))
            if not request.as_json:
                print_result(played[-1])
    seconds = time.monotonic() - began
    if request.as_json:
        episodes = [episode.to_document() for episode in played]
        print(json.dumps({"episodes": episodes, "seconds": round(seconds, 1)}))
    filmed = any(episode.video for episode in played)
    say(f"\nDone in {seconds:.0f} s. {'Open a video, or play' if filmed else 'Play'} yourself:")
    say(f"  .venv/bin/luban play {levels[0]} --agent human")


def _best_world() -> str:
    """Return the physical world, or else the exact one and a word on why."""
    reason = explain_unavailable("bullet")
    if not reason:
        return "bullet"
    print_notice(f"{reason}. Playing in the world lattice.")
    return "lattice"


def _has_pictures(address: str, say: Callable[[str], None]) -> bool:
    """Say which renderer the server has, or that it has none."""
    with connect(address, tls="off") as client:
        try:
            say(f"It listens on {address} and renders with {print_renderer(client)}")
        except ServerError as error:
            if error.reason != "RENDERER_UNAVAILABLE":
                raise
            print_notice(f"{error} Playing without pictures and video.")
            return False
    return True


def _say_nothing(text: str) -> None:
    """Print nothing, since a program reads the output."""

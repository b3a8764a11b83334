"""``luban replay``."""

import json
from contextlib import closing
from pathlib import Path

from bridge.cli.notices import print_notice
from bridge.cli.progress import show_frame_progress
from bridge.operations.engines import open_engines
from bridge.recording.film import film_episode
from bridge.recording.log import read_log
from bridge.recording.replay import replay
from bridge.recording.video import Codec

__all__ = ["run_replay"]


def run_replay(
    path: Path,
    video: Path | None,
    world: str,
    size: int,
    codec: Codec,
    renderer_name: str,
    unity_player: str,
    as_json: bool,
) -> None:
    """Check a log by playing it again, and film it if asked."""
    log = read_log(path)
    with open_engines(unity_player, world or log.header.world[0], renderer_name) as engines:
        result = replay(log, world=world or None, engines=engines)
        if video is not None:
            renderer, note = engines.create_renderer(renderer_name)
            print_notice(note)
            with closing(renderer), show_frame_progress("video", quiet=as_json) as progress:
                film_episode(
                    log,
                    renderer,
                    video,
                    size=size,
                    world=world or None,
                    engines=engines,
                    codec=codec,
                    progress=progress,
                )
    outcome = None if result.outcome is None else result.outcome.value
    if as_json:
        print(
            json.dumps(
                {
                    "log": str(path),
                    "level": log.header.level.id,
                    "outcome": outcome,
                    "steps": result.steps,
                    "state_hash": result.state_hash,
                    "truncated": log.truncated,
                    "video": None if video is None else str(video),
                }
            )
        )
        return
    print(
        f"{path}: {result.steps} steps, every state hash is the same; outcome {outcome or 'open'}"
    )
    if log.truncated:
        print("The last line was cut off in writing and is left out.")
    if video is not None:
        print(f"video: {video}")

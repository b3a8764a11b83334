"""``luban replay``."""

import json
from contextlib import closing

from bridge.cli.commands.replay import ReplayRequest
from bridge.cli.notices import print_notice
from bridge.cli.output import check_ending
from bridge.cli.progress import show_frame_progress
from bridge.cli.terminal import outlast_reader
from bridge.operations.engines import open_engines
from bridge.recording.film import film_episode
from bridge.recording.log import Log, read_log
from bridge.recording.replay import Replay, replay
from bridge.recording.video import Codec

__all__ = ["run_replay"]


@outlast_reader()
def run_replay(request: ReplayRequest) -> None:
    """Check a log by playing it again, and film it if asked."""
    log, world, codec = read_log(request.log), request.world or None, Codec(request.codec)
    if request.video is not None:
        check_ending(request.video, "" if codec is Codec.PNG else ".mp4")
    names = (world or log.header.world[0], request.renderer)
    with open_engines(request.unity_player, *names) as engines:
        result = replay(log, world=world, engines=engines)
        if request.video is not None:
            renderer, note = engines.create_renderer(request.renderer)
            print_notice(note)
            progress = show_frame_progress("video", quiet=request.as_json)
            with closing(renderer), progress as show:
                film_episode(
                    log,
                    renderer,
                    request.video,
                    size=request.image_size,
                    world=world,
                    engines=engines,
                    codec=codec,
                    camera=request.camera,
                    progress=show,
                )
    _print(request, log, result)


def _print(request: ReplayRequest, log: Log, result: Replay) -> None:
    outcome = None if result.outcome is None else result.outcome.value
    if request.as_json:
        document = {
            "log": str(request.log),
            "level": log.header.level.id,
            "outcome": outcome,
            "steps": result.steps,
            "state_hash": result.state_hash,
            "truncated": log.truncated,
            "video": None if request.video is None else str(request.video),
        }
        print(json.dumps(document))
        return
    print(
        f"{request.log}: {result.steps} steps, every state hash is the same; "
        f"outcome {outcome or 'open'}"
    )
    if log.truncated:
        print("The last line was cut off in writing and is left out.")
    if request.video is not None:
        print(f"video: {request.video}")

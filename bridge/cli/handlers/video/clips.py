"""``luban dataset --format clips``: varied clips to train video models on."""

import json

from bridge.cli.commands.dataset import DatasetOptions
from bridge.cli.errors import CommandError
from bridge.cli.handlers.video.films import (
    parse_film_size,
    parse_finishes,
    select_planned_levels,
)
from bridge.cli.progress import show_frame_progress
from bridge.operations.dataset_cards import describe_dataset
from bridge.operations.executors import open_executor
from bridge.recording.dataset.clips.request import ClipsRequest
from bridge.recording.dataset.clips.shards import make_clips
from pysim.catalog import find_shipped_level
from pysim.render.scenery import Finish

__all__ = ["run_clips"]


def run_clips(options: DatasetOptions) -> None:
    """Make a dataset of clips, or what is missing of it.

    Raises:
        CommandError: a level does not ship, or none has a plan.
        InputError: an option is out of range.
    """
    chosen = select_planned_levels([str(source) for source in options.sources])
    if own := [level.id for level in chosen if level != find_shipped_level(level.id)]:
        raise CommandError(f"clips are made of levels that ship; {own[0]} is another one")
    request = ClipsRequest(
        count=options.count,
        levels=tuple(level.id for level in chosen),
        seed=options.seed,
        size=parse_film_size(options.film_size),
        fps=options.fps or 24,
        finishes=parse_finishes(options.look) or tuple(Finish),
        shard=options.shard,
        seconds=options.seconds,
        forged=options.violations,
        blurred=options.blur,
    )
    out, quiet = options.out, options.as_json
    with (
        show_frame_progress("clips", quiet=quiet, unit="") as progress,
        open_executor(options.ray, options.workers) as executor,
    ):
        made = make_clips(request, out, options.renderer, executor=executor, progress=progress)
    describe_dataset(out, chosen)
    told = {"out": str(out), "clips": made.clips, "shards": made.shards, "resumed": made.resumed}
    before = f" ({made.resumed} were there)" if made.resumed else ""
    words = f"{made.clips} clips{before} in {made.shards} shards: {out}"
    print(json.dumps(told) if quiet else words)

"""``luban dataset --format clips``: varied clips to train video models on."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.cli.errors import CommandError
from bridge.cli.handlers.video.films import (
    parse_film_size,
    parse_finishes,
    select_planned_levels,
)
from bridge.cli.progress import show_frame_progress
from bridge.compare.clips.request import ClipsRequest
from bridge.compare.clips.shards import make_clips
from pysim.catalog import find_shipped_level
from pysim.render.scenery import Finish

__all__ = ["ClipsOptions", "run_clips"]


@dataclass(frozen=True, slots=True)
class ClipsOptions:
    """Options of clips; see those of ``luban dataset``."""

    count: int
    film_size: str
    fps: int
    looks: Sequence[str]
    seconds: float
    violations: float
    blur: float
    shard: int
    seed: int
    workers: int


def run_clips(
    levels: Sequence[str], out: Path, options: ClipsOptions, renderer: str, *, as_json: bool
) -> None:
    """Make a dataset of clips, or what is missing of it.

    Raises:
        CommandError: a level does not ship, or none has a plan.
        InputError: an option is out of range.
    """
    chosen = select_planned_levels(levels)
    if own := [level.id for level in chosen if level != find_shipped_level(level.id)]:
        raise CommandError(f"clips are made of levels that ship; {own[0]} is another one")
    request = ClipsRequest(
        count=options.count,
        levels=tuple(level.id for level in chosen),
        seed=options.seed,
        size=parse_film_size(options.film_size),
        fps=options.fps,
        finishes=parse_finishes(options.looks) or tuple(Finish),
        shard=options.shard,
        seconds=options.seconds,
        forged=options.violations,
        blurred=options.blur,
    )
    with show_frame_progress("clips", quiet=as_json, unit="") as progress:
        made = make_clips(request, out, renderer, workers=options.workers, progress=progress)
    told = {"out": str(out), "clips": made.clips, "shards": made.shards, "resumed": made.resumed}
    before = f" ({made.resumed} were there)" if made.resumed else ""
    words = f"{made.clips} clips{before} in {made.shards} shards: {out}"
    print(json.dumps(told) if as_json else words)

"""``luban bundle``."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bridge.cli.errors import CommandError
from bridge.cli.notices import print_notice
from bridge.cli.progress import show_frame_progress
from bridge.compare.bundles.format import MANIFEST, Manifest, manifest_from_json
from bridge.compare.bundles.making import BundleRequest, fits, make_bundle
from bridge.compare.clips.request import ClipsRequest
from bridge.compare.clips.shards import make_clips
from pysim.catalog import AnyLevel, find_shipped_level
from pysim.level_selection import select_levels
from pysim.limits import quote
from pysim.render.factory import create_renderer
from pysim.render.scenery import Finish

__all__ = ["BundleOptions", "run_bundle", "run_clips"]


@dataclass(frozen=True, slots=True)
class BundleOptions:
    """Options that bundles and datasets of clips share."""

    levels: tuple[str, ...]
    out: Path
    first_steps: int
    size: str
    fps: int
    speed: float
    looks: tuple[str, ...]
    renderer: str
    as_json: bool

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height.

        Raises:
            CommandError: they can't be read, or not be filmed.
        """
        match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", self.size)
        pixels = (int(match[1]), int(match[2])) if match else (0, 0)
        if not all(16 <= edge <= 4096 and edge % 2 == 0 for edge in pixels):
            raise CommandError(
                f"a film's size is two even numbers from 16 to 4096, such as 832x480, not "
                f"{quote(self.size)}"
            )
        return pixels

    @property
    def finishes(self) -> tuple[Finish, ...]:
        """Finishes of bodies; empty if none is given.

        Raises:
            CommandError: one of them is unknown.
        """
        unknown = [look for look in self.looks if look not in list(Finish)]
        if unknown:
            raise CommandError(f"{quote(unknown[0])} is no look; known: {', '.join(Finish)}")
        return tuple(dict.fromkeys(Finish(look) for look in self.looks))


def run_bundle(options: BundleOptions) -> None:
    """Make a bundle for each level, or those that are missing."""
    if len(options.finishes) > 1:
        raise CommandError("a bundle has one --look; several are for --dataset")
    request = BundleRequest(
        size=options.pixels,
        fps=options.fps,
        first_steps=options.first_steps or None,
        speed=options.speed,
        finish=(*options.finishes, Finish.DIAGRAM)[0],
    )
    levels = _chosen(options)
    there = {level.id: _there(options.out / level.id) for level in levels}
    for level in levels:
        found = there[level.id]
        if found is not None and not fits(found, level, request):
            raise CommandError(
                f"{options.out / level.id} was made with other options; give these, or another "
                "folder"
            )
    made = list(_made(options, request, [v for v in levels if there[v.id] is None]))
    told = {
        "out": str(options.out),
        "bundles": [level.id for level in levels],
        "made": len(made),
        "frames": sum(manifest.frames for manifest in made),
        "left_out": [level.id for level in _named(options) if level.plan is None],
    }
    print(json.dumps(told) if options.as_json else _sentence(told, len(levels) - len(made)))


def run_clips(
    options: BundleOptions,
    count: int,
    shard: int,
    seed: int,
    workers: int,
    chance: Mapping[str, float],
) -> None:
    """Make a dataset of clips, or what is missing of it."""
    if options.first_steps or options.speed != 1.0:
        raise CommandError("--first-steps and --speed are for bundles; clips have --seconds")
    levels = _chosen(options)
    if own := [level.id for level in levels if level != find_shipped_level(level.id)]:
        raise CommandError(f"clips are made of levels that ship; {own[0]} is another one")
    request = ClipsRequest(
        count=count,
        levels=tuple(level.id for level in levels),
        seed=seed,
        size=options.pixels,
        fps=options.fps,
        finishes=options.finishes or tuple(Finish),
        shard=shard,
        **chance,
    )
    with show_frame_progress("clips", quiet=options.as_json, unit="") as progress:
        made = make_clips(
            request, options.out, options.renderer, workers=workers, progress=progress
        )
    told = {"out": str(options.out), "clips": made.clips, "shards": made.shards}
    told |= {"resumed": made.resumed}
    before = f" ({made.resumed} were there)" if made.resumed else ""
    words = f"{made.clips} clips{before} in {made.shards} shards: {options.out}"
    print(json.dumps(told) if options.as_json else words)


def _named(options: BundleOptions) -> tuple[AnyLevel, ...]:
    found = (level for text in options.levels for level in select_levels(text))
    return tuple({level.id: level for level in found}.values())


def _chosen(options: BundleOptions) -> tuple[AnyLevel, ...]:
    """Return the levels that are named and have a plan.

    Raises:
        CommandError: none of them has one.
    """
    levels = tuple(level for level in _named(options) if level.plan is not None)
    if not levels:
        raise CommandError("none of these levels has a plan, so there is nothing to film")
    return levels


def _there(path: Path) -> Manifest | None:
    """Return the manifest of a bundle that was made before.

    Raises:
        CommandError: something else is in its place.
    """
    if not path.exists():
        return None
    if not (path / MANIFEST).is_file():
        raise CommandError(f"{path} is in the way; give another folder")
    return manifest_from_json((path / MANIFEST).read_bytes())


def _made(
    options: BundleOptions, request: BundleRequest, levels: list[AnyLevel]
) -> Iterator[Manifest]:
    if not levels:
        return
    renderer, note = create_renderer(options.renderer)
    print_notice(note)
    try:
        for level in levels:
            with show_frame_progress(level.id, quiet=options.as_json) as progress:
                out = options.out / level.id
                yield make_bundle(level, out, request, renderer, progress=progress)
    finally:
        renderer.close()


def _sentence(told: Mapping[str, object], before: int) -> str:
    there = f" ({before} were there)" if before else ""
    left = f"; no plan: {', '.join(map(str, names))}" if (names := _names(told)) else ""
    return f"{told['made']} bundles{there}, {told['frames']} frames: {told['out']}{left}"


def _names(told: Mapping[str, object]) -> list[object]:
    left = told["left_out"]
    return left if isinstance(left, list) else []

"""``luban bundle``."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from bridge.cli.commands.bundle import BundleOptions
from bridge.cli.errors import CommandError
from bridge.cli.handlers.video.films import (
    parse_film_size,
    parse_finishes,
    select_named_levels,
    select_planned_levels,
)
from bridge.cli.notices import print_notice
from bridge.cli.progress import show_frame_progress
from bridge.cli.terminal import outlast_reader
from bridge.video.reference.bundle import MANIFEST, Manifest, read_manifest
from bridge.video.reference.bundle_making import BundleRequest, fits, make_bundle
from bridge.video.report.scorable import LEAST_PIXELS, compute_density
from pysim.catalog import AnyLevel
from pysim.extras import require_extra
from pysim.render.factory import create_renderer

__all__ = ["run_bundle"]


@outlast_reader()
def run_bundle(options: BundleOptions) -> None:
    """Make a bundle for each level, or those that are missing."""
    require_extra("films", "video")
    request = BundleRequest(
        size=parse_film_size(options.film_size),
        fps=options.fps,
        first_steps=options.first_steps or None,
        speed=options.speed,
        seconds=options.seconds or None,
        finish=parse_finishes([options.look])[0],
    )
    levels = select_planned_levels(options.levels)
    there = {level.id: _there(options.out / level.id) for level in levels}
    for level in levels:
        found = there[level.id]
        if found is not None and not fits(found, level, request):
            raise CommandError(
                f"{options.out / level.id} was made with other options; give these, or another "
                "folder"
            )
    missing = [level for level in levels if there[level.id] is None]
    made = list(_made(options, request, missing, options.as_json))
    told = {
        "out": str(options.out),
        "bundles": [level.id for level in levels],
        "made": len(made),
        "frames": sum(manifest.frames for manifest in made),
        "left_out": [
            level.id for level in select_named_levels(options.levels) if level.plan is None
        ],
    }
    print(json.dumps(told) if options.as_json else _sentence(told, len(levels) - len(made)))


def _there(path: Path) -> Manifest | None:
    """Return the manifest of a bundle that was made before.

    Raises:
        CommandError: something else is in its place.
    """
    if not path.exists():
        return None
    if not (path / MANIFEST).is_file():
        raise CommandError(f"{path} is in the way; give another folder")
    return read_manifest(path)


def _made(
    options: BundleOptions, request: BundleRequest, levels: list[AnyLevel], as_json: bool
) -> Iterator[Manifest]:
    if not levels:
        return
    renderer, note = create_renderer(options.renderer)
    print_notice(note)
    try:
        for level in levels:
            with show_frame_progress(level.id, quiet=as_json) as progress:
                out = options.out / level.id
                manifest = make_bundle(level, out, request, renderer, progress=progress)
            _warn_of_size(level, manifest)
            yield manifest
    finally:
        renderer.close()


def _warn_of_size(level: AnyLevel, manifest: Manifest) -> None:
    density = compute_density(level, manifest, manifest.camera.width)
    if density < LEAST_PIXELS:
        print_notice(
            f"{level.id} has {density:.1f} pixels to a unit, and videos with fewer than "
            f"{LEAST_PIXELS:g} can't be scored; give a larger --film-size"
        )


def _sentence(told: Mapping[str, object], before: int) -> str:
    there = f" ({before} were there)" if before else ""
    left = f"; no plan: {', '.join(map(str, names))}" if (names := _names(told)) else ""
    return f"{told['made']} bundles{there}, {told['frames']} frames: {told['out']}{left}"


def _names(told: Mapping[str, object]) -> list[object]:
    left = told["left_out"]
    return left if isinstance(left, list) else []

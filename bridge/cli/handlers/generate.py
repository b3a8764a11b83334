"""``luban generate``."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bridge.cli.clusters import open_optional_cluster
from bridge.cli.errors import CommandError
from bridge.cli.notices import print_notice
from bridge.cli.progress import print_compiling_notice, watch_compiling
from bridge.cli.requests import BatchRequest
from bridge.cli.terminal import show_status
from bridge.generating import Batch, BatchSummary, Progress, WorkerLost, run_batch
from pysim.catalog import find_family
from pysim.generation import GeneratorPlugin
from pysim.puzzle import Level
from pysim.render.factory import create_renderer
from pysim.render.palette import COLOURS
from pysim.render.previews import draw_preview
from pysim.render.views import encode

__all__ = ["run_generate"]


def run_generate(offer: GeneratorPlugin[Any], options: Any, request: BatchRequest) -> None:
    """Make a batch; an interrupt says what is there, and exits with 130."""
    try:
        generator = offer.make(options, request.seed, COLOURS)
    except ValueError as error:
        raise CommandError(str(error)) from None
    batch = Batch(
        generator,
        request.count,
        request.out,
        request.workers,
        request.attempts or None,
        request.registry,
    )
    told: list[BatchSummary] = []
    interrupted = False
    with (
        open_optional_cluster(request.ray, request.workers) as cluster,
        _artist(request.renderer) as draw,
        _progress(quiet=request.as_json) as show,
    ):

        def tell(summary: BatchSummary) -> None:
            told[:] = [summary]
            show(summary)

        try:
            run_batch(batch, draw, tell, cluster)
        except KeyboardInterrupt:
            interrupted = True
        except WorkerLost as error:
            raise CommandError(str(error)) from None
    _report(request, told[-1] if told else BatchSummary.of(generator), interrupted)
    if interrupted:
        raise SystemExit(130)


@contextmanager
def _artist(name: str) -> Iterator[Callable[[Level[Any]], bytes]]:
    """A function that draws a level's picture sheet as a PNG."""
    renderer, note = create_renderer(name)
    print_notice(note)

    def draw(level: Level[Any]) -> bytes:
        sheet = draw_preview(renderer, find_family(level).preview(level.puzzle))
        return encode(sheet, "png", renderer=f"{renderer.name}: {renderer.version}")

    try:
        yield draw
    finally:
        renderer.close()


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Progress]:
    """A function that is told how far a batch is, and shows it to people."""
    if quiet:
        yield lambda summary: None
        return
    if not sys.stderr.isatty():
        with watch_compiling(print_compiling_notice):
            yield lambda summary: None
        return
    with (
        show_status("starting") as update,
        watch_compiling(
            lambda count: update(f"compiling the solvers, once on this machine: {count} functions")
        ),
    ):
        yield lambda summary: update(_line(summary))


def _line(summary: BatchSummary) -> str:
    return (
        f"{summary.attempts:,} attempts, {len(summary.levels):,} levels, "
        f"best level so far {summary.best}"
    )


def _report(request: BatchRequest, summary: BatchSummary, interrupted: bool) -> None:
    if request.as_json:
        told = {"out": str(request.out), "attempts": summary.attempts, "best": summary.best}
        told |= {"rejected": dict(summary.rejected), "levels": [e.id for e in summary.levels]}
        print(json.dumps(told | ({"interrupted": True} if interrupted else {})))
        return
    if interrupted:
        print("interrupted; the same command resumes it:")
    print(f"{request.out}: {_line(summary)}")
    for reason, number in summary.rejected.items():
        print(f"{number:>8,} x {reason}")

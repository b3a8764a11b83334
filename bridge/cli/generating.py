"""``luban generate``."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.cli.clusters import optional_cluster
from bridge.cli.failing import CommandError
from bridge.cli.notices import print_notice
from bridge.generating import Batch, Progress, Summary, WorkerLost, run_batch
from pysim.catalog import family_of
from pysim.families.burr.generator import Kind, LockGenerator, Settings
from pysim.families.packing.generator.generate import PackingGenerator
from pysim.families.packing.generator.sampling import Mode
from pysim.generation import Generator
from pysim.puzzle import Level
from pysim.render.factory import create_renderer
from pysim.render.palette import COLOURS
from pysim.render.sheets import draw_sheet
from pysim.render.views import encode

__all__ = [
    "BatchRequest",
    "BoxRequest",
    "LockRequest",
    "generate_boxes",
    "generate_locks",
    "run_generate",
]


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """What every ``luban generate`` is asked for; see its options."""

    count: int
    out: Path
    workers: int
    attempts: int
    renderer: str
    as_json: bool
    registry: Path | None = None
    ray: str = ""


@dataclass(frozen=True, slots=True)
class BoxRequest:
    """What ``luban generate packing`` was asked for; see its options."""

    size: str
    mode: str
    linear: bool
    seed: int


@dataclass(frozen=True, slots=True)
class LockRequest:
    """What ``luban generate burr`` was asked for; see its options."""

    kind: str
    pieces: int
    level: int
    size: str
    thickness: int
    sequential: bool
    reflections: bool
    seed: int


def generate_locks(request: LockRequest, batch: BatchRequest) -> None:
    """Make a batch of locks."""
    if request.kind not in list(Kind):
        raise CommandError(f"a kind is one of {', '.join(Kind)}, not {request.kind!r}")
    settings = Settings(
        kind=Kind(request.kind),
        seed=request.seed,
        pieces=request.pieces,
        level=request.level,
        size=_size(request.size),
        thickness=request.thickness,
        sequential=request.sequential,
        reflections=request.reflections,
    )
    run_generate(LockGenerator(settings, COLOURS), batch)


def generate_boxes(request: BoxRequest, batch: BatchRequest) -> None:
    """Make a batch of packing puzzles."""
    if request.mode not in list(Mode):
        raise CommandError(f"a mode is one of {', '.join(Mode)}, not {request.mode!r}")
    found = re.fullmatch(r"(-?\d{1,4})x(-?\d{1,4})x(-?\d{1,4})", request.size.lower(), re.ASCII)
    if found is None:
        raise CommandError(f"a size is written as in 3x3x4, not {request.size[:60]!r}")
    a, b, c = map(int, found.groups())
    run_generate(
        PackingGenerator((a, b, c), Mode(request.mode), request.seed, COLOURS, request.linear),
        batch,
    )


def _size(text: str) -> tuple[int, ...]:
    """``4`` or ``4x4x5``; empty text for what is usual."""
    if not text:
        return ()
    words = text.lower().split("x")
    if not all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
        raise CommandError(f"a size is written as in 6 or 4x4x5, not {text!r}")
    return tuple(map(int, words))


def run_generate(generator: Generator, request: BatchRequest) -> None:
    """Make a batch with any generator; an interrupt says what is there, and exits with 130."""
    batch = Batch(
        generator,
        request.count,
        request.out,
        request.workers,
        request.attempts or None,
        request.registry,
    )
    told: list[Summary] = []
    interrupted = False
    with (
        optional_cluster(request.ray, request.workers) as cluster,
        _artist(request.renderer) as draw,
        _progress(quiet=request.as_json) as show,
    ):

        def tell(summary: Summary) -> None:
            told[:] = [summary]
            show(summary)

        try:
            run_batch(batch, draw, tell, cluster)
        except KeyboardInterrupt:
            interrupted = True
        except WorkerLost as error:
            raise CommandError(str(error)) from None
    _report(request, told[-1] if told else Summary.of(generator), interrupted)
    if interrupted:
        raise SystemExit(130)


@contextmanager
def _artist(name: str) -> Iterator[Callable[[Level[Any]], bytes]]:
    """A function that draws a level's picture sheet as a PNG."""
    renderer, note = create_renderer(name)
    print_notice(note)

    def draw(level: Level[Any]) -> bytes:
        sheet = draw_sheet(renderer, family_of(level).sheet(level.puzzle))
        return encode(sheet, "png", renderer=f"{renderer.name}: {renderer.version}")

    try:
        yield draw
    finally:
        renderer.close()


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Progress]:
    """A function that is told how far a batch is, and shows it to people."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda summary: None
        return
    with console.status("starting") as status:
        yield lambda summary: status.update(_line(summary))


def _line(summary: Summary) -> str:
    return (
        f"{summary.attempts:,} attempts, {len(summary.levels):,} levels, "
        f"best level so far {summary.best}"
    )


def _report(request: BatchRequest, summary: Summary, interrupted: bool) -> None:
    if request.as_json:
        told = {"out": str(request.out), "attempts": summary.attempts, "best": summary.best}
        told |= {"rejected": dict(summary.rejected), "levels": [e.id for e in summary.levels]}
        print(json.dumps(told | ({"interrupted": True} if interrupted else {})))
        return
    if interrupted:
        print("interrupted; the same command goes on from here:")
    print(f"{request.out}: {_line(summary)}")
    for reason, number in summary.rejected.items():
        print(f"{number:>8,} x {reason}")

"""Generation of levels in batches, with their pictures, and of pools of tasks."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.episode.engines import LOCAL
from bridge.generating import Batch, BatchError, BatchSummary, Progress, run_batch
from bridge.generating.pools import PoolOrder, PoolSummary, make_pool
from bridge.generating.twin import read_seed
from bridge.operations.executors import open_executor, open_optional_cluster
from bridge.verifying.checker import Depth, check_content
from pysim.catalog import AnyLevel, discover_families, encode_level, find_family
from pysim.errors import InputError
from pysim.extras import require_extra
from pysim.generation import GeneratorPlugin, load_generator
from pysim.limits import quote
from pysim.manifests import list_family_manifests
from pysim.puzzle import Level
from pysim.render.factory import create_renderer
from pysim.render.palette import COLOURS
from pysim.render.previews import draw_preview
from pysim.render.views import encode
from pysim.tasks.pool import TaskCertificate
from pysim.tasks.recipe import TaskRecipe

__all__ = [
    "GenerationRequest",
    "PoolRequest",
    "find_generator",
    "generate_levels",
    "generate_pool",
    "judge_task",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """Options that the generators of all families share.

    Attributes:
        out: folder for the levels, in which an unfinished batch is resumed.
        count: number of levels.
        seed: of the random numbers.
        workers: number of processes.
        attempts: number after which to give up; 0 for never.
        registry: folder shared by batches, so that no puzzle is made twice; None for none.
        renderer: of the pictures: ``auto``, ``egl`` or ``tiny``.
        ray: address of a Ray cluster; empty for none.
    """

    out: Path
    count: int = 1
    seed: int = 0
    workers: int = 1
    attempts: int = 0
    registry: Path | None = None
    renderer: str = "auto"
    ray: str = ""


def find_generator(family: str) -> GeneratorPlugin[Any]:
    """Return the generator of a family.

    Raises:
        InputError: there is no such family, or it has none.
    """
    found = discover_families().get(family)
    plugin = None if found is None else load_generator(found)
    if plugin is None:
        known = [one.name for one in list_family_manifests().values() if one.generator]
        raise InputError(f"no family {quote(family)} generates levels; {', '.join(known)} do")
    return plugin


def generate_levels(
    plugin: GeneratorPlugin[Any],
    options: Any,
    request: GenerationRequest,
    *,
    progress: Progress = lambda summary: None,
    notice: Callable[[str], None] = lambda text: None,
) -> BatchSummary:
    """Generate the levels that a folder lacks, and return the state of the batch.

    An interrupt is passed on after the summary was written.

    Args:
        plugin: generator of a family.
        options: of the generator, an instance of its dataclass.
        request: options that all generators share.
        progress: called with the state of the batch after each attempt.
        notice: called with a word on the renderer, where a user should know it.

    Raises:
        InputError: the options can't be met.
        MissingPackage: an extra that the generator needs is not installed.
        BatchError: the folder can't be used.
        WorkerLost: a process was killed.
    """
    require_extra("new levels", *plugin.extras)
    try:
        generator = plugin.make(options, request.seed, COLOURS)
    except ValueError as error:
        raise InputError(str(error)) from None
    batch = Batch(
        generator,
        request.count,
        request.out,
        request.workers,
        request.attempts or None,
        request.registry,
    )
    with (
        open_optional_cluster(request.ray, request.workers) as cluster,
        _open_artist(request.renderer, notice) as draw,
    ):
        return run_batch(batch, draw, progress, cluster)


@contextmanager
def _open_artist(
    name: str, notice: Callable[[str], None]
) -> Iterator[Callable[[Level[Any]], bytes]]:
    """Give a function that draws the preview of a level as a PNG."""
    renderer, note = create_renderer(name)
    notice(note)

    def draw(level: Level[Any]) -> bytes:
        sheet = draw_preview(renderer, find_family(level).preview(level.puzzle))
        return encode(sheet, "png", renderer=f"{renderer.name}: {renderer.version}")

    try:
        yield draw
    finally:
        renderer.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRequest:
    """Options of a pool of tasks.

    Attributes:
        family: name of a family that has tasks.
        out: the file; an unfinished pool is resumed, a finished one is added to.
        count: number of tasks at least, of all difficulties and splits.
        seed: of the random numbers.
        private: file of a secret seed, from which private tasks are made; None for public ones.
        referee: whether the referee judges every task.
        workers: number of processes.
        ray: address of a Ray cluster; empty for none.
    """

    family: str
    out: Path
    count: int = 2000
    seed: int = 0
    private: Path | None = None
    referee: bool = False
    workers: int = 1
    ray: str = ""


def generate_pool(
    request: PoolRequest, progress: Callable[[PoolSummary], None] = lambda summary: None
) -> PoolSummary:
    """Make the tasks that a pool lacks, and seal it.

    An interrupt is passed on; the same request goes on from there.

    Raises:
        InputError: the family has no tasks, or not so many, or the seed can't be read.
        BatchError: the file can't be used, or the referee refutes a task.
        WorkerLost: a process was killed.
    """
    secret = None if request.private is None else read_seed(request.private)
    recipe = TaskRecipe(request.family, request.seed if secret is None else secret)
    judge = judge_task if request.referee else None
    order = PoolOrder(recipe, request.count, request.out, judge)
    with open_executor(request.ray, request.workers) as executor:
        return make_pool(order, executor, progress)


def judge_task(level: AnyLevel) -> TaskCertificate:
    """Have the referee judge a task, and play its plan in the exact world.

    Raises:
        BatchError: a claim is false.
    """
    content = json.dumps(encode_level(level)).encode()
    found = check_content(level.id, content, Depth(films=False), LOCAL)
    if found.false:
        raise BatchError(f"{level.source.reference}: {found.false[0].claim} does not hold")
    return TaskCertificate(found.confirmed, tuple(one.claim for one in found.undecided))

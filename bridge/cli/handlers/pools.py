"""``luban generate --pool``."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict

from bridge.cli.requests import PoolRequest
from bridge.cli.resuming import print_resumable, run_resumable
from bridge.cli.terminal import show_status
from bridge.generating.pools import PoolSummary
from bridge.operations.generation import generate_pool
from pysim.tasks.pool import SUFFIX
from pysim.tasks.splits import TaskError

__all__ = ["run_generate_pool"]


def run_generate_pool(request: PoolRequest) -> None:
    """Make a pool; an interrupt says how far it is, and exits with 130.

    Raises:
        TaskError: the file has no name of a pool, or as :func:`generate_pool`.
    """
    if request.out.suffix != SUFFIX:
        raise TaskError(f"--out: a pool is named NAME{SUFFIX}, unlike {request.out}")
    with _progress(quiet=request.as_json) as show:
        summary, interrupted = run_resumable(
            lambda tell: tell(generate_pool(request.request, tell)), show
        )
    _report(request, summary, interrupted)
    if interrupted:
        raise SystemExit(130)


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[PoolSummary], None]]:
    """Give a function that shows people how far a pool is."""
    if quiet or not sys.stderr.isatty():
        yield lambda summary: None
        return
    with show_status("starting") as update:
        yield lambda summary: update(f"difficulty {summary.difficulty}: {_line(summary)}")


def _line(summary: PoolSummary) -> str:
    tasks = ", ".join(f"{number:,} {split}" for split, number in summary.tasks.items())
    return f"{summary.attempts:,} attempts, tasks: {tasks}; judged: {summary.judged:,}"


def _report(request: PoolRequest, summary: PoolSummary, interrupted: bool) -> None:
    if request.as_json:
        told = {"out": str(request.out), **asdict(summary)}
        print(json.dumps(told | ({"interrupted": True} if interrupted else {})))
        return
    print_resumable(f"{request.out}: {_line(summary)}", summary.rejected, interrupted=interrupted)

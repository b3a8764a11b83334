"""``luban generate``."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bridge.cli.errors import CommandError
from bridge.cli.notices import print_notice
from bridge.cli.progress import print_compiling_notice
from bridge.cli.requests import BatchRequest
from bridge.cli.resuming import print_resumable, run_resumable
from bridge.cli.terminal import outlast_reader, show_status
from bridge.generating import BatchSummary, Progress
from bridge.generating.batch import DUPLICATE, TAKEN
from bridge.operations.generation import generate_levels
from pysim.generation import GeneratorPlugin
from pysim.kernels import watch_compiling

__all__ = ["run_generate"]

_ADVICE = {DUPLICATE: "ask for fewer levels", TAKEN: "give another --seed"}
"""Advice of every family, unless it has its own."""


@outlast_reader()
def run_generate(plugin: GeneratorPlugin[Any], options: Any, request: BatchRequest) -> None:
    """Make a batch; an interrupt says what is there, and exits with 130.

    Raises:
        CommandError: there are fewer levels than were asked for, with the option to change.
    """
    with _progress(quiet=request.as_json) as show:
        summary, interrupted = run_resumable(
            lambda tell: generate_levels(
                plugin, options, request.request, progress=tell, notice=print_notice
            ),
            show,
        )
    _report(request, summary, interrupted=interrupted)
    if interrupted:
        raise SystemExit(130)
    _check_count(request.request.count, summary, plugin.advice)


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


def _report(request: BatchRequest, summary: BatchSummary, *, interrupted: bool) -> None:
    if not request.as_json:
        line = f"{request.out}: {_line(summary)}"
        print_resumable(line, summary.rejected, interrupted=interrupted)
        return
    told = {"out": str(request.out), "attempts": summary.attempts, "best": summary.best}
    told |= {"rejected": dict(summary.rejected), "levels": [e.id for e in summary.levels]}
    print(json.dumps(told | ({"interrupted": True} if interrupted else {})))


def _check_count(count: int, summary: BatchSummary, advice: Mapping[str, str]) -> None:
    if (missing := count - len(summary.levels)) > 0:
        raise CommandError(
            f"{missing:,} of {count:,} levels are missing: allow more --attempts, or "
            f"{_advise(summary, advice)}; the best attempt reached {summary.best}"
        )


def _advise(summary: BatchSummary, advice: Mapping[str, str]) -> str:
    """Return what to ask for instead, by the reason for which most attempts were rejected."""
    reason = max(summary.rejected, key=lambda one: summary.rejected[one], default="")
    return (_ADVICE | dict(advice)).get(reason, "ask for less")

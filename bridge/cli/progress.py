"""Progress of long work, on stderr."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bridge.cli.notices import print_notice
from bridge.cli.terminal import (
    UNREDIRECTED,
    join_lines,
    make_console,
    measure_terminal,
    show_status,
)
from pysim.kernels import COMPILING

__all__ = [
    "draw_progress",
    "make_wrapped_column",
    "measure_bar",
    "print_compiling_notice",
    "show_count",
    "show_frame_progress",
    "show_search",
    "show_work_progress",
]


def measure_bar() -> int:
    """Return the characters of a bar, which leaves room for words in a narrow terminal."""
    return max(8, min(40, measure_terminal() // 4))


def make_wrapped_column() -> Any:
    """Return a column of Rich whose words go on below in place of being cut."""
    from rich.table import Column

    return Column(no_wrap=False, overflow="fold")


@contextmanager
def show_frame_progress(
    what: str, *, quiet: bool, unit: str = "frames"
) -> Iterator[Callable[[int, int], None]]:
    """A function that is told of frames made and in all, and draws a bar for people to see.

    Nothing is drawn if ``quiet`` or if stderr is no terminal.
    """
    with show_work_progress(what, quiet=quiet, unit=unit) as (update, _):
        yield update


@contextmanager
def show_work_progress(
    what: str, *, quiet: bool, unit: str
) -> Iterator[tuple[Callable[[int, int], None], Callable[[str], None]]]:
    """Two functions: that of :func:`show_frame_progress`, and one that is told of what goes on.

    Beside the bar stands how long it has taken.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None, lambda work: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    console = make_console(stderr=True)
    columns = (
        TextColumn(what),
        BarColumn(bar_width=measure_bar()),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False, table_column=make_wrapped_column()),
    )
    with Progress(*columns, console=console, transient=True, **UNREDIRECTED) as bar:
        task = bar.add_task("", total=None)

        def update(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        def describe(work: str) -> None:
            bar.update(task, description=join_lines(work))

        yield update, describe


@contextmanager
def draw_progress(*, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Give a function that is told of levels drawn and in all: a bar, or a line where none can be.

    Nothing is shown if ``quiet``.
    """
    if quiet or sys.stderr.isatty():
        with show_frame_progress("drawing", quiet=quiet, unit="levels") as tell:
            yield tell
        return
    yield lambda done, total: print(
        f"luban: drew {done} of {total} levels", file=sys.stderr, flush=True
    )


@contextmanager
def show_count(what: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A function that is told how many were found and how many of them are solutions."""
    if quiet or not sys.stderr.isatty():
        yield lambda found, solutions: None
        return
    with show_status(f"0 {what}") as update:
        yield lambda found, solutions: update(f"{found:,} {what}, {solutions:,} solutions")


@contextmanager
def show_search(what: str, *, quiet: bool) -> Iterator[None]:
    """Show on a terminal what is searched for, and for how long."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    with show_status(what):
        yield


def print_compiling_notice(count: int) -> None:
    """Say it once, for people without a terminal that shows how far it is."""
    if count == 1:
        print_notice(COMPILING)

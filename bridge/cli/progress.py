"""Progress of long work, on stderr."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bridge.cli.terminal import UNREDIRECTED, rich_console, status

__all__ = ["counter", "frame_progress"]


@contextmanager
def frame_progress(
    what: str, *, quiet: bool, unit: str = "frames"
) -> Iterator[Callable[[int, int], None]]:
    """A function that is told of frames made and in all, and draws a bar for people to see.

    Nothing is drawn if ``quiet`` or if stderr is no terminal.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = rich_console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn(unit))
    with Progress(*columns, console=console, transient=True, **UNREDIRECTED) as bar:
        task = bar.add_task(what, total=None)

        def update(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield update


@contextmanager
def counter(what: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A function that is told how many were found and how many of them are solutions."""
    if quiet or not sys.stderr.isatty():
        yield lambda found, solutions: None
        return
    with status(f"0 {what}") as update:
        yield lambda found, solutions: update(f"{found:,} {what}, {solutions:,} solutions")

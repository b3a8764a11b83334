"""Attacks Luban from all sides, on this machine only: ``python -m tests.soak [--minutes M]``.

Counts grow with the minutes; half an hour has the full ones. What fails is written to a folder with
its seed and the command that repeats it. Ctrl-C ends with the table so far.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tests.soak.attacks import ATTACKS, FULL, LANES, find
from tests.soak.budget import Row
from tests.soak.lanes import Order, perform
from tests.soak.table import as_json, as_markdown, as_table

__all__ = ["main"]


def main() -> None:
    """Attack, and print the table; the exit status is 1 if anything was lost, crashed or hung."""
    options = _options()
    folder = options.out or Path(tempfile.mkdtemp(prefix="luban-soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    names = options.only or [attack.name for attack in ATTACKS]
    began = time.monotonic()
    order = Order(names, options.minutes, options.seed, options.case, folder, options.lanes)
    with _shown(order, quiet=options.json) as show:
        rows = perform(order, show)
    for name in names:
        shutil.rmtree(folder / name / "work", ignore_errors=True)
    _print(rows, options, time.monotonic() - began)
    sys.exit(0 if all(row.clean for row in rows) else 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=FULL, help="in all; 30 by default")
    parser.add_argument("--seed", type=int, default=1)
    known = [attack.name for attack in ATTACKS]
    parser.add_argument("--only", action="append", choices=known, help="this attack alone")
    parser.add_argument("--case", type=int, help="with --only: this case alone")
    parser.add_argument("--lanes", type=int, default=LANES, help="attacks at once")
    parser.add_argument("--out", type=Path, help="folder for failing cases, a new one by default")
    parser.add_argument("--json", action="store_true", help="print one JSON object and no more")
    parser.add_argument("--markdown", action="store_true", help="print the table as documents have")
    options = parser.parse_args()
    if options.case is not None and len(options.only or ()) != 1:
        parser.error("--case needs one --only")
    return options


@contextmanager
def _shown(order: Order, *, quiet: bool) -> "Iterator[object]":
    """A function that is told of rows, and shows how far each attack is."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}"))
    console = Console(stderr=True)
    with Progress(*columns, TimeElapsedColumn(), console=console, disable=quiet) as bar:
        tasks = {
            name: bar.add_task(name, total=find(name).cases(order.minutes), told="", start=False)
            for name in order.attacks
        }

        def show(row: Row, over: bool) -> None:
            bar.start_task(tasks[row.attack])
            wrong = "" if row.clean else f"  {row.lost + row.crashed + row.hung} WRONG"
            bar.update(tasks[row.attack], completed=row.number, told=f"{row.number:,}{wrong}")
            if over:
                bar.update(tasks[row.attack], total=max(row.number, 1))
                bar.stop_task(tasks[row.attack])

        yield show


def _print(rows: list[Row], options: argparse.Namespace, seconds: float) -> None:
    if options.json:
        print(as_json(rows, options.seed, seconds))
        return
    print(as_markdown(rows)) if options.markdown else Console().print(as_table(rows))
    print(f"{seconds:.0f} s, seed {options.seed}")
    for row in rows:
        notes = ", ".join(f"{name}: {value:,}" for name, value in row.notes.items())
        if notes:
            print(f"{row.attack}: {notes}")
        for place in row.found:
            print(f"  {row.attack}: {place}")


if __name__ == "__main__":
    main()

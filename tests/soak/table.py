"""The table of a soak: what was attacked how often, and what came of it."""

import json
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from tests.soak.budget import Row

__all__ = ["as_json", "as_markdown", "as_table"]

HEAD = ("attack", "number", "lost", "crashed", "hung", "worst memory")


def _cells(row: Row) -> tuple[str, ...]:
    memory = f"{row.worst / 2**20:,.0f} MiB" if row.worst else "–"
    figures = (row.number, row.lost, row.crashed, row.hung)
    return (f"{row.attack}: {row.unit}", *(f"{n:,}" for n in figures), memory)


def as_table(rows: Sequence[Row]) -> Table:
    """For a terminal."""
    table = Table()
    for number, title in enumerate(HEAD):
        table.add_column(title, justify="right" if number else "left")
    for row in rows:
        style = "" if row.clean else "red"
        table.add_row(*(Text(cell, style=style) for cell in _cells(row)))
    return table


def as_markdown(rows: Sequence[Row]) -> str:
    """For ``docs/reliability.md``."""
    lines = [HEAD, ("---", *["---:"] * (len(HEAD) - 1)), *map(_cells, rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def as_json(rows: Sequence[Row], seed: int, seconds: float) -> str:
    """For programs."""
    found = [row.document() | {"clean": row.clean} for row in rows]
    return json.dumps({"seed": seed, "seconds": round(seconds, 1), "rows": found}, indent=1)

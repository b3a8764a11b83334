"""Tables of results as plain text, in as many parts below each other as the terminal needs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import TextWrapper

from bridge.cli.terminal import join_lines
from bridge.report.parts import Table

__all__ = ["format_table", "format_tables"]

_GAP = "  "
_NOTE = 100
"""Characters of a line of a note at most."""


def format_tables(tables: Sequence[Table], width: int) -> str:
    """Return tables below each other, a blank line between two."""
    return "\n\n".join(format_table(table, width) for table in tables)


def format_table(table: Table, width: int) -> str:
    """Return the title, the rows with what stands above them, and the note, wrapped.

    A row that is longer than ``width`` goes on in another part below, whose lines begin with the
    first column too; no group of columns is torn apart unless it is too wide by itself. A first
    cell that leaves too little room for the others stands on a line of its own.
    """
    table = _lined(table)
    widths = _widths(table, width)
    parts = (_part(table, widths, columns) for columns in _parts(table, widths, width))
    note = _wrapped(table.note, min(width, _NOTE))
    return "\n".join([*_wrapped(table.title, width), "\n\n".join(parts), *note])


def _wrapped(text: str, width: int) -> list[str]:
    return TextWrapper(width, break_long_words=False, break_on_hyphens=False).wrap(text)


def _lined(table: Table) -> Table:
    """Return the same with each cell on one line, whatever a run or a level is called."""
    head, *rows = ([join_lines(cell) for cell in row] for row in (table.head, *table.rows))
    return replace(table, title=join_lines(table.title), head=head, rows=rows)


def _widths(table: Table, width: int) -> list[int]:
    lines = [table.head, *table.rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(table.head))]
    for name, columns in _groups(table):
        # A group that is wider than its columns widens the last of them.
        widths[columns[-1]] += max(0, len(name) - _inner(widths, columns))
    room = width - max(widths[1:], default=0) - len(_GAP)
    short = [len(line[0]) for line in lines if len(line[0]) <= max(room, 1)]
    return [max(short, default=1), *widths[1:]]


def _groups(table: Table) -> Iterator[tuple[str, range]]:
    """The groups with the columns that they stand above; each column alone where there are none."""
    start = 0
    for name, count in table.groups or [("", 1)] * len(table.head):
        yield name, range(start, start + count)
        start += count


def _inner(widths: Sequence[int], columns: Sequence[int]) -> int:
    return sum(widths[k] for k in columns) + len(_GAP) * (len(columns) - 1)


def _parts(table: Table, widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """Yield the columns of each part; the first column is in all of them."""
    part = [0]
    for columns in _blocks(table, widths, width - widths[0] - len(_GAP)):
        if len(part) > 1 and _inner(widths, [*part, *columns]) > width:
            yield part
            part = [0]
        part += columns
    yield part


def _blocks(table: Table, widths: Sequence[int], room: int) -> Iterator[Sequence[int]]:
    """Yield columns that stay together."""
    for _, columns in _groups(table):
        own = [k for k in columns if k > 0]
        if _inner(widths, own) <= room:
            yield own
        else:
            yield from ([k] for k in own)


def _part(table: Table, widths: Sequence[int], columns: Sequence[int]) -> str:
    above = [_above(table, widths, columns)] if table.groups else []
    lines = [[line[k] for k in columns] for line in (table.head, *table.rows)]
    return "\n".join([*above, *(_line(line, [widths[k] for k in columns]) for line in lines)])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    alone, begun = ([first[0]], "") if len(first[0]) > first[1] else ([], first[0])
    texts = [begun.ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
    return "\n".join([*alone, _GAP.join(texts).rstrip()])


def _above(table: Table, widths: Sequence[int], columns: Sequence[int]) -> str:
    shown = [(name, [k for k in group if k in columns]) for name, group in _groups(table)]
    inner = [(name, _inner(widths, own)) for name, own in shown if own]
    return _GAP.join(name[:room].center(room) for name, room in inner).rstrip()

"""Tables of results as plain text."""

from collections.abc import Sequence
from textwrap import wrap

from bridge.evals.report.parts import Table

__all__ = ["table_text"]

_GAP = "  "


def table_text(table: Table) -> str:
    """The title, what stands above the columns, the rows, and the note, wrapped."""
    lines = [table.head, *table.rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(table.head))]
    start = 0
    for name, count in table.groups:
        # A group that is wider than its columns widens the last of them.
        inner = sum(widths[start : start + count]) + len(_GAP) * (count - 1)
        widths[start + count - 1] += max(0, len(name) - inner)
        start += count
    body = [_line(line, widths) for line in lines]
    above = [_groups(table.groups, widths)] if table.groups else []
    return "\n".join([table.title, *above, *body, *wrap(table.note, 100)])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    texts = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
    return _GAP.join(texts).rstrip()


def _groups(groups: Sequence[tuple[str, int]], widths: Sequence[int]) -> str:
    parts, start = [], 0
    for name, count in groups:
        inner = sum(widths[start : start + count]) + len(_GAP) * (count - 1)
        parts.append(name.center(inner))
        start += count
    return _GAP.join(parts).rstrip()

"""Tables that fit the terminal: a row is a line, and what has no room is left out or cut.

The width is that of the terminal, or what ``COLUMNS`` says; 80 where neither is known, as in a
pipe.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bridge.cli.terminal import join_lines, measure_terminal

__all__ = ["Column", "format_rows", "print_pairs", "print_table"]

GAP = "  "
CUT = "…"


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        head: its heading.
        cells: one for each row, a line of text each.
        right: whether it is aligned to the right.
        least: characters to which it may be cut, between two words where it has several; None if
            it must be shown whole.
    """

    head: str
    cells: Sequence[str]
    right: bool = False
    least: int | None = None

    @property
    def width(self) -> int:
        """Characters that it takes up whole."""
        return max(map(len, [self.head, *self.cells]))

    @property
    def narrowest(self) -> int:
        """Characters that it takes up at least."""
        return (
            self.width if self.least is None else min(self.width, max(self.least, len(self.head)))
        )


def print_table(*layouts: Sequence[Column]) -> None:
    """Print a table in the first layout that fits; see :func:`format_rows`."""
    print("\n".join(format_rows(layouts, measure_terminal())))


def print_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Print names and values; no value is cut, for it may be a path."""
    widest = max(len(name) for name, _ in pairs)
    for name, value in pairs:
        print(f"{join_lines(name):<{widest}}{GAP}{join_lines(value)}")


def format_rows(layouts: Sequence[Sequence[Column]], width: int) -> list[str]:
    """Return the heading and a line for each row.

    Args:
        layouts: the columns to show, the fullest first; the last is taken if none fits.
        width: characters of a line.
    """
    columns = next((one for one in layouts if _least(one) <= width), layouts[-1])
    widths = _widths(columns, width)
    rows = zip(*([column.head, *column.cells] for column in columns), strict=True)
    return [_line(row, columns, widths) for row in rows]


def _least(columns: Sequence[Column]) -> int:
    return sum(column.narrowest for column in columns) + len(GAP) * (len(columns) - 1)


def _widths(columns: Sequence[Column], width: int) -> list[int]:
    """Widths that fill the line; columns on the left get the room that is left over first."""
    spare = max(0, width - _least(columns))
    widths = []
    for column in columns:
        more = min(spare, column.width - column.narrowest)
        widths.append(column.narrowest + more)
        spare -= more
    return widths


def _line(row: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> str:
    cells = (_cell(*each) for each in zip(row, columns, widths, strict=True))
    return GAP.join(cells).rstrip()


def _cell(text: str, column: Column, width: int) -> str:
    text = join_lines(text)
    if len(text) > width:
        begun = text[:width].rpartition(" ")[0].rstrip()
        text = (begun or text[: width - 1]) + CUT
    return text.rjust(width) if column.right else text.ljust(width)

"""Exact cover (Knuth's Algorithm X) over rows given as bit masks."""

from collections.abc import Iterator, Sequence

__all__ = ["exact_covers"]


def exact_covers(rows: Sequence[int], primary: int) -> Iterator[tuple[int, ...]]:
    """Every set of rows that covers each primary column once and no other column twice.

    Depth first, always on the primary column with the fewest rows left. Exponential in the worst
    case; memory O(columns * rows).

    Args:
        rows: masks; bit c says that the row covers column c.
        primary: mask of the columns that must be covered; all others may be.

    Yields:
        Indices into ``rows``, in the order in which they were chosen.
    """
    columns = [1 << c for c in range(primary.bit_length()) if primary >> c & 1]
    yield from _search(rows, tuple(range(len(rows))), columns, 0, ())


def _search(
    rows: Sequence[int],
    candidates: tuple[int, ...],
    columns: list[int],
    covered: int,
    chosen: tuple[int, ...],
) -> Iterator[tuple[int, ...]]:
    open_columns = [column for column in columns if not column & covered]
    if not open_columns:
        yield chosen
        return
    options = min(([r for r in candidates if rows[r] & column] for column in open_columns), key=len)
    for row in options:
        left = tuple(r for r in candidates if not rows[r] & rows[row])
        yield from _search(rows, left, open_columns, covered | rows[row], (*chosen, row))

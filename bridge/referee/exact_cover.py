"""Exact covers by an established solver, ``xcover``."""

import warnings
from collections.abc import Iterator, Sequence

__all__ = ["enumerate_exact_covers"]


def enumerate_exact_covers(
    rows: Sequence[Sequence[int]], primary: range, secondary: range
) -> Iterator[list[int]]:
    """Numbers of rows that cover each primary item once and each secondary one at most once."""
    with warnings.catch_warnings():
        # On import it compiles a function that is not used here, and numba warns of a cast in it.
        warnings.filterwarnings("ignore", message="unsafe cast")
        from xcover import covers
    yield from covers(rows, primary=primary, secondary=secondary)

"""Exact covers by an established solver, ``xcover``."""

import sys
from collections.abc import Iterator, Sequence
from types import ModuleType

__all__ = ["enumerate_exact_covers"]

_UNUSED = "xcover.dancing_cells_zdd"
"""Another solver, which the package would compile for eight seconds when it is first imported."""


def enumerate_exact_covers(
    rows: Sequence[Sequence[int]], primary: range, secondary: range
) -> Iterator[list[int]]:
    """Numbers of rows that cover each primary item once and each secondary one at most once."""
    if _UNUSED not in sys.modules:
        sys.modules[_UNUSED] = ModuleType(_UNUSED)
        vars(sys.modules[_UNUSED])["algorithm_z"] = None
    from xcover import covers

    yield from covers(rows, primary=primary, secondary=secondary)

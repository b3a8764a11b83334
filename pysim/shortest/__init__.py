"""Shortest solutions of puzzles that are written down: what a family offers to ``luban solve``.

A family that does so has a module ``shortest`` in its folder, with its :class:`ShortestSolver`
under the name ``SHORTEST``; other packages offer theirs through the entry point group
``luban.solvers``. It stands apart from the family's rules, so that a small puzzle is solved sooner
than these are loaded.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Searched", "ShortestSolver"]


@dataclass(frozen=True, slots=True)
class Searched:
    """Progress of a search.

    Attributes:
        lower: no solution is shorter.
        upper: of this length there is one; None if none is known yet.
        nodes: states looked at so far.
        share: of the ways of length ``lower``, how many are searched, from 0 to 1.
        solutions: the shortest ones that were found, as text; with ``everything`` some more each
            time, else one.
        over: whether the search is at its end.
    """

    lower: int
    upper: int | None
    nodes: int
    share: float
    solutions: tuple[str, ...] = ()
    over: bool = False


class ShortestSolver(Protocol):
    """Finds shortest solutions.

    Attributes:
        family: the family's name.
        metrics: how lengths can be counted, the usual way first.
        units: what is counted, for each of them.
    """

    family: str
    metrics: Sequence[str]
    units: Sequence[str]

    def read(self, text: str) -> Any | None:
        """Return the puzzle that a text describes; None if it is no such text at all.

        Raises:
            InputError: it is one, but not of a puzzle that there is.
        """

    def of(self, puzzle: Any) -> Any:
        """Return the same of a level's puzzle."""

    def prepare(self, puzzle: Any, metric: str, progress: Callable[[float], None]) -> None:
        """Make what a search needs, if it is missing.

        Args:
            progress: told now and then which share is done, if there is something to do.

        Raises:
            OSError: it can't be kept.
        """

    def search(self, puzzle: Any, metric: str, *, everything: bool) -> Iterator[Searched]:
        """Search; gives word every moment, so that it can be stopped at any time."""

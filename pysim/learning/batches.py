"""Puzzles by the thousand: what a family can do with many states at once, as rows of an array.

Policies learn from millions of steps. A family whose rules can be put into array operations offers
them so, besides its rules, and a test holds both against each other.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pysim.puzzle import Action

__all__ = ["PuzzleBatch", "StateRows"]

StateRows = NDArray[np.uint8]
"""(n, size) a puzzle's state in each row; its meaning is the family's affair."""


class PuzzleBatch(Protocol):
    """Many states of one puzzle; arrays that are given are never changed.

    Attributes:
        actions: what the numbers of actions mean; all of them are legal in every state.
        features: how many numbers :meth:`features_of` gives for a state.
        values: they are from 0 to this, without it.
    """

    actions: Sequence[Action]
    features: int
    values: int

    def row_of(self, state: Any) -> StateRows:
        """(size,) a state of the rules."""

    def scrambled(self, count: int, depth: int, rng: np.random.Generator) -> StateRows:
        """StateRows that are a number of random steps from solved, and not solved.

        Raises:
            InputError: the depth is out of range.
        """

    def stepped(self, states: StateRows, actions: NDArray[np.int64]) -> StateRows:
        """Return the states after an action each."""

    def solved(self, states: StateRows) -> NDArray[np.bool_]:
        """(n,) which are solved."""

    def features_of(self, states: StateRows) -> NDArray[np.uint8]:
        """(n, features) what policies see; it may be a view of ``states``."""

"""Puzzles by the thousand: episodes side by side, each of a level of its own, as rows of arrays.

Policies learn from millions of steps. A family whose rules can be put into array operations offers
them so, besides its rules, and a test holds both against each other. The numbers of actions are
those of the family's space (:mod:`pysim.learning.spaces`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pysim.errors import InputError
from pysim.kernels import kernel
from pysim.learning.spaces import ArraySpec, FamilySpace
from pysim.puzzle import Action, Level

__all__ = [
    "BatchFactory",
    "GrowingArray",
    "LegalRows",
    "PuzzleBatch",
    "StateRows",
    "clear_legal",
    "find_legal",
]

P = TypeVar("P")
S = TypeVar("S")

StateRows = NDArray[np.uint8]
"""(n, size) a puzzle's state in each row; its meaning is the family's affair."""


class LegalRows(NamedTuple):
    """Legal actions of each row, and how its last action went.

    Attributes:
        numbers: (n, most), numbers of the legal actions, each once, in any order.
        counts: (n,), how many there are.
        mask: (n, actions), 1 for each of them, else 0.
        solved: (n,), whether the level is solved.
        refused: (n,), whether the last action was refused.
    """

    numbers: NDArray[np.int32]
    counts: NDArray[np.int64]
    mask: NDArray[np.int8]
    solved: NDArray[np.bool_]
    refused: NDArray[np.bool_]


class PuzzleBatch(ABC, Generic[P, S]):
    """Episodes of levels of one size class, a row each. All arrays are changed in place.

    Args:
        space: numbers of actions.
        count: number of rows.
        features: a row of features, uint8.
        most: most legal actions of a state; :meth:`reserve` makes it larger.

    Attributes:
        space: numbers of actions.
        count: number of rows.
        features: a row of features.
        legal: legal actions, and how the last actions went.
        actions: actions by their numbers, if these are the same in all states; else None.
    """

    actions: Sequence[Action] | None = None

    def __init__(
        self, space: FamilySpace[P, S], count: int, features: ArraySpec, most: int
    ) -> None:
        self.space, self.count, self.features = space, count, features
        self.legal = LegalRows(
            np.zeros((count, most), np.int32),
            np.zeros(count, np.int64),
            np.zeros((count, space.actions.count), np.int8),
            np.zeros(count, np.bool_),
            np.zeros(count, np.bool_),
        )
        self._seen: StateRows = np.zeros((count, *features.shape), np.uint8)
        self._looks = GrowingArray(features.shape, np.uint8)
        self._known: dict[str, int] = {}
        self._levels: list[Level[P]] = []
        self._playing = np.zeros(count, np.int64)

    def load(self, level: Level[P]) -> int:
        """Return the number of a level, whose tables are made when it is first given.

        Raises:
            InputError: it is not within the bounds of the space, or of the batch.
        """
        if level.hash not in self._known:
            self.space.check(level)
            self._looks.append(self._add(level))
            self._known[level.hash] = len(self._levels)
            self._levels.append(level)
        return self._known[level.hash]

    @abstractmethod
    def _add(self, level: Level[P]) -> ArrayLike:
        """Add the tables of a level behind those of all others; return its features.

        These are what its rows show at first, but for what :meth:`_begin` writes.

        Raises:
            InputError: the batch can't hold such levels.
        """

    def begin(self, rows: NDArray[np.int64], levels: NDArray[np.int64]) -> None:
        """Begin an episode in some rows, each of a level by its number."""
        self._playing[rows] = levels
        self._seen[rows] = self._looks.data[levels]
        self._begin(rows, levels)

    @abstractmethod
    def _begin(self, rows: NDArray[np.int64], levels: NDArray[np.int64]) -> None:
        """Put some rows into the initial states of their levels, and list what is legal there."""

    def get_level(self, row: int) -> Level[P]:
        """Return the level of a row."""
        return self._levels[int(self._playing[row])]

    @abstractmethod
    def step(self, numbers: NDArray[np.int64]) -> None:
        """Make an action in each row; nothing happens in those whose number is -1.

        Actions that the rules refuse change nothing.
        """

    @abstractmethod
    def read_state(self, row: int) -> S:
        """Return the state of a row as the rules have it."""

    def observe(self) -> StateRows:
        """(n, features) a new array with the features of each row."""
        return self._seen.copy()

    def draw(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """(n,) a random legal action for each row, -1 where there is none."""
        counts = self.legal.counts
        chosen = (rng.random(self.count) * counts).astype(np.int64)
        drawn = self.legal.numbers[np.arange(self.count), chosen].astype(np.int64)
        drawn[counts == 0] = -1
        return drawn

    def draw_scrambles(self, count: int, depth: int, rng: np.random.Generator) -> StateRows:
        """Return states that are a number of random steps from solved, and not solved.

        Raises:
            InputError: the family has no such thing, or the depth is out of range.
        """
        raise InputError("this family has no scrambles: draw tasks of a split")

    def place(self, rows: NDArray[np.int64], states: StateRows) -> None:
        """Put scrambles into some rows whose episodes have begun."""
        raise NotImplementedError

    def reserve(self, most: int) -> None:
        """Make room for more legal actions."""
        missing = most - self.legal.numbers.shape[1]
        if missing > 0:
            wider = np.pad(self.legal.numbers, ((0, 0), (0, missing)))
            self.legal = self.legal._replace(numbers=wider)


BatchFactory = Callable[[FamilySpace[Any, Any], int], PuzzleBatch[Any, Any]]
"""Makes a batch in a space, with a number of rows.

Raises:
    InputError: the space has no batches.
"""


class GrowingArray:
    """An array to which rows are added.

    Args:
        shape: of a row.
        dtype: of its entries.
    """

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self._count = 0
        self._data = np.zeros((64, *shape), dtype)

    def extend(self, values: NDArray[Any]) -> int:
        """Add rows, and return the number of the first."""
        start, self._count = self._count, self._count + len(values)
        if self._count > len(self._data):
            missing = max(len(self._data), self._count - len(self._data))
            empty = np.zeros((missing, *self._data.shape[1:]), self._data.dtype)
            self._data = np.concatenate([self._data, empty])
        self._data[start : self._count] = values
        return start

    def append(self, value: Any) -> int:
        """Add a row, and return its number."""
        return self.extend(np.asarray(value, self._data.dtype)[None])

    @property
    def data(self) -> NDArray[Any]:
        """(n, ...) all rows, and some empty ones behind them."""
        return self._data


@kernel(borrowing=True, inline=True)
def clear_legal(legal: LegalRows, row: int) -> None:
    """Take all numbers of a row out of its mask."""
    for k in range(legal.counts[row]):
        legal.mask[row, legal.numbers[row, k]] = 0
    legal.counts[row] = 0


@kernel(borrowing=True, inline=True)
def find_legal(legal: LegalRows, row: int, number: int) -> int:
    """Return the place of a number among the legal ones of a row, -1 if it is none of them."""
    place = legal.counts[row] - 1
    while place >= 0 and legal.numbers[row, place] != number:
        place -= 1
    return int(place)

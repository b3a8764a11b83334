"""Chambers by the thousand: tables of the states that were met, which the rules fill.

The rules are a function of the state, and episodes of a level meet the same states again and again.
So the batch asks the rules once about each state of a level: what is legal, and where it leads.
From then on all this is looked up. When there are too many states, all are forgotten but those in
which the rows are.

The features of a row are, as the arrays of the space have them: ``pieces``; the gate on each slot
of a surface; for each device the ticks left, and whether it works. Then comes what stays as it is:
cell and side of each surface; of each device all but those two numbers; ``goal``; and ``needs`` and
``materials`` as bits (``numpy.packbits``), two for each material.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pysim.families.portal.chamber import Chamber
from pysim.families.portal.space import ChamberSpace
from pysim.families.portal.state import ChamberState, start_of
from pysim.kernels import kernel
from pysim.learning.batches import GrowingArray, LegalRows, PuzzleBatch, clear_legal, find_legal
from pysim.learning.spaces import ArraySpec
from pysim.puzzle import Level

__all__ = ["ChamberBatch", "create_batch"]

_MOST_STATES = 1 << 17
_NOT_LISTED = -1
_FIXED_OF_SURFACE, _FIXED_OF_DEVICE = 5, 9
"""Numbers of a surface and of a device that stay as they are; the others come after them."""


class ChamberTables(NamedTuple):
    """Tables of all states.

    Attributes:
        starts: (states,), where the legal actions of a state begin; -1 if they are not known yet.
        counts: (states,), how many there are.
        solved: (states,), whether the agent is in the exit.
        looks: (states, features), those that change.
        numbers: (actions,), numbers of legal actions.
        nexts: (actions,), the state that each leads to.
    """

    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    solved: NDArray[np.bool_]
    looks: NDArray[np.uint8]
    numbers: NDArray[np.int32]
    nexts: NDArray[np.int64]


class ChamberBatch(PuzzleBatch[Chamber, ChamberState]):
    """See :class:`~pysim.learning.batches.PuzzleBatch`.

    Args:
        space: a size class.
        count: number of rows.
        most_states: states that are kept at most, not counting those of the rows and what they
            lead to.
    """

    def __init__(self, space: ChamberSpace, count: int, *, most_states: int = _MOST_STATES) -> None:
        nothing = {name: one.make_zeros() for name, one in space.arrays.items()}
        changing, fixed = _read_changing(nothing), _read_fixed(nothing)
        meaning = "`pieces`; gates; ticks left, and what works; then what stays"
        features = ArraySpec((len(changing) + len(fixed),), np.uint8, 255, meaning)
        super().__init__(space, count, features, 64)
        self._chambers, self._most_states, self._changing = space, most_states, len(changing)
        self._at = np.zeros(count, np.int64)
        self._forget()

    def step(self, numbers: NDArray[np.int64]) -> None:
        """See :meth:`pysim.learning.batches.PuzzleBatch.step`."""
        move_rows(self._at, self._tables, self.legal, numbers)
        self._show(np.flatnonzero((numbers >= 0) & ~self.legal.refused))

    def read_state(self, row: int) -> ChamberState:
        """See :meth:`pysim.learning.batches.PuzzleBatch.read_state`."""
        return self._states[int(self._at[row])][1]

    def _begin(self, rows: NDArray[np.int64], levels: NDArray[np.int64]) -> None:
        starts = {level: start_of(self._levels[level].puzzle) for level in set(levels.tolist())}
        self._at[rows] = [self._number(level, starts[level]) for level in levels.tolist()]
        self.legal.refused[rows] = False
        self._show(rows)

    def _add(self, level: Level[Chamber]) -> ArrayLike:
        fixed = _read_fixed(self._chambers.observe(level, start_of(level.puzzle)))
        return np.concatenate([np.zeros(self._changing, np.uint8), fixed])

    def _show(self, rows: NDArray[np.int64]) -> None:
        """Write what is legal in some rows, and their features."""
        if len(self._states) > self._most_states:
            self._keep_rows()
        starts = self._tables.starts[self._at]
        for state in np.unique(self._at[starts == _NOT_LISTED]).tolist():
            self._list(state)
        show_rows(self._at, self._tables, self.legal, self._seen, rows)

    def _number(self, level: int, state: ChamberState) -> int:
        """Return the number of a state, which is added if it is new."""
        number = self._numbers.setdefault((level, state), len(self._states))
        if number == len(self._states):
            self._states.append((level, state))
            self._arrays["starts"].append(_NOT_LISTED)
            self._arrays["counts"].append(0)
            self._arrays["solved"].append(state.agent == self._levels[level].puzzle.exit)
            self._arrays["looks"].append(np.zeros(self._changing))
        return number

    def _list(self, number: int) -> None:
        """Ask the rules about a state."""
        (place, state), arrays = self._states[number], self._arrays
        level = self._levels[place]
        nexts = self._chambers.list_nexts(level, state)
        self.reserve(len(nexts))
        arrays["nexts"].extend(np.array([self._number(place, one) for one in nexts.values()]))
        start = arrays["numbers"].extend(np.array(list(nexts), np.int32))
        arrays["starts"].data[number], arrays["counts"].data[number] = start, len(nexts)
        seen = self._chambers.observe_things(level, state)
        arrays["looks"].data[number] = _read_changing(seen)

    def _forget(self) -> None:
        """Forget all states."""
        self._numbers: dict[tuple[int, ChamberState], int] = {}
        self._states: list[tuple[int, ChamberState]] = []
        self._arrays = _create_arrays(self._changing)

    def _keep_rows(self) -> None:
        """Forget all states but those of the rows."""
        kept = [self._states[number] for number in self._at.tolist()]
        self._forget()
        self._at[:] = [self._number(*one) for one in kept]

    @property
    def _tables(self) -> ChamberTables:
        return ChamberTables(**{name: array.data for name, array in self._arrays.items()})


def _create_arrays(changing: int) -> dict[str, GrowingArray]:
    """Return the tables of no state."""
    return {
        "starts": GrowingArray((), np.int64),
        "counts": GrowingArray((), np.int64),
        "solved": GrowingArray((), np.bool_),
        "looks": GrowingArray((changing,), np.uint8),
        "numbers": GrowingArray((), np.int32),
        "nexts": GrowingArray((), np.int64),
    }


def _read_changing(seen: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """Return the features that change."""
    surfaces, devices = seen["surfaces"], seen["devices"]
    return _join(seen["pieces"], surfaces[:, _FIXED_OF_SURFACE:], devices[:, _FIXED_OF_DEVICE:])


def _read_fixed(seen: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """Return the features that stay as they are."""
    surfaces, devices = seen["surfaces"], seen["devices"]
    materials = np.unpackbits(seen["materials"][..., None], axis=-1)[..., -2:]
    return _join(
        surfaces[:, :_FIXED_OF_SURFACE],
        devices[:, :_FIXED_OF_DEVICE],
        seen["goal"],
        np.packbits(seen["needs"]),
        np.packbits(materials),
    )


def _join(*parts: NDArray[Any]) -> NDArray[np.uint8]:
    return np.concatenate([part.ravel() for part in parts]).astype(np.uint8)


@kernel(nogil=True, borrowing=True)
def move_rows(
    at: NDArray[np.int64], tables: ChamberTables, legal: LegalRows, numbers: NDArray[np.int64]
) -> None:
    """Make an action in each row."""
    for row in range(len(numbers)):
        legal.refused[row] = False
        if numbers[row] < 0:
            continue
        place = find_legal(legal, row, numbers[row])
        legal.refused[row] = place < 0
        if place >= 0:
            at[row] = tables.nexts[tables.starts[at[row]] + place]


@kernel(nogil=True, borrowing=True)
def show_rows(
    at: NDArray[np.int64],
    tables: ChamberTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    rows: NDArray[np.int64],
) -> None:
    """Write what is legal in some rows, and their features."""
    for i in range(len(rows)):
        row = rows[i]
        state = at[row]
        clear_legal(legal, row)
        for k in range(tables.counts[state]):
            number = tables.numbers[tables.starts[state] + k]
            legal.numbers[row, k] = number
            legal.mask[row, number] = 1
        legal.counts[row] = tables.counts[state]
        legal.solved[row] = tables.solved[state]
        for k in range(tables.looks.shape[1]):
            seen[row, k] = tables.looks[state, k]


def create_batch(space: ChamberSpace, count: int) -> ChamberBatch:
    """Return a batch of chambers; see :data:`~pysim.learning.batches.BatchFactory`."""
    return ChamberBatch(space, count)

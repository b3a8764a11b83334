"""Chambers by the thousand: the compiled rules, and tables of the states that were met.

Episodes of a level meet the same states again and again. So the batch finds once about each state
of a level what is legal, and where an action leads once it is made. From then on all this is looked
up. When there are too many states, all are forgotten but those in which the rows are.

The features of a row are, as the arrays of the space have them: ``pieces``; the gate on each slot
of a surface; for each device the ticks left, and whether it works. Then comes what stays as it is:
cell and side of each surface; of each device all but those two numbers; ``goal``; and ``needs`` and
``materials`` as bits (``numpy.packbits``), two for each material.
"""

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pysim.families.portal.chamber import Chamber
from pysim.families.portal.compiled import copy_state, list_legal, observe_state, perform
from pysim.families.portal.space import ChamberSpace
from pysim.families.portal.state import ChamberState, start_of
from pysim.families.portal.tables import AGENT, EXIT, TableBuilder
from pysim.kernels import kernel
from pysim.learning.batches import GrowingArray, LegalRows, PuzzleBatch, clear_legal, find_legal
from pysim.learning.spaces import ArraySpec
from pysim.puzzle import Level

__all__ = ["ChamberBatch", "ChamberLister", "create_batch"]

_MOST_STATES = 1 << 17
_MOST_LISTED = 64
"""Levels whose tables a lister keeps."""
_LISTING = Lock()
_UNKNOWN = -1
"""Number of the state to which an action leads that was not made yet, and of no state."""
_STATES, _ACTIONS = range(2)
"""Entries of ``counts``."""
_FIXED_OF_SURFACE, _FIXED_OF_DEVICE = 5, 9
"""Numbers of a surface and of a device that stay as they are; the others come after them."""
_FACTOR = 0x9E3779B97F4A7C15 >> 1
"""Odd number by which keys are spread over the slots of a hash table."""


class ChamberTables(NamedTuple):
    """Tables of all states that were met.

    Attributes:
        states: (states, numbers), as the compiled rules have them.
        levels: (states,), number of the level.
        starts: (states,), where the legal actions of a state begin.
        counts: (states,), how many there are.
        solved: (states,), whether the agent is in the exit.
        looks: (states, features), those that change.
        numbers: (actions,), numbers of legal actions.
        nexts: (actions,), the state that each leads to, -1 if it is not known yet.
        slots: hash table of states by level and numbers; -1 for free ones.
        totals: (2,), numbers of states and of their actions.
    """

    states: NDArray[np.int16]
    levels: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    solved: NDArray[np.bool_]
    looks: NDArray[np.uint8]
    numbers: NDArray[np.int32]
    nexts: NDArray[np.int32]
    slots: NDArray[np.int32]
    totals: NDArray[np.int64]


class CompiledRules(NamedTuple):
    """Chambers, and memory for the rules.

    Attributes:
        rooms: (levels,) a :class:`~pysim.families.portal.tables.Room` each.
        memory: (1,) a :class:`~pysim.families.portal.tables.Memory`.
    """

    rooms: NDArray[np.void]
    memory: NDArray[np.void]


class ChamberBatch(PuzzleBatch[Chamber, ChamberState]):
    """See :class:`~pysim.learning.batches.PuzzleBatch`.

    Args:
        space: a size class.
        count: number of rows.
        most_states: states that are kept at most, not counting those of the rows.
    """

    def __init__(self, space: ChamberSpace, count: int, *, most_states: int = _MOST_STATES) -> None:
        nothing = {name: one.make_zeros() for name, one in space.arrays.items()}
        changing, fixed = _read_changing(nothing), _read_fixed(nothing)
        meaning = "`pieces`; gates; ticks left, and what works; then what stays"
        features = ArraySpec((len(changing) + len(fixed),), np.uint8, 255, meaning)
        super().__init__(space, count, features, 64)
        self._chambers, self._most_states, self._changing = space, most_states, len(changing)
        self._builder = TableBuilder(space)
        self._starts = GrowingArray((self._builder.width,), np.int16)
        self._at = np.zeros(count, np.int64)
        self._tables = _create_tables(self._builder.width, self._changing, 1 << 10)

    @property
    def state_count(self) -> int:
        """Number of states that are kept."""
        return int(self._tables.totals[_STATES])

    def step(self, numbers: NDArray[np.int64]) -> None:
        """See :meth:`pysim.learning.batches.PuzzleBatch.step`."""
        if self.state_count > self._most_states:
            self._keep_rows()
        row = 0
        while row < self.count:
            rules, tables = self._rules, self._make_room()
            row = move_rows(self._at, self.legal, numbers, rules, tables, row)
        self._show(np.flatnonzero((numbers >= 0) & ~self.legal.refused))

    def read_state(self, row: int) -> ChamberState:
        """See :meth:`pysim.learning.batches.PuzzleBatch.read_state`."""
        state = self._tables.states[self._at[row]]
        return self._builder.unpack(self.get_level(row).puzzle, state)

    def is_kept(self) -> bool:
        """Return whether what lists legal actions is compiled, and kept on this machine."""
        rows, states = np.zeros(1, np.int64), np.zeros((1, self._builder.width), np.int16)
        return enter_states.is_kept(self._at, rows, rows, states, self._rules, self._tables, 0)

    def list_legal(self, level: Level[Chamber], state: ChamberState) -> NDArray[np.int64]:
        """Return what is legal in a state, and have the first row in it."""
        number, states = self.load(level), self._builder.pack(level.puzzle, state)[None]
        if self.state_count > self._most_states:
            self._keep_rows()
        self._playing[0] = number
        self._enter(np.zeros(1, np.int64), np.array([number]), states)
        tables, at = self._tables, self._at[0]
        first = tables.starts[at]
        return tables.numbers[first : first + tables.counts[at]].astype(np.int64)

    def _begin(self, rows: NDArray[np.int64], levels: NDArray[np.int64]) -> None:
        self._enter(rows, levels, self._starts.data[levels])
        self.legal.refused[rows] = False
        self._show(rows)

    def _add(self, level: Level[Chamber]) -> ArrayLike:
        fixed = _read_fixed(self._chambers.observe(level, start_of(level.puzzle)))
        self._starts.append(self._builder.add(level.puzzle))
        return np.concatenate([np.zeros(self._changing, np.uint8), fixed])

    @property
    def _rules(self) -> CompiledRules:
        return CompiledRules(self._builder.rooms, self._builder.memory)

    def _enter(
        self, rows: NDArray[np.int64], levels: NDArray[np.int64], states: NDArray[np.int16]
    ) -> None:
        """Put some rows into states."""
        done = 0
        while done < len(rows):
            rules, tables = self._rules, self._make_room()
            done = enter_states(self._at, rows, levels, states, rules, tables, done)

    def _show(self, rows: NDArray[np.int64]) -> None:
        """Write what is legal in some rows, and their features."""
        if len(rows):
            self.reserve(int(self._tables.counts[self._at[rows]].max()))
            show_rows(self._at, self._tables, self.legal, self._seen, rows)

    def _make_room(self) -> ChamberTables:
        """Return the tables, with room for another state and all that may be legal there."""
        tables = self._tables
        if tables.totals[_STATES] == len(tables.states):
            names = ("states", "levels", "starts", "counts", "solved", "looks")
            slots = np.full(2 * len(tables.slots), _UNKNOWN, np.int32)
            tables = tables._replace(slots=slots, **_double(tables, names))
            fill_slots(tables)
        while tables.totals[_ACTIONS] + self.space.actions.count > len(tables.numbers):
            tables = tables._replace(**_double(tables, ("numbers", "nexts")))
        self._tables = tables
        return tables

    def _keep_rows(self) -> None:
        """Forget all states but those of the rows."""
        levels, states = self._tables.levels[self._at], self._tables.states[self._at]
        self._tables.totals[:], self._tables.slots[:] = 0, _UNKNOWN
        self._enter(np.arange(self.count), levels, states)


def _create_tables(width: int, changing: int, count: int) -> ChamberTables:
    """Return the tables of no state, with room for some."""
    return ChamberTables(
        states=np.zeros((count, width), np.int16),
        levels=np.zeros(count, np.int64),
        starts=np.zeros(count, np.int64),
        counts=np.zeros(count, np.int64),
        solved=np.zeros(count, np.bool_),
        looks=np.zeros((count, changing), np.uint8),
        numbers=np.zeros(count, np.int32),
        nexts=np.zeros(count, np.int32),
        slots=np.full(2 * count, _UNKNOWN, np.int32),
        totals=np.zeros(2, np.int64),
    )


def _double(tables: ChamberTables, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return some of the tables with as many empty rows behind those that they have."""
    arrays = {name: getattr(tables, name) for name in names}
    return {name: np.concatenate([one, np.zeros_like(one)]) for name, one in arrays.items()}


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
def enter_states(
    at: NDArray[np.int64],
    rows: NDArray[np.int64],
    levels: NDArray[np.int64],
    states: NDArray[np.int16],
    rules: CompiledRules,
    tables: ChamberTables,
    first: int,
) -> int:
    """Put rows into states, from the first one on; return how many are when there is no room."""
    for i in range(first, len(rows)):
        if is_full(rules, tables):
            return i
        at[rows[i]] = add_state(rules, tables, levels[i], states[i])
    return len(rows)


@kernel(nogil=True, borrowing=True)
def move_rows(
    at: NDArray[np.int64],
    legal: LegalRows,
    numbers: NDArray[np.int64],
    rules: CompiledRules,
    tables: ChamberTables,
    first: int,
) -> int:
    """Make an action in each row, from the first one on; return the row for which is no room."""
    for row in range(first, len(numbers)):
        if is_full(rules, tables):
            return row
        legal.refused[row] = False
        if numbers[row] < 0:
            continue
        place = find_legal(legal, row, numbers[row])
        legal.refused[row] = place < 0
        if place >= 0:
            at[row] = find_next(rules, tables, at[row], place)
    return len(numbers)


@kernel(borrowing=True)
def is_full(rules: CompiledRules, tables: ChamberTables) -> bool:
    """Return whether there may be no room for another state, and what is legal there."""
    starts = rules.memory[0].starts
    most = starts[len(starts) - 1]
    no_state = tables.totals[_STATES] == len(tables.states)
    return bool(no_state or tables.totals[_ACTIONS] + most > len(tables.numbers))


@kernel(borrowing=True)
def find_next(rules: CompiledRules, tables: ChamberTables, number: int, place: int) -> int:
    """Return the number of the state to which a legal action leads."""
    entry = tables.starts[number] + place
    if tables.nexts[entry] == _UNKNOWN:
        memory, level = rules.memory[0], tables.levels[number]
        after = memory.scratch[0]
        copy_state(tables.states[number], after)
        perform(rules.rooms[level], memory, after, tables.numbers[entry])
        tables.nexts[entry] = add_state(rules, tables, level, after)
    return int(tables.nexts[entry])


@kernel(borrowing=True)
def add_state(
    rules: CompiledRules, tables: ChamberTables, level: int, state: NDArray[np.int16]
) -> int:
    """Return the number of a state, which is added if it is new."""
    slot = find_slot(tables, level, state)
    if tables.slots[slot] != _UNKNOWN:
        return int(tables.slots[slot])
    number, start = tables.totals[_STATES], tables.totals[_ACTIONS]
    room, memory, own = rules.rooms[level], rules.memory[0], tables.states[number]
    copy_state(state, own)
    tables.levels[number] = level
    tables.starts[number] = start
    tables.counts[number] = list_legal(room, memory, own, tables.numbers[start:])
    for k in range(start, start + tables.counts[number]):
        tables.nexts[k] = _UNKNOWN
    tables.solved[number] = room.cells[own[AGENT]] & EXIT
    for k in range(tables.looks.shape[1]):
        tables.looks[number, k] = 0
    observe_state(room, memory, own, tables.looks[number])
    tables.slots[slot] = number
    tables.totals[_STATES] += 1
    tables.totals[_ACTIONS] += tables.counts[number]
    return int(number)


@kernel(borrowing=True)
def find_slot(tables: ChamberTables, level: int, state: NDArray[np.int16]) -> int:
    """Return the slot of a state in the hash table, or the free one where it belongs."""
    mixed, mask = level * _FACTOR, len(tables.slots) - 1
    for k in range(len(state)):
        mixed = (mixed ^ state[k]) * _FACTOR
    slot = (mixed >> 20 ^ mixed) & mask
    while tables.slots[slot] != _UNKNOWN:
        if is_same(tables, tables.slots[slot], level, state):
            break
        slot = slot + 1 & mask
    return int(slot)


@kernel(borrowing=True)
def is_same(tables: ChamberTables, number: int, level: int, state: NDArray[np.int16]) -> bool:
    """Return whether a number is that of a state."""
    if tables.levels[number] != level:
        return False
    same = True
    for k in range(len(state)):
        same &= tables.states[number, k] == state[k]
    return bool(same)


@kernel(borrowing=True)
def fill_slots(tables: ChamberTables) -> None:
    """Write the states into a hash table that is empty."""
    for number in range(tables.totals[_STATES]):
        slot = find_slot(tables, tables.levels[number], tables.states[number])
        tables.slots[slot] = number


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


class ChamberLister:
    """Compiled lists of legal actions, which threads may share.

    Args:
        space: a size class.
        most_levels: levels whose tables are kept at most.
    """

    def __init__(self, space: ChamberSpace, *, most_levels: int = _MOST_LISTED) -> None:
        self._space, self._most_levels = space, most_levels
        self._batch = self._create_batch()
        self._levels = set[str]()

    def is_kept(self) -> bool:
        """See :class:`~pysim.learning.spaces.LegalLister`."""
        return self._batch.is_kept()

    def list_legal(self, level: Level[Chamber], state: ChamberState) -> NDArray[np.int64]:
        """See :class:`~pysim.learning.spaces.LegalLister`."""
        with _LISTING:
            self._levels.add(level.hash)
            if len(self._levels) > self._most_levels:
                self._batch, self._levels = self._create_batch(), {level.hash}
            return self._batch.list_legal(level, state)

    def _create_batch(self) -> ChamberBatch:
        return ChamberBatch(self._space, 1, most_states=_MOST_STATES >> 5)


def create_batch(space: ChamberSpace, count: int) -> ChamberBatch:
    """Return a batch of chambers; see :data:`~pysim.learning.batches.BatchFactory`."""
    return ChamberBatch(space, count)

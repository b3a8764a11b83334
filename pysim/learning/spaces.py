"""One space for a family: actions as numbers, and states as arrays, alike for all its levels.

The levels of a family that keep to some bounds are a *size class*. All levels of a class share one
numbering of actions, and arrays of the same shapes. So a policy that has learned on one level can
be put before any other, and one batch can hold many different levels. A family keeps its spaces
beside its rules and offers them in its manifest.

Pieces have *slots*: the slot of a piece is its place among the level's colours. Slots beyond the
level's pieces are empty.
"""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.extras import is_installed
from pysim.geometry import Voxels
from pysim.kernels import COMPILING_SECONDS, LINKED_SECONDS
from pysim.puzzle import Action, Level
from pysim.scene import Colour

__all__ = [
    "ActionNumbers",
    "ArraySpec",
    "FamilySpace",
    "LegalLister",
    "PatientLister",
    "check_bounds",
    "draw_shapes",
    "name_slot",
    "specify_shapes",
]

P = TypeVar("P")
S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


class ActionNumbers:
    """Numbers of actions: those of one tool after those of another.

    The actions of a tool are a mixed radix of its parts, the last part fastest. A part that several
    tools have is one part of the whole: that of all parts is a tool and a value for each.

    Args:
        sizes: number of values of each part.
        tools: parts of each tool.

    Attributes:
        sizes: number of values of each part, without the tool.
        tools: parts of each tool.
        starts: first number of each tool.
        count: number of all numbers.
    """

    def __init__(self, sizes: Mapping[str, int], tools: Mapping[str, Sequence[str]]) -> None:
        self.sizes = dict(sizes)
        self.tools = {tool: tuple(parts) for tool, parts in tools.items()}
        self._radices = {
            tool: tuple(sizes[part] for part in parts) for tool, parts in self.tools.items()
        }
        ends = list(accumulate(map(prod, self._radices.values())))
        self.starts = dict(zip(self.tools, [0, *ends], strict=False))
        self.count = ends[-1]

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of tools, and of the values of each part."""
        return (len(self.tools), *self.sizes.values())

    def encode(self, tool: str, *values: int) -> int:
        """Return the number of an action of a tool, by the values of its parts.

        Raises:
            InputError: a value is out of range.
        """
        number = 0
        for part, radix, value in zip(self.tools[tool], self._radices[tool], values, strict=True):
            if not 0 <= value < radix:
                raise InputError(f"{part} is from 0 to {radix - 1}, not {value}")
            number = number * radix + value
        return self.starts[tool] + number

    def decode(self, number: int) -> tuple[str, tuple[int, ...]]:
        """Return the tool of a number, and the values of its parts.

        Raises:
            InputError: there is no such number.
        """
        if not 0 <= number < self.count:
            raise InputError(f"actions have numbers from 0 to {self.count - 1}, not {number}")
        tool = next(tool for tool in reversed(self.starts) if self.starts[tool] <= number)
        rest, values = number - self.starts[tool], list[int]()
        for radix in reversed(self._radices[tool]):
            rest, value = divmod(rest, radix)
            values.append(value)
        return tool, tuple(reversed(values))

    def to_parts(self, number: int) -> NDArray[np.int64]:
        """(1 + parts,) the tool and the value of each part, 0 for those that the tool has not.

        Raises:
            InputError: there is no such number.
        """
        tool, values = self.decode(number)
        known = dict(zip(self.tools[tool], values, strict=True))
        found = [list(self.tools).index(tool), *(known.get(part, 0) for part in self.sizes)]
        return np.array(found, np.int64)

    def from_parts(self, parts: Sequence[int] | NDArray[np.int64]) -> int:
        """Return the number of an action by its parts; those that its tool has not don't count.

        Raises:
            InputError: a value is out of range, or there are more or fewer parts.
        """
        if len(parts) != len(self.shape) or not 0 <= parts[0] < len(self.tools):
            names = ", ".join(self.sizes)
            raise InputError(f"parts are a tool, from 0 to {len(self.tools) - 1}, and {names}")
        tool = list(self.tools)[int(parts[0])]
        known = dict(zip(self.sizes, parts[1:], strict=True))
        return self.encode(tool, *(int(known[part]) for part in self.tools[tool]))

    def mask_parts(self, legal: NDArray[np.int64]) -> tuple[NDArray[np.int8], ...]:
        """1 for each value of a part that some legal action has, the tool first.

        A tool's actions don't depend on the parts that it has not, whose first value is for them.
        """
        masks = dict(
            zip(("", *self.sizes), (np.zeros(n, np.int8) for n in self.shape), strict=True)
        )
        for number, (tool, radices) in enumerate(self._radices.items()):
            rest = legal[legal >= self.starts[tool]] - self.starts[tool]
            rest = rest[rest < prod(radices)]
            if not len(rest):
                continue
            masks[""][number] = 1
            values = dict(zip(self.tools[tool], np.unravel_index(rest, radices), strict=True))
            for part in self.sizes:
                masks[part][values.get(part, 0)] = 1
        return tuple(masks.values())


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """An array of observations.

    Attributes:
        shape: lengths of its axes.
        dtype: integer type of its entries.
        high: largest entry.
        meaning: its axes and entries, in words.
        low: smallest entry.
    """

    shape: tuple[int, ...]
    dtype: type[np.uint8 | np.int8 | np.int16 | np.int32]
    high: int
    meaning: str
    low: int = 0

    def make_zeros(self) -> NDArray[Any]:
        """Return such an array, empty."""
        return np.zeros(self.shape, self.dtype)


class FamilySpace(Protocol[P, S_contra]):
    """Actions and observations of all levels of a size class.

    Attributes:
        name: of the size class.
        bounds: those of the class, by name.
        actions: numbers of actions; they mean the same in all levels of the class.
        arrays: what :meth:`observe` returns, the same for all levels of the class.
    """

    name: str
    bounds: Mapping[str, int]
    actions: ActionNumbers
    arrays: Mapping[str, ArraySpec]

    @abstractmethod
    def check(self, level: Level[P]) -> None:
        """Check that a level is within the bounds. All other methods require it.

        Raises:
            InputError: it is not; the message says why.
        """

    @abstractmethod
    def list_legal(self, level: Level[P], state: S_contra) -> NDArray[np.int64]:
        """Return the numbers of the actions that the rules accept, each once, in any order."""

    def list_exactly(self, level: Level[P], state: S_contra) -> NDArray[np.int64]:
        """Return what :meth:`list_legal` does, without compiled code that it may leave this to."""
        return self.list_legal(level, state)

    def compile(self) -> None:
        """Have the next :meth:`list_legal` compile its code, if it has any, and not a later one."""
        return

    def mask(self, level: Level[P], state: S_contra) -> NDArray[np.int8]:
        """(actions.count,) 1 for each number whose action the rules accept, else 0."""
        mask = np.zeros(self.actions.count, np.int8)
        mask[self.list_legal(level, state)] = 1
        return mask

    @abstractmethod
    def make_action(self, level: Level[P], state: S_contra, number: int) -> Action:
        """Return the action with a number in a state.

        Where the number isn't legal the rules refuse the action, and their message says why.
        """

    @abstractmethod
    def find_numbers(self, level: Level[P], state: S_contra, action: Action) -> Sequence[int]:
        """Return numbers whose actions, one after another, lead where an action leads.

        Args:
            action: one that is legal in ``state``.

        Raises:
            InputError: no few numbers do.
        """

    @abstractmethod
    def observe(self, level: Level[P], state: S_contra) -> dict[str, NDArray[Any]]:
        """Return new arrays by name, as :attr:`arrays` has them."""


class LegalLister(Protocol[P, S_contra]):
    """Compiled code that lists legal actions."""

    def is_kept(self) -> bool:
        """Return whether it is compiled already, and kept on this machine."""

    def list_legal(self, level: Level[P], state: S_contra) -> NDArray[np.int64]:
        """Return what :meth:`FamilySpace.list_exactly` does, in the same order.

        Raises:
            InputError: it can't hold the level.
        """


class PatientLister(Generic[P, S]):
    """Legal actions as the rules list them, and by compiled code once that has taken long enough.

    Compiled code that is kept on this machine is soon used. Else it is compiled after the rules
    have taken as long as that takes.

    Args:
        list_exactly: has the rules list what is legal.
        make_lister: makes compiled code; None if there is none.
    """

    def __init__(
        self,
        list_exactly: Callable[[Level[P], S], NDArray[np.int64]],
        make_lister: Callable[[], LegalLister[P, S]] | None,
    ) -> None:
        self._list_exactly = list_exactly
        self._make_lister = make_lister if is_installed("numba") else None
        self._lister: LegalLister[P, S] | None = None
        self._enough = LINKED_SECONDS
        self._spent = 0.0

    def compile(self) -> None:
        """See :meth:`FamilySpace.compile`."""
        if self._make_lister is not None:
            self._lister = self._make_lister()
            self._enough = -1.0

    def list_legal(self, level: Level[P], state: S) -> NDArray[np.int64]:
        """See :meth:`FamilySpace.list_legal`."""
        lister = self._find_lister()
        if lister is not None:
            with suppress(InputError):
                return lister.list_legal(level, state)
        began = time.thread_time()
        found = self._list_exactly(level, state)
        self._spent += time.thread_time() - began
        return found

    def _find_lister(self) -> LegalLister[P, S] | None:
        """Return the compiled code once it is worth its time, else None."""
        if self._lister is None and self._spent > LINKED_SECONDS and self._make_lister is not None:
            self._lister = self._make_lister()
            self._enough = LINKED_SECONDS if self._lister.is_kept() else COMPILING_SECONDS
        return self._lister if self._spent > self._enough else None


def check_bounds(level: Level[Any], name: str, bounds: Mapping[str, tuple[int, int]]) -> None:
    """Check figures of a level against the bounds of a size class.

    Args:
        name: of the class.
        bounds: the level's figure, and the largest of the class, by the name of the figure.

    Raises:
        InputError: one is larger.
    """
    for figure, (found, most) in bounds.items():
        if found > most:
            raise InputError(
                f"{level.id} doesn't fit the size class {name}: it has {found} {figure}, and the "
                f"class takes {most}: choose another class"
            )


def specify_shapes(pieces: int, edge: int) -> ArraySpec:
    """Return the array that :func:`draw_shapes` draws, for pieces that are at most so long."""
    meaning = "slot, x, y, z: cells of a piece in its reference rotation"
    return ArraySpec((pieces, edge, edge, edge), np.uint8, 1, meaning)


def draw_shapes(spec: ArraySpec, shapes: Iterable[Voxels]) -> NDArray[np.uint8]:
    """(slots, x, y, z): 1 for each cell of the shapes, by slot, moved to the origin."""
    drawn: NDArray[np.uint8] = spec.make_zeros()
    for slot, shape in enumerate(shapes):
        drawn[slot][tuple((np.array(shape.cells) - shape.bounds.low).T)] = 1
    return drawn


def name_slot(level: Level[Any], slot: int) -> Colour:
    """Return the colour of the piece in a slot; that of an empty slot is no piece's."""
    return level.colours[slot] if slot < len(level.colours) else Colour(f"slot_{slot}")

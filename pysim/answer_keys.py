"""Answer keys: answers that are right, where several are.

A key is a predicate on answers that were read. An item without one takes its gold answer alone.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from pysim.geometry import Cell, Rotation, list_rotations

__all__ = ["AnswerKey", "Exactly", "OneOf", "SameColouring", "SameShape"]

_Cells = tuple[tuple[Cell, str], ...]

A = TypeVar("A")
A_contra = TypeVar("A_contra", contravariant=True)


class AnswerKey(Protocol[A_contra]):
    """Says which answers are right."""

    @property
    def name(self) -> str:
        """Name that differs for unlike keys, a part of item digests.

        It is the same in every process.
        """

    def accepts(self, answer: A_contra, /) -> bool:
        """Return whether an answer that was read is right."""


@dataclass(frozen=True, slots=True)
class Exactly(Generic[A]):
    """One answer is right."""

    answer: A

    @property
    def name(self) -> str:
        """Tells it apart."""
        return f"exactly {self.answer!r}"

    def accepts(self, answer: A) -> bool:
        """Return whether it is that one."""
        return answer == self.answer


@dataclass(frozen=True, slots=True)
class OneOf(Generic[A]):
    """Each of several answers is right."""

    answers: tuple[A, ...]

    @property
    def name(self) -> str:
        """Tells it apart."""
        return f"one of {self.answers!r}"

    def accepts(self, answer: A) -> bool:
        """Return whether it is one of them."""
        return answer in self.answers


@dataclass(frozen=True)
class SameColouring:
    """Cells with something in each are right however they are turned and wherever they lie.

    What is in a cell does not turn with it: a colour or a number, not an arrow. Cells of one plane
    may be turned over, since that is a rotation in space.

    Attributes:
        cells: cell -> what is in it, of an answer that is right.
        mirrored: whether mirror images are right, too.
    """

    cells: tuple[tuple[Cell, str], ...]
    mirrored: bool = False

    @staticmethod
    def from_cells(cells: Mapping[Cell, str], *, mirrored: bool = False) -> "SameColouring":
        """Return the key of which an answer ``cells`` is right."""
        return SameColouring(_at_origin(cells), mirrored)

    @property
    def name(self) -> str:
        """Tells it apart."""
        return f"turned{' or mirrored' * self.mirrored} {self._copies[0]!r}"

    def accepts(self, answer: Mapping[Cell, str]) -> bool:
        """Return whether it is a copy, turned and moved as a whole; an empty answer is none."""
        return bool(answer) and _at_origin(answer) in self._copies

    @cached_property
    def _copies(self) -> list[_Cells]:
        cells = dict(self.cells)
        images = [cells, {(-x, y, z): held for (x, y, z), held in cells.items()}]
        shown = images if self.mirrored else images[:1]
        copies = {_at_origin(_turned(image, r)) for image in shown for r in list_rotations()}
        return sorted(copies)


@dataclass(frozen=True)
class SameShape:
    """A set of cells is right however it is turned and wherever it lies.

    Attributes:
        cells: of an answer that is right; sorted.
        mirrored: whether its mirror image is right, too.
    """

    cells: tuple[Cell, ...]
    mirrored: bool = False

    @staticmethod
    def from_cells(cells: Collection[Cell], *, mirrored: bool = False) -> "SameShape":
        """Return the key of which an answer ``cells`` is right."""
        return SameShape(tuple(sorted(set(cells))), mirrored)

    @property
    def name(self) -> str:
        """Tells it apart."""
        return f"shape {self._colouring.name}"

    def accepts(self, answer: Collection[Cell]) -> bool:
        """Return whether it is the same shape; cells that are named twice count once."""
        return self._colouring.accepts(dict.fromkeys(answer, ""))

    @cached_property
    def _colouring(self) -> SameColouring:
        return SameColouring.from_cells(dict.fromkeys(self.cells, ""), mirrored=self.mirrored)


def _turned(cells: Mapping[Cell, str], rotation: Rotation) -> dict[Cell, str]:
    return {rotation.apply(cell): held for cell, held in cells.items()}


def _at_origin(cells: Mapping[Cell, str]) -> _Cells:
    """Return the cells in order, moved so that their lowest corner is the origin."""
    low = [min((cell[axis] for cell in cells), default=0) for axis in range(3)]
    moved = (((x - low[0], y - low[1], z - low[2]), held) for (x, y, z), held in cells.items())
    return tuple(sorted(moved))

"""Designs: files of designers' programs, which some families read, solve and write.

A family that does so has a module ``designs`` in its folder, with its :class:`Designs` under the
name ``DESIGNS``; other packages offer theirs through the entry point group ``luban.designs``. It
stands apart from the family's rules, so that a small file is read and solved sooner than these are
loaded.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pysim.errors import InputError

if TYPE_CHECKING:
    from pysim.puzzle import Level, Plan
    from pysim.scene import Colour

__all__ = [
    "Choice",
    "Chosen",
    "CountListener",
    "Design",
    "DesignError",
    "Designs",
    "Search",
    "Solved",
    "Turned",
    "Written",
]

CountListener = Callable[[int, int], None]
"""Is told of assemblies and, among them, solutions found so far."""


class DesignError(InputError):
    """A file can't be read, or something can't be done with a design; the message says why."""


@dataclass(frozen=True, slots=True)
class Turned:
    """Assemblies that come apart only if pieces turn.

    Attributes:
        found: how many there are, by moves to the first separation and turns among these.
        cut_off: assemblies of which this was not decided.
    """

    found: Counter[tuple[int, int]]
    cut_off: int


@dataclass(frozen=True, slots=True)
class Solved:
    """Result of a search.

    Attributes:
        assemblies: ways to put the pieces together, turned and mirrored ones left out.
        labelled: the same where alike pieces that are listed apart are told apart.
        solutions: assemblies that come apart.
        levels: how many solutions have a level, as designers write it: ``9.3``.
        first: the level of the solution at which the search ended; empty if it did not end so.
        turned: what turns of pieces solve; None if that was not searched.
    """

    assemblies: int
    labelled: int
    solutions: int
    levels: Counter[str] = field(default_factory=Counter)
    first: str = ""
    turned: Turned | None = None


class Search(Protocol):
    """A search for what solves a problem."""

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Searches; assemblies and solutions so far, after each assembly."""

    def found(self) -> Solved:
        """Return the result so far, also after an interrupt."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Assembly of a design that is to become a puzzle, and its goal.

    Attributes:
        problem: number of the problem, from 0.
        solution: number of the assembly among the solutions, from 0.
        stored: number the assemblies that the file holds instead.
        goal: what is to be done, one of the family's goals.
        colours: names of pieces, to be handed out in order.
    """

    problem: int
    solution: int
    stored: bool
    goal: str
    colours: "Sequence[Colour]"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A puzzle made of an assembly.

    Attributes:
        puzzle: the family's own data.
        level: how it comes apart, as designers write it.
    """

    puzzle: Any
    level: str


@dataclass(frozen=True, slots=True)
class Written:
    """A level as a file for designers' programs.

    Attributes:
        data: the file.
        pieces: how many there are in it.
        shapes: number of shapes.
    """

    data: bytes
    pieces: int
    shapes: int


class Design(Protocol):
    """Contents of a file: shapes, and problems that say what is to be built of them."""

    @property
    def problems(self) -> Sequence[str]:
        """Names of the problems, in order; empty text for those without a name."""

    def search(self, problem: int, *, everything: bool, rotations: bool) -> Search:
        """Return a search for the solutions of a problem.

        Args:
            problem: its number, from 0.
            everything: go on after the first solution.
            rotations: search those that stay together with turns of pieces too.
        """

    def choose(self, choice: Choice, count: CountListener) -> Chosen:
        """Return the puzzle of one assembly; ``count`` is told of those that are looked at.

        Raises:
            DesignError: there is no such assembly, or it can't be a puzzle of the family.
        """


class Designs(Protocol):
    """Designs of one family."""

    @property
    def family(self) -> str:
        """The family's name."""

    @property
    def reads(self) -> Sequence[str]:
        """Extensions of its files: ``.puz``."""

    @property
    def writes(self) -> str:
        """Extension of a file that :meth:`write` makes."""

    @property
    def goals(self) -> Sequence[str]:
        """Goals of a puzzle of a design, the usual one first."""

    def read(self, path: Path) -> Design:
        """Return the design in a file.

        Raises:
            DesignError: it is none, or damaged.
            OSError: it can't be read.
        """

    def of(self, level: "Level[Any]") -> Design:
        """Return a level of the family as a design with one problem."""

    def write(self, level: "Level[Any]") -> Written:
        """Return a level of the family as a file.

        Raises:
            DesignError: such a file can't hold it.
        """

    def budget(self, plan: "Plan | None") -> int:
        """Return the steps that an agent gets for a puzzle with such a plan."""

    def graded(self, level: "Level[Any]") -> "Level[Any]":
        """Return the level with its facts and the tier that follows."""

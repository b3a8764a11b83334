"""A puzzle as its designer writes it: shapes, and problems that use them.

Unlike a level it says nothing of how the pieces go together; that is for the solver to find out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pysim.designs import DesignError
from pysim.geometry import Cell, Voxels

__all__ = [
    "ANY",
    "Design",
    "DesignError",
    "DrawnShape",
    "PartUse",
    "Problem",
    "StoredAssembly",
    "StoredSearch",
]

ANY = 0
"""The colour constraint of a voxel that may go anywhere."""


@dataclass(frozen=True)
class DrawnShape:
    """A drawn shape: a piece, or what the pieces are to fill.

    Attributes:
        size: the drawing's extent along x, y, z; cells lie inside, empty margins are kept.
        filled: cells that are filled.
        variable: cells that may be filled or not; only in a goal.
        colours: cell -> colour constraint, 1-based; cells without one are not listed.
        hotspot: the point of the piece that stored placements tell the place of.
        name: what the designer called it, or empty.
        weight: the designer's weight; where a group comes apart, the side with the heaviest piece
            stays and the other one counts as taken away.
    """

    size: Cell
    filled: frozenset[Cell]
    variable: frozenset[Cell] = frozenset()
    colours: Mapping[Cell, int] = field(default_factory=dict, hash=False)
    hotspot: Cell = (0, 0, 0)
    name: str = ""
    weight: int = 1

    @property
    def voxels(self) -> Voxels:
        """The filled cells, where they are drawn.

        Raises:
            InputError: none is filled.
        """
        return Voxels.from_cells(self.filled)


@dataclass(frozen=True, slots=True)
class PartUse:
    """Use of a shape, and the others with which it may stay together.

    Attributes:
        shape: index of the shape.
        minimum, maximum: how many copies are used.
        group: pieces of the same group, if it is not 0, need not come apart from each other; this
            is the group of every copy.
        groups: where copies belong to several groups, ``(group, how many copies at most)`` for
            each; ``group`` is 0 then. Pieces need not come apart from each other if there is a
            group that takes as many copies of every part as there are among them.
    """

    shape: int
    minimum: int
    maximum: int
    group: int = 0
    groups: tuple[tuple[int, int], ...] = ()

    @property
    def memberships(self) -> tuple[tuple[int, int], ...]:
        """``(group, how many copies may count as members)``, however the file says it."""
        return ((self.group, self.maximum),) if self.group else self.groups


@dataclass(frozen=True, slots=True)
class StoredAssembly:
    """An assembly that a file holds, with what it says of its taking apart.

    Attributes:
        placements: for each copy of each part in order, ``(x, y, z, t)`` as in the file: where the
            hotspot lands and the file's number of the turn (24 to 47 mirrored); None if unused.
        separation: the file's own XML of how it comes apart, kept as it is; empty if none.
        assembly_number, solution_number: its places, from 0, among all assemblies and all
            solutions that the search found, of which a file may hold only some.
    """

    placements: tuple[tuple[int, int, int, int] | None, ...]
    separation: str = ""
    assembly_number: int = 0
    solution_number: int = 0


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """Earlier search for solutions that a file reports; None where it is silent.

    Attributes:
        finished: whether the search went to its end.
        assemblies, solutions: how many it found; solutions come apart.
        seconds: how long it took.
    """

    finished: bool
    assemblies: int | None = None
    solutions: int | None = None
    seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Goal of a problem, and its parts.

    Attributes:
        name: what the designer called it, or empty.
        parts: the pieces.
        goal: index of the shape to fill: every filled cell is covered once, every variable one at
            most once, nothing else.
        allowed: pairs (piece colour, goal colour), both 1-based: which coloured voxels may be
            where. A voxel without a constraint fits anywhere.
        max_holes: most variable cells that may stay empty; None for any number. It says nothing
            where the number of pieces can't vary.
        assemblies: stored solutions.
        search: what the file says of the search that found them; None if there was none.
    """

    name: str
    parts: tuple[PartUse, ...]
    goal: int
    allowed: frozenset[tuple[int, int]] = frozenset()
    max_holes: int | None = None
    assemblies: tuple[StoredAssembly, ...] = ()
    search: StoredSearch | None = None


@dataclass(frozen=True, slots=True)
class Design:
    """A design file.

    Attributes:
        shapes: all drawn shapes, in order.
        problems: in order.
        palette: (red, green, blue) of each colour constraint, 0 to 255.
        comment: the designer's words.
        popup: whether the comment is to be shown when the file is opened.
    """

    shapes: tuple[DrawnShape, ...]
    problems: tuple[Problem, ...]
    palette: tuple[tuple[int, int, int], ...] = ()
    comment: str = ""
    popup: bool = False

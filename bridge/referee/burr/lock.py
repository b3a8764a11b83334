"""Locks as level documents write them (docs/levels.md): pieces as sets of cells."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from bridge.referee.documents import (
    Plan,
    get_facts,
    get_puzzle,
    get_tier,
    plan_of,
    read_int,
    read_mapping,
    read_sequence,
    read_text,
)
from bridge.referee.polycubes import (
    Cell,
    Shape,
    find_low_corner,
    move_to_origin,
    parse_layers,
    parse_turn,
    rotate,
    translate,
)

__all__ = ["GOALS", "Lock", "compute_bounds", "read_lock"]

GOALS = ("disassemble", "key", "assemble")
Companions = tuple[tuple[frozenset[int], int], ...]
"""Sets of pieces, each with how many of them may be among pieces that stay together."""

# On a stick of length 6 along x, under layer at z = 0, front row at y = 0; in the order of the bits
# of the piece number less one.
_NOTCHES = [(x, y, 1) for y in (0, 1) for x in (1, 2, 3, 4)]
_NOTCHES += [(x, y, 0) for y in (0, 1) for x in (2, 3)]


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock's puzzle, and what its document claims of it.

    Attributes:
        goal: one of :data:`GOALS`.
        colours: the pieces' names, in order.
        shapes: each piece as it is drawn, low corner at the origin.
        homes: each piece in the assembled lock.
        companions: groups of pieces that may stay together.
        plan: what is said of its solution, if anything.
        facts: what was measured.
        tier: how hard it is said to be.
    """

    goal: str
    colours: tuple[str, ...]
    shapes: tuple[Shape, ...]
    homes: tuple[Shape, ...]
    companions: tuple[Companions, ...]
    plan: Plan | None
    facts: Mapping[str, object]
    tier: str

    def may_stay(self, pieces: Sequence[int]) -> bool:
        """Return whether some pieces need not be separated from each other."""
        return len(pieces) == 1 or any(_include(group, set(pieces)) for group in self.companions)


def compute_bounds(cells: Iterable[Cell]) -> tuple[Cell, Cell]:
    """Return the low and the high corner of the block around cells; both belong to it."""
    own = tuple(cells)
    x, y, z = (max(axis) for axis in zip(*own, strict=True))
    return find_low_corner(own), (x, y, z)


def read_lock(document: Mapping[str, object]) -> Lock:
    """Read a lock from a level document.

    Raises:
        ValueError: it is no lock, or something is missing or impossible.
    """
    puzzle = get_puzzle(document)
    goal = read_text(puzzle.get("goal"), "the goal")
    if goal not in GOALS:
        raise ValueError(f"a goal is one of {', '.join(GOALS)}, not {goal!r:.80}")
    pieces = [
        read_mapping(piece, "a piece")
        for piece in read_sequence(puzzle.get("pieces"), "the pieces")
    ]
    colours = tuple(read_text(piece.get("colour"), "a colour") for piece in pieces)
    shapes = tuple(map(_shape, pieces))
    homes = tuple(_home(shape, piece) for shape, piece in zip(shapes, pieces, strict=True))
    if len(pieces) < 2 or len(frozenset().union(*homes)) < sum(map(len, homes)):
        raise ValueError("a lock has at least two pieces, and no cell is in two of them")
    numbers = {colour: i for i, colour in enumerate(colours)}
    groups = read_sequence(puzzle.get("companions", []), "the companions")
    return Lock(
        goal=goal,
        colours=colours,
        shapes=shapes,
        homes=homes,
        companions=tuple(_group(group, numbers) for group in groups),
        plan=plan_of(document),
        facts=get_facts(document),
        tier=get_tier(document),
    )


def _include(group: Companions, pieces: set[int]) -> bool:
    named = {piece for members, _ in group for piece in members}
    return pieces <= named and all(len(members & pieces) <= most for members, most in group)


def _group(entries: object, numbers: Mapping[str, int]) -> Companions:
    found = []
    for value in read_sequence(entries, "companions"):
        entry = read_mapping(value, "companions")
        names = [read_text(n, "a colour") for n in read_sequence(entry.get("pieces"), "companions")]
        if not numbers.keys() >= set(names):
            raise ValueError("companions name a piece that there is not")
        found.append(
            (frozenset(numbers[n] for n in names), read_int(entry.get("most"), "the most"))
        )
    return tuple(found)


def _shape(piece: Mapping[str, object]) -> Shape:
    if piece.get("layers") is not None:
        return parse_layers(read_sequence(piece["layers"], "the layers"), "a piece")
    length, bits = (
        read_int(piece.get("length"), "a length"),
        read_int(piece.get("number"), "a number") - 1,
    )
    removed = {
        (x + (length - 6) // 2, y, z) for i, (x, y, z) in enumerate(_NOTCHES) if bits >> i & 1
    }
    return move_to_origin(frozenset(product(range(length), range(2), range(2))) - removed)


def _home(shape: Shape, piece: Mapping[str, object]) -> Shape:
    x, y, z = (read_int(v, "a coordinate") for v in read_sequence(piece.get("cell"), "a cell"))
    return translate(move_to_origin(rotate(shape, parse_turn(piece.get("rotation")))), (x, y, z))

"""Pieces on the faces of a cube, by coordinates about its middle.

The frame is that of MARBLE: x to the right, y up, z towards the front; cells are from -2 to 2. A
piece is drawn in a plane with u to the right and v up; the eight ways to lay it down are the
matrices that keep the square, and which edges are then on the left and on top is read off where
their middles get.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

from bridge.referee.documents import PlanStep, get_puzzle, read_mapping, read_sequence, read_text
from bridge.referee.polycubes import Cell
from bridge.referee.vectors import compute_cross

__all__ = [
    "EDGES",
    "FACES",
    "SURFACE",
    "Filled",
    "Lying",
    "OnCube",
    "Puzzle",
    "Replay",
    "compute_cells",
    "enumerate_placements",
    "is_turned_over",
    "is_whole",
    "read_puzzle",
    "replay",
]

PieceCells = frozenset[tuple[int, int]]
"""The cells (u, v) of a piece as it is drawn."""
Filled = frozenset[Cell]
Lying = tuple[str, str, str]
"""The face, and which edges of the piece are on the left and on top."""
OnCube = Mapping[str, Lying]
"""Colour of a piece -> how it lies on the cube."""

FACES: Mapping[str, tuple[Cell, Cell]] = {
    "Front": ((1, 0, 0), (0, -1, 0)),
    "Back": ((-1, 0, 0), (0, -1, 0)),
    "Left": ((0, 0, 1), (0, -1, 0)),
    "Right": ((0, 0, -1), (0, -1, 0)),
    "Top": ((1, 0, 0), (0, 0, 1)),
    "Bottom": ((1, 0, 0), (0, 0, -1)),
}
"""What is to the right and what is down, looking at a face from outside."""
EDGES: Mapping[str, tuple[int, int]] = {
    "left": (-1, 0),
    "top": (0, 1),
    "right": (1, 0),
    "bottom": (0, -1),
}
"""Where the middle of each edge of a piece is, as it is drawn."""
_MIDDLE = frozenset(product((-1, 0, 1), repeat=2))
SURFACE = frozenset(c for c in product(range(-2, 3), repeat=3) if 2 in map(abs, c))


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Six pieces by colour, and those that lie on the cube from the start."""

    pieces: Mapping[str, PieceCells]
    start: OnCube


@dataclass(frozen=True, slots=True)
class Replay:
    """State after some actions.

    Attributes:
        laid: the pieces on the cube.
        done: how many actions were done.
        refusal: why the next one is refused; empty if none is left.
        whole_after: after how many actions the cube was whole; None if it never was.
    """

    laid: OnCube
    done: int
    refusal: str
    whole_after: int | None


def _start(colour: str, value: object) -> Lying:
    """Return the first placement of a piece."""
    words = [read_text(one, "a word of a start") for one in read_sequence(value, "a start")]
    if (way := _way(words)) is None:
        raise ValueError(f"{colour:.40} can't lie so: {words!r:.80}")
    return way


def read_puzzle(document: Mapping[str, object]) -> Puzzle:
    """Return the puzzle of a level document.

    Raises:
        ValueError: it is malformed.
    """
    pieces: dict[str, PieceCells] = {}
    start: dict[str, Lying] = {}
    for value in read_sequence(get_puzzle(document).get("pieces"), "the pieces"):
        piece = read_mapping(value, "a piece")
        colour = read_text(piece.get("colour"), "a colour")
        if colour in pieces:
            raise ValueError(f"two pieces are {colour:.40}")
        pieces[colour] = _shape(read_sequence(piece.get("rows"), "the rows of a piece"))
        if "start" in piece:
            start[colour] = _start(colour, piece["start"])
    if len(pieces) != len(FACES):
        raise ValueError(f"a cube has six pieces, not {len(pieces)}")
    return Puzzle(pieces, start)


def compute_cells(shape: PieceCells, way: Lying) -> Filled:
    """Return the cells of the cube that a piece fills."""
    face, left, top = way
    matrix = _matrices()[left, top]
    right, down = FACES[face]
    out = compute_cross(down, right)
    found = set()
    for u, v in shape:
        across = matrix[0][0] * u + matrix[0][1] * v
        above = matrix[1][0] * u + matrix[1][1] * v
        found.add(
            (
                2 * out[0] + across * right[0] - above * down[0],
                2 * out[1] + across * right[1] - above * down[1],
                2 * out[2] + across * right[2] - above * down[2],
            )
        )
    return frozenset(found)


def is_turned_over(way: Lying) -> bool:
    """Return whether the drawn side of a piece looks into the cube."""
    (a, b), (c, d) = _matrices()[way[1], way[2]]
    return a * d - b * c < 0


def enumerate_placements() -> Iterator[Lying]:
    """Yield the 48 ways to lay a piece."""
    yield from ((face, left, top) for face in FACES for left, top in _matrices())


def replay(puzzle: Puzzle, steps: Iterable[PlanStep]) -> Replay:
    """Do actions until one is refused."""
    laid, done, whole = dict(puzzle.start), 0, None
    for step in steps:
        refusal = _do(puzzle, laid, step)
        if refusal:
            return Replay(laid, done, refusal, whole)
        done += 1
        if whole is None and is_whole(puzzle, laid):
            whole = done
    return Replay(laid, done, "", whole)


def is_whole(puzzle: Puzzle, laid: OnCube) -> bool:
    """Return whether every cell of the surface is filled once."""
    filled = [
        cell for colour, way in laid.items() for cell in compute_cells(puzzle.pieces[colour], way)
    ]
    return len(filled) == len(SURFACE) and set(filled) == SURFACE


def _do(puzzle: Puzzle, laid: dict[str, Lying], step: PlanStep) -> str:
    """Do an action to ``laid``, or say why it is refused."""
    arguments = dict(step.arguments)
    colour = str(arguments.pop("piece", ""))
    if colour not in puzzle.pieces:
        return f"UNKNOWN_COLOUR: {colour:.40}"
    if step.name == "detach" and not arguments:
        return "" if laid.pop(colour, None) else f"ALREADY_FREE: {colour}"
    if step.name != "attach" or set(arguments) != {"face", "left_edge", "top_edge"}:
        return f"no action is {step.name:.40} {dict(step.arguments)!r:.80}"
    way = _way([str(arguments[name]) for name in ("face", "left_edge", "top_edge")])
    if way is None:
        return f"BAD_VALUE: {arguments!r:.80}"
    if colour in laid:
        return f"NOT_FREE: {colour}"
    mine = compute_cells(puzzle.pieces[colour], way)
    if any(mine & compute_cells(puzzle.pieces[other], there) for other, there in laid.items()):
        return f"OVERLAP: {colour}"
    laid[colour] = way
    return ""


def _way(words: list[str]) -> Lying | None:
    if len(words) != 3 or words[0] not in FACES or (words[1], words[2]) not in _matrices():
        return None
    return words[0], words[1], words[2]


def _shape(rows: object) -> PieceCells:
    lines = [read_text(row, "a row") for row in read_sequence(rows, "rows")]
    if len(lines) != 5 or any(len(line) != 5 or set(line) - {"#", "."} for line in lines):
        raise ValueError(f"a piece has five rows of five # and ., unlike {lines!r:.80}")
    shape = frozenset(
        (column - 2, 2 - row)
        for row, line in enumerate(lines)
        for column, sign in enumerate(line)
        if sign == "#"
    )
    if not shape >= _MIDDLE:
        raise ValueError("the middle of a piece is not filled")
    return shape


_Square = tuple[tuple[int, int], tuple[int, int]]


@cache
def _matrices() -> Mapping[tuple[str, str], _Square]:
    """Map the edges on the left and on top to the matrix that lays a piece so."""
    found: dict[tuple[str, str], _Square] = {}
    for a, b in product((1, -1), repeat=2):
        for matrix in (((a, 0), (0, b)), ((0, a), (b, 0))):
            there = {
                (
                    matrix[0][0] * u + matrix[0][1] * v,
                    matrix[1][0] * u + matrix[1][1] * v,
                ): name
                for name, (u, v) in EDGES.items()
            }
            found[there[EDGES["left"]], there[EDGES["top"]]] = matrix
    return found

"""The rules of filling a box, as ``docs/packing.md`` has them, in plain sets of cells."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bridge.referee.documents import (
    PlanStep,
    get_puzzle,
    read_int,
    read_mapping,
    read_sequence,
    read_text,
)
from bridge.referee.polycubes import (
    Cell,
    RotationMatrix,
    Shape,
    is_same_shape,
    make_block,
    move_to_origin,
    parse_layers,
    parse_turn,
    rotate,
    translate,
)

from .statics import is_stable

__all__ = [
    "SIDES",
    "Box",
    "IllegalAction",
    "Places",
    "Replay",
    "apply",
    "free_way",
    "read_box",
    "replay",
]

SIDES: Mapping[str, Cell] = MappingProxyType(
    {
        "+z": (0, 0, 1),
        "+x": (1, 0, 0),
        "-x": (-1, 0, 0),
        "+y": (0, 1, 0),
        "-y": (0, -1, 0),
        "-z": (0, 0, -1),
    }
)
"""The six directions, that of the top first."""
_OPPOSITE = str.maketrans("+-", "-+")

Places = Mapping[str, Shape]
"""The cells of each piece that is in the box, by colour."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box to be filled.

    Attributes:
        size: cells along x, y and z.
        gravity: whether pieces have to be supported.
        open: the sides without a wall.
        pieces: each shape, with the low corner at the origin, by colour.
    """

    size: Cell
    gravity: bool
    open: frozenset[str]
    pieces: Mapping[str, Shape]

    @property
    def cells(self) -> Shape:
        """All cells of the box."""
        return make_block(self.size)


class IllegalAction(Exception):
    """An action that the rules don't allow.

    Attributes:
        reason: one of the codes of ``docs/actions.md``.
    """

    def __init__(self, reason: str, words: str) -> None:
        super().__init__(words)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Replay:
    """Result of a sequence of actions.

    Attributes:
        done: actions that were carried out.
        places: the cells of the pieces in the box after these.
        refusal: why the next action was refused, with its reason; None if there is no next.
        solved_after: actions after which the box was full for the first time, or None.
    """

    done: int
    places: Places
    refusal: IllegalAction | None
    solved_after: int | None


def read_box(document: Mapping[str, object]) -> Box:
    """Return the puzzle of a level document.

    Raises:
        ValueError: something is missing or of the wrong kind, or the pieces can't fill the box.
    """
    puzzle = get_puzzle(document)
    x, y, z = _size(puzzle.get("size"))
    gravity = puzzle.get("gravity")
    if not isinstance(gravity, bool):
        raise ValueError(f"gravity is true or false, not {gravity!r:.80}")
    sides = frozenset(
        read_text(side, "a side") for side in read_sequence(puzzle.get("open"), "open")
    )
    if not sides or sides - SIDES.keys():
        raise ValueError(f"open sides are some of {', '.join(SIDES)}, not {sorted(sides)}")
    box = Box((x, y, z), gravity, sides, MappingProxyType(_pieces(puzzle.get("pieces"))))
    filled = sum(map(len, box.pieces.values()))
    if filled != x * y * z:
        raise ValueError(f"the pieces have {filled} cells, the box has {x * y * z}")
    return box


def replay(document: Mapping[str, object], actions: Iterable[PlanStep]) -> Replay:
    """Play actions from the empty box, up to the first that is refused."""
    box, places, done, solved = read_box(document), dict[str, Shape](), 0, None
    for step in actions:
        try:
            places = dict(apply(box, places, step))
        except IllegalAction as refusal:
            return Replay(done, places, refusal, solved)
        done += 1
        if solved is None and len(places) == len(box.pieces):
            solved = done
    return Replay(done, places, None, solved)


def apply(box: Box, places: Places, step: PlanStep) -> Places:
    """Return the pieces in the box after one action.

    Raises:
        Refused: the action is not allowed, or makes no sense.
        StaticsError: it could not be decided whether the pieces stay.
    """
    match step.name:
        case "place":
            arguments = _arguments(step, {"piece", "cells"}, {"direction"})
            cells, direction = _cells(arguments["cells"]), _direction(arguments)
            return _put(box, places, _colour(box, arguments), cells, direction)
        case "place_at":
            arguments = _arguments(step, {"piece", "rotation", "cell"}, {"direction"})
            (cell, turn), direction = _spot(arguments), _direction(arguments)
            colour = _colour(box, arguments)
            cells = translate(move_to_origin(rotate(box.pieces[colour], turn)), cell)
            return _put(box, places, colour, cells, direction)
        case "pick_up":
            return _take(box, places, _colour(box, _arguments(step, {"piece"}, set())))
    raise IllegalAction("UNKNOWN_ACTION", f"there is no action {step.name!r:.40}")


def free_way(box: Box, cells: Shape, others: Iterable[Cell], side: str) -> bool:
    """Whether a piece can leave straight towards a side, or come from there: no cell in its way."""
    there, obstacles, inside = cells, frozenset(others), box.cells
    while there & inside:
        if there & obstacles:
            return False
        there = translate(there, SIDES[side])
    return True


def _put(box: Box, places: Places, colour: str, cells: Shape, direction: str) -> Places:
    side = direction.translate(_OPPOSITE)
    if colour in places:
        raise IllegalAction("NOT_FREE", f"{colour} is in the box already")
    if not is_same_shape(box.pieces[colour], cells):
        raise IllegalAction("BAD_VALUE", f"these cells don't have the shape of {colour}")
    if side not in box.open:
        raise IllegalAction("UNREACHABLE", f"the box has a wall on the side {side}")
    if not cells <= box.cells:
        raise IllegalAction("OUT_OF_BOUNDS", f"{colour} would stick out of the box")
    filled = frozenset[Cell]().union(*places.values())
    if cells & filled:
        raise IllegalAction("OVERLAP", f"{colour} would be where {_owners(places, cells)} is")
    if not free_way(box, cells, filled, side):
        raise IllegalAction("BLOCKED", f"the way in of {colour} from {side} is not free")
    return _settled(box, {**places, colour: cells}, f"with {colour} there")


def _take(box: Box, places: Places, colour: str) -> Places:
    if colour not in places:
        raise IllegalAction("ALREADY_FREE", f"{colour} is not in the box")
    left = {other: cells for other, cells in places.items() if other != colour}
    filled = frozenset[Cell]().union(*left.values())
    if not any(free_way(box, places[colour], filled, side) for side in box.open):
        raise IllegalAction("BLOCKED", f"{colour} has no free way out")
    return _settled(box, left, f"without {colour}")


def _settled(box: Box, places: Places, when: str) -> Places:
    if box.gravity and not is_stable(list(places.values())):
        raise IllegalAction("UNSTABLE", f"{when}, not all pieces would stay")
    return places


def _owners(places: Places, cells: Shape) -> str:
    return ", ".join(colour for colour, own in places.items() if own & cells)


def _arguments(step: PlanStep, needed: set[str], optional: set[str]) -> Mapping[str, object]:
    given = set(step.arguments)
    if needed - given:
        raise IllegalAction(
            "MISSING_FIELD", f"{step.name} needs {', '.join(sorted(needed - given))}"
        )
    if given - needed - optional:
        raise IllegalAction(
            "UNKNOWN_FIELD", f"{step.name} has no {sorted(given - needed - optional)}"
        )
    return step.arguments


def _colour(box: Box, arguments: Mapping[str, object]) -> str:
    colour = arguments["piece"]
    if not isinstance(colour, str):
        raise IllegalAction("BAD_VALUE", f"a piece is named by its colour, not {colour!r:.40}")
    if colour not in box.pieces:
        raise IllegalAction("UNKNOWN_COLOUR", f"there is no piece {colour!r:.40}")
    return colour


def _direction(arguments: Mapping[str, object]) -> str:
    direction = arguments.get("direction", "-z")
    if not isinstance(direction, str) or direction not in SIDES:
        raise IllegalAction("BAD_VALUE", f"{direction!r:.40} is no direction")
    return direction


def _cells(value: object) -> Shape:
    try:
        cells = [_cell(cell) for cell in read_sequence(value, "cells")]
    except ValueError as error:
        raise IllegalAction("BAD_VALUE", str(error)) from None
    if not cells:
        raise IllegalAction("BAD_VALUE", "cells are a list of at least one")
    return frozenset(cells)


def _spot(arguments: Mapping[str, object]) -> tuple[Cell, RotationMatrix]:
    try:
        return _cell(arguments["cell"]), parse_turn(arguments["rotation"])
    except ValueError as error:
        raise IllegalAction("BAD_VALUE", str(error)) from None


def _cell(value: object) -> Cell:
    numbers = [read_int(number, "a coordinate") for number in read_sequence(value, "a cell")]
    if len(numbers) != 3:
        raise ValueError(f"a cell has three coordinates, unlike {numbers!r:.40}")
    return numbers[0], numbers[1], numbers[2]


def _size(value: object) -> Cell:
    size = _cell(value)
    if min(size) < 1:
        raise ValueError(f"the sides of a box are at least 1, unlike {size}")
    return size


def _pieces(value: object) -> dict[str, Shape]:
    found: dict[str, Shape] = {}
    for entry in read_sequence(value, "pieces"):
        piece = read_mapping(entry, "a piece")
        colour = read_text(piece.get("colour"), "a colour")
        if colour in found:
            raise ValueError(f"two pieces are {colour}")
        found[colour] = parse_layers(
            read_sequence(piece.get("layers"), f"{colour}: layers"), colour
        )
    return found

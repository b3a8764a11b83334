"""Cubes in words: the task and the state, for agents."""

from pysim.families.rubik.cube import Cube
from pysim.families.rubik.faces import Face, index_facelets
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.strings import Order, format_cube
from pysim.geometry import Direction, add, scale, subtract

__all__ = [
    "describe_letters",
    "describe_state",
    "write_instruction",
    "write_text_instruction",
]

_ORDER = "ULFRDB"


def write_instruction(puzzle: CubePuzzle) -> str:
    """Return the task in words."""
    return f"{_task()} {_WHAT_IS_SEEN[puzzle.setting]}"


def write_text_instruction(puzzle: CubePuzzle) -> str:
    """Return the task for agents that are sent no pictures."""
    return f"{_task()} {_LETTERS_SHOWN[puzzle.setting]}"


def _task() -> str:
    """Return the part of the task that all settings share."""
    centres = ", ".join(f"{Face(f)} {Face(f).colour}" for f in _ORDER)
    return (
        "This is a Rubik's cube of 3 x 3 x 3 cubies. Solve it: each face is to be of one colour. "
        "Turn one face by 90 degrees at a time with make_move, in Singmaster notation; a letter "
        "alone turns the face clockwise as seen when looking at it, with ' counter-clockwise. The "
        f"centres stay where they are: {centres}."
    )


_WHAT_IS_SEEN = {
    Setting.FULL_SYMBOLIC: (
        "You see the state as 54 letters, W white, R red, B blue, O orange, G green, Y yellow: the "
        "nine facelets of each face row by row, in the order U L F R D B, as they lie in the "
        "unfolded cross with F in the middle, U above it, L and R beside it, D below it and B "
        "below D. The first row of B is the one that touches D."
    ),
    Setting.FULL_VISUAL: (
        "You see a picture of all six faces: U on top, below it L, F and R side by side, below F "
        "then D, and B below D. The cube is unfolded, so that faces touch there along an edge that "
        "they share: U has B above it, D has F above it, L, F and R have U above them, and B, "
        "which hangs below D, has D above it."
    ),
    Setting.FACE_VIEW: (
        "You see a picture of one face at a time, at first F with U above it. "
        "apply_view_transformation goes to the face that lies above, below, left or right of it as "
        "you see it now; it does not turn the cube. Moves are named after faces, not after what is "
        "seen."
    ),
    Setting.VERTEX_VIEW: (
        "You see a picture of three faces at a time, from a corner: at first F on the left, R on "
        "the right and U above. apply_view_transformation goes to the next corner and does not "
        "turn the cube: left and right keep the face above, and bring another one in from that "
        "side; up and down keep the face on the right. Moves are named after faces, not after what "
        "is seen."
    ),
}

_LETTERS = "W white, R red, B blue, O orange, G green, Y yellow"
_LETTERS_SHOWN = {
    Setting.FULL_SYMBOLIC: _WHAT_IS_SEEN[Setting.FULL_SYMBOLIC],
    Setting.FULL_VISUAL: _WHAT_IS_SEEN[Setting.FULL_SYMBOLIC],
    Setting.FACE_VIEW: (
        f"The state tells one face at a time, as letters, {_LETTERS}: its rows from top to bottom, "
        "at first those of F with U above it. apply_view_transformation goes to the face that lies "
        "above, below, left or right of it as it is told now; it does not turn the cube. Moves are "
        "named after faces."
    ),
    Setting.VERTEX_VIEW: (
        f"The state tells three faces around a corner at a time, as letters, {_LETTERS}: the rows "
        "of each from top to bottom, at first F on the left and R on the right, both with U above "
        "them, and U with F below it. apply_view_transformation goes to the next corner and does "
        "not turn the cube: left and right keep the face above, and bring another one in from that "
        "side; up and down keep the face on the right. Moves are named after faces."
    ),
}


def describe_letters(puzzle: CubePuzzle, state: CubeState) -> str:
    """Return the letters of the faces that the setting shows, for agents without pictures."""
    above, away = state.above, state.front.opposite
    front = f"Face {Face.from_direction(state.front)}"
    right, top = Face.from_direction(state.right), Face.from_direction(above)
    match puzzle.setting:
        case Setting.FACE_VIEW:
            return f"{front}, {top} above: {_rows(state.cube, state.front, above)}"
        case Setting.VERTEX_VIEW:
            return (
                f"{front} (left): {_rows(state.cube, state.front, above)}\n"
                f"Face {right} (right): {_rows(state.cube, state.right, above)}\n"
                f"Face {top} (above): {_rows(state.cube, above, away)}"
            )
        case _:
            return format_cube(state.cube, Order.DRAWN)


def _rows(cube: Cube, side: Direction, up: Direction) -> str:
    """Return three rows of letters of a face as an observer sees it with ``up`` above it."""
    (ax, ay, az), (bx, by, bz) = up.vector, side.vector
    right = (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    text, index = format_cube(cube, Order.SOLVER), index_facelets()
    corner = add(subtract(side.vector, right), up.vector)
    return " ".join(
        "".join(
            text[index[add(corner, subtract(scale(right, k), scale(up.vector, row))), side]]
            for k in range(3)
        )
        for row in range(3)
    )


def describe_state(puzzle: CubePuzzle, state: CubeState) -> str:
    """The 54 letters where the setting shows them; else what is looked at, and no sticker."""
    match puzzle.setting:
        case Setting.FULL_SYMBOLIC:
            return format_cube(state.cube, Order.DRAWN)
        case Setting.FULL_VISUAL:
            return "All six faces are in the picture."
        case Setting.FACE_VIEW:
            front, above = map(Face.from_direction, (state.front, state.above))
            return f"Face {front} is in the picture, with {above} above it."
        case Setting.VERTEX_VIEW:
            front, right, above = map(Face.from_direction, (state.front, state.right, state.above))
            return f"Faces {front} (left), {right} (right) and {above} (above) are in the picture."

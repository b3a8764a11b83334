"""Cubes in words: the task and the state, for agents."""

from pysim.families.rubik.faces import Face
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.strings import Order, format_cube

__all__ = ["describe_state", "encode_state", "instruction_for"]

_ORDER = "ULFRDB"


def instruction_for(puzzle: CubePuzzle) -> str:
    """The task in words."""
    centres = ", ".join(f"{Face(f)} {Face(f).colour}" for f in _ORDER)
    return (
        "This is a Rubik's cube of 3 x 3 x 3 cubies. Solve it: each face is to be of one colour. "
        "Turn one face by 90 degrees at a time with make_move, in Singmaster notation; a letter "
        "alone turns the face clockwise as seen when looking at it, with ' counter-clockwise. The "
        f"centres stay where they are: {centres}. {_WHAT_IS_SEEN[puzzle.setting]}"
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


def describe_state(puzzle: CubePuzzle, state: CubeState) -> str:
    """The 54 letters where the setting shows them; else what is looked at, and no sticker."""
    match puzzle.setting:
        case Setting.FULL_SYMBOLIC:
            return format_cube(state.cube, Order.DRAWN)
        case Setting.FULL_VISUAL:
            return "All six faces are in the picture."
        case Setting.FACE_VIEW:
            front, above = map(Face.on, (state.front, state.above))
            return f"Face {front} is in the picture, with {above} above it."
        case Setting.VERTEX_VIEW:
            front, right, above = map(Face.on, (state.front, state.right, state.above))
            return f"Faces {front} (left), {right} (right) and {above} (above) are in the picture."


def encode_state(state: CubeState) -> str:
    """A canonical text: the letters, and how the observer is turned."""
    return f"{format_cube(state.cube)} {state.gaze.index}"

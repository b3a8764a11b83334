"""Cubes in words: the task and the state, for agents."""

from pysim.families.rubik.faces import Face
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.strings import format_cube
from pysim.geometry import Direction

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
        "unfolded cross with F in the middle, U above, L and R beside it, D below and B beyond R."
    ),
    Setting.FULL_VISUAL: "You see pictures of all six faces, as they lie in the unfolded cross.",
    Setting.FACE_VIEW: (
        "You see one face at a time, at first F with U above. apply_view_transformation goes to "
        "the face above, below, left or right of it and does not turn the cube."
    ),
    Setting.VERTEX_VIEW: (
        "You see three faces at a time from a corner, at first F, R and U. "
        "apply_view_transformation goes to the next corner up, down, left or right and does not "
        "turn the cube."
    ),
}


def describe_state(puzzle: CubePuzzle, state: CubeState) -> str:
    """One line per centre; then all letters, if the setting shows them, or where one looks."""
    text = format_cube(state.cube)
    lines = []
    for k, letter in enumerate(_ORDER):
        shown = text[9 * k : 9 * k + 9] if puzzle.setting is Setting.FULL_SYMBOLIC else ""
        lines.append(f"{Face(letter).colour}: face {letter} {shown}".rstrip())
    if puzzle.setting is Setting.FULL_SYMBOLIC:
        lines.append(text)
    elif puzzle.setting is Setting.FACE_VIEW:
        lines.append(f"seen: face {_face(state.front)}, above it {_face(state.above)}")
    elif puzzle.setting is Setting.VERTEX_VIEW:
        seen = " ".join(_face(side) for side in (state.front, state.right, state.above))
        lines.append(f"seen: faces {seen} (left, right, above)")
    return "\n".join(lines)


def encode_state(state: CubeState) -> str:
    """A canonical text: the letters, and how the observer is turned."""
    return f"{format_cube(state.cube)} {state.gaze.index}"


def _face(side: Direction) -> str:
    return next(face.value for face in Face if face.side is side)

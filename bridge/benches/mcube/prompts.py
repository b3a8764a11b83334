"""Prompts: MARBLE's tasks and contracts (appendix A.2) in Luban's words."""

from collections.abc import Sequence

from bridge.benches.mcube.answer_formats import ArrayForm, PlacementForm, Placements
from bridge.benches.mcube.condition import CubeCondition
from bridge.benches.mcube.cubes import LETTERS, AskedCube
from pysim.families.jigsaw.faces import Edge, Seat, ShellFace
from pysim.families.jigsaw.shell import PieceRows

__all__ = [
    "format_cube_system",
    "format_cube_text",
    "format_reading_system",
    "format_reading_text",
    "format_retry",
]

_AXES = {"x": "x", "y": "z", "z": "y"}
"""The paper's axes: x to the right, y up, z towards the front; Luban's z is up."""

_CUBE = """\
Six flat jigsaw pieces, A to F, are the faces of a hollow cube. A piece is a square of 5 x 5 \
cells, one cell thick. Its middle 3 x 3 cells are always there; of the 16 cells around them \
some are there (teeth) and some are not (notches). Put together, the pieces make a cube of 5 x \
5 x 5 cells: every cell on its surface is filled by exactly one piece, with no gap and no \
overlap. Along an edge of the cube two pieces meet, at a corner three.

The edges of a piece have numbers, as it is drawn: 1 left, 2 top, 3 right, 4 bottom. A piece \
may be turned by quarters{flipping}.

The faces of the cube are Front, Back, Left, Right, Top and Bottom. Axes: x to the right, y up,\
 z towards the front. Each face is looked at from outside, with these directions to the right \
and down:
{views}

Answer with one line for each piece {which}, and nothing else after them:
A: (Face, LeftEdge, TopEdge)
Face is where the piece goes; LeftEdge and TopEdge are the numbers of its edges that are on the\
 left and on top when that face is looked at as above. As it is drawn a piece has LeftEdge 1 \
and TopEdge 2. {turned}For instance: "{example}". Each face gets one piece."""

_TURNED_OVER = """\
Turned over about its vertical middle line it has LeftEdge 3 and TopEdge 2. """

_CAMERA = """\
{it} lies flat, and the camera looks down on it from its near side: from beyond its bottom edge, \
or from somewhere between the bottom and the right edge. So the top edge is the far one, the \
left edge is to the left."""

_EXAMPLE = Seat(ShellFace.TOP, Edge.BOTTOM, Edge.LEFT)
_PLAIN: PieceRows = (".....", ".###.", ".###.", ".###.", ".....")


def format_cube_system(condition: CubeCondition, cube: AskedCube) -> str:
    """Return the task of putting a cube together, and the form of the answer."""
    flips = condition.flips
    return _CUBE.format(
        flipping=", and turned over" if flips else "; none has to be turned over",
        views="\n".join(
            f"{face}: right {_way(face.right)}, down {_way(face.down)}" for face in ShellFace
        ),
        which="A to F" if not cube.given else "that is still missing",
        turned=_TURNED_OVER if flips else "",
        example=PlacementForm((), (), flips).format(((0, _EXAMPLE),)),
    )


def format_cube_text(condition: CubeCondition, cube: AskedCube) -> str:
    """Return the question: the pieces, and where the given ones are."""
    parts = [_shown() if condition.pictured else _listed(cube.pieces)]
    if cube.given:
        given: Placements = tuple(cube.given.items())
        lines = PlacementForm((), (), False).format(given)
        missing = " and ".join(LETTERS[i] for i in cube.missing)
        verb = "is" if len(cube.missing) == 1 else "are"
        parts.append(
            f"{_count(len(given))} already in place, and right:\n{lines}\n{missing} {verb} missing."
        )
    parts.append(
        "Where does each piece go?" if not cube.given else "Where does what is missing go?"
    )
    return "\n\n".join(parts)


def format_retry(feedback: str) -> str:
    """Return the question after a wrong answer."""
    return f"{feedback}\n\nTry again. Answer in the same form as before."


def format_reading_system() -> str:
    """Return the task of reading a piece off a picture, and the form of the answer."""
    return (
        "A jigsaw piece is a square of 5 x 5 cells, one cell thick. Its middle 3 x 3 cells are "
        "always there; of the 16 cells around them some are there and some are not. The piece is "
        f"shown in a picture. {_CAMERA.format(it='It')}\n\n"
        "Write the piece as an array of 5 rows with 5 numbers, 1 for a cell that is there and 0 "
        "for one that is not; the first row is the far one, at the top edge, and a row begins at "
        "the left edge. End with the array, written as\n"
        f"{ArrayForm().format(_PLAIN)}"
    )


def format_reading_text() -> str:
    """Return the question."""
    return "Which cells are there?"


def _way(direction: str) -> str:
    """Return a direction of Luban's in the paper's axes: +z is +y there, +y is -z."""
    sign, axis = direction[0], direction[1]
    if axis == "y":
        sign = "-" if sign == "+" else "+"
    return f"{sign}{_AXES[axis]}"


def _shown() -> str:
    return f"The pictures show the pieces A to F in this order. {_CAMERA.format(it='Each')}"


def _listed(pieces: Sequence[PieceRows]) -> str:
    form = ArrayForm()
    drawn = (f"{LETTERS[i]}:\n{form.format(rows)}" for i, rows in enumerate(pieces))
    return "The pieces, 1 where there is a cell and 0 where there is none:\n" + "\n".join(drawn)


def _count(number: int) -> str:
    words = ("One piece is", "Two pieces are", "Three pieces are", "Four pieces are")
    return (*words, "Five pieces are")[number - 1]

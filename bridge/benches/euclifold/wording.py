"""Prompts for agents: the paper's templates (4.2, appendices C to E) in Luban's own words."""

from collections.abc import Sequence

from bridge.benches.euclifold.condition import (
    EuclifoldCondition,
    Evidence,
    Prompting,
    SystemPrompt,
    Wording,
)
from pysim.families.nets.cube import ArrowColour, ArrowCube
from pysim.families.nets.faces import VISIBLE, CubeFace
from pysim.families.nets.folding import ArrowNet

__all__ = [
    "FOLDING",
    "MATCHING",
    "describe_cube",
    "describe_net",
    "write_colour_statement",
    "write_operation_statement",
    "write_orientation_statement",
    "write_question",
    "write_system_prompt",
]

_AXES = {
    CubeFace.RIGHT: "positive x",
    CubeFace.LEFT: "negative x",
    CubeFace.TOP: "positive y",
    CubeFace.BOTTOM: "negative y",
    CubeFace.FRONT: "positive z",
    CubeFace.BACK: "negative z",
}
_SPACE = (
    "Put the cube in the middle of a space whose positive x, y and z axes come out of its right, "
    "top and front faces; the axes stay where they are. "
)

FOLDING = "The net of picture 1 can be folded into the cube of picture 2, with the arrows outside."
MATCHING = (
    "The net of picture 1 and the net of picture 2 fold into the same cube, with the arrows "
    "outside; how it lies does not matter."
)


def write_system_prompt(condition: EuclifoldCondition, pictures: int) -> str:
    """Return what is to be done, and how the answer is to be written."""
    if condition.system is SystemPrompt.BASE:
        return "You help people with what they ask."
    seen, it = ("one picture", "it") if pictures == 1 else ("two pictures", "them")
    how = ", told in words," if condition.shown is Evidence.TEXT else ""
    what = f"You get {seen}{how} and a statement about {it}. Judge whether it is true."
    if condition.system is SystemPrompt.SHORT:
        return what
    if condition.prompting is Prompting.DIRECT:
        return f"{what} Answer with the one word True or False and write nothing else."
    return (
        f"{what} Look closely and reason step by step; then end with a line 'Answer: True' or "
        "'Answer: False'."
    )


def write_question(condition: EuclifoldCondition, statement: str, told: Sequence[str]) -> str:
    """Return the text of an item.

    Args:
        told: what is in each picture, in words.
    """
    single = len(told) == 1
    lines = [_CUBE if single else ""]
    match condition.shown:
        case Evidence.TEXT:
            lines += [f"{_name(k, single)} in words: {text}" for k, text in enumerate(told, 1)]
        case Evidence.NOTHING:
            lines.append("The picture is withheld." if single else "The pictures are withheld.")
    asked = [] if condition.system is SystemPrompt.FULL else [_ASKED]
    return "\n".join([*filter(None, lines), f"Statement: {statement}", *asked])


_ASKED = "Is this statement true? End with 'Answer: True' or 'Answer: False'."


_CUBE = "The picture shows three faces of a cube: top, front and right. Each bears an arrow."


def _name(number: int, single: bool) -> str:
    return "The picture" if single else f"Picture {number}"


def describe_cube(cube: ArrowCube) -> str:
    """Describe the visible faces of a cube."""
    seen = ((face, cube.get_arrow(face)) for face in VISIBLE)
    return "; ".join(
        f"the {face} face bears a {arrow.colour} arrow that points towards the {arrow.towards} face"
        for face, arrow in seen
    )


def describe_net(net: ArrowNet) -> str:
    """Return a net in words, row by row."""
    rows = (
        ", ".join("no square" if one is None else f"{one.colour} {one.way}" for one in row)
        for row in net.list_rows()
    )
    return (
        "a net, its rows from the top, each from the left, with colour and direction of the arrow "
        "on each square: " + "; ".join(rows)
    )


def write_colour_statement(face: CubeFace, colour: ArrowColour) -> str:
    """Write the statement of the colour of the arrow on a face."""
    return f"The arrow on the {face} face is {colour}."


def write_orientation_statement(wording: Wording, face: CubeFace, towards: CubeFace) -> str:
    """Write the statement of the direction of the arrow on a face."""
    if wording is Wording.EUCLIDEAN:
        return f"{_SPACE}The arrow on the {face} face points in the {_AXES[towards]} direction."
    return f"The arrow on the {face} face points towards the {towards} face."


def write_operation_statement(
    wording: Wording, about: CubeFace, quarters: int, face: CubeFace, towards: CubeFace
) -> str:
    """Write the statement of the direction of an arrow after a turn.

    Args:
        about: the face about whose middle the cube turns.
        quarters: counterclockwise, as seen by who looks straight at that face.
        face: the one that bears the arrow before the turn.
        towards: where it is said to point then.
    """
    degrees = 90 * quarters
    if wording is Wording.EUCLIDEAN:
        return (
            f"{_SPACE}If the cube turns by {degrees} degrees counterclockwise about the "
            f"{_AXES[about]} axis, as seen from its positive end, the arrow that was on the {face} "
            f"face at first then points in the {_AXES[towards]} direction."
        )
    return (
        f"If the cube turns by {degrees} degrees counterclockwise about its {about} face, as seen "
        f"by somebody who looks straight at that face, the arrow that was on the {face} face at "
        f"first then points towards the {towards}. (Top, front, right and so on stay the same "
        "directions in the room.)"
    )

"""Prompts for agents: the paper's contracts (appendix B) in Luban's words."""

from collections.abc import Mapping

from bridge.benches.cube_bench.condition import (
    Abstention,
    Condition,
    Modality,
    PictureType,
    Reflection,
    Serialization,
    StickerColors,
)
from bridge.benches.cube_bench.forms import OPTIONS, OptionLetter
from bridge.benches.cube_bench.pictures import PAPER_COLORS
from bridge.benches.cube_bench.wording import CLOSING, ONE_MOVE, apply_wording
from pysim.families.rubik.cube import Cube
from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import Move
from pysim.families.rubik.strings import Letters, Order, draw_net, format_cube

__all__ = [
    "EFFECT_SYSTEM",
    "VERIFICATION_SYSTEM",
    "move_system",
    "move_text",
    "write_effect_question",
    "write_face_question",
    "write_face_system",
    "write_loop_question",
    "write_loop_system",
    "write_reanswer_question",
    "write_reflection_question",
    "write_reflection_system",
    "write_state",
]

_WHO = "You know the Rubik's cube of 3 x 3 x 3 cubies very well."
_NOTATION = (
    "Moves are in Singmaster notation. A face letter alone turns that face by 90 degrees clockwise "
    "as seen when looking at it, with ' counter-clockwise; with 2 it is one turn by 180 degrees. "
    "Faces are told by their centres, which stay where they are."
)
_CENTRES = ", ".join(f"{face} {face.colour}" for face in Face)
_TAG = "<ANSWER> X </ANSWER>"


def write_state(cube: Cube, how: Serialization) -> str:
    """Return a state as text, and how to read it."""
    if how is Serialization.FACELETS:
        letters = format_cube(cube, Order.SOLVER, Letters.FACES)
        return f"{letters}\n(54 face letters, row by row: faces U R F D L B in this order)"
    return (
        f"{draw_net(cube)}\n"
        "(an unfolded net: U on top, then L F R B side by side, then D; W white, Y yellow, "
        "O orange, R red, G green, B blue)"
    )


def _what_is_seen(condition: Condition) -> str:
    if condition.picture is PictureType.NET:
        return (
            "The picture shows the cube unfolded into a net whose faces are named; Front is the "
            "one in the middle of the cross."
        )
    return (
        "The picture shows the cube from the front: Front is the face that is seen whole, with a "
        "little of the faces above and beside it."
    )


def write_face_system(condition: Condition) -> str:
    """Of face reconstruction (B.1)."""
    colours = ", ".join(sorted(face.colour for face in Face))
    text = (
        f"You read the stickers of a Rubik's cube from a picture. {_what_is_seen(condition)} "
        f"Stickers are of six colours: {colours}. {_values(condition)}Read "
        "the nine stickers of the face Front row by row, each row from left to right, and check "
        "each against the six colours. Answer in exactly this form and keep your reasoning to "
        "yourself:\n"
        "ANSWER:\nRow 1: [colour, colour, colour]\nRow 2: [colour, colour, colour]\n"
        f"Row 3: [colour, colour, colour]\n{CLOSING}"
    )
    return apply_wording(text, condition.edition)


def _values(condition: Condition) -> str:
    """Return the sRGB values of the colours, where pictures have the paper's."""
    if condition.colors is not StickerColors.PAPER:
        return ""
    named = (f"{name} {values}" for name, values in sorted(PAPER_COLORS.items()))
    return f"Their sRGB values in the picture: {', '.join(named)}. "


def write_face_question() -> str:
    """Return the question of face reconstruction."""
    return "Which colours has the front face of the cube in this picture, as a 3 x 3 grid?"


VERIFICATION_SYSTEM = (
    "You check what is said about a Rubik's cube against a picture of it. The picture shows the "
    "cube unfolded into a net whose faces are named. Find the face named Front in it, read its "
    "nine stickers from the picture alone, and compare them with the statement, which may be true "
    "or false; don't take it for granted that it was made from this picture. Rows are counted from "
    "the top and columns from the left, from 1. End with Answer: Yes if the statement is true in "
    "every respect, else with Answer: No."
)
"""Of cross-modal verification (B.2)."""


def _options(options: Mapping[OptionLetter, Move]) -> str:
    return "\n".join(f"{letter}: {options[letter]}" for letter in OPTIONS)


def _state(cube: Cube, condition: Condition) -> str:
    return (
        ""
        if condition.mode is Modality.IMAGE
        else f"State:\n{write_state(cube, condition.text)}\n\n"
    )


_SHOWN = {
    Modality.BOTH: "the state of a cube as text, a picture of it",
    Modality.IMAGE: "a picture of a cube",
    Modality.TEXT: "the state of a cube as text",
}


def _authority(condition: Condition) -> str:
    if condition.mode is Modality.TEXT:
        return ""
    seen = _what_is_seen(condition)
    if condition.mode is Modality.IMAGE:
        return f"{seen} "
    return f"{seen} The text is right wherever picture and text differ. "


def move_system(condition: Condition) -> str:
    """Of move prediction (B.3)."""
    text = (
        f"{_WHO} You are given {_SHOWN[condition.mode]} and four moves, A to D. {ONE_MOVE} "
        f"{_NOTATION} {_authority(condition)}Should several seem right, take the first letter. "
        f"Think silently. Your whole answer is one line of exactly this form, with A, B, C or D "
        f"for X and nothing before or after it:\n{_TAG}"
    )
    return apply_wording(text, condition.edition)


def move_text(cube: Cube, options: Mapping[OptionLetter, Move], condition: Condition) -> str:
    """Return the question of move prediction."""
    return f"{_state(cube, condition)}Moves:\n{_options(options)}\n\nAnswer with one line: {_TAG}"


def write_reflection_system(condition: Condition) -> str:
    """Of the reflection on an answer (B.4)."""
    told = condition.reflection is Reflection.UNREDACTED
    given = "your answer and the right answer" if told else "your answer"
    using = ", with the right answer in mind" if told else ""
    return (
        f"{_WHO} A face has three rows of three stickers, read from left to right and from the "
        "top down. You have answered a question with four options, and your answer was wrong. "
        f"You are given the question again, with {given}. Briefly do these five things: "
        "1. Say why the answer was wrong. 2. Name the kind of mistake in keywords, from the most "
        f"general to the most specific. 3. Solve the question again step by step{using}. 4. Write "
        "instructions by which the mistake can be avoided, in at most 200 words. 5. Give general "
        "advice for questions of this kind."
    )


def write_reflection_question(
    cube: Cube,
    options: Mapping[OptionLetter, Move],
    condition: Condition,
    chosen: OptionLetter | None,
    gold: OptionLetter | None,
) -> str:
    """Write the question that is reflected on.

    Args:
        chosen: the answer; None if it could not be read.
        gold: the right one, or None where it is not told.
    """
    answer = "none that can be read" if chosen is None else str(chosen)
    right = "[REDACTED] (it is not shown here)" if gold is None else str(gold)
    return (
        f"{_state(cube, condition)}The cube was 1 move from solved.\n"
        f"Moves:\n{_options(options)}\n\nYour answer: {answer}. It did not solve the cube.\n"
        f"The right answer: {right}."
    )


def write_reanswer_question(question: str, reflection: str) -> str:
    """Return the question again, after a reflection."""
    return f"You have thought about this question before:\n{reflection}\n\n{question}"


def write_loop_system(condition: Condition) -> str:
    """Of the closed loop and the learning curve (B.5, B.7)."""
    return (
        f"{_WHO} You are given {_SHOWN[condition.mode]} and four moves, A to D. Choose the one "
        "after which the fewest moves are left to the solved cube. Think each of them through on "
        "the state; if several leave equally few, take the first letter. "
        f"{_NOTATION} {_authority(condition)}{_unknowing(condition)}Your whole answer is one line "
        f"of exactly this form, with {_letters(condition)} for X:\n{_TAG}"
    )


def _unknowing(condition: Condition) -> str:
    if condition.abstain is Abstention.NONE:
        return ""
    when = "if you don't know"
    if condition.confidence > 0.0:
        when = f"only if you are less than {condition.confidence:.0%} sure of your choice"
    return f"In place of a letter you may answer IDK, {when}. "


def _letters(condition: Condition) -> str:
    return "A, B, C or D" if condition.abstain is Abstention.NONE else "A, B, C, D or IDK"


def write_loop_question(
    cube: Cube, options: Mapping[OptionLetter, Move], condition: Condition, distance: int
) -> str:
    """Return one decision; ``distance``: of the cube from home."""
    return (
        f"The cube is {distance} {'move' if distance == 1 else 'moves'} from solved.\n\n"
        f"{_state(cube, condition)}Moves:\n{_options(options)}\n\n"
        f"Answer with one line: {_TAG}"
    )


_EFFECT_LINES = "\n".join(f"<{k}> LABEL </{k}>" for k in OPTIONS)
EFFECT_SYSTEM = (
    f"{_WHO} You are given the state of a cube as text and four moves, A to D. Each of them is "
    "tried by itself on this state. Say for each how it changes the least number of moves that "
    "are left to the solved cube: DECREASE, NO_CHANGE or INCREASE. Only the sign of the change "
    f"counts. {_NOTATION} A move that can't be read is NO_CHANGE. Think silently. Answer with "
    f"exactly four lines, one of the three labels for each LABEL:\n{_EFFECT_LINES}"
)
"""Of the move-effect probe (B.6)."""


def write_effect_question(
    cube: Cube, options: Mapping[OptionLetter, Move], condition: Condition
) -> str:
    """Return the question of the move-effect probe."""
    return (
        f"Centres: {_CENTRES}\n\nState:\n{write_state(cube, condition.text)}\n\n"
        f"Moves:\n{_options(options)}\n\nAnswer with exactly four lines:\n{_EFFECT_LINES}"
    )

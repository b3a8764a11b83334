"""Feedback of the validator on a wrong answer: that it is wrong, or its faults."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bridge.benches.mcube.answer_formats import Placements, complete_placements
from bridge.benches.mcube.condition import RoundFeedback
from bridge.benches.mcube.cubes import LETTERS, AskedCube
from pysim.families.jigsaw.faces import Seat, ShellFace
from pysim.families.jigsaw.fitting import Conflict, Joint, Misfit, find_joints
from pysim.families.jigsaw.shell import locate_on_faces

__all__ = ["describe_feedback"]

_UNREAD = (
    "That could not be read. There has to be a line A: (Face, LeftEdge, TopEdge) for each piece "
    "that is asked for, with edges from 1 to 4 that share a corner."
)


def describe_feedback(cube: AskedCube, answer: Placements | None, kind: RoundFeedback) -> str:
    """Describe an answer that is not right.

    Args:
        answer: None if it could not be read, which is always said.
    """
    if answer is None:
        return _UNREAD
    wrong = "That does not make the cube."
    if kind is not RoundFeedback.DETAILED:
        return wrong
    return "\n".join([wrong, *_details(cube, answer)])


def _details(cube: AskedCube, answer: Placements) -> Iterator[str]:
    given = tuple(cube.given.items())
    places = complete_placements(cube.pieces, given, answer)
    if places is None:
        yield "The given pieces have to stay where they are."
        return
    yield from _crowded(places)
    for joint in find_joints(cube.pieces, places):
        if len(joint.faces) > 1:
            yield f"{_where(joint, places)}: {'; '.join(_what(one) for one in joint.conflicts)}."


def _crowded(places: Sequence[Seat]) -> Iterator[str]:
    """Yield faces with several pieces, and those with none."""
    taken = Counter(place.face for place in places)
    for face in ShellFace:
        on = _named([i for i, place in enumerate(places) if place.face is face])
        if taken[face] > 1:
            yield f"{on} are all on {face}, which is for one piece."
        elif not taken[face]:
            yield f"No piece is on {face}."


def _where(joint: Joint, places: Sequence[Seat]) -> str:
    """``Front/Top, edge 2 of A and edge 4 of B``."""
    name = "/".join(joint.faces)
    if len(joint.faces) == 3:
        return f"Corner {name}"
    on = {place.face: i for i, place in enumerate(places)}
    pairs = zip(joint.faces, joint.edges, strict=True)
    edges = [f"edge {edge.number} of {LETTERS[on[face]]}" for face, edge in pairs if edge]
    return f"{name}, {' and '.join(edges)}"


def _what(conflict: Conflict) -> str:
    """``A and B both fill row 1, column 3 of Front``."""
    face = conflict.faces[0]
    row, column = locate_on_faces(conflict.cell)[face]
    cell = f"row {row + 1}, column {column + 1} of {face}"
    if conflict.fault is Misfit.GAP:
        return f"nothing fills {cell}"
    return f"{_named(conflict.pieces)} {'both' if len(conflict.pieces) == 2 else 'all'} fill {cell}"


def _named(pieces: Sequence[int]) -> str:
    *others, last = (LETTERS[i] for i in pieces) if pieces else ("",)
    return f"{', '.join(others)} and {last}" if others else last

"""Solutions as text."""

from collections.abc import Iterable
from itertools import groupby

from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import Move, format_moves

__all__ = ["format_solution"]


def format_solution(moves: Iterable[Move]) -> str:
    """Moves as text, two quarter turns of a face as one half turn."""
    turns = [(face, sum(move.turns for move in own) % 4) for face, own in groupby(moves, _face_of)]
    return format_moves(Move(face, number) for face, number in turns)


def _face_of(move: Move) -> Face:
    return move.face

"""Face turns in Singmaster notation, the two metrics, and sequences of turns."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import groupby

from pysim.errors import InputError
from pysim.families.rubik.faces import Face

__all__ = [
    "MOST_MOVES",
    "Metric",
    "Move",
    "format_moves",
    "format_solution",
    "invert_moves",
    "list_moves",
    "parse_moves",
    "split_half_turns",
]

MOST_MOVES = 10_000
"""No longer sequence is read."""

_SUFFIXES = {1: "", 2: "2", 3: "'"}
_TURNS = {"": 1, "2": 2, "'": 3, "2'": 2}
_WORD = re.compile(r"([URFDLB])(2'|2|'|)")


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A turn of one face.

    Attributes:
        face: which face.
        turns: clockwise quarter turns as seen from outside: 1, 2 or 3 (once counter-clockwise).
    """

    face: Face
    turns: int

    def __post_init__(self) -> None:
        if self.turns not in (1, 2, 3):
            raise InputError(f"a face turns by 1, 2 or 3 quarter turns, not {self.turns}")

    def __str__(self) -> str:
        return self.face.value + _SUFFIXES[self.turns]

    @staticmethod
    def parse(word: str) -> "Move":
        """Return the move written as ``F``, ``F2`` or ``F'``.

        Raises:
            InputError: it is none.
        """
        match = _WORD.fullmatch(_plain(word))
        if match is None:
            raise InputError(_no_move(word))
        return Move(Face(match[1]), _TURNS[match[2]])

    @property
    def index(self) -> int:
        """0 to 17: U U2 U' R R2 R' F ..."""
        return 3 * self.face.number + self.turns - 1

    @property
    def inverse(self) -> "Move":
        """The move that undoes this one."""
        return Move(self.face, 4 - self.turns)

    @property
    def quarters(self) -> int:
        """Its length in quarter turns: 2 for a half turn, else 1."""
        return 2 if self.turns == 2 else 1


class Metric(StrEnum):
    """Measure of a sequence's length.

    - ``htm``: half-turn metric, a turn of a face by any angle counts 1.
    - ``qtm``: quarter-turn metric, a half turn counts 2.
    """

    HTM = "htm"
    QTM = "qtm"

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of length 1: 18 or 12."""
        moves = list_moves()
        return moves if self is Metric.HTM else tuple(m for m in moves if m.turns != 2)

    def measure(self, moves: Iterable[Move]) -> int:
        """Return the length of a sequence."""
        return sum(1 if self is Metric.HTM else move.quarters for move in moves)


@cache
def list_moves() -> tuple[Move, ...]:
    """Return the 18 moves in the order of their indices."""
    return tuple(Move(face, turns) for face in Face for turns in (1, 2, 3))


def parse_moves(text: str) -> tuple[Move, ...]:
    """Return the moves of a text such as ``R U2 F'``; white space between moves may be left out.

    Raises:
        InputError: something in it is no move, or there are too many.
    """
    text = _plain("".join(text.split()))
    moves: list[Move] = []
    position = 0
    while match := _WORD.match(text, position):
        moves.append(Move(Face(match[1]), _TURNS[match[2]]))
        position = match.end()
        if len(moves) > MOST_MOVES:
            raise InputError(f"a sequence has at most {MOST_MOVES:,} moves")
    if position < len(text):
        raise InputError(_no_move(text[position:]))
    return tuple(moves)


def _plain(text: str) -> str:
    """``text`` with typewriter primes."""
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("\N{PRIME}", "'")


def _no_move(text: str) -> str:
    return f"{text[:20]!a} is no move; one is a face (U R F D L B) and nothing, 2 or '"


def format_moves(moves: Iterable[Move]) -> str:
    """Return moves as text, a blank between them; the inverse of :func:`parse_moves`."""
    return " ".join(map(str, moves))


def format_solution(moves: Iterable[Move]) -> str:
    """Return moves as text, two quarter turns of a face as one half turn."""
    turns = [(face, sum(move.turns for move in own) % 4) for face, own in groupby(moves, _face_of)]
    return format_moves(Move(face, number) for face, number in turns)


def _face_of(move: Move) -> Face:
    return move.face


def invert_moves(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return the sequence that undoes another one."""
    return tuple(move.inverse for move in reversed(moves))


def split_half_turns(moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return the same sequence with every half turn as two clockwise quarter turns."""
    return tuple(
        quarter
        for move in moves
        for quarter in ((Move(move.face, 1),) * 2 if move.turns == 2 else (move,))
    )

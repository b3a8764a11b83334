"""Sets of four moves to choose from, by the rules of each task."""

from collections.abc import Mapping, Sequence
from random import Random

from bridge.benches.cube_bench.forms import OPTIONS, OptionLetter
from pysim.families.rubik.moves import Metric, Move

__all__ = [
    "choose_best",
    "draw_loop_options",
    "draw_plain_options",
    "draw_progress_options",
    "find_letter",
    "label_options",
]


def label_options(moves: Sequence[Move]) -> dict[OptionLetter, Move]:
    """Return four moves as the options A to D, in their order."""
    return dict(zip(OPTIONS, moves, strict=True))


def find_letter(options: Mapping[OptionLetter, Move], move: Move) -> OptionLetter:
    """Return the letter of a move among the options."""
    return next(letter for letter in OPTIONS if options[letter] == move)


def choose_best(options: Mapping[OptionLetter, Move], after: Mapping[Move, int]) -> OptionLetter:
    """Return the option after which the distance is least; of several the first letter (4.3.3)."""
    return min(OPTIONS, key=lambda letter: after[options[letter]])


def draw_plain_options(right: Move, metric: Metric, random: Random) -> dict[OptionLetter, Move]:
    """The right move and three others drawn evenly from all the rest, shuffled (A.3.2, A.5.2)."""
    others = random.sample([move for move in metric.moves if move != right], 3)
    return _shuffled([right, *others], random)


def draw_loop_options(
    teacher: Move, after: Mapping[Move, int], distance: int, random: Random
) -> dict[OptionLetter, Move]:
    """The teacher's move, one other that leads nearer where there is one, the rest not (A.6.2).

    Args:
        after: the distance after each move.
        distance: before it.
    """
    nearer = [m for m, left in after.items() if left < distance and m != teacher]
    others = [m for m, left in after.items() if left >= distance]
    chosen = [teacher, *random.sample(nearer, min(1, len(nearer)))]
    return _shuffled(chosen + random.sample(others, 4 - len(chosen)), random)


def draw_progress_options(
    after: Mapping[Move, int], distance: int, random: Random
) -> dict[OptionLetter, Move]:
    """Return one move that leads nearer and three that don't (A.8).

    Where fewer than three don't, the rest is drawn from all other moves.
    """
    nearer = [m for m, left in after.items() if left < distance]
    others = [m for m, left in after.items() if left >= distance]
    right = random.choice(nearer)
    if len(others) < 3:
        others = [m for m in after if m != right]
    return _shuffled([right, *random.sample(others, 3)], random)


def _shuffled(moves: list[Move], random: Random) -> dict[OptionLetter, Move]:
    return label_options(random.sample(moves, 4))

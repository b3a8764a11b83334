"""How much one probe tells of what pictures hide, counted exactly over small locks.

Of a lock as it starts, the pictures show every cell that has a side to the outside. Of each other
place in the block around it an agent that has seen them knows nothing but that every piece is in
one part: any piece may be there, or none. These are the candidates, each as likely as the others.
A probe is a slide of some pieces from the start; what is told of it splits the candidates, and the
entropy of that split is what the agent learns, in bits. Candidates are built anew and asked by the
rules; the words are those that an episode would tell.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from bridge.episode.records import (
    Feedback,
    StepResult,
    describe_refusal,
    redact_refusal,
    redact_result,
)
from pysim.catalog import find_level
from pysim.families.burr.actions import Slide
from pysim.families.burr.lock import Lock, Piece
from pysim.families.burr.moves import apply_slide
from pysim.families.burr.state import make_initial_state
from pysim.field_types import OUT
from pysim.geometry import IDENTITY, Direction, Pose, Voxels
from pysim.puzzle import ActionError

__all__ = ["LOCKS", "Learnt", "candidates", "learnt", "probes"]

LOCKS = ("burr-labyrinth", "burr-three-bars")
SIDES = tuple(tuple(s * (i == a) for i in range(3)) for a in range(3) for s in (1, -1))

Place = tuple[int, int, int]


@dataclass(frozen=True)
class Learnt:
    """What probes tell at one level of feedback, in bits.

    Attributes:
        best: the best single probe.
        mean: the mean over all probes.
        together: all of them, one after another.
    """

    best: float
    mean: float
    together: float


def candidates(name: str) -> list[Lock]:
    """The locks that look like a level's."""
    lock = find_level(name).puzzle
    owner = {
        tuple(cell): i
        for i, piece in enumerate(lock.pieces)
        for cell in piece.home.place(piece.shape).cells
    }
    hidden = sorted(_hidden(set(owner)))
    shown = {cell: i for cell, i in owner.items() if cell not in hidden}
    count = len(lock.pieces)
    found = []
    for inside in product((None, *range(count)), repeat=len(hidden)):
        whole = shown | {c: i for c, i in zip(hidden, inside, strict=True) if i is not None}
        parts = [[cell for cell, i in whole.items() if i == piece] for piece in range(count)]
        if all(map(_in_one_part, parts)):
            found.append(_built(lock, parts))
    return found


def learnt(locks: Sequence[Lock], feedback: Feedback) -> Learnt:
    """What slides of the locks' pieces tell of which of them it is."""
    told = [[_told(lock, probe, feedback) for lock in locks] for probe in probes(locks[0])]
    bits = [_entropy(answers) for answers in told]
    together = _entropy(zip(*told, strict=True))
    return Learnt(max(bits), sum(bits) / len(bits), together)


def probes(lock: Lock) -> list[Slide]:
    """Every slide of some but not all pieces, one or two units or out."""
    colours = [piece.colour for piece in lock.pieces]
    groups = [g for size in range(1, len(colours)) for g in combinations(colours, size)]
    return [Slide(g, d, far) for g in groups for d in Direction for far in (1, 2, OUT)]


def _told(lock: Lock, probe: Slide, feedback: Feedback) -> str:
    """What an agent is told of a probe."""
    try:
        travel = apply_slide(lock, make_initial_state(lock), probe).travel
    except ActionError as error:
        told = redact_refusal(feedback, error)
        if told is not None:
            return describe_refusal(told)
        travel = None
    message = "done" if travel is None else f"moved {travel}"
    result = redact_result(feedback, StepResult(1, message, travel, 0, None, "", None))
    return f"{result.message} {result.travel}"


def _entropy(answers: Iterable[object]) -> float:
    counts = Counter(answers)
    total = counts.total()
    return -sum(n / total * math.log2(n / total) for n in counts.values()) + 0.0


def _hidden(cells: set[Place]) -> Iterator[Place]:
    """The places inside that have no side to the outside."""
    low = [min(cell[i] for cell in cells) - 1 for i in range(3)]
    high = [max(cell[i] for cell in cells) + 1 for i in range(3)]
    block = set(product(*(range(low[i], high[i] + 1) for i in range(3))))
    outside = _reached(block - cells, (low[0], low[1], low[2]))
    for place in block - outside:
        if not any(beside in outside for beside in _beside(place)):
            yield place


def _in_one_part(cells: Sequence[Place]) -> bool:
    return _reached(set(cells), cells[0]) == set(cells)


def _reached(places: set[Place], start: Place) -> set[Place]:
    """The places that can be reached from one of them."""
    found, todo = {start}, [start]
    while todo:
        for beside in _beside(todo.pop()):
            if beside in places and beside not in found:
                found.add(beside)
                todo.append(beside)
    return found


def _beside(place: Place) -> Iterator[Place]:
    for side in SIDES:
        yield (place[0] + side[0], place[1] + side[1], place[2] + side[2])


def _built(lock: Lock, parts: Sequence[Sequence[Place]]) -> Lock:
    pieces = []
    for piece, cells in zip(lock.pieces, parts, strict=True):
        corner = tuple(min(cell[i] for cell in cells) for i in range(3))
        shape = Voxels(tuple(tuple(c - o for c, o in zip(x, corner, strict=True)) for x in cells))
        pieces.append(Piece(piece.colour, shape, Pose(IDENTITY, corner)))
    return Lock(tuple(pieces), lock.goal)

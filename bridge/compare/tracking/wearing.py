"""Pieces that stay where they are and have the colours of others all at once."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.search import Found, Sight
from bridge.compare.tracking.weighing import WeighedFrame

__all__ = ["once_more", "other_colours"]

_Array = NDArray[np.float64]

_FEWEST = 80
"""Pixels of a piece at least; less is soon hidden by somebody in those colours."""
_UNLIKE = 0.5
"""Share of its usual fit below which a piece has its colours no more."""
_THERE = 0.2
"""By what share of its pixels its place looks better with it than without, at least."""
_LIKE = 0.55
"""Share of its usual fit that a piece has in others' colours: of their sides not all were seen."""
_BEYOND = 0.25
"""By what share of its pixels these colours look better than any others, at least."""


def other_colours(
    frame: WeighedFrame, piece: int, poses: _Array, there: NDArray[np.bool_], usual: float
) -> int:
    """Whose colours a piece has at its place; those that it is known to have if nothing is odd.

    Who is hidden by another one has not its colours: then the picture is explained without it.
    """
    worn = int(frame.wears[piece])
    sight = frame.sight(piece, poses, there)
    here = sight.weigh(poses[piece])
    if not there[piece] or here.seen < _FEWEST or here.fit > _UNLIKE * usual:
        return worn
    others = {c: _weighed(frame, sight, c, poses[piece]) for c in range(len(poses)) if c != worn}
    ordered = sorted(others, key=lambda c: others[c].cost)
    if not ordered:
        return worn
    found = others[ordered[0]]
    next_best = others[ordered[1]].cost if len(ordered) > 1 else here.cost
    likely = found.fit >= _LIKE * usual and found.cost < -_THERE * found.seen
    alone = found.cost < min(here.cost, next_best) - _BEYOND * found.seen
    return ordered[0] if likely and alone else worn


def once_more(pieces: Sequence[int], found: Container[int]) -> Iterator[int]:
    """Pieces, and after them those once more that have not been found meanwhile.

    Who has the colours of what is behind it is told from that only when it is known what colours
    that one has.
    """
    yield from pieces
    left = [piece for piece in pieces if piece not in found]
    if len(left) < len(pieces):
        yield from left


def _weighed(frame: WeighedFrame, sight: Sight, colour: int, pose: _Array) -> Found:
    return replace(sight, costs=frame.costs[colour]).weigh(pose)

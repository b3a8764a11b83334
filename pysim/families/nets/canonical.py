"""Equality of puzzles of nets up to symmetry."""

from collections.abc import Iterable

from pysim.families.nets.puzzle import FlatNet, NetPuzzle
from pysim.families.nets.shapes import Square

__all__ = ["compute_canonical_form"]

_Arrow = tuple[Square, Square]
"""A square, and the step in which its arrow points."""


def compute_canonical_form(puzzle: NetPuzzle) -> str:
    """Return equal texts for puzzles whose drawings are the same when turned or mirrored.

    Colours are left out, and so are the target and the face by which a net is held: the same
    drawing with another target is the same puzzle here.
    """
    return repr(
        min(
            sorted(_find_least_image(net, mirrored) for net in puzzle.nets)
            for mirrored in (False, True)
        )
    )


def _find_least_image(net: FlatNet, mirrored: bool) -> list[_Arrow]:
    """Return the least of a drawing's four turned copies."""
    arrows = [(plate.square, plate.arrow.way.step) for plate in net.plates]
    images = []
    for quarters in range(4):
        turned = [tuple(_turn(v, quarters, mirrored) for v in arrow) for arrow in arrows]
        images.append(_move_to_origin((square, way) for square, way in turned))
    return min(images)


def _turn(vector: Square, quarters: int, mirrored: bool) -> Square:
    x, y = vector
    x = -x if mirrored else x
    for _ in range(quarters):
        x, y = y, -x
    return x, y


def _move_to_origin(arrows: Iterable[_Arrow]) -> list[_Arrow]:
    drawn = list(arrows)
    left, low = min(x for (x, _), _ in drawn), min(y for (_, y), _ in drawn)
    return sorted(((x - left, y - low), way) for (x, y), way in drawn)

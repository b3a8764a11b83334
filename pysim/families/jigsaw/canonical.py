"""Equality of jigsaw cubes up to symmetry."""

from pysim.families.jigsaw.puzzle import Jigsaw
from pysim.families.jigsaw.shell import PieceRows

__all__ = ["compute_canonical_form"]


def compute_canonical_form(jigsaw: Jigsaw) -> str:
    """Return equal texts for cubes of the same pieces, however these lie and whichever are given.

    Pieces may be turned over, so the pieces of a mirrored cube are the same ones.
    """
    return " ".join(sorted("/".join(_find_least_image(piece.rows)) for piece in jigsaw.pieces))


def _find_least_image(rows: PieceRows) -> PieceRows:
    """Return the least of the eight ways to lay a piece."""
    images = []
    for image in (rows, rows[::-1]):
        for _ in range(4):
            image = tuple("".join(column) for column in zip(*image[::-1], strict=True))
            images.append(image)
    return min(images)

"""Equality of cubes up to symmetry."""

from functools import cache

import numpy as np

from pysim.families.rubik.puzzle import CubePuzzle
from pysim.families.rubik.solver.symmetry import Facelets, list_symmetries

__all__ = ["compute_canonical_form"]


def compute_canonical_form(puzzle: CubePuzzle) -> str:
    """Return equal texts for cubes that are turned or mirrored together with their colours.

    It does not depend on how much of the cube is seen.
    """
    taken, back = _list_permutations()
    facelets = np.array(puzzle.start.list_facelets(), dtype=np.int64)
    images = np.take_along_axis(back, facelets[taken], axis=1).astype(np.uint8)
    least: bytes = min(image.tobytes() for image in images)
    return least.hex()


@cache
def _list_permutations() -> tuple[Facelets, Facelets]:
    """(48, 54) where each symmetry takes each facelet from, and the inverse."""
    taken = np.array(list_symmetries(), dtype=np.int64)
    return taken, np.argsort(taken, axis=1)

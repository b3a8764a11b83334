"""Canonical forms of cubes: a scramble whose faces are called otherwise is the same one.

A symmetry of the cube sends faces to faces; a mirror image also turns them the other way. So the
image of a scramble is written in moves, without a look at the stickers.
"""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from pysim.families.rubik.cube import make_cube
from pysim.families.rubik.moves import Metric, Move
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from pysim.families.rubik.strings import format_cube, parse_cube
from tests.tasks.images import CUBE, Document, apply, check_images, invert_sign

_SIDES = {"R": (1, 0, 0), "L": (-1, 0, 0), "U": (0, 0, 1), "D": (0, 0, -1), "B": (0, 1, 0)}
_SIDES["F"] = (0, -1, 0)
_FACES = {side: face for face, side in _SIDES.items()}


@cache
def _find_scramble(state: str) -> tuple[str, ...]:
    """Return moves from the solved cube to a state."""
    solution = create_meet_in_middle(Metric.QTM, 5).solve(parse_cube(state))
    assert solution is not None
    return tuple(str(move.inverse) for move in reversed(solution))


def draw_image(document: Mapping[str, Any], rng: Random) -> Document:
    symmetry = rng.choice(CUBE)
    back = {"": "'", "'": "", "2": "2"} if invert_sign(symmetry) else {"": "", "'": "'", "2": "2"}
    moves = [
        _FACES[apply(symmetry, _SIDES[move[0]])] + back[move[1:]]
        for move in _find_scramble(document["state"])
    ]
    return {**document, "state": format_cube(make_cube(map(Move.parse, moves)))}


@pytest.mark.parametrize("count", [200, pytest.param(100_000, marks=[pytest.mark.slow])])
def test_split_of_an_image_is_the_same(count: int) -> None:
    check_images("rubik", draw_image, count, longest=9)

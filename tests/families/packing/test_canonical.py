"""Canonical forms of boxes: turned about the vertical axis, mirrored, their pieces laid anew."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from tests.tasks.images import CUBE, Document, Matrix, Vector, apply, check_images, invert_sign

_UPRIGHT = [matrix for matrix in CUBE if apply(matrix, (0, 0, 1)) == (0, 0, 1)]
_TURNS = [matrix for matrix in CUBE if not invert_sign(matrix)]
_MIRROR: Matrix = ((-1, 0, 0), (0, 1, 0), (0, 0, 1))


def draw_image(document: Mapping[str, Any], rng: Random) -> Document:
    assert document["gravity"] and document["open"] == ["+z"]
    whole = rng.choice(_UPRIGHT)
    colours = [piece["colour"] for piece in document["pieces"]]
    drawn = [_draw_piece(piece["layers"], whole, rng) for piece in document["pieces"]]
    rng.shuffle(drawn)
    return {
        **document,
        "size": [abs(side) for side in apply(whole, tuple(document["size"]))],
        "pieces": [{"colour": c, "layers": d} for c, d in zip(colours, drawn, strict=True)],
    }


def _draw_piece(layers: list[str], whole: Matrix, rng: Random) -> list[str]:
    cells = [
        (x, y, z)
        for z, layer in enumerate(layers)
        for y, row in enumerate(layer.split("/"))
        for x, sign in enumerate(row)
        if sign == "#"
    ]
    if invert_sign(whole):
        cells = [_triple(apply(_MIRROR, cell)) for cell in cells]
    turn = rng.choice(_TURNS)
    return _format([_triple(apply(turn, cell)) for cell in cells])


def _triple(vector: Vector) -> tuple[int, int, int]:
    x, y, z = vector
    return x, y, z


def _format(cells: list[tuple[int, int, int]]) -> list[str]:
    low = [min(cell[k] for cell in cells) for k in range(3)]
    size = [max(cell[k] for cell in cells) - low[k] + 1 for k in range(3)]
    filled = {(x - low[0], y - low[1], z - low[2]) for x, y, z in cells}
    return [
        "/".join("".join(".#"[(x, y, z) in filled] for x in range(size[0])) for y in range(size[1]))
        for z in range(size[2])
    ]


@pytest.mark.parametrize("count", [100, pytest.param(100_000, marks=[pytest.mark.slow])])
def test_split_of_an_image_is_the_same(count: int) -> None:
    check_images("packing", draw_image, count)

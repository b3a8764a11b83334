"""Canonical forms of locks: turned or mirrored as a whole, their pieces in another order."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from pysim.families.burr.documents import read_lock
from tests.tasks.images import CUBE, Document, apply, check_images


def draw_image(document: Mapping[str, Any], rng: Random) -> Document:
    whole = rng.choice(CUBE)
    shift = [rng.randrange(-4, 5) for _ in range(3)]
    colours = [piece["colour"] for piece in document["pieces"]]
    pieces = []
    for piece in read_lock(document).pieces:
        cells = [apply(whole, cell) for cell in piece.home.place(piece.shape).cells]
        low = [min(cell[k] for cell in cells) for k in range(3)]
        size = [max(cell[k] for cell in cells) - low[k] + 1 for k in range(3)]
        filled = {tuple(cell[k] - low[k] for k in range(3)) for cell in cells}
        layers = [
            "/".join(
                "".join(".#"[(x, y, z) in filled] for x in range(size[0])) for y in range(size[1])
            )
            for z in range(size[2])
        ]
        corner = [a + b for a, b in zip(low, shift, strict=True)]
        pieces.append({"layers": layers, "rotation": "+X+Y+Z", "cell": corner})
    rng.shuffle(pieces)
    return {
        "goal": rng.choice(["disassemble", "key"]),
        "pieces": [{"colour": c, **p} for c, p in zip(colours, pieces, strict=True)],
    }


@pytest.mark.parametrize("count", [5, pytest.param(100_000, marks=[pytest.mark.slow])])
def test_split_of_an_image_is_the_same(count: int) -> None:
    check_images("burr", draw_image, count)

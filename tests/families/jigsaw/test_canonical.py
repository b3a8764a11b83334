"""Canonical forms of jigsaw cubes: pieces may lie as they like, in any order, given or not."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from tests.tasks.images import Document, check_images


def draw_image(document: Mapping[str, Any], rng: Random) -> Document:
    colours = [piece["colour"] for piece in document["pieces"]]
    rows = [_lay(piece["rows"], rng) for piece in document["pieces"]]
    rng.shuffle(rows)
    return {
        "pieces": [
            {"colour": colour, "rows": drawn} for colour, drawn in zip(colours, rows, strict=True)
        ]
    }


def _lay(rows: list[str], rng: Random) -> list[str]:
    filled = {(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#"}
    for _ in range(rng.randrange(4)):
        filled = {(4 - y, x) for x, y in filled}
    if rng.random() < 0.5:
        filled = {(4 - x, y) for x, y in filled}
    return ["".join(".#"[(x, y) in filled] for x in range(5)) for y in range(5)]


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=[pytest.mark.slow])])
def test_split_of_an_image_is_the_same(count: int) -> None:
    check_images("jigsaw", draw_image, count)

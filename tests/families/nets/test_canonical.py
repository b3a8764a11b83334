"""Canonical forms of nets: nothing changes when a drawing is turned, mirrored or recoloured."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from tests.tasks.images import Document, check_images

_WAYS = ["up", "right", "down", "left"]


def draw_image(document: Mapping[str, Any], rng: Random) -> Document:
    colours = ["red", "blue", "green", "yellow", "purple", "cyan", "brown", "grey"]
    renamed = dict(zip(colours, rng.sample(colours, len(colours)), strict=True))
    mirrored = rng.random() < 0.5
    nets = [_draw_net(net, rng, renamed, mirrored) for net in document["nets"]]
    return {"nets": rng.sample(nets, len(nets)), "target": document["target"]}


def _draw_net(
    plates: list[Document], rng: Random, renamed: Mapping[str, str], mirrored: bool
) -> list[Document]:
    quarters, dx, dy = rng.randrange(4), rng.randrange(-3, 4), rng.randrange(-3, 4)
    drawn = []
    for plate in plates:
        x, y = plate["square"]
        way = _WAYS.index(plate["arrow"])
        if mirrored:
            x, way = -x, -way % 4
        for _ in range(quarters):
            x, y = y, -x
        colour = renamed[plate["colour"]]
        face = colour if plate["face"] == plate["colour"] else plate["face"]
        arrow = _WAYS[(way + quarters) % 4]
        drawn.append({"face": face, "colour": colour, "square": [x + dx, y + dy], "arrow": arrow})
    return rng.sample(drawn, len(drawn))


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=[pytest.mark.slow])])
def test_split_of_an_image_is_the_same(count: int) -> None:
    check_images("nets", draw_image, count)

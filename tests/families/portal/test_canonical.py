"""Canonical forms of chambers: turned about the vertical axis, mirrored, with other names."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from tests.tasks.images import CUBE, Document, Vector, apply, check_images

_UPRIGHT = [matrix for matrix in CUBE if apply(matrix, (0, 0, 1)) == (0, 0, 1)]
_WAYS = {"+x": (1, 0, 0), "-x": (-1, 0, 0), "+y": (0, 1, 0), "-y": (0, -1, 0), "+z": (0, 0, 1)}
_WAYS["-z"] = (0, 0, -1)
_NAMES = {vector: way for way, vector in _WAYS.items()}


def draw_image(document: Mapping[str, Any], rng: Random) -> Document:
    whole = rng.choice(_UPRIGHT)
    layers = document["layers"]
    width, depth = len(layers[0][0]), len(layers[0])
    ends = [apply(whole, (x, y, 0)) for x in (0, width - 1) for y in (0, depth - 1)]
    low = [min(end[k] for end in ends) for k in range(2)]

    def move(cell: Vector) -> list[int]:
        x, y, z = apply(whole, tuple(cell))
        return [x - low[0], y - low[1], z]

    named = [one["name"] for kind in ("buttons", "receivers") for one in document.get(kind, [])]
    numbers = rng.sample(range(100), len(named))
    names = {name: f"thing-{number}" for name, number in zip(named, numbers, strict=True)}
    image: Document = {
        "layers": _draw_layers(layers, move),
        "agent": "green",
        "start": move(document["start"]),
        "exit": move(document["exit"]),
        "fields": [move(cell) for cell in document.get("fields", [])],
    }
    for kind in ("boxes", "buttons", "doors", "receivers", "lasers", "bridges", "beams", "pads"):
        things = [dict(one) for one in document.get(kind, [])]
        for one in things:
            one["cell"] = move(one["cell"])
            for key in one.keys() & {"way", "turns"}:
                one[key] = _NAMES[apply(whole, _WAYS[one[key]])]
            if "speed" in one:
                one["speed"] = list(apply(whole, tuple(one["speed"])))
            if "needs" in one:
                one["needs"] = rng.sample([names[name] for name in one["needs"]], len(one["needs"]))
            if "name" in one:
                one["name"] = names.get(one["name"], one["name"])
        image[kind] = rng.sample(things, len(things))
    return image


def _draw_layers(layers: list[list[str]], move: Any) -> list[list[str]]:
    signs = {
        tuple(move((x, y, z))): sign
        for z, layer in enumerate(layers)
        for y, row in enumerate(layer)
        for x, sign in enumerate(row)
    }
    width, depth, height = (1 + max(cell[k] for cell in signs) for k in range(3))
    return [
        ["".join(signs[x, y, z] for x in range(width)) for y in range(depth)] for z in range(height)
    ]


@pytest.mark.parametrize("count", [5, pytest.param(100_000, marks=[pytest.mark.slow])])
def test_split_of_an_image_is_the_same(count: int) -> None:
    check_images("portal", draw_image, count)

"""Puzzles that are the same up to symmetry, made by code that shares nothing with canonical forms.

An image is drawn from the document of a puzzle: turned or mirrored as a whole, its pieces in
another order, and called otherwise. The split must not notice.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any

from pysim.catalog import discover_families, list_shipped_levels
from pysim.tasks import TaskSource
from pysim.tasks.splits import assign_split, compute_digest, list_shipped_digests

__all__ = ["CUBE", "Document", "Matrix", "Vector", "apply", "check_images", "invert_sign"]

Document = dict[str, Any]
Image = Callable[[Mapping[str, Any], Random], Document]
Vector = tuple[int, ...]
Matrix = tuple[Vector, ...]


def _list_matrices() -> tuple[Matrix, ...]:
    """Return the 48 signed permutations of three axes."""
    return tuple(
        tuple(
            tuple(sign * (k == axis) for k in range(3))
            for axis, sign in zip(order, signs, strict=True)
        )
        for order in permutations(range(3))
        for signs in product((1, -1), repeat=3)
    )


CUBE = _list_matrices()


def invert_sign(matrix: Matrix) -> bool:
    """Return whether a matrix mirrors."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0


def apply(matrix: Matrix, vector: Vector) -> Vector:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def check_images(family: str, image: Image, count: int, longest: int = 1000) -> None:
    """Check that images of prepared tasks are in their splits, and count as the same.

    Images of levels that ship count as levels that ship.

    Args:
        image: draws an image of a puzzle's document.
        count: number of images in all.
        longest: actions of the plans of levels that ship whose images are drawn, at most.
    """
    source, offered = TaskSource(family), discover_families()[family]
    assert offered.restore is not None
    rng = Random(f"{family} {count}")
    places = [
        (split, index) for split in source.splits for index in range(source.count_prepared(split))
    ]
    assert len(places) >= 700, "a pool ships"
    find_digest = cache(lambda place: compute_digest(source.get_task(*place).level))
    changed = 0
    for place in (places[k * len(places) // count % len(places)] for k in range(count)):
        task = source.get_task(*place)
        document = offered.write(task.level.puzzle)
        puzzle = offered.restore(image(document, rng))
        changed += puzzle != task.level.puzzle
        digest = compute_digest(replace(task.level, puzzle=puzzle))
        assert digest == find_digest(place), (task.level.id, offered.write(puzzle))
        assert assign_split(digest) is task.split
    assert changed > count / 2, "images differ from what they are images of"
    shipped = [one for one in list_shipped_levels(family) if len(one.plan or ()) <= longest]
    assert len(shipped) > 20
    for level in shipped:
        puzzle = offered.restore(image(offered.write(level.puzzle), rng))
        assert compute_digest(replace(level, puzzle=puzzle)) in list_shipped_digests(family)

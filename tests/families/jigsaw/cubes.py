"""Cubes for tests: cut at random, from the published sample, and put together by brute force."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import strategies as st

from pysim.families.jigsaw.cutting import Cut, cut_cube
from pysim.families.jigsaw.faces import Edge, Seat, ShellFace, list_seats

SAMPLE = "LUBAN_MCUBE_SAMPLE"
"""Variable with the path of a published item, CC BY-NC, which is not part of this repository."""

PieceRows = tuple[str, ...]
Cell = tuple[int, int, int]

PAPER = {
    "Front": ((1, 0, 0), (0, -1, 0)),
    "Back": ((-1, 0, 0), (0, -1, 0)),
    "Left": ((0, 0, 1), (0, -1, 0)),
    "Right": ((0, 0, -1), (0, -1, 0)),
    "Top": ((1, 0, 0), (0, 0, 1)),
    "Bottom": ((1, 0, 0), (0, 0, -1)),
}
"""Right and down in the view of each face; x to the right, y up, z towards the front."""

cuts = st.builds(
    lambda seed, flipped: cut_cube(Random(seed), flipped=flipped),
    st.integers(0, 10**6),
    st.booleans(),
)


def sample() -> tuple[tuple[PieceRows, ...], tuple[Seat, ...]]:
    """The published item: its pieces, and where the paper's answer puts them."""
    if SAMPLE not in os.environ:
        pytest.skip(f"NOT TESTED: {SAMPLE} doesn't name the file of the published sample")
    document = json.loads(Path(os.environ[SAMPLE]).read_text())
    pieces, places = [], []
    for letter in "ABCDEF":
        rows = document["face_arrays"][letter]
        pieces.append(tuple("".join("#" if cell else "." for cell in row) for row in rows))
        found = re.search(rf"{letter}: \((\w+), (\d), (\d)\)", document["reference_solution"])
        assert found is not None
        edges = Edge.from_number(int(found[2])), Edge.from_number(int(found[3]))
        places.append(Seat(ShellFace(found[1]), *edges))
    return tuple(pieces), tuple(places)


def filled(rows: PieceRows, place: Seat) -> set[Cell]:
    """The cells that a piece fills, in the paper's frame about the middle: by turning an array.

    The array is turned and mirrored as a whole until its edges are where the placement says.
    """
    wanted = (place.left.number, place.top.number)
    for turned, edges in _ways(rows):
        if edges[:2] == wanted:
            right, down = PAPER[place.face.value]
            out = _cross(down, right)
            return {
                (
                    2 * out[0] + (c - 2) * right[0] + (r - 2) * down[0],
                    2 * out[1] + (c - 2) * right[1] + (r - 2) * down[1],
                    2 * out[2] + (c - 2) * right[2] + (r - 2) * down[2],
                )
                for r, line in enumerate(turned)
                for c, sign in enumerate(line)
                if sign == "#"
            }
    raise AssertionError(wanted)


def _ways(rows: PieceRows) -> Iterator[tuple[PieceRows, tuple[int, ...]]]:
    """An array in eight ways, with its edges from the left one on, clockwise."""
    for turned, edges in ((rows, (1, 2, 3, 4)), (tuple(r[::-1] for r in rows), (3, 2, 1, 4))):
        for _ in range(4):
            yield turned, edges
            # Clockwise: what was the left edge comes to the top.
            turned = tuple("".join(line) for line in zip(*turned[::-1], strict=True))
            edges = (edges[3], *edges[:3])


def is_whole(pieces: Sequence[PieceRows], places: Sequence[Seat]) -> bool:
    """Whether the placed pieces fill the surface of the cube, each cell once."""
    placed = zip(pieces, places, strict=True)
    cells = [cell for rows, place in placed for cell in filled(rows, place)]
    return len(cells) == len(set(cells)) == 98


def by_brute_force(cut: Cut, missing: Sequence[int], *, flips: bool) -> set[tuple[Seat, ...]]:
    """Every answer that makes the cube, the other pieces staying where they were: all are tried."""
    faces = [cut.places[i].face for i in missing]
    found = set()
    for order in permutations(faces):
        choices = [
            [p for p in list_seats() if p.face is face and (flips or not p.flipped)]
            for face in order
        ]
        for chosen in product(*choices):
            places = list(cut.places)
            for i, place in zip(missing, chosen, strict=True):
                places[i] = place
            if is_whole(cut.pieces, places):
                found.add(tuple(places))
    return found


def _cross(a: Cell, b: Cell) -> Cell:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])

"""Packing puzzles as documents, and which ones are refused."""

import copy
from typing import Any

import pytest

from pysim.families.packing.box import Packing, check_size, read_packing, write_packing
from pysim.geometry import Direction

GOOD: dict[str, Any] = {
    "size": [3, 1, 2],
    "gravity": True,
    "open": ["+z"],
    "pieces": [
        {"colour": "red", "layers": ["###"]},
        {"colour": "blue", "layers": ["##"]},
        {"colour": "green", "layers": ["#"]},
    ],
}


def changed(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    document = copy.deepcopy(GOOD)
    target: Any = document
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return document


def test_a_document_reads_back_as_it_was_written() -> None:
    packing = read_packing(GOOD)
    assert write_packing(packing) == GOOD and read_packing(write_packing(packing)) == packing
    assert packing.exits == (Direction.PLUS_Z,) and packing.gravity
    sides = read_packing(changed(("open",), ["-z", "+z", "+x"]))
    assert sides.exits == (Direction.PLUS_Z, Direction.PLUS_X, Direction.MINUS_Z)
    assert write_packing(sides)["open"] == ["+x", "+z", "-z"]


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (("size",), [3, 2], "three whole numbers"),
        (("size",), [3, 1, 2.0], "three whole numbers"),
        (("size",), [3, 0, 2], "1 to 8 cells, unlike 3x0x2"),
        (("size",), [-3, 1, 2], "1 to 8 cells, unlike -3x1x2"),
        (("size",), [1, 1, 1], "4 to 128 cells; 1x1x1 has 1"),
        (("size",), [3, 3, 2], "the pieces have 6 cells, the box 18"),
        (("gravity",), None, "true or false"),
        (("open",), [["+z"]], "list of directions"),
        (("open",), "+z", "list of directions"),
        (("pieces", 0, "colour"), 5, "one word in lower case"),
        (("pieces", 0, "layers"), ["#.#", "..#"], "not connected"),
    ],
)
def test_what_is_no_puzzle_is_refused_in_words(
    path: tuple[str | int, ...], value: object, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_packing(changed(path, value))


def test_a_piece_that_fits_in_no_way_is_refused() -> None:
    document = changed(("size",), [6, 1, 1])
    document["pieces"][0]["layers"] = ["##/#."]
    with pytest.raises(ValueError, match="red: the piece does not fit"):
        read_packing(document)


def test_a_piece_that_would_tip_over_as_it_is_drawn_is_refused() -> None:
    document = changed(("size",), [3, 2, 2])
    document["pieces"] = [
        {"colour": "red", "layers": ["#..", "###"]},
        {"colour": "blue", "layers": ["####/####"]},
    ]
    with pytest.raises(ValueError, match="red: as it is drawn the piece would tip over"):
        read_packing(document)


@pytest.mark.parametrize("size", [(0, 3, 3), (-1, 3, 3), (1, 1, 1), (20, 20, 20), (3, 3), ()])
def test_boxes_of_sizes_that_make_no_puzzle_are_refused(size: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="a box has"):
        check_size(size)


def test_colours_are_found_by_name() -> None:
    packing: Packing = read_packing(GOOD)
    assert packing.index == {"red": 0, "blue": 1, "green": 2} and packing.full == 0b111111

"""Locks as data: reading, writing, and what is refused."""

import copy
import random
from typing import Any

import pytest

from pysim.families.burr.documents import read_lock, write_lock
from pysim.families.burr.lock import Goal
from tests.families.burr.locks import random_lock, six_piece_lock
from tests.geometry.test_resting import tumbler

GOOD: dict[str, Any] = {
    "goal": "disassemble",
    "pieces": [
        {"colour": "red", "layers": ["##"], "rotation": "+X+Y+Z", "cell": [0, 0, 0]},
        {"colour": "blue", "number": 1, "length": 6, "rotation": "+Y-X+Z", "cell": [5, 5, 5]},
    ],
}


@pytest.mark.parametrize("seed", range(10))
def test_a_lock_reads_back_as_it_was_written(seed: int) -> None:
    rng = random.Random(seed)
    lock = random_lock(rng, rng.choice(list(Goal)), 4)
    assert read_lock(write_lock(lock)) == lock
    assert write_lock(read_lock(write_lock(lock))) == write_lock(lock)


def test_burr_pieces_keep_their_numbers() -> None:
    lock = six_piece_lock((1, 256, 824, 928, 975, 1024), Goal.KEY, length=8)
    document = write_lock(lock)
    assert read_lock(document) == lock
    assert [p["number"] for p in document["pieces"]] == [1, 256, 824, 928, 975, 1024]  # type: ignore[attr-defined]
    assert "layers" not in str(document)


def test_the_cell_of_a_piece_is_the_low_corner_of_its_bounds() -> None:
    lock = read_lock(GOOD)
    for piece, document in zip(lock.pieces, GOOD["pieces"], strict=True):
        assert list(piece.home.place(piece.shape).bounds.low) == document["cell"]


def spoiled(**changes: Any) -> dict[str, Any]:
    """GOOD with fields of its first piece changed; None leaves one out."""
    document = copy.deepcopy(GOOD)
    for name, value in changes.items():
        if value is None:
            document["pieces"][0].pop(name, None)
        else:
            document["pieces"][0][name] = value
    return document


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({}, "goal"),
        ({**GOOD, "goal": []}, "goal"),
        ({"goal": "key"}, "list of pieces"),
        ({**GOOD, "pieces": GOOD["pieces"][:1]}, "2 to 62"),
        (spoiled(colour=None), "no colour"),
        (spoiled(colour="Red"), "lower case"),
        (spoiled(colour="red,blue"), "lower case"),
        (spoiled(colour="r" * 65), "lower case"),
        (spoiled(layers=None), "number and a length"),
        (spoiled(number=1), "number and a length"),
        (spoiled(layers="##"), "list of strings"),
        (spoiled(layers=[1]), "list of strings"),
        (spoiled(layers=["x"]), "drawn with"),
        (spoiled(layers=["..."]), "at least one cell"),
        (spoiled(layers=["#.#"]), "not connected"),
        (spoiled(layers=["#" * 65]), "longer than 64"),
        (spoiled(layers=None, number="1", length=6), "whole number"),
        (spoiled(layers=None, number=True, length=6), "whole number"),
        (spoiled(layers=None, number=0, length=6), "from 1 to 4096"),
        (spoiled(layers=None, number=1, length=7), "even"),
        (spoiled(layers=None, number=1), "length"),
        (spoiled(rotation=None), "no rotation"),
        (spoiled(cell=None), "three whole numbers"),
        (spoiled(cell=[0, 0]), "three whole numbers"),
        (spoiled(cell=[0, 0, True]), "three whole numbers"),
        (spoiled(cell=[5, 5, 5]), "both cover"),
    ],
)
def test_an_impossible_lock_is_refused_with_a_reason(
    document: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        read_lock(document)


def test_a_piece_that_can_lie_on_no_side_is_refused() -> None:
    # It could never be put down: play would break when it comes free.
    with pytest.raises(ValueError, match="red: the piece can't be laid"):
        read_lock(spoiled(layers=list(tumbler().format()), cell=[20, 20, 20]))

"""Burr sticks: the published numbers of pieces, and their drawing."""

import pytest

from pysim.families.burr.notches import make_stick
from pysim.geometry import Voxels


def connected_sticks() -> dict[int, Voxels]:
    sticks = {}
    for number in range(1, 4097):
        try:
            sticks[number] = make_stick(number)
        except ValueError as error:
            assert "falls apart" in str(error)
    return sticks


def mirrored(shape: Voxels) -> Voxels:
    return Voxels.from_cells((-x, y, z) for x, y, z in shape.cells)


def test_2225_of_4096_numbers_are_pieces_and_837_are_distinct() -> None:
    # W. Cutler's counts. 837 are distinct up to turning, mirrored pieces being different: the
    # numbers of connected sticks fall into that many classes of congruent shapes.
    sticks = connected_sticks()
    assert len(sticks) == 2225
    assert len({stick.canonical for stick in sticks.values()}) == 837


def test_number_1_is_the_whole_stick_and_each_bit_removes_one_cell() -> None:
    whole = make_stick(1).cell_set
    assert whole == Voxels.make_block((6, 2, 2)).cell_set
    cells = {value: whole - make_stick(1 + value).cell_set for value in (1 << k for k in range(12))}
    assert cells[1] == {(1, 0, 1)} and cells[8] == {(4, 0, 1)}
    assert cells[16] == {(1, 1, 1)} and cells[128] == {(4, 1, 1)}
    assert cells[256] == {(2, 0, 0)} and cells[512] == {(3, 0, 0)}
    assert cells[1024] == {(2, 1, 0)} and cells[2048] == {(3, 1, 0)}
    assert len(frozenset().union(*cells.values())) == 12


def test_a_piece_is_the_whole_stick_less_the_cells_of_its_bits() -> None:
    for number, stick in connected_sticks().items():
        assert len(stick.cells) == 24 - (number - 1).bit_count()


@pytest.mark.parametrize("length", [8, 10, 24])
def test_longer_sticks_have_the_same_notches_in_the_middle(length: int) -> None:
    shift = (length - 6) // 2
    for number in (1, 88, 1024, 956):
        whole = Voxels.make_block((length, 2, 2)).cell_set
        short = Voxels.make_block((6, 2, 2)).cell_set - make_stick(number).cell_set
        assert whole - make_stick(number, length).cell_set == {
            (x + shift, y, z) for x, y, z in short
        }


@pytest.mark.parametrize(
    ("number", "length", "message"),
    [
        (0, 6, "from 1 to 4096"),
        (4097, 6, "from 1 to 4096"),
        (-5, 6, "from 1 to 4096"),
        (1, 5, "even"),
        (1, 7, "even"),
        (1, 26, "even"),
        (4096, 6, "falls apart"),
    ],
)
def test_a_number_or_a_length_that_is_none_is_refused(
    number: int, length: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make_stick(number, length)

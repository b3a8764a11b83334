"""Faces, edges and placements: what is where, and what moving the whole cube does to it."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.families.jigsaw.cutting import Cut
from pysim.families.jigsaw.faces import Edge, Seat, ShellFace, list_seats, map_cell
from pysim.families.jigsaw.fitting import is_cube
from pysim.families.jigsaw.moves import find_world_pose
from pysim.families.jigsaw.puzzle import Jigsaw, Piece
from pysim.families.jigsaw.shell import CELLS, find_side, list_cells, list_faces, mask_of
from pysim.geometry import Direction
from pysim.scene import Colour
from tests.families.jigsaw.cubes import PAPER, cuts, filled

placements = st.sampled_from(list_seats())
COLOURS = tuple(map(Colour, ("red", "blue", "green", "yellow", "cyan", "orange")))


def in_paper(cell: tuple[int, int, int]) -> tuple[int, int, int]:
    """A cell in the paper's frame about the middle: our z is its y, our -y its z."""
    x, y, z = cell
    return (x - 2, z - 2, 2 - y)


@pytest.mark.parametrize("face", ShellFace)
def test_a_face_is_seen_as_the_paper_says(face: ShellFace) -> None:
    right, down = PAPER[face.value]
    for row, column in product(range(5), repeat=2):
        here, beside = (in_paper(face.locate_cell(row, c)) for c in (column, column + 1))
        below = in_paper(face.locate_cell(row + 1, column))
        assert tuple(b - a for a, b in zip(here, beside, strict=True)) == right
        assert tuple(b - a for a, b in zip(here, below, strict=True)) == down
    middle = face.locate_cell(2, 2)
    assert tuple(v - 2 for v in middle) == tuple(2 * v for v in face.outward.vector)


def test_the_shell_has_98_cells_of_which_54_belong_to_one_face_36_to_two_and_8_to_three() -> None:
    counts = [len(list_faces(cell)) for cell in CELLS]
    assert len(CELLS) == 98
    assert [counts.count(n) for n in (1, 2, 3)] == [54, 36, 8]


def test_edges_are_numbered_clockwise_from_the_left() -> None:
    assert [edge.number for edge in (Edge.LEFT, Edge.TOP, Edge.RIGHT, Edge.BOTTOM)] == [1, 2, 3, 4]
    assert [Edge.from_number(edge.number) for edge in Edge] == list(Edge)
    assert all(
        edge.opposite.opposite is edge and not edge.is_beside(edge.opposite) for edge in Edge
    )


def test_there_are_48_placements_half_of_them_turned_over() -> None:
    assert len(set(list_seats())) == 48
    assert sum(place.flipped for place in list_seats()) == 24
    assert all(place.left.is_beside(place.top) for place in list_seats())


@given(cuts, placements)
def test_a_piece_fills_what_turning_its_array_shows(cut: Cut, place: Seat) -> None:
    rows = cut.pieces[0]
    assert {in_paper(cell) for cell in list_cells(mask_of(rows, place))} == filled(rows, place)


@given(cuts, placements)
def test_a_body_covers_the_cells_of_its_piece(cut: Cut, place: Seat) -> None:
    jigsaw = Jigsaw(tuple(map(Piece, COLOURS, cut.pieces)))
    body = find_world_pose(jigsaw, 0, place).place(jigsaw.shapes[0])
    assert body.cells == list_cells(mask_of(cut.pieces[0], place))


@given(placements)
def test_the_drawn_side_looks_out_unless_the_piece_is_turned_over(place: Seat) -> None:
    towards = place.rotation.apply((0, 0, 1))
    outward = place.face.outward
    assert towards == (outward.opposite if place.flipped else outward).vector


@given(cuts, placements, st.integers(0, 5))
def test_moving_the_whole_cube_moves_every_piece_with_it(cut: Cut, whole: Seat, piece: int) -> None:
    rows, place = cut.pieces[piece], cut.places[piece]
    before = list_cells(mask_of(rows, place))
    after = list_cells(mask_of(rows, place.move(whole)))
    assert sorted(map_cell(cell, whole) for cell in before) == list(after)


@given(cuts, placements)
def test_a_solution_is_one_in_all_24_rotations_and_mirrored(cut: Cut, whole: Seat) -> None:
    assert is_cube(cut.pieces, [place.move(whole) for place in cut.places])


def test_moves_of_the_whole_cube_are_48_and_24_of_them_are_rotations() -> None:
    images = {whole: tuple(map_cell(cell, whole) for cell in CELLS) for whole in list_seats()}
    assert len(set(images.values())) == 48
    assert all(sorted(image) == list(CELLS) for image in images.values())
    for whole, image in images.items():
        where = dict(zip(CELLS, image, strict=True))
        axes = [where[c] for c in ((4, 2, 2), (2, 4, 2), (2, 2, 4))]
        (a, b, c), (d, e, f), (g, h, i) = ([v - 2 for v in axis] for axis in axes)
        volume = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
        assert (volume < 0) == whole.flipped


def test_neighbouring_faces_see_each_other_on_opposite_sides_of_one_edge() -> None:
    for face, other in product(ShellFace, repeat=2):
        if face.outward.axis is other.outward.axis:
            with pytest.raises(KeyError):
                find_side(face, other)
        else:
            side = find_side(face, other)
            row, column = {"left": (2, 0), "top": (0, 2), "right": (2, 4), "bottom": (4, 2)}[side]
            assert set(list_faces(face.locate_cell(row, column))) == {face, other}
    assert {face.outward for face in ShellFace} == set(Direction)

"""What the validator says of a cube that is not right, and where."""

from hypothesis import assume, given
from hypothesis import strategies as st

from pysim.families.jigsaw.cutting import Cut
from pysim.families.jigsaw.faces import Edge, Seat, ShellFace, list_seats
from pysim.families.jigsaw.fitting import Misfit, find_conflicts, find_gaps, find_joints, is_cube
from pysim.families.jigsaw.shell import list_faces
from tests.families.jigsaw.cubes import cuts, filled, is_whole, sample


def swapped(cut: Cut, one: int, other: int, ways: tuple[int, int]) -> list[Seat]:
    """The places of a cut, two pieces exchanged and laid in other ways."""
    places = list(cut.places)
    faces = places[one].face, places[other].face
    for piece, face, way in zip((other, one), faces, ways, strict=True):
        places[piece] = [p for p in list_seats() if p.face is face][way]
    return places


wrong = st.tuples(
    cuts,
    st.sampled_from([(a, b) for a in range(6) for b in range(a)]),
    st.tuples(st.integers(0, 7), st.integers(0, 7)),
)


@given(wrong)
def test_a_cube_fits_exactly_if_there_is_no_conflict(
    case: tuple[Cut, tuple[int, int], tuple[int, int]],
) -> None:
    cut, pair, ways = case
    places = swapped(cut, *pair, ways)
    found = find_conflicts(cut.pieces, places)
    assert is_cube(cut.pieces, places) == (not found) == is_whole(cut.pieces, places)


@given(wrong)
def test_conflicts_are_the_cells_that_are_not_filled_once(
    case: tuple[Cut, tuple[int, int], tuple[int, int]],
) -> None:
    cut, pair, ways = case
    places = swapped(cut, *pair, ways)
    cells = [filled(rows, p) for rows, p in zip(cut.pieces, places, strict=True)]
    for conflict in find_conflicts(cut.pieces, places):
        x, y, z = conflict.cell
        owners = tuple(i for i, mine in enumerate(cells) if (x - 2, z - 2, 2 - y) in mine)
        assert conflict.pieces == owners and len(owners) != 1
        assert (conflict.fault is Misfit.GAP) == (not owners)
        assert conflict.faces == list_faces(conflict.cell)


@given(wrong)
def test_there_are_as_many_cells_too_many_as_are_missing(
    case: tuple[Cut, tuple[int, int], tuple[int, int]],
) -> None:
    cut, pair, ways = case
    found = find_conflicts(cut.pieces, swapped(cut, *pair, ways))
    missing = sum(one.fault is Misfit.GAP for one in found)
    assert missing == sum(len(one.pieces) - 1 for one in found if one.pieces)


@given(wrong)
def test_joints_hold_every_conflict_once_and_name_the_edges_that_meet(
    case: tuple[Cut, tuple[int, int], tuple[int, int]],
) -> None:
    cut, pair, ways = case
    places = swapped(cut, *pair, ways)
    on = {place.face: place for place in places}
    found = find_joints(cut.pieces, places)
    inside = [one for joint in found for one in joint.conflicts]
    assert sorted(inside, key=lambda one: one.cell) == list(find_conflicts(cut.pieces, places))
    for joint in found:
        assert len(joint.faces) in (2, 3)
        if len(joint.faces) == 3:
            assert joint.edges == () and len(joint.conflicts) == 1
            continue
        one, other = joint.faces
        for face, neighbour, edge in ((one, other, joint.edges[0]), (other, one, joint.edges[1])):
            assert edge is not None
            assert on[face].sides[edge] is neighbour.outward


def test_a_piece_of_the_sample_turned_by_a_quarter_clashes_at_its_own_edges() -> None:
    pieces, places = sample()
    turned = Seat(places[0].face, places[0].top, places[0].left.opposite)
    found = find_joints(pieces, (turned, *places[1:]))
    assert found and all(places[0].face in joint.faces for joint in found)


@given(cuts, st.sets(st.integers(0, 5), min_size=1, max_size=5))
def test_what_is_not_there_yet_leaves_no_gap(cut: Cut, placed: set[int]) -> None:
    places = [place if i in placed else None for i, place in enumerate(cut.places)]
    assert find_gaps(cut.pieces, places) == () == find_conflicts(cut.pieces, places)


@given(cuts)
def test_two_pieces_on_one_face_overlap_in_its_middle(cut: Cut) -> None:
    places = list(cut.places)
    assume(places[0].face is not places[1].face)
    places[1] = Seat(places[0].face, Edge.LEFT, Edge.TOP)
    middle = places[0].face.locate_cell(2, 2)
    (found,) = [one for one in find_conflicts(cut.pieces, places) if one.cell == middle]
    assert found.fault is Misfit.OVERLAP and found.pieces == (0, 1)
    assert not is_cube(cut.pieces, places)


def test_five_pieces_are_no_cube() -> None:
    places = [Seat(face, Edge.LEFT, Edge.TOP) for face in ShellFace]
    assert not is_cube([(".....",) * 5] * 5, places[:5])

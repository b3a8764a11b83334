"""Answers are read as they are written, and nothing else is."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.benches.mcube.answer_formats import ArrayForm, Fits, PlacementForm, complete_placements
from pysim.families.jigsaw.cutting import Cut
from pysim.families.jigsaw.faces import Edge, Seat, ShellFace, list_seats
from tests.families.jigsaw.cubes import cuts, sample

ALL = PlacementForm(tuple(range(6)), tuple(ShellFace), flips=True)
TWO = PlacementForm((1, 3), (ShellFace.TOP, ShellFace.LEFT), flips=False)
TOP = Seat(ShellFace.TOP, Edge.RIGHT, Edge.TOP)


@given(st.lists(st.sampled_from(list_seats()), min_size=6, max_size=6))
def test_placements_are_read_back(places: list[Seat]) -> None:
    answer = tuple(enumerate(places))
    assert ALL.parse(ALL.format(answer)) == answer


@pytest.mark.parametrize("kind", [ALL, TWO])
@given(seed=st.integers(0, 10**6))
def test_drawn_placements_have_the_form(kind: PlacementForm, seed: int) -> None:
    drawn = kind.draw(Random(seed))
    assert kind.parse(kind.format(drawn)) == drawn
    assert {place.face for _, place in drawn} == set(kind.faces)
    assert tuple(i for i, _ in drawn) == kind.missing
    assert kind.flips or not any(place.flipped for _, place in drawn)


def test_every_answer_of_two_missing_pieces_is_drawn_about_equally_often() -> None:
    random, count = Random(2), 3200
    drawn = [TWO.draw(random) for _ in range(count)]
    found = {answer: drawn.count(answer) for answer in set(drawn)}
    assert len(found) == 32
    assert all(50 <= n <= 150 for n in found.values())


@pytest.mark.parametrize(
    "text",
    [
        "B: (Top, 3, 2)\nD: (Left, 1, 2)",
        "so **B**: (top, 3, 2) and\n- D : ( LEFT ,1,2 )",
        "B: (Front, 1, 2)\nD: (Front, 1, 2)\nNo!\nB: (Top, 3, 2)\nD: (Left, 1, 2)",
        "```\nPiece B: (Top, 3, 2)\nPiece D: (Left, 1, 2)\n```",
    ],
)
def test_what_stands_around_does_not_matter_and_the_last_line_counts(text: str) -> None:
    assert TWO.parse(text) == ((1, TOP), (3, Seat(ShellFace.LEFT, Edge.LEFT, Edge.TOP)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "B: (Top, 3, 2)",
        "B: (Top, 3, 1)\nD: (Left, 1, 2)",
        "B: (Top, 3, 5)\nD: (Left, 1, 2)",
        "B: (Lid, 3, 2)\nD: (Left, 1, 2)",
        "AB: (Top, 3, 2)\nD: (Left, 1, 2)",
        "B: (Top, 3)\nD: (Left, 1, 2)",
    ],
)
def test_what_has_not_the_form_is_no_answer(text: str) -> None:
    assert TWO.parse(text) is None


@given(st.text())
def test_any_text_can_be_looked_at(text: str) -> None:
    for form in (ALL, TWO, ArrayForm()):
        form.parse(text)


def test_the_published_answer_is_right_as_it_is_written() -> None:
    pieces, places = sample()
    text = ALL.format(tuple(enumerate(places)))
    assert text.startswith("A: (Top, 3, 2)\nB: (Back, 4, 3)\n")
    answer = ALL.parse(text)
    assert answer is not None and Fits(pieces, ()).accepts(answer)


@given(cuts, st.sampled_from(list_seats()))
def test_a_turned_or_mirrored_cube_is_right_too(cut: Cut, whole: Seat) -> None:
    key = Fits(cut.pieces, ())
    assert key.accepts(tuple((i, p.move(whole)) for i, p in enumerate(cut.places)))


@given(cuts)
def test_given_pieces_may_be_named_but_not_moved(cut: Cut) -> None:
    given_ones = tuple(enumerate(cut.places))[2:]
    key, rest = Fits(cut.pieces, given_ones), tuple(enumerate(cut.places))[:2]
    assert key.accepts(rest) and key.accepts((*rest, *given_ones))
    (piece, place), *others = given_ones
    moved = Seat(place.face, place.top, place.left.opposite)
    again = ((piece, moved), *others)
    symmetric = complete_placements(cut.pieces, given_ones, (*rest, *again)) is not None
    assert key.accepts((*rest, *again)) == symmetric
    assert not key.accepts(rest[:1])


def test_keys_of_other_cubes_have_other_names() -> None:
    one = (("#####",) * 5,) * 6
    names = {Fits(one, ()).name, Fits(one, ((0, TOP),)).name, Fits(one[::-1][:5], ()).name}
    assert len(names) == 3


@given(st.integers(0, 10**6))
def test_arrays_are_read_back(seed: int) -> None:
    form = ArrayForm()
    rows = form.draw(Random(seed))
    assert form.parse(form.format(rows)) == rows
    assert rows[2][1:4] == "###"


CROSS = ("..#..", ".###.", "#####", ".###.", "..#..")


@pytest.mark.parametrize(
    "text",
    [
        "[[0,0,1,0,0],[0,1,1,1,0],[1,1,1,1,1],[0,1,1,1,0],[0,0,1,0,0]]",
        "00100\n01110\n11111\n01110\n00100",
        "0 0 1 0 0\n0 1 1 1 0\n1 1 1 1 1\n0 1 1 1 0\n0 0 1 0 0\nThat is it.",
        "[[1,1,1,1,1],[1,1,1,1,1]] is wrong, so\n```\n[0, 0, 1, 0, 0]\n[0, 1, 1, 1, 0]\n"
        "[1, 1, 1, 1, 1]\n[0, 1, 1, 1, 0]\n[0, 0, 1, 0, 0]\n```",
    ],
)
def test_arrays_are_written_in_several_ways(text: str) -> None:
    assert ArrayForm().parse(text) == CROSS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "00100\n01110\n11111\n01110",
        "00100\n01110\n11111\n01110\n00100\n00100",
        "001000\n011100\n111110\n011100\n001000",
        "00200\n01110\n11111\n01110\n00100",
        "00100\n01110\n11111\n01110\n00100\nor\n11111",
    ],
)
def test_what_is_no_array_of_five_by_five_is_no_answer(text: str) -> None:
    assert ArrayForm().parse(text) is None

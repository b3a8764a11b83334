"""Reading and writing designs as BurrTools files."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.families.burr.files.design import (
    Design,
    DesignError,
    DrawnShape,
    PartUse,
    Problem,
    StoredAssembly,
    StoredSearch,
)
from pysim.families.burr.files.puz import read_design
from pysim.families.burr.files.xmpuzzle import read_xmpuzzle, write_xmpuzzle
from tests.families.burr.xml import problem, puzzle

ROOT = Path(__file__).parents[3]
DATA = ROOT.parent / "shared" / "data"
FILES = sorted(DATA.glob("*/*.xmpuzzle"))
needs_files = pytest.mark.skipif(not FILES, reason=f"no designers' files in {DATA}")

# What a designer may draw

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Cn")), max_size=8)
COMMENTS = st.text("a<&>\"' \n\t\ré", max_size=12)
SMALL = st.integers(-30, 30)


@st.composite
def shapes(draw: st.DrawFn, colours: int) -> DrawnShape:
    size = draw(st.tuples(*[st.integers(1, 3)] * 3))
    cells = [(x, y, z) for x in range(size[0]) for y in range(size[1]) for z in range(size[2])]
    states = draw(st.lists(st.sampled_from("#+_"), min_size=len(cells), max_size=len(cells)))
    drawn = dict(zip(cells, states, strict=True))
    solid = [cell for cell in cells if drawn[cell] != "_"]
    coloured = draw(st.lists(st.sampled_from(solid), unique=True)) if solid and colours else []
    return DrawnShape(
        size,
        frozenset(cell for cell in cells if drawn[cell] == "#"),
        frozenset(cell for cell in cells if drawn[cell] == "+"),
        {cell: draw(st.integers(1, colours)) for cell in coloured},
        draw(st.tuples(SMALL, SMALL, SMALL)),
        draw(TEXTS),
        draw(SMALL),
    )


@st.composite
def parts(draw: st.DrawFn, shapes: int) -> PartUse:
    minimum = draw(st.integers(0, 3))
    group = draw(st.integers(0, 3))
    groups = draw(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 3)), max_size=2))
    return PartUse(
        draw(st.integers(0, shapes - 1)),
        minimum,
        minimum + draw(st.integers(0, 2)),
        group,
        () if group else tuple(groups),
    )


@st.composite
def assemblies(draw: st.DrawFn, pieces: int) -> StoredAssembly:
    place = st.none() | st.tuples(SMALL, SMALL, SMALL, st.integers(0, 47))
    texts = ("", "<separation/>", "<separationInfo>2 0\r\n</separationInfo>")
    nested = "<separation >\n é<separation type='left'/><!-- > --> </separation>"
    return StoredAssembly(
        tuple(draw(st.lists(place, min_size=pieces, max_size=pieces))),
        draw(st.sampled_from((*texts, nested, nested + texts[2]))),
        draw(st.integers(0, 5)),
        draw(st.integers(0, 5)),
    )


@st.composite
def problems(draw: st.DrawFn, shapes: int, colours: int) -> Problem:
    used = tuple(draw(st.lists(parts(shapes), max_size=3)))
    colour = st.integers(1, max(colours, 1))
    counted = st.none() | st.integers(0, 99)
    return Problem(
        draw(TEXTS),
        used,
        draw(st.integers(0, shapes - 1)),
        draw(st.frozensets(st.tuples(colour, colour), max_size=3 if colours else 0)),
        draw(counted),
        tuple(draw(st.lists(assemblies(sum(p.maximum for p in used)), max_size=2))),
        draw(st.none() | st.builds(StoredSearch, st.booleans(), counted, counted, counted)),
    )


@st.composite
def designs(draw: st.DrawFn) -> Design:
    channel = st.integers(0, 255)
    palette = tuple(draw(st.lists(st.tuples(channel, channel, channel), max_size=12)))
    drawn = tuple(draw(st.lists(shapes(len(palette)), max_size=3)))
    posed = st.lists(problems(len(drawn), len(palette)), max_size=2) if drawn else st.just([])
    return Design(drawn, tuple(draw(posed)), palette, draw(COMMENTS), draw(st.booleans()))


@given(designs(), st.booleans())
def test_what_is_written_reads_back_equal(design: Design, compressed: bool) -> None:
    data = write_xmpuzzle(design, compressed=compressed)
    assert data.startswith(b"\x1f\x8b") == compressed
    assert read_xmpuzzle(data) == design
    assert write_xmpuzzle(read_xmpuzzle(data), compressed=compressed) == data


def test_packed_bytes_hold_no_time_and_no_name() -> None:
    data = write_xmpuzzle(read_xmpuzzle(puzzle()))
    assert data[3] == 0 and data[4:8] == bytes(4)


@pytest.mark.parametrize(
    "shape",
    [
        DrawnShape((0, 1, 1), frozenset()),
        DrawnShape((1, 1, 1), frozenset({(1, 0, 0)})),
        DrawnShape((2000, 2000, 2000), frozenset()),
        DrawnShape((1, 1, 1), frozenset({(0, 0, 0)}), frozenset({(0, 0, 0)})),
        DrawnShape((1, 1, 1), frozenset(), frozenset(), {(0, 0, 0): 1}),
        DrawnShape((1, 1, 1), frozenset({(0, 0, 0)}), frozenset(), {(0, 0, 0): 1}),
        DrawnShape((1, 1, 1), frozenset(), name="\0"),
        DrawnShape((1, 1, 1), frozenset(), name="\ud800"),
    ],
)
def test_a_design_that_contradicts_itself_is_not_written(shape: DrawnShape) -> None:
    with pytest.raises(DesignError):
        write_xmpuzzle(Design((shape,), ()))


def test_a_separation_that_is_no_xml_is_not_written() -> None:
    stored = StoredAssembly(((0, 0, 0, 0),), "<separation>")
    design = Design(
        (DrawnShape((1, 1, 1), frozenset({(0, 0, 0)})),),
        (Problem("", (PartUse(0, 1, 1),), 0, assemblies=(stored,)),),
    )
    with pytest.raises(DesignError, match="no XML"):
        write_xmpuzzle(design)


# The format


def test_cells_run_along_x_then_y_then_z() -> None:
    text = (
        '<voxel x="3" y="2" z="2" hx="-1" hz="2" weight="4" name="A&#38;B">#_+2____#1_+__</voxel>'
    )
    colours = '<color red="1" green="2" blue="3"/>' * 2
    (shape,) = read_xmpuzzle(puzzle(text, colours=colours)).shapes
    assert shape.filled == {(0, 0, 0), (1, 0, 1)}
    assert shape.variable == {(2, 0, 0), (0, 1, 1)}
    assert shape.colours == {(2, 0, 0): 2, (1, 0, 1): 1}
    assert shape.size == (3, 2, 2) and shape.hotspot == (-1, 0, 2)
    assert shape.name == "A&B" and shape.weight == 4


def test_colours_of_the_bitmap_count_from_0_and_ours_from_1() -> None:
    colours = '<color red="1" green="2" blue="3"/>' * 2
    posed = '<problem><shapes/><result id="0"/><bitmap><pair piece="0" result="1"/></bitmap>'
    design = read_xmpuzzle(puzzle(problems=posed + "</problem>", colours=colours))
    assert design.problems[0].allowed == {(1, 2)}


def test_groups_are_an_attribute_or_a_list() -> None:
    text = '<shape id="0" count="2" group="3"/><shape id="0" min="1" max="4"><group group="1" '
    text += 'count="2"/><group group="2" count="1"/></shape><shape id="0"/>'
    one, several, none = read_xmpuzzle(puzzle(problems=problem(text))).problems[0].parts
    assert one == PartUse(0, 2, 2, group=3) and one.memberships == ((3, 2),)
    assert several == PartUse(0, 1, 4, groups=((1, 2), (2, 1)))
    assert several.memberships == ((1, 2), (2, 1))
    assert none == PartUse(0, 1, 1) and none.memberships == ()


def test_stored_assemblies_keep_places_numbers_and_how_they_come_apart() -> None:
    separation = "<separation>\r\n <pieces count='1'>0</pieces></separation>"
    text = '<solution asmNum="7" solNum="2"><assembly>x -1 2 3 47</assembly>'
    parts = '<shape id="0" min="0" max="2"/>'
    posed = problem(
        parts,
        f"{text}{separation}</solution>",
        state="2",
        assemblies="9",
        solutions="3",
        maxHoles="0",
    )
    found = read_xmpuzzle(puzzle(problems=posed)).problems[0]
    assert found.assemblies == (StoredAssembly((None, (-1, 2, 3, 47)), separation, 7, 2),)
    assert found.search == StoredSearch(True, 9, 3, None) and found.max_holes == 0


def test_files_in_utf8_and_in_latin1_are_read() -> None:
    text = puzzle(rest="<comment popup=''>é</comment>")
    for data in (text, text.decode().encode("latin-1"), b"\xef\xbb\xbf" + text):
        design = read_xmpuzzle(data)
        assert design.comment == "é" and design.popup


def test_elements_that_are_not_known_are_passed_over() -> None:
    assert read_xmpuzzle(puzzle(rest="<x><y>1</y></x>")) == read_xmpuzzle(puzzle())


# Designers' files


@needs_files
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_designers_file_reads_back_equal_after_writing(path: Path) -> None:
    design = read_design(path)
    assert read_xmpuzzle(write_xmpuzzle(design)) == design
    assert read_xmpuzzle(write_xmpuzzle(design, compressed=False)) == design


def pieces(problem: Problem) -> str:
    """The pieces of a problem as the table of reference counts says it."""
    if all(part.minimum == part.maximum for part in problem.parts):
        return str(sum(part.maximum for part in problem.parts))
    ranges = (
        str(p.maximum) if p.minimum == p.maximum else f"{p.minimum}..{p.maximum}"
        for p in problem.parts
    )
    return "range:" + "+".join(ranges)


@needs_files
def test_designers_files_have_as_many_pieces_as_the_reference_says() -> None:
    with (DATA / "reference_counts.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert {row["file"] for row in rows} == {str(path.relative_to(DATA)) for path in FILES}
    for row in rows:
        found = pieces(read_design(DATA / row["file"]).problems[int(row["problem"])])
        # The table cuts long lists short.
        assert found.startswith(row["pieces"][:20]) and len(found) >= len(row["pieces"]), row


@needs_files
@pytest.mark.parametrize(
    ("name", "shapes", "assemblies"),
    [
        ("AlPackino", 5, [1]),
        ("DemoMirrorParadox", 7, [0, 0]),
        ("DraculasDentalDesaster", 10, [1]),
        ("SolidSixPieceBurrs", 26, [314]),
        ("chocolate_dip", 5, [21]),
    ],
)
def test_designers_files_hold_their_shapes_and_solutions(
    name: str, shapes: int, assemblies: list[int]
) -> None:
    design = read_design(DATA / "xmpuzzle" / f"{name}.xmpuzzle")
    assert len(design.shapes) == shapes
    assert [len(problem.assemblies) for problem in design.problems] == assemblies

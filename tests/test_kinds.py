"""The kinds of fields, and actions made of them."""

import math
from dataclasses import dataclass, field, make_dataclass
from enum import Enum, StrEnum, nonmember
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.field_types import (
    OUT,
    Cells,
    Colours,
    Distance,
    FieldSpec,
    QuarterTurns,
    Steps,
    build_action,
    encode_arguments,
    label,
    list_fields,
)
from pysim.geometry import Axis, Cell, Direction, Rotation
from pysim.puzzle import Action, InvalidAction, Reason
from pysim.scene import Colour
from tests.contract.schemas import conforms, values

COLOURS = tuple(map(Colour, ("red", "blue", "dark-green")))


ONE = Steps(1)


class GateState(StrEnum):
    """A kind of a family's own."""

    OPEN = "open"
    HALF_SHUT = "half-shut"


class Knot(Enum):
    noun = nonmember("way to tie it")

    REEF = "Reef"
    BOWLINE = "bowline'"


@dataclass(frozen=True)
class Everything(Action):
    """One field of every kind."""

    tool: ClassVar[str] = "everything"

    piece: Colour = field(metadata={"doc": "a colour"})
    pieces: Colours
    direction: Direction
    axis: Axis
    rotation: Rotation
    cell: Cell
    cells: Cells
    steps: Steps
    turns: QuarterTurns
    distance: Distance
    gate: GateState
    knot: Knot
    extra: Steps = ONE


SPECS = {spec.name: spec for spec in list_fields(Everything)}
GOOD: dict[str, Any] = {
    "piece": "red",
    "pieces": ["red", "blue"],
    "direction": "+x",
    "axis": "z",
    "rotation": "+Y-X+Z",
    "cell": [1, -2, 3],
    "cells": [[0, 0, 0], [0, -1, 0]],
    "steps": 4,
    "turns": 3,
    "distance": "out",
    "gate": "half-shut",
    "knot": "bowline'",
}
every_field = pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def refusal(**changes: object) -> InvalidAction:
    """How GOOD is refused with some arguments changed; ... leaves one out."""
    arguments = {k: v for k, v in (GOOD | changes).items() if v is not ...}
    with pytest.raises(InvalidAction) as refused:
        build_action(Everything, arguments)
    return refused.value


def test_an_action_is_built_of_its_fields() -> None:
    assert build_action(Everything, GOOD) == Everything(
        Colour("red"),
        (Colour("red"), Colour("blue")),
        Direction.PLUS_X,
        Axis.Z,
        Rotation.parse("+Y-X+Z"),
        (1, -2, 3),
        ((0, 0, 0), (0, -1, 0)),
        Steps(4),
        QuarterTurns(3),
        OUT,
        GateState.HALF_SHUT,
        Knot.BOWLINE,
    )


def test_fields_tell_their_names_documents_and_whether_they_are_needed() -> None:
    assert list(SPECS) == [*GOOD, "extra"]
    assert SPECS["piece"].doc == "a colour"
    assert all(spec.required == (name != "extra") for name, spec in SPECS.items())


@every_field
@given(data=st.data())
def test_what_the_schema_allows_parses_and_reads_back(spec: FieldSpec, data: st.DataObject) -> None:
    schema = spec.kind.build_schema(COLOURS)
    value = data.draw(values(schema))
    assert conforms(schema, value)
    parsed = spec.kind.parse(value)
    assert spec.kind.format(parsed) == value
    word = spec.kind.to_word(parsed)
    assert " " not in word and word == word.strip()
    assert spec.kind.parse(spec.kind.parse_word(word)) == parsed


@every_field
@given(value=anything)
def test_any_value_is_parsed_or_refused_in_words(spec: FieldSpec, value: object) -> None:
    try:
        parsed = spec.kind.parse(value)
    except InvalidAction as refused:
        assert refused.message and len(refused.message) < 300
        (refused.message + "".join(refused.culprits)).encode()
        return
    assert spec.kind.parse(spec.kind.format(parsed)) == parsed


@every_field
def test_the_example_of_a_kind_parses(spec: FieldSpec) -> None:
    spec.kind.parse(spec.kind.parse_word(spec.kind.make_example(COLOURS)))


@pytest.mark.parametrize("name", ["steps", "distance", "turns"])
@pytest.mark.parametrize(
    "value", [0, -1, 10**9, 2.5, math.nan, math.inf, -math.inf, True, "2", None, [], [1], {}, 1e300]
)
def test_no_number_but_a_small_whole_one_is_a_distance(name: str, value: object) -> None:
    error = refusal(**{name: value})
    assert error.reason is Reason.BAD_VALUE and error.culprits == (name,)
    assert name in error.message


def test_a_whole_float_is_a_whole_number() -> None:
    # JSON knows no integers: 2 and 2.0 are the same number there.
    assert build_action(Everything, GOOD | {"steps": 2.0}) == build_action(
        Everything, GOOD | {"steps": 2}
    )
    assert isinstance(SPECS["steps"].kind.parse(2.0), int)


@pytest.mark.parametrize("value", ["+w", "x", "", "up", None, 3, ["+x"], {"+x": 1}, "+x -x"])
def test_a_direction_is_one_of_six(value: object) -> None:
    error = refusal(direction=value)
    assert error.reason is Reason.BAD_VALUE and "+x, -x, +y" in error.message


@pytest.mark.parametrize("value", [[], None, "red", {"red": 1}, 5, [1], [None], [["red"]], [""]])
def test_a_list_of_colours_is_a_list_of_names(value: object) -> None:
    assert refusal(pieces=value).reason is Reason.BAD_VALUE


@pytest.mark.parametrize("value", [["red", "red"], ["red", "blue", " RED "]])
def test_a_colour_named_twice_is_refused_by_its_own_reason(value: object) -> None:
    error = refusal(pieces=value)
    assert error.reason is Reason.DUPLICATE_COLOUR and error.culprits == ("red",)


@pytest.mark.parametrize("value", ["", " ", "r" * 65, "red\nblue", "\ud800", "\x00", 1, None, []])
def test_a_colour_is_a_short_printable_name(value: object) -> None:
    assert refusal(piece=value).reason is Reason.BAD_VALUE


@pytest.mark.parametrize("value", [[1, 2], [1, 2, 3, 4], [1, 2, 2.5], [1, 2, "3"], "1,2,3", None])
def test_a_cell_is_three_whole_numbers(value: object) -> None:
    assert refusal(cell=value).reason is Reason.BAD_VALUE


@pytest.mark.parametrize(
    "value", [[], None, "0,0,0", [1, 2, 3], [[1, 2]], [[0, 0, 0], None], [[0, 0, 0]] * 1001]
)
def test_a_list_of_cells_is_a_list_of_triples(value: object) -> None:
    assert refusal(cells=value).reason is Reason.BAD_VALUE


@pytest.mark.parametrize("value", ["+X+Y-Z", "+X", 0, None, "identity"])
def test_a_rotation_is_one_of_24_names(value: object) -> None:
    assert refusal(rotation=value).reason is Reason.BAD_VALUE


def test_letter_case_and_spaces_around_do_not_matter() -> None:
    loose = {"piece": " Red", "direction": "+X ", "rotation": "+y-x+z", "distance": "OUT"}
    loose |= {"gate": " Half-Shut", "knot": "BOWLINE'"}
    assert build_action(Everything, GOOD | loose) == build_action(Everything, GOOD)


def test_a_missing_field_is_named() -> None:
    for name in GOOD:
        error = refusal(**{name: ...})
        assert error.reason is Reason.MISSING_FIELD and error.culprits == (name,)


def test_an_unknown_field_is_named_with_the_one_that_was_meant() -> None:
    error = refusal(direktion="+x")
    assert error.reason is Reason.UNKNOWN_FIELD and error.culprits == ("direktion",)
    assert "did you mean 'direction'" in error.message
    assert "it takes" in refusal(zzzzzz=1).message


def test_an_optional_field_has_its_default() -> None:
    action = build_action(Everything, GOOD)
    assert encode_arguments(action) == GOOD | {"extra": 1}
    assert build_action(Everything, encode_arguments(action)) == action


def test_very_many_colours_are_refused_quickly() -> None:
    # Takes seconds if every one is looked for among all others.
    names = [f"c{i}" for i in range(100_000)]
    error = refusal(pieces=names)
    assert error.reason is Reason.BAD_VALUE and len(error.message) < 300


def test_deeply_nested_and_huge_values_are_refused_like_others() -> None:
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    for name in GOOD:
        assert refusal(**{name: nested}).reason is Reason.BAD_VALUE
        assert refusal(**{name: 10**5000}).reason is Reason.BAD_VALUE
        assert refusal(**{name: {"x": "y" * 10**6}}).reason is Reason.BAD_VALUE
    while nested:  # takes it apart, or freeing it would recurse
        nested = nested[0]


@given(st.text())
def test_a_label_is_short_printable_and_fit_for_the_wire(text: str) -> None:
    assert len(label(text)) <= 60 and label(text).isprintable()
    label(text).encode()


def test_an_action_of_unknown_kinds_is_refused_when_it_is_looked_at() -> None:
    @dataclass(frozen=True)
    class Odd(Action):
        tool: ClassVar[str] = "odd"
        weight: float

    class Plain(Action):
        tool: ClassVar[str] = "plain"

    with pytest.raises(TypeError, match=r"Odd\.weight is of no known kind"):
        list_fields(Odd)
    with pytest.raises(TypeError, match="Plain must be a dataclass"):
        list_fields(Plain)


def test_a_choice_is_called_by_its_class_or_as_the_class_says() -> None:
    assert "'shut' is no gate state; one of open, half-shut is" in refusal(gate="shut").message
    assert "3 is no way to tie it; one of Reef, bowline' is" in refusal(knot=3).message
    assert SPECS["gate"].kind.build_schema(COLOURS) == {
        "type": "string",
        "enum": ["open", "half-shut"],
    }


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (Enum("Empty", []), "chooses among words, and Empty is not made of such"),
        (Enum("Numbers", {"ONE": 1}), "Numbers is not made of such"),
        (StrEnum("Blank", {"A": "two words"}), "Blank is not made of such"),
        (StrEnum("Nothing", {"A": ""}), "Nothing is not made of such"),
        (StrEnum("Cases", {"A": "a", "B": "A"}), "what Cases does by letter case"),
    ],
)
def test_an_enumeration_that_can_not_be_written_as_words_is_no_kind(
    choices: Any, message: str
) -> None:
    odd = make_dataclass("Odd", [("choice", choices)], bases=(Action,), namespace={"tool": "odd"})
    with pytest.raises(TypeError, match=rf"Odd\.choice .*{message}"):
        list_fields(odd)

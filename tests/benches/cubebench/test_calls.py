"""Turns without code: what is read, and what is a fault."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bridge.agents.protocol import RawCall
from bridge.agents.turns import TurnAnswer
from bridge.benches.cubebench.call_parsing import (
    MOST_CALLS,
    MOST_MOVES,
    FaultyAnswer,
    Look,
    Moves,
    Observe,
    Solve,
    make_call_schemas,
    parse_calls,
)
from pysim.families.rubik.choices import FACE_TURNS

TOOLS = ("make_move", "get_observation", "apply_view_transformation", "solve_cube")


def read(*calls: RawCall, text: str = "") -> tuple[object, ...]:
    return parse_calls(TurnAnswer(text, calls), TOOLS)


def test_calls_are_read_in_order() -> None:
    found = read(
        RawCall("make_move", '{"moves": ["D\'", "B", "B"]}'),
        RawCall("get_observation", ""),
        RawCall("apply_view_transformation", '{"direction": "left"}'),
        RawCall("solve_cube", '{"state": "UUU"}'),
    )
    assert found == (Moves(("D'", "B", "B")), Observe(), Look("left"), Solve("UUU"))


@pytest.mark.parametrize(
    "text",
    [
        '{"moves": ["D\'", "B"]}',
        'I turn D\' and then B.\n{"moves": ["D\'", "B"]}\nThat is it.',
        'Two moves {not this one}:\n```json\n{"moves": ["D\'", "B"]}\n```\n{or this}',
        '{"name": "make_move", "arguments": {"moves": ["D\'", "B"]}}',
        '```\n{"calls": [{"name": "make_move", "arguments": {"moves": ["D\'", "B"]}}]}\n```',
    ],
)
def test_an_answer_without_calls_may_hold_them_in_its_text(text: str) -> None:
    assert read(text=text) == (Moves(("D'", "B")),)


def test_calls_count_and_the_text_beside_them_does_not() -> None:
    found = read(RawCall("make_move", '{"moves": ["U"]}'), text='{"moves": ["D"]}')
    assert found == (Moves(("U",)),)


FAULTS = {
    "no call": ("", "no call"),
    "words": ("I would turn U.", "no call"),
    "no JSON": ('{"moves": ["U", }', "not JSON"),
    "empty": ("{}", "a call is written"),
    "another key": ('{"move": "U"}', "a call is written"),
    "more keys": ('{"moves": ["U"], "why": 1}', "a call is written"),
    "no list": ('{"moves": "U D"}', "a list of 1 to"),
    "no move": ('{"moves": []}', "a list of 1 to"),
    "too many": (json.dumps({"moves": ["U"] * (MOST_MOVES + 1)}), "a list of 1 to"),
    "a half turn": ('{"moves": ["U2"]}', '"U2" is no move'),
    "small": ('{"moves": ["u"]}', '"u" is no move'),
    "a number": ('{"moves": [1]}', "1 is no move"),
    "nested": ('{"moves": [["U"]]}', "is no move"),
    "null": ('{"moves": null}', "a list of 1 to"),
    "a list of calls that are none": ('{"calls": ["U"]}', "a call is written"),
    "no calls": ('{"calls": []}', "1 to 50 calls"),
    "too many calls": (
        json.dumps({"calls": [{"name": "get_observation", "arguments": {}}] * (MOST_CALLS + 1)}),
        "1 to 50 calls, not 51",
    ),
    "unknown": ('{"name": "reset", "arguments": {}}', "there is no 'reset'"),
    "arguments as text": ('{"name": "get_observation", "arguments": "{}"}', "a call is written"),
    "too much": ('{"name": "get_observation", "arguments": {"x": 1}}', "takes nothing"),
    "no direction": (
        '{"name": "apply_view_transformation", "arguments": {"direction": "back"}}',
        '"back" is no direction',
    ),
    "no state": ('{"name": "solve_cube", "arguments": {"state": 7}}', "state is a text"),
    "not a number": ('{"moves": NaN}', "not JSON"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told(fault: str) -> None:
    text, words = FAULTS[fault]
    with pytest.raises(FaultyAnswer, match=words):
        read(text=text)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (RawCall("make_move", '{"moves": ["U"], "dire'), "not JSON"),
        (RawCall("make_move", "[]"), "JSON object"),
        (RawCall("", ""), "there is no"),
        (RawCall("make_move", '{"": ["U"]}'), "takes moves"),
        (RawCall("get_observation", '{"": 1}'), "takes nothing"),
        (RawCall("make_move", '{"moves":' + "[" * 9000 + "]" * 9000 + "}"), "not JSON|too deep"),
        (RawCall("make_move", "x" * 70_000), "more than"),
    ],
)
def test_a_call_that_can_not_be_read_is_told(call: RawCall, words: str) -> None:
    with pytest.raises(FaultyAnswer, match=words):
        read(call)


def test_one_fault_spoils_the_whole_answer() -> None:
    good = RawCall("make_move", '{"moves": ["U"]}')
    with pytest.raises(FaultyAnswer):
        read(good, RawCall("make_move", '{"moves": ["Z"]}'))
    with pytest.raises(FaultyAnswer, match="there is no 'solve_cube'"):
        parse_calls(TurnAnswer("", [good, RawCall("solve_cube", '{"state": ""}')]), TOOLS[:3])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["moves", "name", "arguments", "calls", "x"]), inner)
    ),
    max_leaves=8,
)
TEXTS = (
    st.text(max_size=60)
    | JSON.map(json.dumps)
    | st.lists(st.sampled_from([*FACE_TURNS, "U2", "", "x"])).map(
        lambda m: json.dumps({"moves": m})
    )
)


@given(TEXTS, st.lists(st.builds(RawCall, st.sampled_from([*TOOLS, "x"]), TEXTS), max_size=3))
@example("```\n{}```", [])
def test_whatever_is_written_is_read_or_is_a_fault(text: str, calls: list[RawCall]) -> None:
    try:
        found = read(*calls, text=text)
    except FaultyAnswer as error:
        assert str(error)
    else:
        assert 1 <= len(found) <= MOST_CALLS
        for one in found:
            if isinstance(one, Moves):
                assert one.moves
                assert set(one.moves) <= set(FACE_TURNS)


@given(st.lists(st.sampled_from(FACE_TURNS), min_size=1, max_size=30))
def test_every_sequence_of_moves_is_read_as_it_was_written(moves: list[str]) -> None:
    assert read(text=json.dumps({"moves": moves})) == (Moves(tuple(moves)),)


def test_the_schemas_say_what_is_read() -> None:
    schemas = make_call_schemas({name: f"About {name}." for name in TOOLS})
    functions = [schema["function"] for schema in schemas]
    assert [f["name"] for f in functions] == list(TOOLS)  # type: ignore[index, call-overload]
    moves = functions[0]["parameters"]["properties"]["moves"]  # type: ignore[index, call-overload]
    assert moves["items"]["enum"] == list(FACE_TURNS)  # type: ignore[index, call-overload]
    json.dumps(schemas)

"""Actions as agents write them: tool calls, JSON text, lines of text, schemas."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bridge.episode.tools import ActionSpace, ToolCall
from pysim.catalog import AnyFamily, discover_families
from pysim.field_types import build_action, list_fields
from pysim.limits import MAX_ARGUMENTS
from pysim.puzzle import Action, InvalidAction, Reason
from pysim.scene import Colour
from tests.contract.schemas import conforms, values
from tests.sampling import more

COLOURS = tuple(map(Colour, ("red", "blue", "dark-green")))
TYPES = [(family, action) for family in discover_families().values() for action in family.actions]
every_action = pytest.mark.parametrize(
    ("family", "action_type"), TYPES, ids=[f"{f.name}.{a.tool}" for f, a in TYPES]
)
SPACES = {
    family.name: ActionSpace(family.actions, COLOURS) for family in discover_families().values()
}
every_space = pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def schema_of(space: ActionSpace, action_type: type[Action]) -> dict[str, Any]:
    for tool in space.schemas():
        function: Any = tool["function"]
        if function["name"] == action_type.tool:
            return function["parameters"]  # type: ignore[no-any-return]
    raise AssertionError(f"no schema for {action_type.tool}")


@every_action
@given(data=st.data())
def test_an_action_comes_back_from_its_call_its_json_and_its_line(
    family: AnyFamily, action_type: type[Action], data: st.DataObject
) -> None:
    space = SPACES[family.name]
    arguments = data.draw(values(schema_of(space, action_type)))
    action = build_action(action_type, arguments)
    call = space.call(action)
    assert space.parse(call) == action
    assert space.parse(ToolCall.from_json(call.name, call.arguments_json())) == action
    assert space.parse(space.parse_line(space.line(action))) == action
    assert space.parse(space.parse_line(f"{call.name} {call.arguments_json()}")) == action
    assert "\n" not in space.line(action)


@pytest.mark.by_day(7)
@every_action
@given(data=st.data())
def test_what_parses_conforms_to_the_schema_once_written_again(
    family: AnyFamily, action_type: type[Action], data: st.DataObject
) -> None:
    space = SPACES[family.name]
    schema = schema_of(space, action_type)
    good = data.draw(values(schema))
    spoil = data.draw(st.dictionaries(st.sampled_from(list(good)), json_values, max_size=1))
    call = ToolCall(action_type.tool, {**good, **spoil})
    try:
        action = space.parse(call)
    except InvalidAction:
        assert not conforms(schema, call.arguments), "the schema allows what is refused"
        return
    written = space.call(action).arguments
    assert conforms(schema, json.loads(json.dumps(written))) or spoil, written


@every_space
def test_schemas_are_openai_function_tools_with_every_colour_and_document(
    space: ActionSpace,
) -> None:
    tools: Any = space.schemas()
    assert [tool["function"]["name"] for tool in tools] == list(space.names)
    assert json.loads(json.dumps(tools)) == tools
    for tool in tools:
        assert set(tool) == {"type", "function"} and tool["type"] == "function"
        function = tool["function"]
        assert set(function) == {"name", "description", "parameters"}
        assert function["name"].replace("_", "").isalnum() and len(function["name"]) <= 64
        assert len(function["description"]) > 20 and "\n" not in function["description"]
        parameters = function["parameters"]
        assert parameters["type"] == "object" and parameters["additionalProperties"] is False
        assert set(parameters["required"]) <= set(parameters["properties"])
        for field in parameters["properties"].values():
            assert len(field["description"]) > 5
            conforms(field, None)  # knows every word of the schema
        for colour_field in ("piece", "pieces"):
            if colour_field in parameters["properties"]:
                assert all(c in json.dumps(parameters["properties"][colour_field]) for c in COLOURS)


@every_action
def test_the_usage_shows_an_example_that_parses(
    family: AnyFamily, action_type: type[Action]
) -> None:
    space = SPACES[family.name]
    pattern, example_line = space.usage(action_type.tool).split(", like: ")
    assert pattern.split() == [
        action_type.tool,
        *(spec.name.upper() for spec in list_fields(action_type)),
    ]
    assert isinstance(space.parse(space.parse_line(example_line)), action_type)


@pytest.mark.by_day(1)
@every_space
@settings(max_examples=more(40))
@given(name=st.text(), arguments=json_values)
def test_any_json_is_an_action_or_an_invalid_one(
    space: ActionSpace, name: str, arguments: Any
) -> None:
    for tool in (name, space.names[0]):
        text = json.dumps(arguments)
        try:
            space.parse(ToolCall.from_json(tool, text))
        except InvalidAction as refused:
            assert len(refused.message) < 1000 and "\n" not in refused.message
            (refused.message + "".join(refused.culprits)).encode()


@every_space
@settings(max_examples=more(60))
@given(text=st.text())
@example("slide red,blue +x 2 3 4")
@example("slide 'red")
@example('slide {"pieces": ["red"')
@example("slide {}")
@example("")
@example("   ")
@example("slide red +x " + "9" * 5000)
@example("slide " + "red," * 10_000 + " +x 1")
@example("slide red +x nan")
@example("slide red +x 1e400")
def test_any_line_is_an_action_or_an_invalid_one(space: ActionSpace, text: str) -> None:
    for line in (text, f"{space.names[0]} {text}"):
        try:
            space.parse(space.parse_line(line))
        except InvalidAction as refused:
            assert refused.message
            refused.message.encode()


@every_space
@settings(max_examples=more(40))
@given(text=st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_any_text_in_place_of_json_is_malformed(space: ActionSpace, text: str) -> None:
    try:
        json_value = json.loads(text)
    except ValueError:
        json_value = None
    if isinstance(json_value, dict) or not text.strip():
        return
    with pytest.raises(InvalidAction) as refused:
        ToolCall.from_json("slide", text)
    assert refused.value.reason is Reason.MALFORMED


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        "3",
        '"red"',
        "{'pieces': 1}",
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": -Infinity}',
        '{"a": 1,}',
        '{"a": 1} {}',
        "[" * 100_000,
        '{"a":' * 10_000,
        '{"a": ' + "[" * 20_000 + "]" * 20_000 + "}",
        '{"a": "' + "x" * 2**20 + '"}',
        '{"a": ' + "9" * 5000 + "}",
    ],
    ids=lambda text: text[:12],
)
def test_text_that_is_no_json_object_is_malformed(text: str) -> None:
    with pytest.raises(InvalidAction) as refused:
        ToolCall.from_json("slide", text)
    assert refused.value.reason is Reason.MALFORMED
    assert len(refused.value.message) < 300


def test_arguments_are_read_up_to_their_limit() -> None:
    padding = MAX_ARGUMENTS - len('{"a":""}')
    assert ToolCall.from_json("slide", '{"a":"' + "x" * padding + '"}').arguments
    with pytest.raises(InvalidAction, match="65,536 characters"):
        ToolCall.from_json("slide", '{"a":"' + "x" * (padding + 1) + '"}')


def test_no_text_means_no_arguments() -> None:
    assert ToolCall.from_json("slide", "") == ToolCall("slide", {})


@every_space
@pytest.mark.parametrize("name", ["", "fly", "SLIDE!", "x" * 10_000, "a\nb", "\ud800"])
def test_an_unknown_action_is_refused_with_the_known_ones(space: ActionSpace, name: str) -> None:
    with pytest.raises(InvalidAction) as refused:
        space.parse(ToolCall(name, {}))
    assert refused.value.reason is Reason.UNKNOWN_ACTION
    assert all(known in refused.value.message for known in space.names)
    assert len(refused.value.message) < 300
    (refused.value.message + "".join(refused.value.culprits)).encode()


@pytest.mark.parametrize("depth", range(900, 1000, 7))
def test_values_nested_as_deep_as_json_is_read_are_refused_in_words(depth: int) -> None:
    text = '{"pieces": ["red"], "direction": ' + "[" * depth + "]" * depth + ', "distance": 1}'
    with pytest.raises(InvalidAction):
        SPACES["burr"].parse(ToolCall.from_json("slide", text))


def test_a_call_is_a_value() -> None:
    call = ToolCall("slide", {"pieces": ["red"]})
    assert replace(call, name="bring") == ToolCall("bring", {"pieces": ["red"]})
    assert call.arguments_json() == '{"pieces":["red"]}'

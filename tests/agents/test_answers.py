"""Plans in the text of answers: a corpus, round trips, and text that is meant to do harm."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.agents.answers.calls import PlanError
from bridge.agents.answers.parsing import parse_plan
from bridge.agents.protocol import RawCall
from bridge.episode.tools import ActionSpace, ToolCall
from pysim.catalog import find_family, find_level
from pysim.field_types import Json
from tests.sampling import more

CORPUS = Path(__file__).parent / "corpus"
LEVELS = {
    "burr": "burr-three-bars",
    "jigsaw": "jigsaw-easy-1",
    "nets": "nets-easy-01",
    "packing": "packing-easy-01",
    "portal": "portal-01",
    "rubik": "checkerboard",
}
Tools = list[dict[str, Json]]
Meaning = list[tuple[str, Json]]


def tools_of(family: str) -> Tools:
    level = find_level(LEVELS[family])
    return ActionSpace(find_family(level).actions, level.colours).schemas()


TOOLS = {family: tools_of(family) for family in LEVELS}


@dataclass(frozen=True)
class Answer:
    """An answer of the corpus; ``expected`` is the plan, or words of the refusal."""

    family: str
    line: int
    form: str
    text: str
    expected: Meaning | str


def read_corpus(path: Path) -> Iterator[Answer]:
    """Read a file: ``@@ FORM``, the text, then ``@>`` with the plan as a person reads it."""
    plans: dict[str, Meaning] = {}
    name, form, line, text = "", "", 0, list[str]()
    expected: list[str] = []
    for number, row in enumerate([*path.read_text(encoding="utf-8").splitlines(), "@@ end"], 1):
        if row.startswith("@def "):
            name = row[5:]
            plans[name] = []
        elif row.startswith("@> "):
            expected.append(row[3:])
        elif row.startswith("@@ "):
            if form:
                yield Answer(path.stem, line, form, "\n".join(text), expectation(expected, plans))
            name, form, line, text, expected = "", row[3:], number, [], []
        elif name:
            plans[name].append(action(row))
        else:
            text.append(row)


def action(row: str) -> tuple[str, Json]:
    name, _, arguments = row.partition(" ")
    return ("" if name == "?" else name), json.loads(arguments)


def expectation(rows: list[str], plans: dict[str, Meaning]) -> Meaning | str:
    if rows[0].startswith("refused: "):
        return rows[0].removeprefix("refused: ")
    if rows[0].startswith("="):
        return plans[rows[0][1:]]
    return [] if rows == ["nothing"] else [action(row) for row in rows]


def meaning(calls: tuple[RawCall, ...]) -> Meaning:
    return [(call.name, json.loads(call.arguments)) for call in calls]


ANSWERS = [answer for path in sorted(CORPUS.glob("*.txt")) for answer in read_corpus(path)]


def test_corpus_has_many_answers_of_many_forms_and_families() -> None:
    assert len(ANSWERS) >= 200
    assert len({answer.form for answer in ANSWERS}) >= 25
    assert {answer.family for answer in ANSWERS} == set(LEVELS)
    assert len({(answer.family, answer.text) for answer in ANSWERS}) == len(ANSWERS)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: f"{a.family}-{a.line}-{a.form}")
def test_answer_of_corpus_is_read_as_a_person_reads_it(answer: Answer) -> None:
    tools = TOOLS[answer.family]
    if isinstance(answer.expected, str):
        with pytest.raises(PlanError, match=answer.expected):
            parse_plan(answer.text, tools)
    else:
        assert meaning(parse_plan(answer.text, tools)) == answer.expected


def in_python(calls: Meaning) -> str:
    return repr([{"name": name, "arguments": arguments} for name, arguments in calls])


def in_json(calls: Meaning, **options: int) -> str:
    return json.dumps([{"name": name, "arguments": a} for name, a in calls], **options)  # type: ignore[arg-type]


def keywords(call: tuple[str, Json]) -> str:
    name, arguments = call
    assert isinstance(arguments, dict)
    return f"{name}({', '.join(f'{k}={v!r}' for k, v in arguments.items())})"


def parameters(call: tuple[str, Json]) -> str:
    name, arguments = call
    assert isinstance(arguments, dict)
    tags = (
        f"<parameter={key}>\n{value if isinstance(value, str) else json.dumps(value)}\n</parameter>"
        for key, value in arguments.items()
    )
    return f"<function={name}>\n{''.join(tags)}\n</function>"


def lines(calls: Meaning, pattern: str) -> str:
    return "\n".join(
        pattern.format(name=name, arguments=json.dumps(arguments)) for name, arguments in calls
    )


FORMS: dict[str, Callable[[Meaning], str]] = {
    "object": lambda calls: f'{{"actions": {in_json(calls)}}}',
    "indented": lambda calls: f'{{"actions": {in_json(calls, indent=2)}}}',
    "fenced": lambda calls: f'```json\n{{"actions": {in_json(calls, indent=1)}}}\n```',
    "list": in_json,
    "trailing comma": lambda calls: f'{{"actions": {in_json(calls)[:-1]},],}}',
    "python": in_python,
    "python object": lambda calls: f"{{'actions': {in_python(calls)}}}",
    "lines": lambda calls: lines(calls, '{{"name": "{name}", "arguments": {arguments}}}'),
    "tags": lambda calls: lines(
        calls, '<tool_call>{{"name": "{name}", "arguments": {arguments}}}</tool_call>'
    ),
    "functions": lambda calls: lines(calls, "<function={name}>{arguments}</function>"),
    "parameters": lambda calls: "\n".join(map(parameters, calls)),
    "names": lambda calls: lines(calls, "{name} {arguments}"),
    "ReAct": lambda calls: lines(calls, "Action: {name}\nAction Input: {arguments}"),
    "calls": lambda calls: "\n".join(map(keywords, calls)),
    "list of calls": lambda calls: f"[{', '.join(map(keywords, calls))}]",
    "messages": lambda calls: json.dumps(
        {"tool_calls": [{"function": {"name": n, "arguments": json.dumps(a)}} for n, a in calls]}
    ),
    "escaped": lambda calls: json.dumps(f'{{"actions": {in_json(calls)}}}'),
}
PROSE = (
    "The red one is in the way.",
    "The set {red, blue} moves first, {1} after it.",
    "I see [red, blue] at [0, 1, 2], don't I?",
    "**Plan**",
    "It's the only move that isn't blocked: f(x) = {x | x > 0}.",
    "",
)


@cache
def plan_of(family: str) -> tuple[tuple[str, Json], ...]:
    level = find_level(LEVELS[family])
    assert level.plan is not None
    calls = (ToolCall.of(action) for action in level.plan.actions)
    return tuple((call.name, json.loads(call.arguments_json())) for call in calls)


@settings(max_examples=more(30))
@given(
    st.sampled_from(sorted(LEVELS)),
    st.sampled_from(sorted(FORMS)),
    st.integers(1, 12),
    st.lists(st.sampled_from(PROSE), max_size=2),
    st.lists(st.sampled_from(PROSE), max_size=2),
)
def test_plan_in_any_form_amid_prose_is_read_back(
    family: str, form: str, length: int, before: list[str], after: list[str]
) -> None:
    calls = list(plan_of(family)[:length])
    text = "\n".join([*before, FORMS[form](calls), *after])
    if form == "escaped" and (before or after):
        text = FORMS[form](calls)
    assert meaning(parse_plan(text, TOOLS[family])) == calls


@settings(max_examples=more(30))
@given(st.sampled_from(sorted(LEVELS)), st.sampled_from(["object", "list", "python"]), st.data())
def test_plan_cut_anywhere_in_its_list_is_refused_and_not_half_made(
    family: str, form: str, data: st.DataObject
) -> None:
    text = FORMS[form](list(plan_of(family)))
    length = data.draw(st.integers(20, text.rindex("]") - 1))
    with pytest.raises(PlanError, match="cut off"):
        parse_plan(text[:length], TOOLS[family])


SIGNS = st.text("{}[]()\"'`:,=<>/\\|.\u2026\u201c\u2019 \n#*-0aAslidenmtco", max_size=80)
PIECES = st.sampled_from(
    ['{"actions": [', '{"name": "slide", ', '"arguments": {', "}", "]}", "slide(", "<tool_call>"]
    + [
        "</think>",
        "<think>",
        "```json\n",
        "```",
        "...",
        "//",
        "/*",
        "[TOOL_CALLS]",
        '\\"',
        "Option A",
    ]
    + [
        "<function=slide>",
        "<parameter=pieces>",
        '["red"]',
        "'red'",
        "or",
        "<arg_key>",
        "NaN",
        "1e999",
    ]
)


@settings(max_examples=more(60))
@given(st.lists(st.one_of(SIGNS, PIECES), max_size=30).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        calls = parse_plan(text, TOOLS["burr"])
    except PlanError:
        return
    assert all(isinstance(call.name, str) and isinstance(call.arguments, str) for call in calls)


HOSTILE = {
    "braces": "{" * 2**20,
    "brackets": "[" * 2**20,
    "objects": '{"a":' * 2**17,
    "texts": '{"' * 2**19,
    "words": "[a " * 2**18,
    "comments": "{/*" * 2**18,
    "line comments": "{//" * 2**18,
    "quotes": "{\u2018" * 2**19,
    "single quotes": "{'a':'" * 2**17,
    "calls": "slide(pieces=[" * 2**16,
    "parameters": "<function=slide><parameter=a>" * 2**15,
    "thoughts": "<think>" * 2**17,
    "answers": "<answer>" * 2**17,
    "labels": "Option A\n" * 2**16,
    "blanks": " " * 2**20,
    "empty objects": "{} " * 2**18,
    "backslashes": "{'" + "\\" * 2**20,
    "digits": '{"actions": [' + "9" * 2**19 + "]}",
    "keys": "{" + "a" * 2**20,
    "preferences": "I would use the " * 2**15 + '{"actions": []} or {"actions": [1]}',
    "too long": "x" * 2**22,
}


SAMPLE = ("brackets", "parameters", "comments", "labels", "digits", "preferences", "too long")


@pytest.mark.parametrize(
    "name", [n if n in SAMPLE else pytest.param(n, marks=pytest.mark.slow) for n in HOSTILE]
)
def test_hostile_text_is_refused(name: str) -> None:
    with pytest.raises(PlanError):
        parse_plan(HOSTILE[name], TOOLS["burr"])


def test_nested_arguments_are_read_to_a_depth_and_refused_beyond() -> None:
    def nested(depth: int) -> str:
        return '{"actions": [{"name": "slide", "arguments": {"pieces": %s}}]}' % (
            "[" * depth + "]" * depth
        )

    assert len(parse_plan(nested(20), TOOLS["burr"])) == 1
    with pytest.raises(PlanError, match="nested too deep"):
        parse_plan(nested(200), TOOLS["burr"])


def test_single_actions_before_a_token_limit_are_refused_as_cut_off() -> None:
    lines = FORMS["lines"](list(plan_of("burr")))
    assert parse_plan(lines, TOOLS["burr"])
    with pytest.raises(PlanError, match="cut off"):
        parse_plan(lines, TOOLS["burr"], cut=True)
    whole = FORMS["object"](list(plan_of("burr")))
    assert parse_plan(f"{whole}\nThis works beca", TOOLS["burr"], cut=True)

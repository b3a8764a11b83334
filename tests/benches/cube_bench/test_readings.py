"""Answers are read as the authors' program of Cube Bench reads them, and bold or quoted ones too.

Its parsers are found in a checkout that ``LUBAN_CUBE_BENCH`` names; nothing of it is in here.
"""

import ast
import os
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.benches.cube_bench.closed_loop import LETTERS
from bridge.benches.cube_bench.condition import Task, parse_condition
from bridge.benches.cube_bench.forms import Accepts, Effect, OptionLetter
from bridge.benches.cube_bench.learning_curve import LETTERS as CURVE_LETTERS
from bridge.benches.cube_bench.questions import MOVE_LETTERS, move_question
from bridge.benches.cube_bench.readings import (
    FirstChoice,
    FirstEffects,
    FirstGrid,
    FirstYesNo,
    LastLetter,
)
from bridge.benches.cube_bench.reflection import ReflectionTrial
from pysim.families.rubik.moves import Move
from tests.sampling import more

A, B, C, D, IDK = OptionLetter
OPTIONS = {A: Move.parse("R"), B: Move.parse("U'"), C: Move.parse("F2"), D: Move.parse("L")}
MOVE = FirstChoice(MOVE_LETTERS, OPTIONS)
LOOP = FirstChoice(LETTERS | Accepts.IDK)
CURVE = FirstChoice(CURVE_LETTERS)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("ANSWER: A) R'", A),
        ("answer = c", C),
        ("**ANSWER: D**", D),
        ("**Answer:** B", B),
        ('ANSWER: "B"', B),
        ("<ANSWER>**C**</ANSWER>", C),
        ("<ANSWER> U' </ANSWER>", B),
        ("<ANSWER> f2 </ANSWER>", C),
        ("<ANSWER> D2 </ANSWER>", None),
        ("<ANSWER> A </ANSWER> or <ANSWER> B </ANSWER>", A),
        ("ANSWER: B, no: <ANSWER> A </ANSWER>", A),
        ("<C> ANSWER: B", B),
        ("ANSWER:\nB", B),
        ("<ANSWER> A/B/C/D </ANSWER>", None),
        ("The answer is B", None),
        ("", None),
    ],
)
def test_of_several_answers_the_first_counts_and_bold_or_quoted_ones_do(
    text: str, choice: OptionLetter | None
) -> None:
    assert MOVE.parse(text) is choice


def test_not_knowing_counts_before_all_else_where_it_is_offered() -> None:
    for text in (
        "ANSWER: B, but I don't know",
        "Answer = E",
        "I dont know",
        "<ANSWER>idk</ANSWER>",
    ):
        assert LOOP.parse(text) is IDK
    assert MOVE.parse("ANSWER: B, but I don't know") is B


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: Yes\nAnswer: No", True),
        ("**Answer:** No", False),
        ('Answer: "Yes"', True),
        ("answer = no", False),
        ("Answer:\n\nYes.", True),
        ("Answer: none", None),
        ("Yes", None),
    ],
)
def test_the_first_yes_or_no_counts(text: str, answer: bool | None) -> None:
    assert FirstYesNo().parse(text) is answer


GRID = tuple("GWRYGBOGW")


@pytest.mark.parametrize(
    "text",
    [
        "ANSWER: Row 1: [Green, White, Red] Row 2: [Yellow, Green, Blue] Row 3: [Orange, Green, W]",
        "[[G, W, R], [Y, G, B], [O, G, W]]",
        'It is [["green","white","red"],["yellow","green","blue"],["orange","green","white"]].',
        "Answer:\nRow 1: [grey, w, r]\nRow 2: [y, g, b]\nRow 3: [o, g, w]",
        "**Row 1:** [G, W, R] **Row 2:** [Y, G, B] **Row 3:** [O, G, W]",
        "[[F, U, R], [D, F, B], [L, F, U]]",
        "[[G,W,R],[Y,G,B],[O,G,W]] or [[G,G,G],[G,G,G],[G,G,G]]",
        "G W R\nY G B\nO G W",
    ],
)
def test_a_face_is_read_from_one_line_too(text: str) -> None:
    assert FirstGrid().parse(text) == GRID


def test_effects_are_read_with_words_about_them() -> None:
    text = "<A>DECREASE</A> <A>INCREASE</A>\nOption B: nochange, I think\n**C**: no change"
    expected = (Effect.INCREASE, Effect.NO_CHANGE, Effect.NO_CHANGE, None)
    assert FirstEffects().parse(text) == expected


def test_the_answer_after_a_reflection_is_strict_unless_it_is_read_as_their_program_does() -> None:
    state = ("ANSWER: A", "hm", "I would rather say\nAnswer: B")
    for named, choice in (({}, None), ({"answers": "program"}, B)):
        trial = ReflectionTrial(move_question(parse_condition(Task.REFLECTION, 1, named), 0))
        assert trial.read_final(state) is choice
    assert LastLetter(Accepts.TAG).parse("first A, then D.") is D


# -- against the authors' program ---------------------------------------------------------------

CHECKOUT = os.environ.get("LUBAN_CUBE_BENCH", "")
theirs = pytest.mark.skipif(
    not CHECKOUT, reason="NOT TESTED: LUBAN_CUBE_BENCH names no checkout of AnyPlease/cube-bench"
)
WORDS = st.sampled_from(
    ["<ANSWER>", "</ANSWER>", "< answer >", "</ answer >", "ANSWER:", "Answer =", "answer", "A",
     "b", "C", "d", "IDK", "E", "/", "|", ".", " ", "\n", "<A>", "</A>", "<b>", "</B>", "A:", "D :",
     "Yes", "no", "I don't know", "idont know", "DECREASE", "NO_CHANGE", "nochange", "No Change",
     "increase", "Row 1:", "row 2:", "ROW 3:", "[", "]", ",", "'", '"', "Green", "w", "Red",
     "orange", "grey", "R'", "U2", "F", "**", "```json", "```", "\u00a0", "\x00"]
)  # fmt: skip
ROW = st.tuples(*[st.sampled_from(["W", "green", "Blue", "Rot", "yellow", "o"])] * 3).map(
    lambda row: f"[{', '.join(row)}]"
)
BLOCKS = st.tuples(
    st.sampled_from(["ANSWER:", "answer: ", "Answer:\n", ""]),
    st.lists(ROW, min_size=3, max_size=3),
    st.sampled_from([("Row {}: ", " "), ("row {}:", "\n"), ("", ", ")]),
).map(lambda t: _block(*t))
ANSWERS = st.lists(st.one_of(WORDS, BLOCKS), max_size=14).map("".join)


def _block(head: str, rows: list[str], form: tuple[str, str]) -> str:
    label, between = form
    text = between.join(label.format(n) + row for n, row in enumerate(rows, 1))
    return head + (text if label else f"[{text}]")


@cache
def patterns(module: str) -> Mapping[str, re.Pattern[str]]:
    """The regular expressions that a module of theirs names, without running it."""
    file = Path(CHECKOUT, "src", "cube_bench", "tests", f"{module}.py")
    found = {}
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        if ast.unparse(node.value.func) == "re.compile" and isinstance(node.targets[0], ast.Name):
            code = compile(ast.Expression(node.value), str(file), "eval")
            found[node.targets[0].id] = eval(code, {"re": re})
    return found


def first(*ways: re.Pattern[str]) -> Callable[[str], str | None]:
    def find(text: str) -> str | None:
        match = next((m for way in ways if (m := way.search(text))), None)
        return match[1].upper() if match else None

    return find


@theirs
@given(ANSWERS)
@settings(max_examples=more(600))
def test_whatever_letter_the_authors_program_takes_is_taken(text: str) -> None:
    moves, steps, curve = map(patterns, ("solve_moves", "step_by_step", "learning_curve"))
    letter = first(moves["PRIMARY_RE"], moves["ALT_1_RE"], moves["ALT_2_RE"])(text)
    turn = first(moves["MOVE_RE"])(text)
    if letter is None and turn is not None:
        letter = next((k for k, move in OPTIONS.items() if str(move) == turn), None)
    assert letter is None or MOVE.parse(text) == letter
    choice = first(steps["OPTIONS_RE"], steps["ALT_RE_1"], steps["ALT_RE_2"])(text)
    choice = "IDK" if steps["IDK_RE"].search(text) else choice
    assert choice is None or LOOP.parse(text) == choice
    attempt = first(curve["ANSWER_TAG_RE"], curve["ANSWER_COLON_RE"])(text)
    assert attempt is None or CURVE.parse(text) == attempt


@theirs
@given(ANSWERS)
@settings(max_examples=more(600))
def test_whatever_else_the_authors_program_takes_is_taken(text: str) -> None:
    said = first(patterns("verification")["YES_NO_RE"])(text)
    assert said is None or FirstYesNo().parse(text) is (said == "YES")
    final = patterns("reflection")
    again = first(final["ANS_RE"], final["ALT_RE"])(text)
    alone = re.findall(r"\b([ABCD])\b", text.upper())
    assert LastLetter(Accepts.TAG).parse(text) == (again or (alone[-1] if alone else None))
    labels = {m[1].upper(): m[2] for m in patterns("move_effect")["TAG_RE"].finditer(text)}
    for letter, found in zip("ABCD", FirstEffects().parse(text), strict=True):
        label = labels.get(letter)
        assert label is None or found == re.sub(
            "NO_?CHANGE", "NO_CHANGE", label.upper().replace(" ", "_")
        )


@theirs
@given(st.tuples(ANSWERS, BLOCKS, ANSWERS).map("".join))
@settings(max_examples=more(600))
def test_whatever_grid_the_authors_program_takes_is_taken(text: str) -> None:
    found = patterns("reconstruction")
    plain = found["CODE_FENCE_RE"].sub("", text).strip()
    match = found["GRID_RE"].search(plain) or found["JSONISH_RE"].search(plain)
    letters = tuple(word[0].upper() for word in match.groups()) if match else ()
    if letters and set(letters) <= set("WYGBOR"):
        assert FirstGrid().parse(text) == letters

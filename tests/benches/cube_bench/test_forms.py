"""The parsers take exactly the paper's forms, and any text without a crash."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.benches.cube_bench.closed_loop import LETTERS
from bridge.benches.cube_bench.forms import (
    OPTIONS,
    Accepts,
    ChoiceForm,
    Effect,
    EffectsForm,
    GridForm,
    OptionLetter,
    YesNoForm,
)
from bridge.benches.cube_bench.learning_curve import LETTERS as CURVE_LETTERS
from bridge.benches.cube_bench.questions import MOVE_LETTERS
from tests.sampling import more

MOVE_FORM, FORM, CURVE_FORM = map(ChoiceForm, (MOVE_LETTERS, LETTERS, CURVE_LETTERS))
FORM_WITH_IDK = ChoiceForm(LETTERS | Accepts.IDK)
A, B, C, D, IDK = OptionLetter
STRICT = ChoiceForm(Accepts.STRICT)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("<ANSWER> B </ANSWER>", B),
        ("<answer>b</answer>", B),
        ("I turn it.\n<ANSWER>\nC\n</ANSWER> That is it.", C),
        ("ANSWER: D", D),
        ("Answer: a.", A),
        ("**ANSWER: A**\n", A),
        ("<B>", B),
        ("<ANSWER>B</ANSWER>\nANSWER: B", B),
        ("<ANSWER>B</ANSWER>\nANSWER: C", None),
        ("<ANSWER> A/B/C/D </ANSWER>", None),
        ("ANSWER: A|B|C|D", None),
        ("Answer: a good move is B", None),
        ("<ANSWER> E </ANSWER>", None),
        ("<ANSWER>IDK</ANSWER>", None),
        ("ANSWER:\nB", None),
        ("B", None),
        ("AMBIGUOUS", None),
        ("", None),
    ],
)
def test_move_prediction_takes_a_tag_a_colon_or_a_bracket(
    text: str, choice: OptionLetter | None
) -> None:
    assert MOVE_FORM.parse(text) is choice


def test_the_tasks_take_different_forms() -> None:
    forms = {"bare": " b \n", "bracket": "<B>", "colon": "answer: B", "tag": "<ANSWER>B</ANSWER>"}
    taken = {
        name: [key for key, text in forms.items() if form.parse(text) is B]
        for name, form in (("move", MOVE_FORM), ("loop", FORM), ("curve", CURVE_FORM))
    }
    assert taken == {
        "move": ["bracket", "colon", "tag"],
        "loop": ["bare", "bracket", "colon", "tag"],
        "curve": ["colon", "tag"],
    }


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("<ANSWER> B </ANSWER>", B),
        ("  <ANSWER>B</ANSWER>\n", B),
        ("<answer>B</answer>", None),
        ("<ANSWER>b</ANSWER>", None),
        ("<ANSWER>B</ANSWER>.", None),
        ("So: <ANSWER>B</ANSWER>", None),
        ("ANSWER: B", None),
    ],
)
def test_the_answer_after_a_reflection_is_one_strict_line(
    text: str, choice: OptionLetter | None
) -> None:
    assert STRICT.parse(text) is choice


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("<ANSWER> IDK </ANSWER>", IDK),
        ("<answer>idk</answer>", IDK),
        ("ANSWER: IDK", IDK),
        ("ANSWER: E", IDK),
        ("answer: idk/e", IDK),
        ("Sorry, I don't know.", IDK),
        ("i DON\u2019T   know", IDK),
        ("I don't know for sure. ANSWER: B", B),
        ("<ANSWER>IDK</ANSWER> <ANSWER>B</ANSWER>", None),
        ("<ANSWER>E</ANSWER>", None),
        ("IDK", None),
        ("I do not know", None),
        ("<IDK>", None),
    ],
)
def test_the_variants_of_not_knowing_are_those_of_the_paper(
    text: str, choice: OptionLetter | None
) -> None:
    assert FORM_WITH_IDK.parse(text) is choice
    assert FORM.parse(text) is (None if choice is IDK else choice)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: Yes", True),
        ("answer: no.", False),
        ("The rows agree.\n**Answer: Yes**", True),
        ("Answer: Yes. Answer: yes", True),
        ("Answer: Yes\nAnswer: No", None),
        ("Answer: Yes/No", None),
        ("Answer: Yes | No", None),
        ("Answer: Yesterday", None),
        ("Answer: none", None),
        ("Yes", None),
        ("MyAnswer: Yes", None),
        ("Answer: ye\u017f", None),
    ],
)
def test_yes_and_no_stand_behind_answer(text: str, answer: bool | None) -> None:
    assert YesNoForm().parse(text) is answer


GRID = tuple("GWRYGBOGW")
WORDS = (
    "ANSWER:\nRow 1: [Green, White, Red]\nRow 2: [Yellow, Green, Blue]\n"
    "Row 3: [Orange, Green, White]\nAnswer verified for correctness."
)


@pytest.mark.parametrize(
    "text",
    [
        WORDS,
        WORDS.lower(),
        WORDS.replace("[", "").replace("]", ""),
        WORDS.replace("Row ", "**Row ").replace("]", "]**"),
        "G W R\nY G B\nO G W",
        "[['G','W','R'],\n ['Y','G','B'],\n ['O','G','W']]",
        "| G | W | R |\n| Y | G | B |\n\n| O | G | W |",
        "F U R\nD F B\nL F U",
        "The centre is green.\nG G G\nG G G\nG G G\nNo, look again:\nG W R\nY G B\nO G W",
    ],
)
def test_a_face_is_read_from_words_letters_and_face_letters(text: str) -> None:
    assert GridForm().parse(text) == GRID


@pytest.mark.parametrize(
    "text",
    [
        "",
        "G W R",
        "G W R\nY G B",
        "G W R\nY G B\nO G W\nG G G",
        "G W R\nY G B\nO G",
        "G W R Y\nY G B\nO G W",
        "Row 1: [G, W, R]\nRow 2: [Y, G, B]\nRow 3: [O, G, Purple]",
        "Row 1: G W R\nRow 3: Y G B\nRow 2: O G W",
        "Row 1: G W R\nY G B\nO G W",
        "U W R\nY G B\nO G W",  # A face letter among colours.
        "Front Up Right\nDown Front Back\nLeft Front Up",
        "G W R\nhm\nY G B\nO G W",
        "GWR\nYGB\nOGW",
        "G W R\nY G B\nO G W\nor rather\nG W R\nY G B",
    ],
)
def test_what_is_no_face_of_one_vocabulary_is_not_read(text: str) -> None:
    assert GridForm().parse(text) is None


DEC, SAME, INC = Effect


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "<A> DECREASE </A>\n<B>no_change</B>\n|<C> INCREASE </C>|\n<D>NO CHANGE</D>",
            (DEC, SAME, INC, SAME),
        ),
        ("A: DECREASE\nB: increase\n- C: no-change\n**D: Increase**", (DEC, INC, SAME, INC)),
        ("<A>DECREASE</A>", (DEC, None, None, None)),
        ("<A>DECREASE</A><A>INCREASE</A><B>INCREASE</B>\nB: INCREASE", (None, INC, None, None)),
        ("<A> DECREASE|NO_CHANGE|INCREASE </A>\nB: DECREASE|NO_CHANGE", (None,) * 4),
        ("<A>DECREASE</B>", (None,) * 4),
        ("A DECREASE\nB: DECREASED\nC: DECREASE or not\nI say D: INCREASE", (None,) * 4),
        ("", (None,) * 4),
    ],
)
def test_effects_are_read_letter_by_letter(text: str, answer: tuple[Effect | None, ...]) -> None:
    assert EffectsForm().parse(text) == answer


FORMS = [
    MOVE_FORM, FORM, FORM_WITH_IDK, CURVE_FORM, STRICT, YesNoForm(), GridForm(), EffectsForm()
]  # fmt: skip
FRAGMENTS = st.sampled_from(
    ["<ANSWER>", "</ANSWER>", "<answer>", "ANSWER:", "Answer:", "A", "b", "IDK", "E", "/", "|", ".",
     " ", "\n", "<A>", "</A>", "A:", "Yes", "no", "I don't know", "DECREASE", "NO_CHANGE", "Row 1:",
     "Row 2:", "row 3", "[", "]", "Green", "W", "U", "R", ",", "**", "\u017f", "\x00", "\ud800"]
)  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(FRAGMENTS, max_size=25).map("".join))


@given(TEXTS)
@settings(max_examples=more(40))
def test_any_text_is_read_without_a_crash_and_what_is_read_can_be_written(text: str) -> None:
    for form in FORMS:
        answer = form.parse(text)
        if answer is not None:
            assert form.parse(form.format(answer)) == answer


def tagged(text: str) -> Iterator[str]:
    """What stands between tags, found without regular expressions."""
    low, place = text.lower(), 0
    while (start := low.find("<answer>", place)) >= 0:
        place = start + len("<answer>")
        end = low.find("</answer>", place)
        inner = low[place:end].strip(" \t\n\r\x0b\x0c") if end >= 0 else ""
        if inner in ("a", "b", "c", "d"):
            yield inner.upper()


@given(st.lists(FRAGMENTS, max_size=25).map("".join))
@settings(max_examples=more(40))
def test_tags_are_read_as_a_scanner_by_hand_reads_them(text: str) -> None:
    found = set(tagged(text))
    expected = OptionLetter(found.pop()) if len(found) == 1 else None
    read = ChoiceForm(Accepts.TAG).parse(text)
    assert read is expected or (read is None and "idk" in text.lower())


@given(st.sampled_from(OPTIONS), st.text(alphabet="xyz .,\n", max_size=20))
def test_an_answer_in_the_midst_of_prose_is_read(choice: OptionLetter, prose: str) -> None:
    assert MOVE_FORM.parse(f"{prose}<ANSWER>{choice}</ANSWER>{prose}") is choice
    assert MOVE_FORM.parse(f"{prose}\nANSWER: {choice}\n{prose}") is choice


@pytest.mark.parametrize("form", FORMS)
def test_a_long_answer_is_read_quickly(form: ChoiceForm | GridForm) -> None:
    for unit in ("<ANSWER>", "ANSWER: ", "A: ", "[", "Row ", "I ", " \n", "<A>DECREASE"):
        form.parse(unit * 20_000)

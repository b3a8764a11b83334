"""Answers of a million characters are read in time that grows with their length, no faster."""

import time
from itertools import product

import pytest

from bridge.benches.cube_bench.forms import (
    Accepts,
    ChoiceForm,
    EffectsForm,
    GridForm,
    ProseForm,
    YesNoForm,
)
from pysim.items import AnswerForm
from pysim.limits import MAX_ANSWER

BEGINNINGS = ("", "ANSWER: A", "Answer: Yes", "<ANSWER>", "<A>", "row 1:", "A: no effect", "I")
REPEATED = (" ", "\t", ".", "*", "* ", ". ", "\n", "a ", "<A>", "ANSWER: ", "- ", "|")
FORMS: list[AnswerForm[object]] = [
    *(ChoiceForm(one) for one in Accepts),  # type: ignore[list-item]
    YesNoForm(),
    GridForm(),
    EffectsForm(),
    ProseForm(),
]


@pytest.mark.timing
@pytest.mark.parametrize("form", FORMS, ids=lambda form: repr(form)[:30])
def test_no_form_takes_longer_than_in_proportion(form: AnswerForm[object]) -> None:
    # With two ways to read each blank, one of these took minutes.
    length = MAX_ANSWER // 64
    start = time.process_time()
    for begin, again in product(BEGINNINGS, REPEATED):
        form.parse(f"{begin}{again * (length // len(again))}x")
    assert time.process_time() - start < 60

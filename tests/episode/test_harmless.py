"""Text from outside is fit to be passed on, and otherwise what it was."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.episode.sanitize import REPLACEMENT, sanitize_json, sanitize_text
from tests.hostile import DEEP, TEXTS

any_text = st.text(st.characters(codec=None) | st.sampled_from("\x00\x1b\x9b\u202e\ud800\udfff\n"))
OVERRIDES = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def is_harmful(sign: str) -> bool:
    """As Unicode's own tables have it."""
    category = unicodedata.category(sign)
    control = category == "Cc" and not sign.isspace()
    return control or category == "Cs" or unicodedata.bidirectional(sign) in OVERRIDES


@given(any_text)
def test_every_harmful_sign_is_replaced_and_no_other(text: str) -> None:
    expected = "".join(REPLACEMENT if is_harmful(sign) else sign for sign in text)
    assert sanitize_text(text) == expected
    assert sanitize_text(expected) == expected
    expected.encode("utf-8")


@pytest.mark.slow
def test_exactly_the_harmful_signs_of_unicode_are_replaced() -> None:
    signs = [chr(number) for number in range(0x110000)]
    assert [s for s in signs if sanitize_text(s) != s] == [s for s in signs if is_harmful(s)]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_hostile_text_can_be_written(text: str) -> None:
    assert len(sanitize_text(text)) == len(text)
    sanitize_text(text).encode("utf-8")


def test_texts_at_any_place_of_a_value_are_made_harmless() -> None:
    value = {"\ud800": ["a\x00", {"b": ("\x1b",)}], "n": [1, 2.5, True, None]}
    assert sanitize_json(value) == {
        "\ufffd": ["a\ufffd", {"b": ["\ufffd"]}],
        "n": [1, 2.5, True, None],
    }


def test_what_is_nested_too_deep_is_said() -> None:
    with pytest.raises(RecursionError):
        sanitize_json(DEEP)

"""Sentences of the documents obey the rules."""

import pytest

from tools.check_prose import find_in_text, find_sentences

WORDS = "one two three four five "


def rules(text: str) -> list[str]:
    return [finding.rule for finding in find_in_text(text)]


def test_sentence_of_26_words_is_found_and_one_of_25_is_not() -> None:
    assert rules(WORDS * 5 + "six.\n") == ["26 words, more than 25"]
    assert rules(WORDS * 5 + "\n") == []


def test_sentence_over_several_lines_is_counted_as_one() -> None:
    (finding,) = find_in_text("\n" + (WORDS + "\n") * 6)
    assert finding.line == 2 and finding.rule.startswith("30 words")


@pytest.mark.parametrize("end", [". ", ".\n", ".** ", "`. ", ".) "])
def test_full_stop_ends_a_sentence(end: str) -> None:
    code = "`code" if end.startswith("`") else ""
    assert rules(f"{WORDS * 4}{code}{end}Next {WORDS * 4}\n") == []


def test_list_items_cells_and_headings_are_sentences_of_their_own() -> None:
    text = f"# {WORDS * 4}\n\n- {WORDS * 4}\n- {WORDS * 4}\n\n| {WORDS * 4} | {WORDS * 4} |\n"
    kinds = [sentence.kind for sentence in find_sentences(text)]
    assert kinds == ["heading", "text", "text", "cell", "cell"]
    assert rules(text) == []


def test_semicolon_is_found_in_text_and_not_in_cells_or_code() -> None:
    assert rules("It moves; it stops.\n") == ["semicolon"]
    assert rules("| 1; 2 | `a; b` |\n\n`a; b`\n\n```sh\na; b\n```\n\n    a; b\n") == []


def test_words_of_code_and_targets_of_links_do_not_count() -> None:
    link = f"[here](https://example.org/{'-'.join(['long'] * 30)})"
    assert rules(f"`{WORDS * 9}` {link}.\n\n```text\n{WORDS * 9}\n```\n") == []


@pytest.mark.parametrize(
    "text",
    ["What moves is red.", "Whoever plays wins.", "The page says so.", "It is told the task."],
)
def test_forbidden_word_is_found(text: str) -> None:
    assert len(rules(f"{text}\n")) >= 1


def test_question_as_a_heading_is_fine() -> None:
    assert rules("## What is judged\n") == []

"""``luban eval SUITE --agent human``: people answer items in real terminals."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.items.log import ItemLog
from bridge.items.results import compute_results
from bridge.items.suites import find_suite
from tests.cli.people import INTERRUPT, Session, answer_questions
from tests.commands import Luban, call
from tests.sampling import by_day, more, these_by_day

FOLDING = [
    "eval",
    "euclifold",
    "--task",
    "folding",
    "--n",
    2,
    "--image-size",
    48,
    "--agent",
    "human",
]
STUDY = ["eval", "euclifold", "--agent", "human", "--protocol", "people", "--image-size", 48]
SUITES = {
    "cube-bench": ["--n", 1],
    "euclifold": ["--n", 1],
    "mcube": ["--n", 1],
    "portal-plans": ["--limit", 1],
    "portal-blanks": ["--limit", 1],
}


def lines_of(path: Path, kind: str) -> Iterator[dict[str, Any]]:
    for line in path.read_text().splitlines():
        document = json.loads(line)
        if document["type"] == kind:
            yield document


def typed_texts(folder: Path) -> list[str]:
    """The answers of a run, as somebody types them who ends several lines with an empty one."""
    texts = [one["text"] for one in lines_of(folder / "items.jsonl", "answer")]
    return [text + "\n\n" if "\n" in text else text + "\n" for text in texts]


def type_all(arguments: list[object], texts: list[str], folder: Path) -> Session:
    left = iter(texts)
    rest: list[str] = []

    def reply(shown: str) -> str:
        if not rest:
            rest.extend(next(left).splitlines(keepends=True))
        return rest.pop(0)

    return answer_questions(arguments, reply, folder)


@pytest.mark.parametrize("suite", these_by_day(["portal-blanks"], SUITES))
def test_person_who_types_the_right_answers_has_full_marks(suite: str, tmp_path: Path) -> None:
    asked = ["eval", suite, *SUITES[suite], "--image-size", 32]
    call(*asked, "--agent", "oracle", "--out", tmp_path / "key")
    texts = typed_texts(tmp_path / "key")
    person = [*asked, "--agent", "human", "--person", "p-1", "--out", "run"]
    session = type_all(person, texts, tmp_path)
    assert session.status == 0, session.text
    found = compute_results(tmp_path / "run", find_suite(suite)).make_summary()
    assert found["accuracy"] == 1.0
    assert (
        found["items"]
        == compute_results(tmp_path / "key", find_suite(suite)).make_summary()["items"]
    )
    notes = list(lines_of(tmp_path / "run" / "agent.jsonl", "person"))
    assert len(notes) == len(texts) and all(note["seconds"] >= 0 for note in notes)
    assert "%" not in session.text and "Acc" not in session.text


def test_person_who_is_always_wrong_sees_pictures_but_no_marks_and_has_none(
    tmp_path: Path,
) -> None:
    """Pictures of a question are files that are named on the screen."""
    call(*FOLDING[:-1], "random", "--out", tmp_path / "key")
    wrong = iter(
        "False\n" if one["gold"].endswith("True") else "True\n"
        for one in lines_of(tmp_path / "key" / "items.jsonl", "answer")
    )

    def reply(shown: str) -> str:
        for number in (1, 2):
            path = tmp_path / "run" / f"current-{number}.png"
            assert str(path) in shown.replace("\r\n", "").replace("  ", "")
            assert path.read_bytes().startswith(b"\x89PNG")
        return next(wrong)

    session = answer_questions([*FOLDING, "--out", tmp_path / "run"], reply, tmp_path)
    assert session.status == 0 and "Thank you" in session.text
    found = compute_results(tmp_path / "run", find_suite("euclifold")).make_summary()
    assert (found["items"], found["accuracy"]) == (4, 0.0)


def test_terminal_that_draws_pictures_gets_them(tmp_path: Path) -> None:
    kitty = {"TERM": "xterm-kitty"}
    session = answer_questions(
        [*FOLDING, "--limit", 1, "--out", "run"], lambda _: "true\n", tmp_path, kitty
    )
    assert session.status == 0 and session.raw.count(b"\x1b_Ga=T") == 2


def test_screen_with_windows_gets_pictures_in_the_viewer(tmp_path: Path) -> None:
    viewer = tmp_path / "xdg-open"
    viewer.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/opened\n')
    viewer.chmod(0o755)
    screen = {"DISPLAY": ":7", "PATH": f"{tmp_path}:/usr/bin:/bin"}
    asked = [*FOLDING, "--limit", 1, "--out", "run"]
    assert answer_questions(asked, lambda _: "true\n", tmp_path, screen).status == 0
    opened = set((tmp_path / "opened").read_text().split())
    assert opened <= {"run/current-1.png", "run/current-2.png"} and opened


def test_unreadable_answer_and_bytes_that_are_no_text_are_asked_again_and_do_not_count(
    tmp_path: Path,
) -> None:
    texts = ["perhaps\n", "\n", "Answer: True\n", "SKIP\n"]
    texts += ["\udcff\udcfe\n", "\x1b[31mfalse\n", "false\n", "false\n"]
    session = type_all([*FOLDING, "--out", "run"], texts, tmp_path)
    assert session.status == 0 and session.text.count("can't be read as an answer") == 4
    answers = list(lines_of(tmp_path / "run" / "items.jsonl", "answer"))
    assert [one["text"] for one in answers] == ["Answer: True", "", "false", "false"]
    assert answers[1]["read"] is None and answers[1]["right"] is False
    notes = lines_of(tmp_path / "run" / "agent.jsonl", "person")
    assert [note["tries"] for note in notes] == [3, 1, 3, 1]


@pytest.mark.parametrize("leave", by_day([INTERRUPT, "\x04", "quit\n"], name=ascii))
def test_session_that_is_left_goes_on_with_the_next_question(leave: str, tmp_path: Path) -> None:
    session = type_all([*FOLDING, "--out", "run"], ["true\n", leave], tmp_path)
    assert session.status == 130
    said = " ".join(session.text.split())
    assert "after 1 of 4 trials; the same command with --out run resumes the run" in said
    assert "Traceback" not in session.text
    again = type_all([*FOLDING, "--out", "run"], ["true\n"] * 3, tmp_path)
    assert again.status == 0 and "--- 2 of 4 ---" in again.text and "--- 1 of" not in again.text
    assert len(list(lines_of(tmp_path / "run" / "items.jsonl", "answer"))) == 4


def test_level_in_a_terminal_that_draws_shows_its_picture(tmp_path: Path) -> None:
    play = ["play", "burr-half-lap", "--agent", "human", "--video", "none", "--image-size", 48]
    session = answer_questions(play, lambda _: "quit\n", tmp_path, {"TERM": "xterm-kitty"})
    assert session.raw.count(b"\x1b_Ga=T") == 1


def test_person_without_a_terminal_is_refused_in_one_line(luban: Luban, tmp_path: Path) -> None:
    assert "answers in a terminal" in luban(*FOLDING).complaint()
    assert "leave out --json" in luban(*FOLDING, "--json").complaint()
    assert "leave out --ray" in luban(*FOLDING, "--ray", "local").complaint()
    assert "leave out --workers" in luban(*FOLDING, "--workers", 2).complaint()
    assert "at most 40 letters" in luban(*FOLDING[:-1], "random", "--person", "a b").complaint()
    assert not (tmp_path / "runs").exists()


def test_person_of_the_study_gets_four_of_each_question_and_a_row(tmp_path: Path) -> None:
    for person in (1, 2)[: more(1, night=2)]:
        study = [*STUDY, "--person", person]
        key = tmp_path / f"key-{person}"
        call(*study[:3], "oracle", *study[4:], "--out", key)
        texts = typed_texts(key)
        assert len(texts) == 16
        if person == 2:
            texts[0] = "False\n" if "True" in texts[0] else "True\n"
        assert type_all([*study, "--out", f"run-{person}"], texts, tmp_path).status == 0
    header = ItemLog.read(tmp_path / "run-1").settings
    assert header.options == {"person": "1"}
    assert [part.count for part in header.parts] == [4, 4, 4, 4]


@pytest.mark.slow
def test_tables_pool_persons_into_a_row_with_an_interval(luban: Luban, tmp_path: Path) -> None:
    for person, words in ((1, "true"), (2, "false"), (3, "true")):
        asked = [*STUDY, "--person", person, "--task", "folding", "--out", f"run-{person}"]
        assert answer_questions(asked, lambda _, w=words: w + "\n", tmp_path).status == 0  # type: ignore[misc]
    runs = [f"run-{person}" for person in (1, 2, 3)]
    tables = {one["title"]: one for one in luban("report", *runs, "--json").json()["tables"]}
    (row,) = tables["People"]["rows"]
    assert row[:4] == ["Human", "folding, seed=0", "3", "12"] and row[6] == "100.0"
    assert float(row[7]) >= 0 and "–" in row[5]
    (half,) = tables["Table 3: accuracy on true and on false statements"]["rows"]
    assert half[0] == "Human: folding" and half[1].startswith("12 (")
    main = tables["Table 2: WinoAcc by task"]["rows"]
    assert [one[0] for one in main] == ["Chance", "Human"] and "[" in main[1][1]
    assert luban("report", *runs, "--out", "page.html", "--pictures", 0).status == 0
    assert "People" in (tmp_path / "page.html").read_text()

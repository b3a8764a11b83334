"""What is said between rounds is true, and says no more than the kind of feedback allows."""

import re
from random import Random
from typing import Any

from bridge.benches.mcube.answer_formats import Placements, complete_placements
from bridge.benches.mcube.condition import ROUNDS, RoundFeedback
from bridge.benches.mcube.cubes import LETTERS, AskedCube
from bridge.benches.mcube.feedback import describe_feedback
from bridge.benches.mcube.options import MCubeOptions
from bridge.benches.mcube.suite import MCubeSuite
from pysim.families.jigsaw.faces import Edge, Seat, ShellFace
from tests.families.jigsaw.cubes import PAPER, filled

_LINE = re.compile(
    r"^(?:Corner )?([A-Z][\w/]+)(?:, edge (\d) of (\w) and edge (\d) of (\w))?: (.*)\.$"
)
_BOTH = re.compile(
    r"([A-F](?:, [A-F])* and [A-F]) (?:both|all) fill row (\d), column (\d) of (\w+)"
)
_NONE = re.compile(r"nothing fills row (\d), column (\d) of (\w+)")


def trials(task: str, n: int = 10) -> list[Any]:
    suite = MCubeSuite("mcube-rounds")
    return list(suite.trials(suite.subsets(MCubeOptions(task=task, n=n))[0]))


def cell(face: str, row: int, column: int) -> tuple[int, int, int]:
    right, down = PAPER[face]
    out = tuple(
        down[(i + 1) % 3] * right[(i + 2) % 3] - down[(i + 2) % 3] * right[(i + 1) % 3]
        for i in range(3)
    )
    x, y, z = (2 * out[i] + (column - 3) * right[i] + (row - 3) * down[i] for i in range(3))
    return x, y, z


def told(cube: AskedCube, answer: Placements) -> dict[tuple[int, int, int], set[int]]:
    """The cells that detailed feedback names, with the pieces that fill each."""
    found: dict[tuple[int, int, int], set[int]] = {}
    lines = describe_feedback(cube, answer, RoundFeedback.DETAILED).splitlines()
    assert lines[0] == "That does not make the cube."
    places = complete_placements(cube.pieces, tuple(cube.given.items()), answer)
    assert places is not None
    for line in lines[1:]:
        parts = _LINE.match(line)
        assert parts is not None, line
        if parts[2]:
            for face, number, letter in zip(
                parts[1].split("/"), parts.group(2, 4), parts.group(3, 5), strict=True
            ):
                piece = places[LETTERS.index(letter)]
                assert piece.face == face and Edge.from_number(int(number)) in Edge
        for fault in parts[6].split("; "):
            if both := _BOTH.fullmatch(fault):
                owners = {LETTERS.index(x) for x in re.findall(r"\b[A-F]\b", both[1])}
                found[cell(both[4], int(both[2]), int(both[3]))] = owners
            else:
                none = _NONE.fullmatch(fault)
                assert none is not None, fault
                found[cell(none[3], int(none[1]), int(none[2]))] = set()
    return found


def test_detailed_feedback_names_every_cell_that_is_not_filled_once_and_no_other() -> None:
    for task in ("cube-detailed", "cube-easy-detailed"):
        for trial in trials(task):
            answer = trial.form.draw(Random(trial.id))
            if trial.key.accepts(answer):
                continue
            places = complete_placements(trial.cube.pieces, tuple(trial.cube.given.items()), answer)
            assert places is not None
            owners: dict[tuple[int, int, int], set[int]] = {
                cell(face, row, column): set()
                for face in PAPER
                for row in range(1, 6)
                for column in range(1, 6)
            }
            for i, (rows, place) in enumerate(zip(trial.cube.pieces, places, strict=True)):
                for there in filled(rows, place):
                    owners[there].add(i)
            wrong = {there: mine for there, mine in owners.items() if len(mine) != 1}
            assert told(trial.cube, answer) == wrong


def test_binary_feedback_says_that_it_is_wrong_and_no_more() -> None:
    said = {
        describe_feedback(t.cube, t.form.draw(Random(t.id)), RoundFeedback.BINARY)
        for t in trials("cube-binary")
    }
    assert said == {"That does not make the cube."}


def test_crowded_faces_are_told() -> None:
    (trial,) = trials("cube-detailed", 1)
    answer = tuple((i, Seat(ShellFace.TOP, Edge.LEFT, Edge.TOP)) for i in range(6))
    text = describe_feedback(trial.cube, answer, RoundFeedback.DETAILED)
    assert "A, B, C, D, E and F are all on Top" in text and "No piece is on Back." in text


def test_given_pieces_have_to_stay() -> None:
    (trial,) = trials("cube-easy-detailed", 1)
    (piece, place), *_ = trial.cube.given.items()
    elsewhere = Seat(place.face, place.top, place.left.opposite)
    answer = (*trial.form.draw(Random(1)), (piece, elsewhere))
    assert "have to stay" in describe_feedback(trial.cube, answer, RoundFeedback.DETAILED)


def test_what_can_not_be_read_is_told_in_every_kind() -> None:
    (trial,) = trials("cube-binary", 1)
    for kind in RoundFeedback:
        assert "could not be read" in describe_feedback(trial.cube, None, kind)


def test_a_trial_ends_with_a_right_answer_or_after_five_rounds() -> None:
    for trial in trials("cube-easy-binary", 3):
        state, wrong = trial.start(), "A: (Front, 1, 2)"
        for k in range(ROUNDS):
            item = trial.ask(state)
            assert item is not None and item.follows == (k > 0)
            assert bool(item.pictures) is False and item.gold == trial.ask(()).gold
            state = trial.after(state, wrong)
        assert trial.ask(state) is None and trial.count_answers_until_solved(state) is None
        first = trial.ask(())
        state = trial.after((wrong,), first.form.format(first.gold))
        assert trial.ask(state) is None and trial.count_answers_until_solved(state) == 2


def test_pictures_are_shown_in_the_first_round_alone() -> None:
    (trial,) = trials("cube-detailed", 1)
    assert len(trial.ask(()).pictures) == 6
    assert trial.ask(("nothing",)).pictures == ()

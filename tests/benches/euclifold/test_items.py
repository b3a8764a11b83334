"""EucliFold's items: pairs that differ in one point, proved right and wrong from the pictures."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from bridge.benches.euclifold.condition import (
    MOST_PAIRS,
    EuclifoldCondition,
    EuclifoldTask,
    Evidence,
    Negatives,
    PictureLook,
    Prompting,
    Wording,
    list_settings,
)
from bridge.benches.euclifold.cubes import TURNINGS, make_cube
from bridge.benches.euclifold.trials import Statement, make_trials
from bridge.items.forms import BinaryForm
from pysim.errors import InputError
from pysim.families.nets.cube import Arrow, ArrowColour, ArrowCube
from pysim.families.nets.faces import VISIBLE, CubeFace, Heading
from pysim.families.nets.folding import ArrowNet, FlatArrow, fold
from pysim.families.nets.shapes import normalize
from pysim.geometry import Axis, make_quarter_turn

PAIRS = 120
EVERY = [
    *map(EuclifoldCondition, EuclifoldTask),
    *(
        EuclifoldCondition(t, Wording.EUCLIDEAN)
        for t in (EuclifoldTask.ORIENTATION, EuclifoldTask.OPERATION)
    ),
    EuclifoldCondition(EuclifoldTask.FOLDING, negatives=Negatives.LEAKED),
    EuclifoldCondition(EuclifoldTask.FOLDING, prompting=Prompting.DIRECT, look=PictureLook.PAPER),
    *(
        EuclifoldCondition(t, shown=shown)
        for t in EuclifoldTask
        for shown in Evidence
        if shown is not Evidence.PICTURE
    ),
]
AXES = {f"{sign} {axis}": f"{sign}{axis}" for sign in ("positive", "negative") for axis in "xyz"}


@cache
def pairs(
    condition: EuclifoldCondition, count: int = PAIRS, seed: int = 0
) -> list[list[Statement]]:
    """Pairs, the true one first."""
    trials = make_trials(condition, seed, 2 * count)
    return [
        sorted(trials[k : k + 2], key=lambda t: not t.item.gold) for k in range(0, len(trials), 2)
    ]


def seen_cube(key: str) -> dict[CubeFace, Arrow]:
    """The visible faces, from a picture's key."""
    words = [word.split(">") for word in key.split()]
    return {
        face: Arrow(ArrowColour(colour), CubeFace(towards))
        for face, (colour, towards) in zip(VISIBLE, words, strict=True)
    }


def seen_net(key: str) -> ArrowNet:
    """A net, from a picture's key."""
    squares = {}
    rows = key.split(" / ")
    for y, row in enumerate(reversed(rows)):
        words = row.split()
        x = 0
        while words:
            first = words.pop(0)
            if first != ".":
                squares[x, y] = FlatArrow(ArrowColour(first), Heading(words.pop(0)))
            x += 1
    assert normalize(squares) == tuple(sorted(squares))
    return ArrowNet(tuple(sorted(squares)), tuple(squares[square] for square in sorted(squares)))


def keys(trial: Statement) -> list[str]:
    return [picture.key.removeprefix("paper ") for picture in trial.item.pictures]


def in_space(face: CubeFace) -> str:
    """The axis of a face: x, y and z come out of right, top and front."""
    return {
        CubeFace.RIGHT: "positive x",
        CubeFace.LEFT: "negative x",
        CubeFace.TOP: "positive y",
        CubeFace.BOTTOM: "negative y",
        CubeFace.FRONT: "positive z",
        CubeFace.BACK: "negative z",
    }[face]


@pytest.mark.parametrize("condition", EVERY, ids=lambda c: c.variant)
def test_each_two_items_are_a_pair_of_which_one_is_true(condition: EuclifoldCondition) -> None:
    for true, false in pairs(condition, 24):
        assert (true.item.gold, false.item.gold) == (True, False)
        assert true.item.group == false.item.group and true.item.id != false.item.id
        assert true.asked == false.asked
        assert true.item.system == false.item.system
        assert true.item.check(true.item.form.format(True))
        assert false.item.check(false.item.form.format(False))


@pytest.mark.parametrize("condition", EVERY, ids=lambda c: c.variant)
def test_items_follow_from_seed_and_number_alone(condition: EuclifoldCondition) -> None:
    whole = make_trials(condition, 5, 30)
    again = make_trials(EuclifoldCondition.parse(condition.variant), 5, 11)
    assert [t.item.digest for t in again] == [t.item.digest for t in whole[:11]]
    assert len({t.item.digest for t in whole}) == len({t.item.id for t in whole}) == 30
    other = make_trials(condition, 6, 30)
    assert not {t.item.id for t in whole} & {t.item.id for t in other}


def test_a_pair_about_one_cube_differs_in_one_word_and_in_no_picture() -> None:
    for task in (EuclifoldTask.COLOUR, EuclifoldTask.ORIENTATION, EuclifoldTask.OPERATION):
        for true, false in pairs(EuclifoldCondition(task)):
            assert keys(true) == keys(false)
            one, other = (re.findall(r"[a-z0-9]+", t.item.text) for t in (true, false))
            assert sum(a != b for a, b in zip(one, other, strict=True)) == 1


def test_a_pair_about_nets_differs_in_one_face_of_its_second_picture() -> None:
    for task in (EuclifoldTask.FOLDING, EuclifoldTask.MATCHING):
        for true, false in pairs(EuclifoldCondition(task)):
            assert true.item.text == false.item.text
            (first, one), (second, other) = keys(true), keys(false)
            assert first == second
            words = zip(re.split(r"[ >]", one), re.split(r"[ >]", other), strict=True)
            assert sum(a != b for a, b in words) == 1


def test_colours_are_those_that_are_seen() -> None:
    for true, false in pairs(EuclifoldCondition(EuclifoldTask.COLOUR)):
        seen = seen_cube(keys(true)[0])
        (face, colour), (again, wrong) = (
            re.findall(r"on the (\w+) face is (\w+)", t.item.text)[0] for t in (true, false)
        )
        assert face == again == true.asked.face
        assert seen[CubeFace(face)].colour == colour != wrong
        others = {arrow.colour for arrow in seen.values()} - {colour}
        assert wrong in others or not others


@pytest.mark.parametrize("wording", list(Wording))
def test_orientations_are_those_that_are_seen(wording: Wording) -> None:
    for true, false in pairs(EuclifoldCondition(EuclifoldTask.ORIENTATION, wording)):
        seen = seen_cube(keys(true)[0])
        face = true.asked.face
        assert face is not None
        said = [told_direction(t, wording) for t in (true, false)]
        assert f"on the {face} face" in true.item.text
        assert said[0] is seen[face].towards is not said[1]
        assert said[1] in face.beside


def told_direction(trial: Statement, wording: Wording) -> CubeFace:
    statement = trial.item.text.partition("Statement: ")[2]
    if wording is Wording.NATURAL:
        return CubeFace(re.findall(r"points towards the (\w+)", statement)[-1])
    (axis,) = re.findall(r"points in the (\w+ \w) direction", statement)
    return next(face for face in CubeFace if in_space(face) == axis)


@pytest.mark.parametrize("wording", list(Wording))
def test_after_a_turn_an_arrow_points_where_the_matrix_says(wording: Wording) -> None:
    """Counterclockwise, looking straight at a face, is right-handed about what comes out of it."""
    axes = {CubeFace.TOP: (Axis.Z, 1), CubeFace.FRONT: (Axis.Y, -1), CubeFace.RIGHT: (Axis.X, 1)}
    kinds = Counter()
    for true, false in pairs(EuclifoldCondition(EuclifoldTask.OPERATION, wording)):
        seen, face = seen_cube(keys(true)[0]), true.asked.face
        assert face is not None and f"on the {face} face at first" in true.item.text
        (degrees,) = re.findall(r"turns by (90|270) degrees counterclockwise", true.item.text)
        about = next(
            f
            for f in VISIBLE
            if f"about its {f} face" in true.item.text
            or f"about the {in_space(f)} axis" in true.item.text
        )
        axis, sign = axes[about]
        rotation = make_quarter_turn(axis, sign * int(degrees) // 90)
        vector = rotation.apply(seen[face].towards.side.vector)
        right, wrong = (told_direction(t, wording) for t in (true, false))
        assert right.side.vector == vector != wrong.side.vector
        there = rotation.apply(face.side.vector)
        assert sum(a * b for a, b in zip(there, wrong.side.vector, strict=True)) == 0
        kinds[degrees, about, face] += 1
    assert len(kinds) == 18


@pytest.mark.parametrize("negatives", list(Negatives))
def test_a_net_makes_the_true_cube_and_never_the_false_one(negatives: Negatives) -> None:
    changed = Counter()
    for true, false in pairs(EuclifoldCondition(EuclifoldTask.FOLDING, negatives=negatives)):
        cube = fold(seen_net(keys(true)[0]))
        views = [
            {face: turning.get_arrow(face) for face in VISIBLE}
            for turning in set(cube.list_rotations())
        ]
        right, wrong = seen_cube(keys(true)[1]), seen_cube(keys(false)[1])
        assert right in views and wrong not in views
        present = {arrow.colour for arrow in cube.arrows}
        strange = {arrow.colour for arrow in wrong.values()} - present
        assert bool(strange) == (negatives is Negatives.LEAKED)
        changed["colour" if Counter(a.colour for a in right.values()) != Counter(
            a.colour for a in wrong.values()) else "arrow"] += 1  # fmt: skip
    assert changed["colour"] and bool(changed["arrow"]) == (negatives is Negatives.PROPER)


def test_two_nets_make_the_same_cube_or_never_do() -> None:
    for true, false in pairs(EuclifoldCondition(EuclifoldTask.MATCHING)):
        one, other = (fold(seen_net(key)) for key in keys(true))
        wrong = fold(seen_net(keys(false)[1]))
        assert other in set(one.list_rotations())
        assert wrong not in set(one.list_rotations())
        assert keys(true)[0] != keys(true)[1]


def test_24_first_nets_of_a_cube_are_all_unlike() -> None:
    firsts = [keys(true)[0] for true, _ in pairs(EuclifoldCondition(EuclifoldTask.MATCHING), 72)]
    for start in range(0, 72, TURNINGS):
        assert len(set(firsts[start : start + TURNINGS])) == TURNINGS


@pytest.mark.slow
def test_1200_pictures_of_50_cubes_are_all_unlike() -> None:
    """The paper counts fewer than 5 % duplicates; here there are none."""
    cubes = [make_cube(0, number) for number in range(1200)]
    assert len({cube.view for cube in cubes}) == 1200
    assert len({min(turning.arrows for turning in cube.list_rotations()) for cube in cubes}) == 50
    assert all(a.is_same(b) for a, b in pairwise(cubes[:TURNINGS]))


def test_no_more_pairs_are_asked_than_there_are_views_for() -> None:
    with pytest.raises(InputError, match=f"at most {MOST_PAIRS} pairs"):
        make_trials(EuclifoldCondition(EuclifoldTask.COLOUR), 0, 2 * MOST_PAIRS + 1)


@pytest.mark.slow
def test_faces_colours_and_directions_are_drawn_evenly() -> None:
    faces: Counter[str] = Counter()
    told: Counter[str] = Counter()
    for true, _ in pairs(EuclifoldCondition(EuclifoldTask.ORIENTATION), 1200):
        faces[str(true.asked.face)] += 1
        told[told_direction(true, Wording.NATURAL)] += 1
    assert chisquare(list(faces.values())).pvalue > 1e-3
    assert len(told) == 6
    trials = make_trials(EuclifoldCondition(EuclifoldTask.COLOUR), 0, 2400)
    first = Counter(trial.item.gold for trial in trials[::2])
    assert chisquare(list(first.values())).pvalue > 1e-3


def test_words_alone_do_not_tell_a_true_direction_from_a_false_one() -> None:
    """How often each direction is told is the same on both sides, up to chance."""
    for condition in (
        EuclifoldCondition(EuclifoldTask.ORIENTATION),
        EuclifoldCondition(EuclifoldTask.OPERATION),
    ):
        sides = [Counter[str](), Counter[str]()]
        for pair in pairs(condition, 1200):
            for side, trial in zip(sides, pair, strict=True):
                side[told_direction(trial, Wording.NATURAL)] += 1
        mean = [(sides[0][face] + sides[1][face]) / 2 for face in CubeFace]
        assert chisquare([sides[0][face] for face in CubeFace], mean).pvalue > 1e-3


def test_arms_without_the_pictures_say_the_same_and_show_nothing_of_use() -> None:
    for task in EuclifoldTask:
        usual = pairs(EuclifoldCondition(task), 24)
        blind, told, wrong = (
            pairs(EuclifoldCondition(task, shown=shown), 24)
            for shown in (Evidence.NOTHING, Evidence.TEXT, Evidence.WRONG)
        )
        for k, (true, _) in enumerate(usual):
            statement = true.item.text.partition("Statement: ")[2]
            for arm in (blind, told, wrong):
                assert arm[k][0].item.text.partition("Statement: ")[2] == statement
            assert not blind[k][0].item.pictures and not told[k][0].item.pictures
            assert "withheld" in blind[k][0].item.text and "in words" in told[k][0].item.text
            assert keys(wrong[k][0]) != keys(true)
            assert len(keys(wrong[k][0])) == len(keys(true))
            assert keys(wrong[k][0]) == keys(wrong[k][1]), "both items show the same"


def test_the_same_cubes_are_told_in_words_as_are_shown() -> None:
    for task in (EuclifoldTask.COLOUR, EuclifoldTask.FOLDING):
        shown, told = (
            pairs(EuclifoldCondition(task), 24),
            pairs(EuclifoldCondition(task, shown=Evidence.TEXT), 24),
        )
        for (one, _), (other, _) in zip(shown, told, strict=True):
            for face, arrow in seen_cube(keys(one)[-1]).items():
                assert f"the {face} face bears a {arrow.colour} arrow that points towards the " \
                    f"{arrow.towards} face" in other.item.text  # fmt: skip


@pytest.mark.parametrize("task", list(EuclifoldTask))
def test_conditions_are_read_back(task: EuclifoldTask) -> None:
    assert EuclifoldCondition.parse(EuclifoldCondition(task).variant) == EuclifoldCondition(task)
    for shown in Evidence:
        condition = EuclifoldCondition(
            task, shown=shown, prompting=Prompting.DIRECT, look=PictureLook.PAPER
        )
        assert EuclifoldCondition.parse(condition.variant) == condition


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        ("perception", "task is one of"),
        ("colour,wording=euclidean", "colour has no setting 'wording'"),
        ("matching,negatives=leaked", "matching has no setting"),
        ("folding,shown=x", "shown is one of"),
        ("folding,size=2", "no setting 'size'"),
    ],
)
def test_a_condition_that_makes_no_sense_is_refused(variant: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        EuclifoldCondition.parse(variant)


def test_settings_are_those_of_a_task() -> None:
    assert list_settings(EuclifoldTask.FOLDING)[0] == "negatives"
    assert "wording" not in list_settings(EuclifoldTask.MATCHING)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("True", True),
        (" false.\n", False),
        ("**TRUE**", True),
        ("I look.\nAnswer: False", False),
        ("**Answer: True**", True),
        ("Answer: **True**", True),
        ("Answer: True\n... Answer: True", True),
        ("Answer: True, no: Answer: False", None),
        ("Answer: True or False", None),
        ("Answer: True/False", None),
        ("It is true that the arrow is red.", None),
        ("Answer: maybe", None),
        ("", None),
    ],
)
def test_answers_are_read(text: str, answer: bool | None) -> None:
    assert BinaryForm("True", "False").parse(text) is answer
    assert BinaryForm("True", "False", bare=True).parse(text) is answer


@given(st.text())
def test_any_text_is_read_without_a_crash(text: str) -> None:
    assert BinaryForm("True", "False").parse(text) in (True, False, None)


@given(st.booleans(), st.booleans())
def test_what_is_written_is_read(bare: bool, answer: bool) -> None:
    form = BinaryForm("True", "False", bare)
    assert form.parse(form.format(answer)) is answer


def test_a_cube_is_told_as_it_is_kept() -> None:
    cube = make_cube(0, 0)
    words = [word.split(">") for word in str(cube).split()]
    again = tuple(Arrow(ArrowColour(c), CubeFace(t)) for c, t in words)
    assert ArrowCube(again) == cube

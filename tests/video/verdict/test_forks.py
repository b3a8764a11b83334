"""Lawful ways that are not the film's, in pictures of the real renderer."""

from collections.abc import Sequence
from functools import cache
from itertools import islice
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.tracking.course import Course
from bridge.video.tracking.explaining import explain_video
from bridge.video.tracking.following import FollowedVideo, follow_film
from bridge.video.tracking.forks import follow_rules
from bridge.video.tracking.preparation import prepare_video
from bridge.video.verdict.evidence import Evidence
from bridge.video.verdict.judging import judge_video
from bridge.video.verdict.plan import read_plan
from bridge.video.verdict.reading import ReadPlan
from bridge.video.verdict.violations import Violation
from pysim.catalog import find_family, find_level
from pysim.families.burr.actions import Slide
from pysim.families.nets.actions import Crease, Fold, TurnNet
from pysim.families.portal.actions import FloorWay, Jump, WalkTo
from pysim.field_types import encode_arguments
from pysim.geometry.directions import Axis, Direction
from pysim.puzzle import Action
from tests.sampling import more
from tests.video.films import Picture, film_of, look_of, play, redraw

FPS, WIDTH = more(6, night=12), more(256, night=416)
LEVEL = "jigsaw-easy-1"


@cache
def walk(name: str = LEVEL, seed: int = 3) -> tuple[Action, Action]:
    """Two lawful actions that move something, and are none of the film's."""
    level, random = find_level(name), Random(seed)
    rules, found = find_family(level).rules, []
    assert level.plan is not None
    state = rules.initial(level)
    for _ in range(2):
        lawful = list(islice(rules.legal(level, state), 3000))
        random.shuffle(lawful)
        chosen = next(
            action
            for action in lawful
            if rules.apply(level, state, action).motions and action not in level.plan.actions[:2]
        )
        found.append(chosen)
        state = rules.apply(level, state, chosen).state
    return found[0], found[1]


@cache
def film(name: str = LEVEL) -> TrueFilm:
    return film_of(name, steps=2, width=WIDTH, fps=FPS)


def show(actions: Sequence[Action], name: str = LEVEL) -> tuple[Course, NDArray[np.float64]]:
    """Return actions, recorded as films are, and their poses frame by frame."""
    bundle = film(name).bundle
    course = Course.record(bundle.level, actions, fps=FPS, names=bundle.names)
    frames = np.arange(course.steps[-1].last_frame + FPS // 2)
    return course, course.poses[course.find_position(frames)]


def judge(poses: NDArray[np.float64], name: str = LEVEL) -> tuple[Sequence[Violation], ReadPlan]:
    true = film(name)
    pictures = redraw(true, poses)
    explained = explain_video(prepare_video(true, look_of(true), lambda: pictures, FPS))
    evidence = Evidence.of_pictures(explained)
    unlike = np.asarray(evidence.flagged.any(axis=1))
    return judge_video(evidence).violations, read_plan(evidence.course, evidence.aligned, unlike)


OTHERS = [
    (LEVEL, 3, 1),
    *(
        pytest.param(*one, marks=pytest.mark.slow)
        for one in (
            (LEVEL, 3, 2),
            (LEVEL, 1, 1),  # A piece is carried out of the picture for seconds.
            (LEVEL, 9, 1),  # A piece is carried out of the picture and back.
            ("nets-easy-01", 1, 1),  # The net turns half way: little is known of what is seen.
            ("nets-easy-01", 5, 1),  # The net is lifted out of the picture.
            ("nets-easy-09", 29, 1),  # The whole net turns, as if the camera did.
            ("nets-medium-02", 2, 2),
            ("nets-hard-01", 8, 2),
            ("packing-medium-08", 2, 2),
            ("cubebench-d01-4-full-visual", 2, 1),  # Its front is all green.
            ("rubik-l120-hard-01", 2, 2),
        )
    ),
]
"""Levels, seeds, and numbers of actions. The second one is done soon after the first."""


@pytest.mark.parametrize(("name", "seed", "count"), OTHERS)
def test_lawful_actions_that_are_not_the_films_break_nothing_and_are_the_plan(
    name: str, seed: int, count: int
) -> None:
    actions = walk(name, seed)[:count]
    violations, plan = judge(show(actions, name)[1], name)
    assert not violations
    told = [(type(action).tool, encode_arguments(action)) for action in actions]
    assert [(move.tool, move.arguments) for move in plan.moves] == told


@pytest.mark.slow
def test_way_back_along_the_way_there_breaks_nothing() -> None:
    there, back = walk("portal-d5-04", 23)
    violations, plan = judge(show((there, back), "portal-d5-04")[1], "portal-d5-04")
    assert not violations
    told = [(type(action).tool, encode_arguments(action)) for action in (there, back)]
    # A way through a cell may be two ways, the first of them to that cell.
    assert [one for one in [(m.tool, m.arguments) for m in plan.moves] if one in told] == told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "actions"),
    [
        # The film's box is hidden on its way.
        ("portal-03", [WalkTo((3, 1, 5))]),
        # The walker is hidden until it is half way back.
        ("portal-d5-10", [Jump(FloorWay.PLUS_Y), WalkTo((3, 2, 5))]),
        # The net goes out of the picture, and comes back in another light.
        ("nets-medium-08", [TurnNet("cyan", Axis.Y, 1)]),
        # A square whose inner side no film shows, as light as the ground, hides a figure.
        (
            "nets-hard-02",
            [
                Fold("red", Crease.MOUNTAIN),
                Fold("mint", Crease.VALLEY),
                Fold("grey", Crease.VALLEY),
            ],
        ),
        # The film lifts the net as well, but on another way.
        ("nets-hard-08", [Fold("purple", Crease.MOUNTAIN), Fold("red", Crease.MOUNTAIN)]),
    ],
)
def test_other_actions_of_which_much_is_hidden_break_nothing_and_are_the_plan(
    name: str, actions: list[Action]
) -> None:
    violations, plan = judge(show(actions, name)[1], name)
    assert not violations
    told = [(type(action).tool, encode_arguments(action)) for action in actions]
    assert [(move.tool, move.arguments) for move in plan.moves] == told


@pytest.mark.slow
def test_step_that_is_cut_short_is_the_plan_with_what_follows_it() -> None:
    # The film goes on from there: its first step is twice as long.
    actions = [
        Slide(("yellow",), Direction.PLUS_Z, 1),
        Slide(("blue",), Direction.MINUS_Y, 2),
    ]
    violations, plan = judge(show(actions, "burr-cabinet-2")[1], "burr-cabinet-2")
    assert not violations
    told = [(Slide.tool, encode_arguments(action)) for action in actions]
    assert [(move.tool, move.arguments) for move in plan.moves] == told


def follow(pictures: Sequence[Picture]) -> FollowedVideo:
    return follow_film(prepare_video(film(), look_of(film()), lambda: pictures, FPS))


@pytest.mark.slow
def test_branch_that_explains_less_of_all_that_follows_is_not_followed() -> None:
    branch = redraw(film(), show(walk()[:1])[1])
    alone = follow(branch)
    assert follow_rules(alone) is not alone
    own = play(film(), np.arange(film().bundle.manifest.frames))
    longer = follow([*branch, *own])
    assert follow_rules(longer) is longer


@pytest.mark.slow
def test_lawful_end_that_is_reached_in_an_unlawful_way_is_a_violation() -> None:
    course, poses = show(walk()[:1])
    first, last = course.steps[0].first_frame, course.steps[0].last_frame
    moved = int(np.abs(poses[last] - poses[first - 1]).max(axis=(1, 2)).argmax())
    share = np.linspace(0.0, 1.0, last - first + 2)[:, None]
    ends = poses[[first - 1, last], moved, :3, 3]
    straight = poses.copy()
    straight[first - 1 : last + 1, moved] = poses[last, moved]
    straight[first - 1 : last + 1, moved, :3, 3] = (1.0 - share) * ends[0] + share * ends[1]
    violations, _ = judge(straight)
    assert any(course.names[moved] in one.pieces for one in violations)


@pytest.mark.slow
def test_leap_along_a_lawful_way_is_a_violation() -> None:
    course, poses = show(walk()[:1])
    first, last = course.steps[0].first_frame, course.steps[0].last_frame
    third = (last - first) // 3
    violations, _ = judge(np.concatenate([poses[: first + third], poses[last - third :]]))
    assert len(violations) == 1, violations

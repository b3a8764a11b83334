"""Task and physics: a plan that is carried out lawfully counts, and nothing else does."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.video.reference.bundle import Bundle, BundleStep, Manifest
from bridge.video.report.clip_metrics import ClipMetrics, measure_clip
from bridge.video.report.measures import true_frames
from bridge.video.verdict.reading import ReadMove, ReadPlan
from bridge.video.verdict.ruling import Ruling
from bridge.video.verdict.tracks import Presence, Tracks, true_tracks
from bridge.video.verdict.violations import Violation, ViolationKind
from pysim.catalog import AnyLevel, find_family, find_level, list_shipped_levels
from pysim.field_types import encode_arguments
from pysim.puzzle import Action
from pysim.render.pinhole import Pinhole
from tests.sampling import levels_by_day

FRAMES = 100
CAMERA = Pinhole(np.array([[9.0, 0, 4], [0, 9, 4], [0, 0, 1]]), np.eye(4), 8, 8)


def bundle_of(level: AnyLevel, steps: int) -> Bundle:
    """A bundle without a film, of the first steps of a level's plan."""
    assert level.plan is not None
    shown = [
        BundleStep(k, action.tool, encode_arguments(action), 10 * k, 10 * k + 5)
        for k, action in enumerate(level.plan.actions[:steps], 1)
    ]
    more = ("none", "diagram", {"red": (1, 2, 3)}, 9.0, tuple(shown), False, {})
    manifest = Manifest(level.id, level.hash, level.family, 12, 1.0, None, 12, CAMERA, *more)
    return Bundle(Path("nowhere"), manifest, level, np.zeros((12, 1, 4, 4)))


def read(actions: Sequence[Action]) -> ReadPlan:
    """Moves that are read off a video, ten frames each."""
    moves = tuple(
        ReadMove(action.tool, encode_arguments(action), 10 * k, 10 * k + 5, True)
        for k, action in enumerate(actions)
    )
    return ReadPlan(moves, prefix=len(moves))


def resting(moved: float = 0.0) -> Tracks:
    """Tracks of a piece that goes so many units aside in the last frame."""
    poses = np.tile(np.eye(4), (FRAMES, 1, 1, 1))
    poses[-1, 0, 0, 3] = moved
    return true_tracks(["red"], poses, 12.0)


def measure(
    bundle: Bundle,
    actions: Sequence[Action],
    violations: Sequence[Violation] = (),
    undecided: Sequence[int] = (),
    tracks: Tracks | None = None,
) -> ClipMetrics:
    blind = np.zeros(FRAMES, bool)
    blind[list(undecided)] = True
    ruling = Ruling(tuple(violations), read(actions), FRAMES, 0.0)
    return measure_clip(bundle, ruling, tracks or resting(), blind)


def moved_pieces(level: AnyLevel, action: Action) -> tuple[str, ...]:
    rules = find_family(level).rules
    done = rules.apply(level, rules.initial(level), action)
    return tuple(name for motion in done.motions for name in motion.bodies)


@pytest.mark.parametrize(
    "level", levels_by_day([level for level in list_shipped_levels() if level.plan])
)
def test_true_plan_is_carried_out_step_by_step(level: AnyLevel) -> None:
    assert level.plan is not None
    actions = level.plan.actions[:3]
    bundle = bundle_of(level, 3)
    for count in range(len(actions) + 1):
        metrics = measure(bundle, actions[:count])
        assert metrics.steps == count and metrics.planned == len(actions)
        assert metrics.is_completed == (count == len(actions))
        assert metrics.score == pytest.approx(count / len(actions))


def test_still_clip_scores_nothing_in_task_and_all_in_physics() -> None:
    metrics = measure(bundle_of(find_level("burr-piston"), 2), [])
    assert (metrics.task, metrics.physics, metrics.score) == (0.0, 1.0, 0.0)
    assert not metrics.is_completed and not metrics.is_moving


def test_piece_that_goes_forth_and_back_carries_out_one_step_at_most() -> None:
    """Lawful moves alone are no progress: a wiggle would else be as good as a plan."""
    level = find_level("burr-piston-key")
    assert level.plan is not None
    rules, first = find_family(level).rules, level.plan.actions[0]
    done = rules.apply(level, rules.initial(level), first)
    start = rules.encode(rules.initial(level))
    back = next(
        action
        for action in rules.legal(level, done.state)
        if rules.encode(rules.apply(level, done.state, action).state) == start
    )
    assert measure(bundle_of(level, 4), [first, back] * 4).steps == 1


def test_all_other_pieces_may_move_the_other_way_instead() -> None:
    """Nobody can tell a piece that goes up from all others that go down."""
    level = find_level("burr-cabinet-2")
    assert level.plan is not None
    rules, action = find_family(level).rules, level.plan.actions[0]
    others = [
        one
        for one in rules.legal(level, rules.initial(level))
        if not is_same_mover(level, one, action)
    ]
    counted = [one for one in others if measure(bundle_of(level, 1), [one]).steps == 1]
    assert [{*moved_pieces(level, one)} for one in counted] == [{"red", "blue", "green"}]


def is_same_mover(level: AnyLevel, one: Action, other: Action) -> bool:
    return set(moved_pieces(level, one)) == set(moved_pieces(level, other))


@pytest.mark.parametrize(
    ("frame", "counted"), [(5, 0), (6, 0), (7, 2), (8, 2), (9, 1), (14, 1), (30, 2)]
)
def test_step_in_which_its_piece_breaks_something_does_not_count(frame: int, counted: int) -> None:
    level = find_level("burr-piston")
    assert level.plan is not None
    actions = level.plan.actions[:2]
    rules = find_family(level).rules
    state = rules.apply(level, rules.initial(level), actions[0]).state
    second = rules.apply(level, state, actions[1])
    pieces = {*moved_pieces(level, actions[0])}
    pieces |= {name for motion in second.motions for name in motion.bodies}
    leap = Violation(ViolationKind.TELEPORT, frame, frame, tuple(sorted(pieces)), 3.0)
    metrics = measure(bundle_of(level, 2), actions, [leap])
    assert metrics.steps == counted
    assert metrics.lawful_frames == FRAMES - 1


@given(st.integers(1, 40), st.sampled_from([8, 12, 24, 25, 30]))
def test_frames_correspond_if_their_middles_are_shown_at_one_time(frames: int, fps: int) -> None:
    bundle = bundle_of(find_level("burr-piston"), 1)
    rate, last = bundle.manifest.fps, bundle.manifest.frames - 1
    shown = [Fraction(2 * k + 1, 2 * fps) * rate for k in range(frames)]
    expected = [next((n for n in range(last + 1) if n <= at < n + 1), -1) for at in shown]
    assert true_frames(frames, fps, bundle).tolist() == expected


def test_piece_that_rests_may_break_something_meanwhile() -> None:
    level = find_level("burr-piston")
    assert level.plan is not None
    action = level.plan.actions[0]
    other = next(
        str(name) for name in level.colours if str(name) not in moved_pieces(level, action)
    )
    gone = Violation(ViolationKind.PERMANENCE, 0, 9, (other,), 10.0)
    light = Violation(ViolationKind.BACKGROUND, 0, 19, (), 0.5)
    metrics = measure(bundle_of(level, 1), [action], [gone, light])
    assert (metrics.steps, metrics.lawful_frames) == (1, FRAMES - 20)


def test_motion_counts_only_in_lawful_frames() -> None:
    bundle = bundle_of(find_level("burr-piston"), 1)
    leap = Violation(ViolationKind.TELEPORT, FRAMES - 1, FRAMES - 1, ("red",), 3.0)
    assert not measure(bundle, [], tracks=resting(0.3)).is_moving
    assert measure(bundle, [], tracks=resting(2.0)).is_moving
    assert not measure(bundle, [], [leap], tracks=resting(2.0)).is_moving
    assert not measure(bundle, [], undecided=[FRAMES - 1], tracks=resting(2.0)).is_moving


@given(
    undecided=st.sets(st.integers(0, FRAMES - 1)),
    more=st.sets(st.integers(0, FRAMES - 1)),
    broken=st.lists(st.tuples(st.integers(0, FRAMES - 1), st.integers(0, 30)), max_size=4),
)
def test_undecided_frames_never_lift_a_score(
    undecided: set[int], more: set[int], broken: list[tuple[int, int]]
) -> None:
    bundle, action = _PISTON
    wrong = [
        Violation(ViolationKind.BACKGROUND, first, min(FRAMES - 1, first + length), (), 1.0)
        for first, length in broken
    ]
    less = measure(bundle, [action], wrong, sorted(undecided))
    worse = measure(bundle, [action], wrong, sorted(undecided | more))
    assert worse.score <= less.score
    # Each frame is of one of three sorts, counted by hand.
    bad = {k for v in wrong for k in range(v.first, v.last + 1)}
    assert less.undecided_frames == len(undecided - bad)
    assert less.lawful_frames == FRAMES - len(bad | undecided)


def test_frame_is_undecided_if_most_of_its_pieces_are() -> None:
    tracks = true_tracks(["a", "b", "c"], np.tile(np.eye(4), (3, 3, 1, 1)), 12.0)
    tracks.presence[1, :1] = Presence.UNDECIDED
    tracks.presence[2, :2] = Presence.UNDECIDED
    assert tracks.undecided_frames.tolist() == [False, False, True]


def _first_action(level: AnyLevel) -> Action:
    assert level.plan is not None
    return level.plan.actions[0]


_PISTON = bundle_of(find_level("burr-piston"), 2), _first_action(find_level("burr-piston"))

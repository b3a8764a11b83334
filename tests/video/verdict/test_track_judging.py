"""Judgement of tracks: perfect poses have the exact plan, and each forgery is one violation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, product

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.recording.movers import movers_of
from bridge.video.tracking.course import Course
from bridge.video.verdict.depths import depth_between
from bridge.video.verdict.ruling import Ruling, rule_on
from bridge.video.verdict.tracks import Presence, Tracks, TracksError, true_tracks
from bridge.video.verdict.violations import ViolationKind, stretches
from pysim.catalog import AnyLevel, find_family, find_level, list_shipped_levels
from pysim.field_types import encode_arguments
from pysim.puzzle import IllegalMove
from tests.sampling import by_day, levels_by_day

LEVELS = [level for level in list_shipped_levels() if level.plan is not None]
FPS = 24
STILL = 6
"""Frames of a rest after which a forgery begins."""

_Array = NDArray[np.float64]


@cache
def course_of(name: str) -> Course:
    level = find_level(name)
    assert level.plan is not None
    return Course.record(level, level.plan.actions, fps=FPS)


def film(course: Course, fps: float = FPS) -> _Array:
    """The poses (F, B, 4, 4) of all frames, and of a second after them."""
    frames = np.arange(0.0, course.frames[-1] + FPS, FPS / fps)
    return np.nan_to_num(course.poses[course.find_position(frames)])


def track(course: Course, poses: _Array, fps: float = FPS) -> Tracks:
    names = movers_of(course.level, course.scene)
    return true_tracks(names, poses[:, [course.names.index(name) for name in names]], fps)


def is_exact(ruling: Ruling, level: AnyLevel) -> bool:
    """Whether a plan was read as it is, and nothing else."""
    told = [(move.tool, move.arguments) for move in ruling.reading.moves]
    plan = [(type(action).tool, encode_arguments(action)) for action in level.plan.actions]
    return told == plan and ruling.reading.solved and not ruling.violations


@pytest.mark.by_day(6)
@pytest.mark.parametrize("level", levels_by_day(LEVELS))
def test_perfect_poses_have_the_exact_plan(level: AnyLevel) -> None:
    course = course_of(level.id)
    assert is_exact(rule_on(course, track(course, film(course))), level)


@pytest.mark.by_day(4)
@pytest.mark.parametrize("fps", [10, 30, 50])
@pytest.mark.parametrize("name", ["burr-piston", "packing-easy-01", "nets-easy-01", "portal-01"])
def test_perfect_poses_at_another_rate_have_the_exact_plan(name: str, fps: int) -> None:
    course = course_of(name)
    assert is_exact(rule_on(course, track(course, film(course, fps), fps)), course.level)


@pytest.mark.parametrize("name", ["burr-piston", "packing-easy-01", "nets-easy-01"])
def test_poses_that_are_a_little_off_have_the_exact_plan(name: str) -> None:
    course, rng = course_of(name), np.random.default_rng(4)
    poses = film(course)
    poses[..., :3, 3] += rng.normal(0.0, 0.05, poses.shape[:2] + (3,))
    tracks = track(course, poses)
    vague = replace(tracks, across=np.full_like(tracks.across, 0.05))
    assert is_exact(rule_on(course, vague), course.level)


def test_half_of_a_film_has_the_steps_that_are_over() -> None:
    course = course_of("burr-piston")
    poses = film(course)[: course.steps[3].last_frame + 2]
    reading = rule_on(course, track(course, poses)).reading
    assert len(reading.moves) == 4 and not reading.solved


@dataclass(frozen=True, slots=True)
class Forged:
    """Poses in which something is wrong, from a frame on, and the pieces that may be named."""

    poses: _Array
    first: int
    pieces: Sequence[str]


def deepest(course: Course, poses: _Array, body: int, way: _Array) -> float:
    """Return how deep a body is in any other one if it is moved."""
    moved = poses[body].copy()
    moved[:3, 3] += way
    return max(
        depth_between(course.cells[body], moved, course.cells[other], poses[other])
        for other, name in enumerate(course.names)
        if other != body and not course.scene.find_body(name).translucent
    )


def shift(poses: _Array, body: int, first: int, way: _Array, frames: int) -> _Array:
    """Return poses with a body moved from a frame on, in so many frames."""
    share = np.minimum(np.arange(1, len(poses) - first + 1) / frames, 1.0)
    forged = poses.copy()
    forged[first:, body, :3, 3] += share[:, None] * way
    return forged


def rest_after(course: Course, poses: _Array, step: int) -> tuple[int, Iterator[int]]:
    """Return a frame after a step, and the pieces that stay where they are from there on."""
    first = min(course.steps[step].last_frame + STILL, len(poses) - 20)
    still = np.abs(poses[first - 1 :] - poses[first]).max(axis=(0, 2, 3)) < 1e-9
    movers = movers_of(course.level, course.scene)
    return first, (b for b in np.flatnonzero(still).tolist() if course.names[b] in movers)


WAYS = np.concatenate([np.eye(3), -np.eye(3)])


def push(course: Course, poses: _Array) -> Forged | None:
    first, bodies = rest_after(course, poses, 0)
    for body in bodies:
        for way in WAYS:
            if deepest(course, poses[first], body, way) > 0.9:
                return Forged(shift(poses, body, first, way, 12), first, [course.names[body]])
    return None


def leap(course: Course, poses: _Array) -> Forged | None:
    first, bodies = rest_after(course, poses, 0)
    body = next(bodies, None)
    if body is None:
        return None
    return Forged(shift(poses, body, first, WAYS[2], 1), first, [course.names[body]])


def float_away(course: Course, poses: _Array, ways: _Array) -> Forged | None:
    """A piece that the last step moved goes where nothing is in its way."""
    for step in reversed(range(len(course.steps))):
        first, bodies = rest_after(course, poses, step)
        before = poses[course.steps[step].first_frame - 1]
        for body in bodies:
            if np.linalg.norm((poses[first, body] - before[body])[:3, 3]) < 1.0:
                continue
            for way in ways:
                near = np.linspace(0.25, 2.0, 8)
                if max(deepest(course, poses[-1], body, way * far) for far in near) < 0.05:
                    forged = shift(poses, body, first, 2.0 * way, 24)
                    return Forged(forged, first, [course.names[body]])
    return None


def hover(course: Course, poses: _Array) -> Forged | None:
    return float_away(course, poses, WAYS[2:3])


def glide(course: Course, poses: _Array) -> Forged | None:
    return float_away(course, poses, WAYS[[0, 1, 3, 4]])


def find_long_step(course: Course) -> int:
    sizes = [
        course.travel[end] - course.travel[start]
        for start, end in zip([0, *course.step_ends], course.step_ends, strict=False)
    ]
    return int(np.argmax(sizes))


def reverse(course: Course, poses: _Array) -> Forged | None:
    step = course.steps[find_long_step(course)]
    forged = poses.copy()
    inside = slice(step.first_frame, step.last_frame + 1)
    forged[inside] = forged[inside][::-1]
    return Forged(forged, step.first_frame, course.names)


def freeze(course: Course, poses: _Array) -> Forged | None:
    step = course.steps[find_long_step(course)]
    middle = (step.first_frame + step.last_frame) // 2
    last = min(middle + 14, step.last_frame)
    forged = poses.copy()
    forged[middle:last] = poses[middle]
    return Forged(forged, last, course.names)


def disorder(course: Course, poses: _Array) -> Forged | None:
    """A step is shown before the one that makes room for it, if the rules refuse that."""
    rules = find_family(course.level).rules
    for number, (one, other) in enumerate(zip(course.steps, course.steps[1:], strict=False)):
        start, middle, end = (
            poses[k] for k in (one.first_frame - 1, one.last_frame, other.last_frame)
        )
        held, eager = (
            np.abs(b - a).max(axis=(1, 2)) > 0.3 for a, b in ((start, middle), (middle, end))
        )
        try:
            rules.apply(course.level, course.find_state(number), course.list_actions()[number + 1])
        except IllegalMove:
            if held.any() and eager.any() and not (held & eager).any():
                forged = poses.copy()
                turn = one.first_frame + other.last_frame - other.first_frame + 1
                forged[one.first_frame : other.last_frame + 1] = np.where(
                    eager[:, None, None], end, start
                )
                forged[one.first_frame : turn, eager] = poses[
                    other.first_frame : other.last_frame + 1, eager
                ]
                late = poses[one.first_frame : one.last_frame + 1, held]
                late = late[-(other.last_frame + 1 - turn) :]
                forged[turn : turn + len(late), held] = late
                forged[turn + len(late) : other.last_frame + 1, held] = middle[held]
                names = [course.names[k] for k in np.flatnonzero(eager | held)]
                return Forged(forged, one.first_frame, names)
    return None


FORGERIES = {
    push: ViolationKind.INTERPENETRATION,
    leap: ViolationKind.TELEPORT,
    hover: ViolationKind.ILLEGAL,
    glide: ViolationKind.ILLEGAL,
    reverse: ViolationKind.TELEPORT,
    freeze: ViolationKind.TELEPORT,
    disorder: ViolationKind.ORDER,
}
SAMPLE = by_day(LEVELS[::3], lambda level: level.family, each=1, name=lambda level: level.id)


@pytest.mark.by_day(14)
@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
@pytest.mark.parametrize("level", SAMPLE)
def test_forged_tracks_have_one_violation_of_the_right_kind(level: AnyLevel, forge) -> None:
    course = course_of(level.id)
    forged = forge(course, film(course))
    if forged is None:
        pytest.skip("nothing in this level can be forged so")
    (violation,) = rule_on(course, track(course, forged.poses)).violations
    assert violation.kind is FORGERIES[forge] and violation.pieces[0] in forged.pieces
    assert abs(violation.first - forged.first) <= STILL


@pytest.mark.parametrize("level", SAMPLE)
def test_piece_that_is_absent_lacks_permanence_in_those_frames(level: AnyLevel) -> None:
    course = course_of(level.id)
    tracks = track(course, film(course))
    presence = tracks.presence.copy()
    presence[10:20, 0] = Presence.ABSENT
    (violation,) = rule_on(course, replace(tracks, presence=presence)).violations
    assert (violation.kind, violation.first, violation.last, violation.pieces) == (
        ViolationKind.PERMANENCE, 10, 19, tracks.names[:1],
    )  # fmt: skip


def lock() -> tuple[Course, Tracks]:
    course = course_of("burr-piston")
    return course, track(course, film(course)[:40])


def test_pieces_of_which_nothing_is_known_break_nothing() -> None:
    course, tracks = lock()
    rng, poses = np.random.default_rng(2), tracks.poses.copy()
    poses[5:15, 2:, :3, 3] += rng.uniform(-9, 9, (10, poses.shape[1] - 2, 3))
    presence = tracks.presence.copy()
    presence[5:15, 2:] = Presence.UNDECIDED
    ruling = rule_on(course, replace(tracks, poses=poses, presence=presence))
    assert ruling.violations == () and ruling.unseen == presence.astype(bool).mean()
    assert rule_on(course, replace(tracks, poses=poses)).count(ViolationKind.TELEPORT) > 0


def test_piece_in_two_of_which_nothing_is_known_is_not_split() -> None:
    course, tracks = lock()
    apart, presence = tracks.apart.copy(), tracks.presence.copy()
    apart[9:30, 1], presence[9:30, 1] = 2.0, Presence.UNDECIDED
    assert rule_on(course, replace(tracks, apart=apart, presence=presence)).violations == ()


@pytest.mark.parametrize("least", [1, 2, 3])
def test_stretches_are_the_runs_that_last(least: int) -> None:
    for flags in product((False, True), repeat=7):
        runs = [(flag, list(run)) for flag, run in groupby(range(7), flags.__getitem__)]
        lasting = [(run[0], run[-1]) for flag, run in runs if flag and len(run) >= least]
        assert list(stretches(np.array(flags), least)) == lasting


def test_picked_tracks_have_the_colors_of_the_same_pieces() -> None:
    _, tracks = lock()
    rng, count = np.random.default_rng(3), len(tracks.names)
    wears = rng.integers(-1, count, tracks.wears.shape)
    picked = [tracks.names[k] for k in rng.permutation(count)[: count - 2]]
    found = replace(tracks, wears=wears).of(picked)
    for name, worn in zip(picked, found.wears.T.tolist(), strict=True):
        before = wears[:, tracks.names.index(name)].tolist()
        names = [tracks.names[k] if k >= 0 else "" for k in before]
        expected = [other if other in picked else "" for other in names]
        assert [picked[k] if k >= 0 else "" for k in worn] == expected


def test_pieces_that_are_hidden_while_they_move_do_not_leap() -> None:
    course = course_of("packing-easy-01")
    tracks, step = track(course, film(course)), course.steps[0]
    presence = tracks.presence.copy()
    presence[step.first_frame - 2 : step.last_frame + 2] = Presence.UNDECIDED
    assert is_exact(rule_on(course, replace(tracks, presence=presence)), course.level)


def test_depth_that_is_not_known_is_no_violation() -> None:
    course, tracks = lock()
    sight = np.array([0.48, -0.77, 0.42]) / np.linalg.norm([0.48, -0.77, 0.42])
    poses = tracks.poses.copy()
    poses[12:, 0, :3, 3] += 0.8 * sight
    seen = np.tile(sight, (*tracks.presence.shape, 1))
    vague = replace(tracks, poses=poses, sight=seen, along=np.full(tracks.presence.shape, 0.45))
    assert rule_on(course, vague).violations == ()
    assert rule_on(course, replace(tracks, poses=poses)).violations != ()


def test_colors_that_two_pieces_have_of_each_other_are_a_swap_and_of_one_a_merge() -> None:
    course, tracks = lock()
    red, blue = tracks.names.index("red"), tracks.names.index("blue")
    wears = tracks.wears.copy()
    wears[6:, red] = blue
    (one,) = rule_on(course, replace(tracks, wears=wears)).violations
    assert (one.kind, one.pieces, one.first) == (ViolationKind.MERGE, ("red", "blue"), 6)
    wears[7:, blue] = red
    (both,) = rule_on(course, replace(tracks, wears=wears)).violations
    assert both.kind is ViolationKind.SWAP and set(both.pieces) == {"red", "blue"}
    backwards = replace(tracks, wears=wears).of(tracks.names[::-1])
    assert rule_on(course, backwards).count(ViolationKind.SWAP) == 1


@pytest.mark.parametrize(
    ("column", "value", "kind"),
    [
        ("wears", -1, ViolationKind.RIGIDITY),
        ("fit", 0.2, ViolationKind.RIGIDITY),
        ("spare", 1.5, ViolationKind.EXTRA),
        ("apart", 2.0, ViolationKind.SPLIT),
    ],
)
def test_columns_of_tracks_tell_of_violations(column: str, value: float, kind) -> None:
    course, tracks = lock()
    given = getattr(tracks, column).copy()
    given[9:30, 1] = value
    (one,) = rule_on(course, replace(tracks, **{column: given})).violations
    assert (one.kind, one.first, one.last, one.pieces) == (kind, 9, 29, tracks.names[1:2])


def test_ground_that_changes_is_a_violation_without_pieces() -> None:
    course, tracks = lock()
    background = np.where(np.arange(len(tracks)) < 12, 0.0, 0.3)
    (one,) = rule_on(course, replace(tracks, background=background)).violations
    assert (one.kind, one.first, one.pieces) == (ViolationKind.BACKGROUND, 12, ())
    assert one.magnitude == 0.3


@pytest.mark.parametrize("scale", [[1.2, 1.2, 1.2], [1.0, 1.0, 0.7], [1.0, 1.0, -1.0]])
def test_piece_that_grows_or_is_mirrored_is_not_rigid(scale: list[float]) -> None:
    course, tracks = lock()
    poses = tracks.poses.copy()
    poses[10:, 1, :3, :3] *= scale
    (one,) = rule_on(course, replace(tracks, poses=poses)).violations
    assert (one.kind, one.first) == (ViolationKind.RIGIDITY, 10)
    assert one.magnitude == pytest.approx(np.abs(np.array(scale) - 1.0).max())


def test_tracks_that_start_elsewhere_are_refused() -> None:
    course, tracks = lock()
    poses = tracks.poses.copy()
    poses[:, 0, :3, 3] += 3.0
    with pytest.raises(TracksError, match="units from where the puzzle has it"):
        rule_on(course, replace(tracks, poses=poses))

"""Judgement of videos: what the film explains, and which rules others break."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.tracking.alignment import AlignedFrames
from bridge.video.tracking.changes import BodyChange, ChangeKind
from bridge.video.tracking.course import Course
from bridge.video.tracking.explaining import explain_video
from bridge.video.tracking.preparation import prepare_video
from bridge.video.verdict.evidence import Evidence
from bridge.video.verdict.judging import Judgement, judge_video
from bridge.video.verdict.plan import StepFrames, find_steps, read_plan
from bridge.video.verdict.violations import ViolationKind
from pysim.catalog import AnyLevel, list_shipped_levels
from tests.sampling import by_day, more, these_by_day
from tests.video.films import Picture, film_of, look_of, play, redraw

LOCK, CUBE, BOX = "burr-piston", "rubik-l120-easy-01", "packing-medium-08"
FPS = 12.0
SHORT = more(16, night=24)
"""Frames of a film that are drawn anew."""
BROKEN, WHOLE = SHORT * 5 // 12, SHORT * 5 // 6
"""Frames in which a piece begins to break a rule, and is in its place again if it ever is."""
EACH_KIND = these_by_day([LOCK], [LOCK, "packing-easy-01", "jigsaw-easy-1", "nets-easy-01"])
"""By day the lock: films of the others have four times as many pixels."""
ALL = list_shipped_levels()
FEW = [v for v in ALL if v.id in ("burr-artifactory-5-4", CUBE, "portal-01", "portal-d2-07")]


@dataclass(frozen=True, slots=True)
class Found:
    """A video that was judged."""

    evidence: Evidence
    judgement: Judgement

    @property
    def kinds(self) -> list[ViolationKind]:
        """Kinds of its violations."""
        return [violation.kind for violation in self.judgement.violations]

    @property
    def shown(self) -> list[StepFrames]:
        """The film's steps that it shows."""
        return find_steps(self.evidence.course, self.evidence.aligned)

    @property
    def steps(self) -> int:
        """Number of these steps."""
        return len(self.shown)

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong, and everything is decided."""
        return not self.kinds and not self.judgement.undecided.any()


def judge(pictures: list[Picture], level: str = LOCK, fps: float = FPS) -> Found:
    film = shown(level)
    explained = explain_video(prepare_video(film, look_of(film), lambda: pictures, fps))
    evidence = Evidence.of_pictures(explained)
    return Found(evidence, judge_video(evidence))


def begin_at(frame: int, evidence: Evidence) -> Evidence:
    """Return the evidence of a video without its first frames."""
    count, aligned = len(evidence), evidence.aligned
    values = {one.name: getattr(evidence, one.name) for one in fields(evidence)}
    parts = {
        name: value[frame:]
        for name, value in values.items()
        if name not in ("pieces", "solid") and hasattr(value, "__len__") and len(value) == count
    }
    later = AlignedFrames(aligned.positions[frame:], aligned.leaps[frame:])
    return replace(evidence, **parts | {"aligned": later})


def shown(level: str) -> TrueFilm:
    """Return a film; the first lock's is large at any size."""
    return film_of(level, width=208 if level.startswith(("burr", "rubik")) else 416)


def all_frames(level: str = LOCK) -> NDArray[np.int64]:
    return np.arange(shown(level).bundle.manifest.frames)


@pytest.mark.parametrize("level", these_by_day(FEW, ALL, name=lambda level: level.id))
def test_film_of_a_level_breaks_nothing_and_shows_all_its_visible_steps(level: AnyLevel) -> None:
    film = shown(level.id)
    found = judge(play(film, all_frames(level.id)), level.id)
    assert found.is_clean
    visible = len(film.frames) > 1
    assert found.steps == len(film.bundle.manifest.steps) * visible


@pytest.mark.slow
def test_steps_begin_and_end_in_the_frames_of_the_manifest() -> None:
    found = judge(play(film_of(LOCK), all_frames()))
    told = film_of(LOCK).bundle.manifest.steps
    for step, true in zip(found.shown, told, strict=True):
        assert abs(step.first - true.first_frame) <= 1 and abs(step.last - true.last_frame) <= 1


def test_still_picture_breaks_nothing_and_ends_no_step() -> None:
    found = judge(play(film_of(LOCK), [0] * 40))
    assert found.is_clean and found.steps == 0


@pytest.mark.slow
def test_still_picture_ends_no_step_in_which_something_appears() -> None:
    film = shown("portal-01")
    assert len(film.frames) == 2 and not film.travel.any()
    assert judge(play(film, [0] * 10), "portal-01").steps == 0
    assert judge(play(film, [0] * 5 + [30] * 5), "portal-01").steps == 2


def test_film_that_stops_in_the_middle_of_a_step_has_ended_those_before() -> None:
    second = film_of(LOCK).bundle.manifest.steps[1]
    middle = (second.first_frame + second.last_frame) // 2
    assert judge(play(film_of(LOCK), all_frames()[:middle])).steps == 1


@pytest.mark.parametrize("rate", by_day([8, 6, 24]))
def test_film_at_another_rate_breaks_nothing(rate: int) -> None:
    frames = np.arange(0, len(all_frames()), FPS / rate).astype(int)
    found = judge(play(film_of(LOCK), frames), fps=rate)
    assert found.is_clean and found.steps == 2


@pytest.mark.by_day(3)
@pytest.mark.parametrize("worse", ["noise", "tint", "dark", "compressed", "blur", "ground"])
def test_film_made_worse_breaks_nothing(worse: str) -> None:
    rng = np.random.default_rng(5)
    pictures = play(film_of(LOCK), all_frames())
    match worse:
        case "noise":
            seen = [p + rng.normal(0.0, 10.0, p.shape) for p in pictures]
        case "tint":
            seen = [p * np.array([1.05, 0.97, 0.92]) for p in pictures]
        case "dark":
            seen = [255.0 * (p / 255.0) ** 1.15 * 0.92 for p in pictures]
        case "blur":
            seen = [cv2.GaussianBlur(p, (0, 0), 1.2) for p in pictures]
        case "ground":
            seen = [np.where(np.ptp(p, axis=2, keepdims=True) < 12.0, p * 0.6, p) for p in pictures]
        case _:
            seen = [np.round(p / 12.0) * 12.0 for p in pictures]
    found = judge([p.clip(0.0, 255.0).astype(np.float32) for p in seen])
    assert not found.kinds and found.judgement.undecided.mean() < 0.1 and found.steps == 2


@pytest.mark.parametrize("level", these_by_day([LOCK], [LOCK, CUBE, "packing-easy-01"]))
@pytest.mark.parametrize("worse", ["blur", "dark", "grey", "noise"])
def test_video_in_which_nothing_is_to_be_seen_is_undecided(level: str, worse: str) -> None:
    rng = np.random.default_rng(5)
    pictures = play(shown(level), all_frames(level)[:30])
    match worse:
        case "blur":
            seen = [cv2.GaussianBlur(p, (0, 0), 12.0) for p in pictures]
        case "dark":
            seen = [np.round(0.02 * p) for p in pictures]
        case "grey":
            seen = [np.repeat(p.mean(axis=2, keepdims=True), 3, axis=2) for p in pictures]
        case _:
            seen = [p + rng.normal(0.0, 100.0, p.shape) for p in pictures]
    found = judge([p.clip(0.0, 255.0).astype(np.float32) for p in seen], level)
    assert not found.kinds and found.judgement.undecided.all()


@pytest.mark.parametrize("pace", by_day([3.0, 0.1]))
def test_light_that_fades_or_flickers_breaks_nothing(pace: float) -> None:
    pictures = play(film_of(LOCK), all_frames())
    gains = 1.0 + 0.15 * np.sin(pace * np.arange(len(pictures)))
    seen = [
        (gain * p).clip(0.0, 255.0).astype(np.float32)
        for gain, p in zip(gains, pictures, strict=True)
    ]
    found = judge(seen)
    assert not found.kinds and found.judgement.undecided.mean() < 0.1 and found.steps == 2


@pytest.mark.parametrize(
    "way", by_day(["in", "end", "late", "white", "title", "dip", "out"], each=2)
)
def test_video_that_fades_is_read_where_it_is_seen(way: str) -> None:
    pictures = play(film_of(LOCK), all_frames())
    places, card = np.arange(len(pictures)), np.zeros_like(pictures[0])
    shares = np.minimum(1.0, (places + 1) / 6.0)
    match way:
        case "late":
            pictures, shares = [card] * 10 + pictures, np.concatenate([np.zeros(10), shares])
        case "white":
            card += 255.0
        case "title":
            write(card)
            pictures, shares = [card] * 10 + pictures, np.concatenate([np.zeros(10), shares >= 0])
        case "end":
            write(card)
            pictures, shares = pictures + [card] * 10, np.concatenate([shares >= 0, np.zeros(10)])
        case "dip":
            shares = np.minimum(1.0, np.abs(places - 24) / 4.0)
        case "out":
            shares = shares[::-1]
    seen = [
        (share * picture + (1.0 - share) * card).astype(np.float32)
        for share, picture in zip(shares, pictures, strict=True)
    ]
    found = judge(seen)
    assert not found.kinds and found.steps == 2
    assert found.judgement.undecided[shares == 0.0].all()
    assert not found.judgement.undecided[shares == 1.0].any()


def write(card: Picture) -> None:
    """Write a title on a black card (H, W, 3)."""
    title = np.zeros(card.shape, np.uint8)
    card += cv2.putText(title, "TITLE", (20, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (255,) * 3, 4)


@pytest.mark.slow
def test_frames_that_are_mixed_with_the_next_ones_break_nothing() -> None:
    pictures = play(film_of(BOX, width=416), np.arange(0, 60))
    seen = [(one + other) / 2.0 for one, other in pairwise(pictures)]
    found = judge(seen, BOX)
    assert not found.kinds and found.judgement.undecided.mean() < 0.5


@pytest.mark.slow
def test_piece_that_vanishes_after_a_title_lacks_permanence() -> None:
    film = film_of(LOCK)
    poses = film.bundle.poses[:SHORT].copy()
    poses[BROKEN:, film.bundle.names.index("purple")] = np.nan
    title = np.zeros((film.size[1], film.size[0], 3), np.float32)
    found = judge([title] * 5 + redraw(film, poses))
    assert found.kinds == [ViolationKind.PERMANENCE]
    assert found.judgement.violations[0].first == pytest.approx(5 + BROKEN, abs=1)
    assert found.judgement.undecided[:5].all()


@pytest.mark.parametrize("level", these_by_day([LOCK], [LOCK, CUBE]))
@pytest.mark.parametrize("drift", by_day(["warm", "grey"]))
def test_colours_that_drift_break_nothing(level: str, drift: str) -> None:
    pictures = play(shown(level), all_frames(level))
    warmth = np.array([0.2, 0.0, -0.2])
    seen = []
    for share, picture in zip(np.linspace(0.0, 1.0, len(pictures)), pictures, strict=True):
        grey = picture.mean(axis=2, keepdims=True)
        change = 0.4 * (grey - picture) if drift == "grey" else warmth * picture
        seen.append((picture + share * change).clip(0.0, 255.0).astype(np.float32))
    found = judge(seen, level)
    assert not found.kinds and found.judgement.undecided.mean() < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("level", these_by_day([LOCK], [LOCK, "packing-easy-01"]))
@pytest.mark.parametrize("motion", by_day(["roll", "crop", "shake", "swing"]))
def test_film_seen_by_a_camera_that_moves_breaks_nothing(level: str, motion: str) -> None:
    rng = np.random.default_rng(1)
    seen = []
    for number, picture in enumerate(play(shown(level), all_frames(level))):
        height, width = picture.shape[:2]
        angle = 1.5 * np.sin(number / 8.0) if motion == "swing" else 0.0
        angle = 0.15 * number if motion == "roll" else angle
        zoom = 1.06 if motion == "crop" else 1.0
        turn = cv2.getRotationMatrix2D((width / 2.0, height / 2.0), angle, zoom)
        turn[:, 2] += rng.uniform(-1.0, 1.0, 2) if motion == "shake" else 0.0
        edge = cv2.BORDER_REPLICATE
        seen.append(cv2.warpAffine(picture, turn, (width, height), borderMode=edge))
    found = judge(seen, level)
    assert not found.kinds and found.judgement.undecided.mean() < 0.1


def test_scene_that_grows_as_a_whole_is_not_rigid() -> None:
    seen = []
    for number, picture in enumerate(play(film_of(LOCK), all_frames())):
        height, width = picture.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2.0, height / 2.0), 0.0, 1.0 + 0.002 * number)
        edge = cv2.BORDER_REPLICATE
        seen.append(cv2.warpAffine(picture, turn, (width, height), borderMode=edge))
    assert judge(seen).kinds == [ViolationKind.RIGIDITY]


@pytest.mark.slow
def test_pieces_that_all_grow_upon_a_ground_that_does_not_are_the_whole_scene() -> None:
    film = shown("jigsaw-easy-1")
    poses = film.bundle.poses[:30].copy()
    for frame in range(6, len(poses)):
        poses[frame, :, :3] *= 1.0 + 0.005 * (frame - 5)
    found = judge(redraw(film, poses), "jigsaw-easy-1")
    assert found.kinds == [ViolationKind.RIGIDITY]
    assert {*found.judgement.violations[0].pieces} == {*film.bundle.names}


@pytest.mark.slow
def test_motion_that_leaves_frames_out_is_one_teleport() -> None:
    film, step = film_of(LOCK), film_of(LOCK).bundle.manifest.steps[1]
    cut = [f for f in all_frames() if not step.first_frame < f < step.last_frame]
    found = judge(play(film, cut))
    assert found.kinds == [ViolationKind.TELEPORT]
    assert abs(found.judgement.violations[0].first - step.first_frame) <= 1


@pytest.mark.slow
def test_step_shown_backwards_is_one_teleport_with_its_piece_first() -> None:
    film, step = film_of(LOCK), film_of(LOCK).bundle.manifest.steps[0]
    frames = all_frames()
    inside = slice(step.first_frame, step.last_frame + 1)
    frames[inside] = frames[inside][::-1]
    found = judge(play(film, frames))
    assert found.kinds == [ViolationKind.TELEPORT]
    violation = found.judgement.violations[0]
    assert (violation.first, violation.last) == (step.first_frame, step.last_frame + 1)
    assert violation.pieces[0] == "purple" and violation.magnitude > 0.5


def test_video_of_another_lock_breaks_rules_or_is_undecided() -> None:
    other = film_of("burr-half-lap")
    found = judge(play(other, np.arange(other.bundle.manifest.frames)[::8]), fps=FPS / 8)
    assert found.kinds or found.judgement.undecided.mean() > 0.1
    evidence = found.evidence
    assert not read_plan(evidence.course, evidence.aligned, found.judgement.undecided).solved


@pytest.mark.slow
@pytest.mark.parametrize("level", EACH_KIND)
def test_piece_that_vanishes_lacks_permanence_in_those_frames(level: str) -> None:
    film = shown(level)
    body = largest_piece(film)
    poses = film.bundle.poses[:SHORT].copy()
    poses[BROKEN:WHOLE, body] = np.nan
    found = judge(redraw(film, poses), level)
    assert found.kinds == [ViolationKind.PERMANENCE]
    violation = found.judgement.violations[0]
    assert violation.pieces == (film.bundle.names[body],)
    assert abs(violation.first - BROKEN) <= 1 and abs(violation.last - WHOLE + 1) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("body", these_by_day(["UF"], ["UF", "URF", "FR"]))
def test_piece_of_a_cube_that_fades_lacks_permanence_and_nothing_else(body: str) -> None:
    film = shown(CUBE)
    poses = np.repeat(film.bundle.poses[:1], 24, axis=0)
    whole = redraw(film, poses)
    poses[:, film.bundle.names.index(body)] = np.nan
    weights = np.clip((np.arange(24) - 6) / 10.0, 0.0, 1.0).astype(np.float32)
    mixed = zip(weights, whole, redraw(film, poses), strict=True)
    found = judge([(1 - weight) * one + weight * other for weight, one, other in mixed], CUBE)
    assert found.kinds == [ViolationKind.PERMANENCE]
    assert found.judgement.violations[0].pieces == (body,)


@pytest.mark.parametrize("level", EACH_KIND[:3])
def test_piece_that_is_elsewhere_at_once_is_a_teleport(level: str) -> None:
    film = shown(level)
    body = largest_piece(film)
    poses = film.bundle.poses[:SHORT].copy()
    poses[BROKEN:, body, :3, 3] += 3.0 * sideways(film)
    found = judge(redraw(film, poses), level)
    assert found.kinds[0] is ViolationKind.TELEPORT
    violation = found.judgement.violations[0]
    assert violation.pieces == (film.bundle.names[body],) and abs(violation.first - BROKEN) <= 1
    assert violation.magnitude > 2.0


def test_piece_that_is_lost_from_sight_in_others_interpenetrates() -> None:
    film = shown(CUBE)
    body = film.bundle.names.index("white")
    poses = np.repeat(film.bundle.poses[:1], SHORT, axis=0)
    poses[BROKEN:, body, 2, 3] -= np.minimum(0.25 * np.arange(1, SHORT - BROKEN + 1), 1.5)
    evidence = judge(redraw(film, poses), CUBE).evidence
    changes = tuple(
        tuple(replace(change, kind=ChangeKind.ABSENT, gain=9.0 * change.gain) for change in some)
        if k > BROKEN + 5
        else some
        for k, some in enumerate(evidence.changes)
    )
    (violation,) = judge_video(replace(evidence, changes=changes)).violations
    assert violation.kind is ViolationKind.INTERPENETRATION
    assert violation.last == SHORT - 1


def test_piece_that_goes_into_others_interpenetrates() -> None:
    film = film_of(LOCK)
    body = largest_piece(film)
    poses = film.bundle.poses[:SHORT].copy()
    for frame in range(BROKEN, len(poses)):
        poses[frame, body, :3, 3] += min(1.0, (frame - BROKEN) / 6.0) * sideways(film)
    found = judge(redraw(film, poses))
    assert found.kinds == [ViolationKind.INTERPENETRATION]
    assert found.judgement.violations[0].pieces[0] == film.bundle.names[body]


@pytest.mark.slow
@pytest.mark.parametrize("growth", these_by_day([1.15], [0.85, 1.15]))
def test_piece_that_changes_its_size_is_not_rigid(growth: float) -> None:
    film = film_of(LOCK)
    body = largest_piece(film)
    poses = film.bundle.poses[:SHORT].copy()
    poses[BROKEN:, body, :3, :3] *= growth
    found = judge(redraw(film, poses))
    assert found.kinds == [ViolationKind.RIGIDITY]


def slant_from(frame: int) -> list[Picture]:
    """Return pictures of a lock whose largest piece slants from a frame on."""
    film = film_of(LOCK)
    body = largest_piece(film)
    poses = film.bundle.poses[:SHORT].copy()
    slant = np.eye(4)
    slant[0, [1, 3]] = 0.5, -0.5 * Course.of_film(film).cells[body][:, 1].mean()
    poses[frame:, body] = poses[frame:, body] @ slant
    return redraw(film, poses)


def test_piece_that_slants_has_another_shape() -> None:
    film = film_of(LOCK)
    (violation,) = judge(slant_from(BROKEN)).judgement.violations
    assert violation.kind is ViolationKind.RIGIDITY and violation.note == "its shape changes"
    assert violation.pieces == (film.bundle.names[largest_piece(film)],)
    assert violation.first == BROKEN


def with_thing() -> list[Picture]:
    """Return pictures of a lock beside which something appears."""
    pictures = [np.asarray(p, np.uint8).copy() for p in play(film_of(LOCK), all_frames()[:SHORT])]
    for picture in pictures[BROKEN:]:
        picture[6:20, 6:20] = (120, 40, 160)
    return [*pictures]


def with_painted() -> list[Picture]:
    """Return pictures of a lock whose largest piece gets a new colour."""
    film = film_of(LOCK)
    pictures = [np.asarray(p, np.uint8).copy() for p in play(film, all_frames()[:SHORT])]
    for frame in range(BROKEN, SHORT):
        body = film.bundle.ids(frame) == 1 + largest_piece(film)
        pictures[frame][body] = pictures[frame][body] // 3 + np.array([150, 0, 160], np.uint8)
    return [*pictures]


@pytest.mark.parametrize("make", [partial(slant_from, BROKEN), with_thing, with_painted])
def test_what_looks_otherwise_from_the_first_frame_on_has_not_changed(
    make: Callable[[], list[Picture]],
) -> None:
    whole = judge(make())
    assert whole.kinds
    later = judge_video(begin_at(BROKEN, whole.evidence))
    assert not later.violations


def test_thing_that_appears_upon_the_ground_is_extra_and_no_piece() -> None:
    (violation,) = judge(with_thing()).judgement.violations
    assert violation.kind is ViolationKind.EXTRA and violation.pieces == ()
    assert (violation.first, violation.last) == (BROKEN, SHORT - 1)


@pytest.mark.parametrize("level", these_by_day([LOCK], [LOCK, "packing-easy-06"]))
def test_thing_that_hides_much_of_a_piece_is_no_piece_of_another_shape(level: str) -> None:
    film, piece = shown(level), "red" if level == LOCK else "yellow"
    rows, columns = np.nonzero(film.bundle.ids(SHORT - 1) == 1 + film.bundle.names.index(piece))
    left, right = max(0, columns.min() - 8), int(np.quantile(columns, 0.4))
    pictures = [np.asarray(p, np.uint8).copy() for p in play(film, all_frames(level)[:SHORT])]
    for picture in pictures[BROKEN:]:
        picture[rows.min() - 4 : rows.max() + 8, left:right] = (140, 90, 60)
    (violation,) = judge(pictures, level).judgement.violations
    assert violation.kind in {ViolationKind.EXTRA, ViolationKind.BACKGROUND}
    assert (violation.pieces, violation.first) == ((), BROKEN)


def test_thing_that_appears_before_a_wall_is_extra_and_no_piece() -> None:
    film = shown("portal-01")
    wall = np.isin(film.bundle.ids(0), 1 + look_of(film).fixtures)
    row, column = np.argwhere(cv2.erode(wall.view(np.uint8), np.ones((25, 25))) > 0)[0]
    pictures = [np.asarray(p, np.uint8).copy() for p in play(film, all_frames("portal-01")[:SHORT])]
    for picture in pictures[BROKEN:]:
        picture[row - 10 : row + 10, column - 10 : column + 10] = (120, 40, 160)
    (violation,) = judge(pictures, "portal-01").judgement.violations
    assert violation.kind is ViolationKind.EXTRA and violation.pieces == ()
    assert (violation.first, violation.last) == (BROKEN, SHORT - 1)


def test_pieces_that_change_their_sizes_at_once_have_one_cause() -> None:
    film = film_of(LOCK)
    bodies = list_largest(film)[:2]
    poses = film.bundle.poses[: more(BROKEN + 4, night=SHORT)].copy()
    poses[BROKEN:, bodies, :3, :3] *= 0.7
    found = judge(redraw(film, poses))
    assert found.kinds == [ViolationKind.RIGIDITY]
    assert {film.bundle.names[body] for body in bodies} <= {*found.judgement.violations[0].pieces}


@pytest.mark.parametrize(
    ("light", "is_relit", "kinds"),
    [(1.2, True, []), (1.2, False, [ViolationKind.MERGE]), (None, True, [ViolationKind.MERGE])],
)
def test_side_of_a_cube_that_is_lighter_is_no_other_color_where_the_look_is_not_the_films(
    light: float | None, is_relit: bool, kinds: list[ViolationKind]
) -> None:
    evidence = judge(play(film_of(CUBE), all_frames(CUBE)[:SHORT]), CUBE).evidence
    course = evidence.course
    body = next(k for k, colors in enumerate(course.colors) if len(colors) == 3)
    own = course.colors[body]
    foreign = next(
        color
        for colors in course.colors
        for color in colors
        if np.abs(own - color).sum(axis=1).min() > 200.0
    )
    color = foreign if light is None else np.minimum(light * own[0], 255.0)
    change = BodyChange(ChangeKind.RECOLORED, body, course.poses[0, body], gain=300.0, color=color)
    wrong = range(BROKEN, SHORT)
    changes = tuple((change,) if k in wrong else () for k in range(SHORT))
    flagged, relief = evidence.flagged.copy(), evidence.relief.copy()
    flagged[BROKEN:, 1 + body], relief[BROKEN:] = True, 0.9
    other = replace(
        evidence, changes=changes, flagged=flagged, relief=relief,
        unclear=flagged.any(axis=1), is_relit=is_relit,
    )  # fmt: skip
    assert Found(other, judge_video(other)).kinds == kinds


@pytest.mark.slow
def test_pieces_that_all_go_apart_are_no_camera_that_comes_near() -> None:
    film = film_of(LOCK)
    poses = np.repeat(film.bundle.poses[:1], SHORT, axis=0)
    ways = poses[0, :, :3, 3] - poses[0, :, :3, 3].mean(axis=0)
    ways *= 0.06 / np.linalg.norm(ways, axis=1)[:, None]
    for frame in range(BROKEN, SHORT):
        poses[frame, :, :3, 3] += (frame - BROKEN + 1) * ways
    found = judge(redraw(film, poses))
    assert found.kinds and abs(found.judgement.violations[0].first - BROKEN) <= 3


def largest_piece(film: TrueFilm) -> int:
    """Return the body that most pixels show at first."""
    return list_largest(film)[0]


def list_largest(film: TrueFilm) -> list[int]:
    """Return the bodies, the one first that most pixels show at first."""
    count = np.bincount(film.bundle.ids(0).ravel(), minlength=1 + len(film.bundle.names))[1:]
    return [int(body) for body in np.argsort(-count, kind="stable")]


def sideways(film: TrueFilm) -> NDArray[np.float64]:
    """Return the axis of the lattice that leads most to the right in the picture."""
    right = film.bundle.camera.extrinsics[0, :3]
    axis = int(np.argmax(np.abs(right)))
    return np.asarray(np.sign(right[axis]) * np.eye(3)[axis])


def test_nothing_is_judged_once_hardly_anything_is_known_of_bodies() -> None:
    film = shown(LOCK)
    poses = film.bundle.poses[:SHORT].copy()
    poses[BROKEN:, 1] = np.nan
    broken = judge(redraw(film, poses)).evidence
    assert judge_video(broken).violations
    lost = judge_video(replace(broken, lost=BROKEN - 1))
    assert not lost.violations and lost.undecided[BROKEN:].all()

"""Videos of chambers: a few pieces roam through a place that does not move, and much is hidden."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.video.verdict.reading import Deed
from bridge.video.verdict.ruling import Ruling, rule_on
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import Tracks, read_tracks, true_tracks, write_tracks
from bridge.video.verdict.violations import ViolationKind
from bridge.compare.roaming.passages import Branches
from bridge.compare.roaming.story import Story
from bridge.video.report.scores import score_video
from bridge.recording.dataset.forging.forge import forge
from bridge.recording.dataset.forging.forgeries import ForgedFilm, ForgeryKind
from bridge.recording.dataset.forging.showing import forged_filming
from bridge.video.reference.bundle import Bundle, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from perf.video.bundle_films import read_scenes, read_true_film
from pysim.catalog import find_family, find_level
from pysim.field_types import encode_arguments
from pysim.puzzle import Action
from pysim.render.renderer import Renderer

LEVEL = find_level("portal-d1-01")
RULES = find_family(LEVEL).rules
SUBJECT = Subject.of(LEVEL, speed=12.0)
FPS, REST = 12, 10
"""Frames a second, and frames for which everything rests after an action."""


def plan() -> Sequence[Action]:
    assert LEVEL.plan is not None
    return LEVEL.plan.actions


def rests() -> NDArray[np.float64]:
    """(plan + 1, P, 4, 4) where pieces are before and after each action."""
    states = [RULES.initial(LEVEL)]
    for action in plan():
        states.append(RULES.apply(LEVEL, states[-1], action).state)
    scenes = [RULES.scene(LEVEL, state) for state in states]
    return np.array([[s.find_body(n).pose.transform() for n in SUBJECT.names] for s in scenes])


def told(poses: NDArray[np.float64]) -> Tracks:
    """Tracks of rests, each for a while, with the plan as what was done."""
    deeds = [
        Deed(action.tool, encode_arguments(action), REST * k, REST * (k + 1))
        for k, action in enumerate(plan())
    ]
    tracks = true_tracks(SUBJECT.names, np.repeat(poses, REST, axis=0), FPS)
    return replace(tracks, deeds=tuple(deeds))


def kinds(ruling: Ruling) -> set[tuple[ViolationKind, str]]:
    return {(v.kind, v.pieces[0]) for v in ruling.violations}


def test_walls_are_no_pieces_and_what_the_plan_moves_is_one() -> None:
    moved = {n for a, b in zip(rests(), rests()[1:], strict=False) for n in _moved(a, b)}
    assert moved <= set(SUBJECT.names) < {body.name for body in SUBJECT.scene.bodies}
    assert not set(SUBJECT.ground) & set(SUBJECT.names)
    assert any(name.endswith("walls") for name in SUBJECT.ground)


def _moved(one: NDArray[np.float64], other: NDArray[np.float64]) -> set[str]:
    return {n for n, a, b in zip(SUBJECT.names, one, other, strict=True) if (a != b).any()}


def test_deeds_are_read_as_far_as_pieces_rest_where_they_lead() -> None:
    ruling = rule_on(replace(SUBJECT, speed=1e3), told(rests()))
    assert ruling.violations == () and ruling.reading.solved
    assert ruling.reading.prefix == len(plan())
    astray = rests()
    agent = SUBJECT.names.index(str(LEVEL.colours[-1]))
    astray[3:, agent, 2, 3] += 1.0
    wrong = rule_on(replace(SUBJECT, speed=1e3), told(astray))
    assert (ViolationKind.ILLEGAL, str(LEVEL.colours[-1])) in kinds(wrong)
    assert not wrong.reading.solved and wrong.reading.prefix < 3


def test_a_deed_that_the_rules_refuse_ends_the_plan() -> None:
    tracks = told(rests())
    assert tracks.deeds is not None
    reading = rule_on(replace(SUBJECT, speed=1e3), replace(tracks, deeds=tracks.deeds[1:])).reading
    assert reading.moves[0].legal is False and reading.moves[0].reason
    assert reading.prefix == 0 and not reading.solved


def test_who_is_in_a_wall_is_found_with_the_wall() -> None:
    poses = rests()
    agent = SUBJECT.names.index(str(LEVEL.colours[-1]))
    poses[:, agent, 2, 3] -= 1.0
    poses[0] = rests()[0]
    found = rule_on(replace(SUBJECT, speed=1e3), told(poses)).violations
    deep = [v for v in found if v.kind is ViolationKind.INTERPENETRATION]
    assert deep and deep[0].pieces[0] == str(LEVEL.colours[-1])
    assert deep[0].pieces[1] in SUBJECT.ground and deep[0].magnitude == pytest.approx(1.0)


def test_tracks_keep_what_was_done(tmp_path: Path) -> None:
    write_tracks(tmp_path / "tracks.npz", told(rests()))
    assert read_tracks(tmp_path / "tracks.npz").deeds == told(rests()).deeds


def test_an_action_that_moves_nothing_is_told_by_signs_that_change() -> None:
    level = find_level("portal-01")
    assert level.plan is not None
    still = tuple(Subject.of(level).ground)
    quiet = Branches(level, Subject.of(level).names, still).quiet(RULES.initial(level))
    (first,) = [one for one in quiet if one.action == level.plan.actions[0]]
    (change,) = first.changes
    assert (change.before, change.after) == ("white", "orange")


def test_a_story_goes_on_through_passages_and_keeps_what_was_done() -> None:
    branches = Branches(LEVEL, SUBJECT.names, tuple(SUBJECT.ground))
    story = Story(branches.initial, rests()[0], (), tuple(plan()))
    moving = branches.moving(story.state)
    (passage,) = [one for one in moving if one.steps[0].action == plan()[0]]
    half = story.on(passage, passage.length / 2.0, 4)
    assert half.deeds == () and half.passage is passage and not np.allclose(half.poses, half.rest)
    done = half.on(passage, passage.length, 9)
    assert [deed.tool for deed in done.deeds] == [plan()[0].tool] and done.passage is None
    assert done.plan == tuple(plan()[1:]) and np.allclose(done.poses, rests()[1])
    assert half.on(passage, 0.0, 9).passage is None


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> Bundle:
    out = tmp_path_factory.mktemp("roaming") / "room"
    make_bundle(LEVEL, out, BundleRequest((384, 256), FPS), renderer)
    return read_bundle(out)


def drawn(bundle: Bundle, film: ForgedFilm, frames: int, renderer: Renderer, path: Path) -> Path:
    filming = forged_filming(read_scenes(bundle), bundle.camera, film)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(FPS))
        stream.width, stream.height = bundle.camera.width, bundle.camera.height
        stream.pix_fmt, stream.options = "yuv420p", {"crf": "23"}
        for picture in replace(filming, timeline=filming.timeline[:frames]).draw(renderer):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture.rgb, format="rgb24")))
        container.mux(stream.encode())
    return path


@pytest.mark.slow
def test_a_true_film_breaks_nothing_and_its_plan_is_read(
    room: Bundle, renderer: Renderer, tmp_path: Path
) -> None:
    film = read_true_film(room)
    whose = np.tile(np.arange(len(film.names)), (film.frames, 1))
    true = ForgedFilm(film.names, film.poses, whose, ())
    score, _ = score_video(room, drawn(room, true, film.frames, renderer, tmp_path / "x.mp4"))
    assert score.ruling.violations == ()
    moves = [move.arguments for move in score.ruling.reading.moves]
    assert moves == [step.arguments for step in room.manifest.steps] and score.ruling.reading.solved
    assert score.likeness.trajectory_95 is not None and score.likeness.trajectory_95 < 0.3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "strength", "seed", "found"),
    [
        (ForgeryKind.TELEPORT, 5.0, 1, ViolationKind.TELEPORT),
        (ForgeryKind.VANISH, 1.0, 2, ViolationKind.PERMANENCE),
        (ForgeryKind.DUPLICATE, 5.0, 1, ViolationKind.EXTRA),
    ],
)
def test_forgeries_are_found(
    kind: ForgeryKind,
    strength: float,
    seed: int,
    found: ViolationKind,
    room: Bundle,
    renderer: Renderer,
    tmp_path: Path,
) -> None:
    film = forge(read_true_film(room), kind, strength, np.random.default_rng(seed))
    (label,) = film.forgeries
    frames = min(len(film.poses), min(label.last_frame, label.reached + FPS) + FPS)
    score, _ = score_video(room, drawn(room, film, frames, renderer, tmp_path / "x.mp4"))
    assert (found, label.pieces[0]) in kinds(score.ruling)
    (first,) = [v for v in score.ruling.violations if v.kind is found][:1]
    assert label.first_frame - 1 <= first.first <= label.reached + 3

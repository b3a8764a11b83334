"""Videos of cubes and nets, whose pieces are told by what sticks on them and turn in groups."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from bridge.video.verdict.ruling import Ruling, rule_on
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import true_tracks
from bridge.video.verdict.violations import ViolationKind
from bridge.video.report.scores import score_video
from bridge.recording.dataset.forging.forgeries import ForgedFilm
from bridge.recording.dataset.forging.showing import forged_filming
from bridge.video.reference.bundle import Bundle, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from perf.video.bundle_films import read_scene
from pysim.catalog import find_level
from pysim.render.renderer import Renderer
from pysim.scene import Body, Colour

Poses = NDArray[np.float64]

FPS, BEGIN = 12, 5
"""Frames a second, and the first frame in which forged films are wrong."""


@pytest.fixture(scope="module")
def cube(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> Bundle:
    """A whole solution: its two turns are about different axes."""
    out = tmp_path_factory.mktemp("turning") / "cube"
    level = find_level("cubebench-d02-1-full-symbolic")
    make_bundle(level, out, BundleRequest((256, 160), FPS), renderer)
    return read_bundle(out)


def drawn(
    bundle: Bundle,
    poses: Poses,
    renderer: Renderer,
    path: Path,
    looks: Mapping[str, Body] | None = None,
    extra: tuple[Body, Poses] | None = None,
    crf: str = "23",
) -> Path:
    """A film with other poses, and with bodies that look otherwise from ``BEGIN`` on."""
    paints = np.tile(np.arange(len(bundle.names)), (len(poses), 1))
    film = ForgedFilm(bundle.names, poses, paints, ())
    filming = forged_filming(read_scene(bundle), bundle.camera, film)
    timeline = list(filming.timeline)
    for frame in range(BEGIN, len(timeline)):
        scene = timeline[frame].scene
        bodies = tuple((looks or {}).get(body.name, body) for body in scene.bodies)
        places = timeline[frame].transforms
        if extra is not None:
            bodies, places = (*bodies, extra[0]), {**places, extra[0].name: extra[1]}
        scene = replace(scene, bodies=bodies)
        timeline[frame] = replace(timeline[frame], scene=scene, transforms=places)
    names = (*filming.names, extra[0].name) if extra is not None else filming.names
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(bundle.manifest.fps))
        stream.width, stream.height = bundle.camera.width, bundle.camera.height
        stream.pix_fmt, stream.options = "yuv420p", {"crf": crf, "preset": "veryfast"}
        for picture in replace(filming, timeline=timeline, names=names).draw(renderer):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture.rgb, format="rgb24")))
        container.mux(stream.encode())
    return path


def judged(bundle: Bundle, video: Path) -> Ruling:
    return score_video(bundle, video)[0].ruling


def kinds(ruling: Ruling) -> set[tuple[ViolationKind, str]]:
    """What was found, and with whom."""
    return {(v.kind, v.pieces[0]) for v in ruling.violations}


def still(bundle: Bundle) -> Poses:
    """The first pose of everything, for two seconds."""
    return np.tile(bundle.poses[:1], (2 * FPS, 1, 1, 1))


def test_a_true_film_of_a_cube_breaks_nothing_and_its_plan_is_read(
    cube: Bundle, renderer: Renderer, tmp_path: Path
) -> None:
    score, tracked = score_video(cube, drawn(cube, cube.poses, renderer, tmp_path / "x.mp4"))
    assert score.ruling.violations == ()
    plan = score.ruling.reading
    assert [move.arguments for move in plan.moves] == [s.arguments for s in cube.manifest.steps]
    assert plan.prefix == 2 and plan.solved
    pick = [cube.names.index(name) for name in tracked.tracks.names]
    off = np.linalg.norm(tracked.tracks.poses - cube.poses[:, pick], axis=(2, 3))
    assert np.median(off.max(axis=1)) < 0.02 and off.max() < 0.2


def vanished(cube: Bundle) -> tuple[Poses, str]:
    poses = still(cube)
    poses[BEGIN : BEGIN + 8, cube.names.index("URF")] = np.nan
    return poses, "URF"


def leapt(cube: Bundle) -> tuple[Poses, str]:
    poses = still(cube)
    poses[BEGIN:, cube.names.index("URF"), 0, 3] += 2.0
    return poses, "URF"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "kind"),
    [(vanished, ViolationKind.PERMANENCE), (leapt, ViolationKind.TELEPORT)],
)
def test_a_small_cube_that_is_gone_or_elsewhere_is_found(
    make: Callable[[Bundle], tuple[Poses, str]],
    kind: ViolationKind,
    cube: Bundle,
    renderer: Renderer,
    tmp_path: Path,
) -> None:
    poses, piece = make(cube)
    assert (kind, piece) in kinds(judged(cube, drawn(cube, poses, renderer, tmp_path / "x.mp4")))


def test_two_small_cubes_that_change_places_are_a_swap(
    cube: Bundle, renderer: Renderer, tmp_path: Path
) -> None:
    poses = still(cube)
    pair = [cube.names.index(name) for name in _edges_on_top(cube)]
    poses[BEGIN:, pair] = poses[BEGIN:, pair[::-1]]
    found = judged(cube, drawn(cube, poses, renderer, tmp_path / "x.mp4")).violations
    (swap,) = found
    assert swap.kind is ViolationKind.SWAP and swap.first <= BEGIN + 3
    assert set(swap.pieces) == {cube.names[i] for i in pair}


def _edges_on_top(cube: Bundle) -> tuple[str, str]:
    """Two edges of which two sides are seen: above in front, and above on the right."""
    places = {name: cube.poses[0, i, :3, 3] for i, name in enumerate(cube.names)}
    front, right = (
        next(name for name, at in places.items() if np.allclose(at, where))
        for where in ((0, -1, 1), (1, 0, 1))
    )
    return front, right


@pytest.mark.slow
def test_a_sticker_of_another_colour_is_found(
    cube: Bundle, renderer: Renderer, tmp_path: Path
) -> None:
    name = next(
        n for n, p in zip(cube.names, cube.poses[0], strict=True) if p[:3, 3].tolist() == [1, -1, 1]
    )
    body = read_scene(cube).find_body(name)
    others = [Colour("purple"), *(s.colour for s in body.stickers[1:])]
    painted = replace(
        body,
        stickers=tuple(replace(s, colour=c) for s, c in zip(body.stickers, others, strict=True)),
    )
    path = drawn(cube, still(cube), renderer, tmp_path / "x.mp4", {name: painted})
    assert (ViolationKind.RIGIDITY, name) in kinds(judged(cube, path))


@pytest.mark.slow
def test_a_small_cube_that_is_there_twice_is_found(
    cube: Bundle, renderer: Renderer, tmp_path: Path
) -> None:
    place = cube.poses[0, cube.names.index("URF")].copy()
    place[0, 3] += 2.0
    double = replace(read_scene(cube).find_body("URF"), name="double")
    path = drawn(cube, still(cube), renderer, tmp_path / "x.mp4", extra=(double, place))
    (extra,) = judged(cube, path).violations
    shown = {s.colour for s in read_scene(cube).find_body(extra.pieces[0]).stickers}
    # It may be taken for one of the same colours, where only these are seen.
    assert extra.kind is ViolationKind.EXTRA and extra.first <= BEGIN + 3
    assert len(shown & {s.colour for s in double.stickers}) >= 2


@pytest.mark.slow
def test_a_layer_that_turns_at_once_is_a_leap(
    cube: Bundle, renderer: Renderer, tmp_path: Path
) -> None:
    step = cube.manifest.steps[0]
    poses = cube.poses.copy()
    poses[step.first_frame : step.last_frame] = poses[step.last_frame]
    ruling = judged(cube, drawn(cube, poses, renderer, tmp_path / "x.mp4"))
    leaping = {v.pieces[0] for v in ruling.violations if v.kind is ViolationKind.TELEPORT}
    first = np.abs(cube.poses[step.last_frame] - cube.poses[0])[:, :3, 3].max(axis=1) > 0.5
    assert len(leaping) >= 3
    assert leaping <= {cube.names[i] for i in np.flatnonzero(first)}
    assert ruling.reading.prefix == 2 and ruling.reading.solved


@pytest.mark.slow
def test_a_layer_that_is_left_half_turned_ends_the_plan(
    cube: Bundle, renderer: Renderer, tmp_path: Path
) -> None:
    step = cube.manifest.steps[0]
    half = (step.first_frame + step.last_frame) // 2
    poses = cube.poses[: half + FPS].copy()
    poses[half:] = poses[half]
    ruling = judged(cube, drawn(cube, poses, renderer, tmp_path / "x.mp4"))
    assert ruling.violations == ()
    assert ruling.reading.prefix == 0 and not ruling.reading.solved


def turned(cube: Bundle, frames: int, axis: int, pieces: NDArray[np.bool_]) -> Poses:
    """(frames, P, 4, 4) a quarter turn of some pieces from the first pose."""
    poses = np.tile(cube.poses[:1], (frames, 1, 1, 1))
    for k, share in enumerate(np.linspace(0.0, 1.0, frames)):
        motion = np.eye(4)
        motion[:3, :3] = Rotation.from_rotvec(share * np.pi / 2 * np.eye(3)[axis]).as_matrix()
        poses[k, pieces] = motion @ poses[k, pieces]
    return poses


@pytest.mark.slow
def test_a_slice_that_the_rules_do_not_turn_is_an_illegal_move(
    cube: Bundle, renderer: Renderer, tmp_path: Path
) -> None:
    slice_ = np.abs(cube.poses[0, :, 0, 3]) < 0.1
    moving = turned(cube, 9, 0, slice_)
    poses = np.concatenate([moving[:1].repeat(BEGIN, 0), moving, moving[-1:].repeat(8, 0)])
    ruling = judged(cube, drawn(cube, poses, renderer, tmp_path / "x.mp4"))
    (illegal,) = [v for v in ruling.violations if v.kind is ViolationKind.ILLEGAL]
    assert set(illegal.pieces) <= {cube.names[i] for i in np.flatnonzero(slice_)}
    assert ruling.reading.prefix == 0


def test_an_illegal_move_begins_when_what_is_legal_was_seen_last(cube: Bundle) -> None:
    moving = turned(cube, 9, 0, np.abs(cube.poses[0, :, 0, 3]) < 0.1)
    poses = np.concatenate([moving[:1].repeat(30, 0), moving, moving[-1:].repeat(8, 0)])
    ruling = rule_on(Subject.of(cube.level), true_tracks(cube.names, poses, FPS))
    (illegal,) = [v for v in ruling.violations if v.kind is ViolationKind.ILLEGAL]
    assert 28 <= illegal.first <= 31 and illegal.last >= 38


@pytest.mark.slow
def test_a_layer_that_turns_through_a_half_turned_one_is_in_it(
    cube: Bundle, renderer: Renderer, tmp_path: Path
) -> None:
    top, side = cube.poses[0, :, 2, 3] > 0.9, cube.poses[0, :, 0, 3] > 0.9
    half = turned(cube, 9, 2, top)[:5]
    crossing = turned(cube, 9, 0, side & ~top)
    crossing[:, top] = half[-1, top]
    poses = np.concatenate([half[:1].repeat(BEGIN, 0), half, crossing, crossing[-1:].repeat(6, 0)])
    found = judged(cube, drawn(cube, poses, renderer, tmp_path / "x.mp4")).violations
    crossed = [v for v in found if v.kind is ViolationKind.INTERPENETRATION]
    assert crossed and {cube.names.index(v.pieces[0]) for v in crossed} <= set(
        np.flatnonzero(side | top)
    )


@pytest.mark.slow
@pytest.mark.parametrize("crf", ["18", "28"])
def test_a_true_film_of_a_net_breaks_nothing_and_its_plan_is_read(
    crf: str, renderer: Renderer, tmp_path: Path
) -> None:
    request = BundleRequest((832, 480), FPS, 3, speed=2.0)
    make_bundle(find_level("nets-easy-01"), tmp_path / "net", request, renderer)
    net = read_bundle(tmp_path / "net")
    ruling = judged(net, drawn(net, net.poses, renderer, tmp_path / "x.mp4", crf=crf))
    assert ruling.violations == ()
    told = [move.arguments for move in ruling.reading.moves]
    assert told == [step.arguments for step in net.manifest.steps]


@pytest.mark.slow
def test_a_sheet_that_is_gone_is_not_turned_away(renderer: Renderer, tmp_path: Path) -> None:
    request = BundleRequest((832, 480), FPS, 1, speed=2.0)
    make_bundle(find_level("nets-easy-01"), tmp_path / "net", request, renderer)
    net = read_bundle(tmp_path / "net")
    poses = still(net)[:16]
    poses[BEGIN:, net.names.index("blue")] = np.nan
    found = judged(net, drawn(net, poses, renderer, tmp_path / "x.mp4", crf="28")).violations
    assert {(v.kind, v.pieces) for v in found} == {(ViolationKind.PERMANENCE, ("blue",))}
    assert found[0].first == BEGIN

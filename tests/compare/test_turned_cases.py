"""The benchmark of scores: what it tries of cubes and nets, and what it says of that."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from bridge.video.verdict.violations import Violation, ViolationKind
from bridge.video.reference.bundle import Bundle, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from perf.harness import Report
from perf.video.bundle_films import list_bodies
from perf.video.cases import Sizes, planned
from perf.video.judged import Judged
from perf.video.tallies import tell_of
from perf.video.turned.cases import TURNED_CLEAN, TurnedKind, is_turned, planned_turned
from perf.video.turned.forging import FalseFilm, TurnedLabel, forged_film
from perf.video.turned.judging import is_told
from perf.video.turned.seeing import differing_pixels
from pysim.catalog import find_family, find_level
from pysim.render.renderer import Renderer


@pytest.fixture(scope="module")
def cube(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> Bundle:
    out = tmp_path_factory.mktemp("turned") / "cube"
    request = BundleRequest((96, 64), 12, 1)
    make_bundle(find_level("cubebench-d02-1-full-symbolic"), out, request, renderer)
    return read_bundle(out)


def forged(cube: Bundle, kind: TurnedKind, seed: int) -> FalseFilm:
    found = forged_film(cube, list_bodies(cube), kind, np.random.default_rng(seed))
    assert found is not None
    return found


def test_all_that_is_asked_for_is_planned_once_and_no_lock_is() -> None:
    cases = planned_turned(100, 40)
    assert Counter(c.kind for c in cases) == {TURNED_CLEAN: 100, **dict.fromkeys(TurnedKind, 40)}
    assert len(set(cases)) == len(cases) and all(is_turned(c.kind) for c in cases)
    locks = planned(Sizes(300, 100, 100))
    assert not any(is_turned(c.kind) for c in locks)
    drawn = {tuple(c.make_rng(2026).integers(2**60, size=2)) for c in (*cases, *locks)}
    assert len(drawn) == len(cases) + len(locks)


def test_wherever_it_stops_all_kinds_have_been_tried_alike() -> None:
    cases = planned_turned(100, 40)
    for end in range(40, len(cases), 40):
        counts = Counter(c.kind for c in cases[:end])
        shares = [
            counts[k] / (100 if k == TURNED_CLEAN else 40) for k in (TURNED_CLEAN, *TurnedKind)
        ]
        assert max(shares) - min(shares) < 0.05


@pytest.mark.parametrize("kind", list(TurnedKind))
def test_a_false_film_is_true_until_its_first_false_frame(kind: TurnedKind, cube: Bundle) -> None:
    for seed in range(4):
        false = forged(cube, kind, seed)
        first = false.label.first_frame
        # What turns slowly is half a unit off a few frames after it begins.
        early = first - 6 if kind is TurnedKind.ILLEGAL else first
        assert np.array_equal(false.poses[:early], cube.poses[:early])
        shown = false.poses[false.label.reached]
        truth = cube.poses[min(false.label.reached, len(cube.poses) - 1)]
        other = ~np.isclose(shown, truth).all() or false.looks or false.extra is not None
        assert other and first <= false.label.reached <= false.label.last_frame


def test_what_turns_illegally_ends_where_no_legal_move_leads(cube: Bundle) -> None:
    rules, level = find_family(cube.level).rules, cube.level
    start = rules.initial(level)
    legal = [rules.apply(level, start, action).state for action in rules.legal(level, start)]
    places = [
        np.stack([rules.scene(level, state).find_body(n).pose.transform() for n in cube.names])
        for state in (start, *legal)
    ]
    for seed in range(6):
        false = forged(cube, TurnedKind.ILLEGAL, seed)
        begins_at_the_start = np.allclose(false.poses[false.label.first_frame - 6], cube.poses[0])
        ends = false.poses[-1]
        if begins_at_the_start:
            assert not any(np.allclose(ends, place, atol=1e-6) for place in places)
        assert np.abs(ends - np.round(ends)).max() < 1e-6


def test_a_piece_that_leaps_is_in_nobody_elses_place(cube: Bundle) -> None:
    for seed in range(6):
        false = forged(cube, TurnedKind.TELEPORT, seed)
        at = false.label.reached
        piece = cube.names.index(false.label.pieces[0])
        off = false.poses[at, :, :3, 3] - false.poses[at, piece, :3, 3]
        others = np.delete(np.abs(off).max(axis=1), piece)
        assert others.min() > 0.9
        assert np.linalg.norm(false.poses[at, piece] - cube.poses[at, piece]) >= 2.0


def test_what_nobody_sees_differs_in_no_pixel(cube: Bundle) -> None:
    bodies = list_bodies(cube)
    false = forged(cube, TurnedKind.VANISH, 1)
    at = false.label.reached
    eye = np.linalg.inv(cube.camera.extrinsics)[:3, 3]
    away = np.linalg.norm(cube.poses[at, :, :3, 3] - eye, axis=1)
    pixels = {}
    for piece in (int(away.argmin()), int(away.argmax())):
        poses = cube.poses.copy()
        poses[at, piece] = np.nan
        gone = replace(false, poses=poses)
        pixels[piece] = differing_pixels(cube, bodies, gone, at)
    assert pixels[int(away.argmin())] > 10 and pixels[int(away.argmax())] == 0
    same = replace(false, poses=cube.poses)
    assert differing_pixels(cube, bodies, same, at) == 0


def test_a_forgery_is_told_by_its_kind_its_piece_and_its_time() -> None:
    label = TurnedLabel(TurnedKind.VANISH, ("URF",), 20, 20, 31)
    told = Violation(ViolationKind.PERMANENCE, 21, 31, ("URF",), 11.0)
    assert is_told(told, label)
    assert not is_told(replace(told, pieces=("UF",)), label)
    assert not is_told(replace(told, first=25), label)
    assert not is_told(replace(told, first=9, last=15), label)
    assert not is_told(replace(told, kind=ViolationKind.TELEPORT), label)


def test_figures_of_cubes_and_nets_stand_apart_from_those_of_locks() -> None:
    cases = planned_turned(4, 40, [TURNED_CLEAN, TurnedKind.SWAP])
    results = [
        Judged(c, "x", 50, 2.0, found=c.number > 0, plan="read" if c.number else "short")
        for c in cases
    ]
    report = Report("video_score")
    tell_of(report, results, cases)
    assert report.figures["turned_clean_clips"] == 4.0
    assert report.figures["turned_clean_clips_with_alarms"] == 3 / 4
    assert report.figures["turned_plans_read"] == 3 / 4
    assert report.figures["recall_turned_swap"] == 39 / 40
    # By hand: (p + z²/2n - z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = 1.96.
    assert report.figures["recall_turned_swap_at_least"] == pytest.approx(0.8712, abs=1e-4)
    assert not any(name.startswith(("clean_clips", "recall_strongest")) for name in report.figures)

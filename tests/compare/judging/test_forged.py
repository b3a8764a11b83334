"""Films with one thing that is impossible, judged by their true poses."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bridge.video.verdict.ruling import rule_on
from bridge.video.verdict.tracks import Tracks, read_tracks
from bridge.video.report.scores import subject_of
from bridge.compare.tracking.colours import Looks
from bridge.compare.tracking.tracker import Tracker
from bridge.recording.dataset.forging.forge import forge, strengths
from bridge.recording.dataset.forging.forgeries import ForgeryKind
from bridge.video.reference.bundle import Bundle, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from perf.video.bundle_films import read_true_film
from perf.video.clips import last_frame
from perf.video.judged import ACCEPTED, is_it
from perf.video.telling import Unlike, telling_pixels
from pysim.catalog import find_level
from pysim.render.renderer import Renderer
from tests.sampling import more

BY_POSES = (
    ForgeryKind.TELEPORT,
    ForgeryKind.PASS_THROUGH,
    ForgeryKind.DIAGONAL,
    ForgeryKind.ROTATION,
    ForgeryKind.STRETCH,
    ForgeryKind.VANISH,
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> Bundle:
    out = tmp_path_factory.mktemp("forged") / "lock"
    make_bundle(find_level("burr-piston"), out, BundleRequest((64, 64), 24, 6), renderer)
    return read_bundle(out)


def told(bundle: Bundle, poses: np.ndarray, folder: Path) -> Tracks:
    """As another tracker would tell it: a piece that is not there has no pose."""
    path = folder / "tracks.npz"
    gone = ~np.isfinite(poses).all(axis=(2, 3))
    presence = np.where(gone, 1, 0)
    whole = np.where(gone[..., None, None], np.eye(4), poses)
    np.savez(path, names=np.array(bundle.names), fps=24.0, poses=whole, presence=presence)
    return read_tracks(path)


def test_the_true_film_breaks_nothing(bundle: Bundle, tmp_path: Path) -> None:
    assert rule_on(subject_of(bundle), told(bundle, bundle.poses, tmp_path)).violations == ()


def test_it_is_known_of_all_forgeries_what_they_may_be_called() -> None:
    assert set(ACCEPTED) == set(ForgeryKind)


def test_pixels_tell_of_what_can_be_seen_and_of_nothing_else(bundle: Bundle) -> None:
    truth, tracker = read_true_film(bundle), Tracker(bundle, 0.0)
    for seed, kind in enumerate((ForgeryKind.VANISH, ForgeryKind.STRETCH, ForgeryKind.SWAP)):
        film = forge(truth, kind, strengths(kind)[-1], np.random.default_rng(seed))
        (label,) = film.forgeries
        assert telling_pixels(tracker, truth, film, label.reached) > 0
        own = np.tile(np.arange(len(film.names)), (truth.frames, 1))
        nothing = replace(film, poses=truth.poses, paints=own)
        assert telling_pixels(tracker, truth, nothing, label.reached) == 0


def test_a_darker_side_of_a_piece_tells_nothing_and_a_brighter_one_and_another_piece_do() -> None:
    sides = np.array([[[200, 20, 40], [150, 15, 30], [90, 9, 18]], [[40, 90, 200]] * 3], np.float32)
    looks = Looks(sides, np.full(2, 14.0, np.float32), np.full((8, 8, 3), 225, np.float32))
    bright, dark, other, none = (np.full((8, 8), label, np.int16) for label in (0, 1, 4, -1))
    everywhere = np.ones((8, 8), bool)
    assert Unlike(looks, dark).pixels(bright, everywhere) == 0
    for seen in (dark, other):
        assert Unlike(looks, bright).pixels(seen, everywhere) == 64
    assert Unlike(looks, none).pixels(bright, everywhere) == 64
    assert Unlike(looks, none).pixels(bright, ~everywhere) == 0
    assert Unlike(looks, none).pixels(none, everywhere) == 0


@pytest.mark.parametrize("kind", BY_POSES)
def test_what_is_forged_is_found_when_it_gets_large(
    kind: ForgeryKind, bundle: Bundle, tmp_path: Path
) -> None:
    rng = np.random.default_rng(5)
    for _ in range(more(2, night=6)):
        strength = 2.0 if kind is ForgeryKind.TELEPORT else strengths(kind)[-1]
        film = forge(read_true_film(bundle), kind, strength, rng)
        (label,) = film.forgeries
        found = rule_on(subject_of(bundle), told(bundle, film.poses, tmp_path)).violations
        assert any(is_it(v, label) for v in found), (label, found)
        # The benchmark's clips end earlier; what was to be found is found there, too.
        short = told(bundle, film.poses[: last_frame(label) + 1], tmp_path)
        assert any(is_it(v, label) for v in rule_on(subject_of(bundle), short).violations)


def test_a_true_film_that_ends_early_breaks_nothing(bundle: Bundle, tmp_path: Path) -> None:
    for frames in (10, 33, 57, 90):
        tracks = told(bundle, bundle.poses[:frames], tmp_path)
        assert rule_on(subject_of(bundle), tracks).violations == ()

"""Forgeries are where their labels say, as bad as they say, and nowhere else."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.recording.dataset.forging.forge import forge, strengths
from bridge.recording.dataset.forging.forgeries import (
    ForgedFilm,
    ForgeryError,
    ForgeryKind,
    TrueFilm,
)
from bridge.recording.frames import replay_timeline
from bridge.referee.films import find_deepest_overlap
from bridge.video.reference.bundle_making import play_plan
from pysim.catalog import find_level

Poses = NDArray[np.float64]
EASED = (
    ForgeryKind.PASS_THROUGH,
    ForgeryKind.DIAGONAL,
    ForgeryKind.ROTATION,
    ForgeryKind.STRETCH,
)
PAINTED = (ForgeryKind.SWAP, ForgeryKind.MERGE, ForgeryKind.RECOLOUR)


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> TrueFilm:
    log = play_plan(find_level("burr-piston"), tmp_path_factory.mktemp("logs") / "log.jsonl")
    timeline = replay_timeline(log, 24)
    bodies = timeline[0].scene.bodies
    poses = np.array(
        [
            [held.transforms[body.name] for body in bodies]
            for held in timeline
            for _ in range(held.frames)
        ]
    )
    cells = {body.name: np.array(body.shape.cells, np.float64) for body in bodies}
    return TrueFilm(cells, poses, 24)


def cases() -> list[Any]:
    return [(kind, strength) for kind in ForgeryKind for strength in strengths(kind)]


def differs(truth: TrueFilm, film: ForgedFilm) -> NDArray[np.bool_]:
    """(frames, bodies): where a film is not as the true one."""
    moved = ~np.isclose(film.poses, truth.poses, equal_nan=True).all(axis=(2, 3))
    painted = film.paints != np.arange(len(truth.names))
    return moved | painted


def frames(film: ForgedFilm) -> list[dict[str, Poses]]:
    return [dict(zip(film.names, poses, strict=True)) for poses in film.poses]


@pytest.mark.parametrize(("kind", "strength"), cases())
def test_a_forgery_is_in_its_frames_and_pieces_and_nowhere_else(
    kind: ForgeryKind, strength: float, truth: TrueFilm
) -> None:
    for seed in range(5):
        film = forge(truth, kind, strength, np.random.default_rng(seed))
        (forgery,) = film.forgeries
        assert forgery.kind is kind
        assert forgery.first_frame <= forgery.reached <= forgery.last_frame < truth.frames
        off = differs(truth, film)
        for extra in film.extras:
            off[:, truth.names.index(extra.paint)] |= np.isfinite(extra.poses[:, 0, 0])
        wrong = np.flatnonzero(off.any(axis=1))
        assert (wrong.min(), wrong.max()) == (forgery.first_frame, forgery.last_frame)
        guilty = {truth.names[body] for body in np.flatnonzero(off.any(axis=0))}
        assert guilty <= set(forgery.pieces) and forgery.pieces[0] in guilty
        assert forgery.magnitude == pytest.approx(strength, abs=0.26)
        again = forge(truth, kind, strength, np.random.default_rng(seed))
        assert again.forgeries == film.forgeries


@pytest.mark.parametrize("kind", EASED)
def test_an_eased_forgery_is_no_leap(kind: ForgeryKind, truth: TrueFilm) -> None:
    for strength in strengths(kind):
        film = forge(truth, kind, strength, np.random.default_rng(3))
        body = truth.names.index(film.forgeries[0].pieces[0])
        own = truth.cells[truth.names[body]]
        way = film.poses[:, body, :3, :3] @ own.T + film.poses[:, body, :3, 3:]
        added = np.linalg.norm(np.diff(way, axis=0), axis=1).max()
        assert added <= 0.95


def test_a_piece_that_passes_through_is_in_those_that_are_named(truth: TrueFilm) -> None:
    for seed in range(8):
        film = forge(truth, ForgeryKind.PASS_THROUGH, 0.6, np.random.default_rng(seed))
        (forgery,) = film.forgeries
        found = find_deepest_overlap(truth.cells, frames(film), 0.02)
        assert found is not None and set(found.names) <= set(forgery.pieces)
        assert found.depth == pytest.approx(0.6, abs=1e-6)
        assert forgery.first_frame <= found.frame <= forgery.last_frame


def test_a_teleport_is_a_leap_and_enters_nothing(truth: TrueFilm) -> None:
    for seed in range(8):
        film = forge(truth, ForgeryKind.TELEPORT, 2.0, np.random.default_rng(seed))
        (forgery,) = film.forgeries
        body = truth.names.index(forgery.pieces[0])
        way = film.poses[:, body, :3, 3]
        leaps = np.linalg.norm(np.diff(way, axis=0), axis=1)
        assert leaps.argmax() + 1 == forgery.first_frame == forgery.reached
        assert leaps.max() > 1.2
        assert np.sort(leaps)[-2] <= 0.5
        assert forgery.magnitude == pytest.approx(2.0, abs=0.25)


def test_a_motion_in_the_wrong_order_goes_through_what_should_have_gone_before(
    truth: TrueFilm,
) -> None:
    for seed in range(6):
        film = forge(truth, ForgeryKind.WRONG_ORDER, 1.0, np.random.default_rng(seed))
        (label,) = film.forgeries
        found = find_deepest_overlap(truth.cells, frames(film), 0.02)
        assert found is not None and found.depth >= 0.3
        assert label.first_frame <= found.frame <= label.last_frame
        assert set(found.names) & set(label.pieces)
        # It is reached where it gets half a unit deep, and not where somebody sets out early.
        enough = min(0.5, found.depth) - 1e-6
        for frame, deep in ((label.reached - 1, False), (label.reached, True)):
            there = find_deepest_overlap(truth.cells, frames(film)[frame : frame + 1], 0.02)
            assert (there is not None and there.depth >= enough) is deep
        assert np.array_equal(film.poses[-1], truth.poses[-1])
        ways = np.linalg.norm(np.diff(film.poses[:, :, :3, 3], axis=0), axis=2)
        assert ways.max() <= 0.5  # No piece leaps.


def test_there_is_no_place_for_a_forgery_in_a_film_that_is_too_short(truth: TrueFilm) -> None:
    short = TrueFilm(truth.cells, truth.poses[:4], 24)
    for kind in ForgeryKind:
        with pytest.raises(ForgeryError, match=kind.value):
            forge(short, kind, strengths(kind)[-1], np.random.default_rng(0))
    with pytest.raises(ForgeryError, match="above 0"):
        forge(truth, ForgeryKind.SWAP, 0.0, np.random.default_rng(0))

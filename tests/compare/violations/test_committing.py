"""Faults are where their labels say, as bad as they say, and nowhere else."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.compare.bundles.making import play_plan
from bridge.compare.violations.committing import commit, strengths
from bridge.compare.violations.faults import FaultError, FaultKind, FaultyFilm, TrueFilm
from bridge.recording.frames import stills_of
from bridge.referee.films import deepest_overlap
from pysim.catalog import find_level

Poses = NDArray[np.float64]
EASED = (
    FaultKind.PASS_THROUGH,
    FaultKind.DIAGONAL,
    FaultKind.ROTATION,
    FaultKind.STRETCH,
)
PAINTED = (FaultKind.SWAP, FaultKind.MERGE, FaultKind.RECOLOUR)


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> TrueFilm:
    log = play_plan(find_level("burr-piston"), tmp_path_factory.mktemp("logs") / "log.jsonl")
    stills = stills_of(log, 24)
    bodies = stills[0].scene.bodies
    poses = np.array(
        [
            [still.transforms[body.name] for body in bodies]
            for still in stills
            for _ in range(still.frames)
        ]
    )
    cells = {body.name: np.array(body.shape.cells, np.float64) for body in bodies}
    return TrueFilm(cells, poses, 24)


def cases() -> list[Any]:
    return [(kind, strength) for kind in FaultKind for strength in strengths(kind)]


def differs(truth: TrueFilm, film: FaultyFilm) -> NDArray[np.bool_]:
    """(frames, bodies): where a film is not as the true one."""
    moved = ~np.isclose(film.poses, truth.poses, equal_nan=True).all(axis=(2, 3))
    painted = film.paints != np.arange(len(truth.names))
    return moved | painted


def frames(film: FaultyFilm) -> list[dict[str, Poses]]:
    return [dict(zip(film.names, poses, strict=True)) for poses in film.poses]


@pytest.mark.parametrize(("kind", "strength"), cases())
def test_a_fault_is_in_its_frames_and_pieces_and_nowhere_else(
    kind: FaultKind, strength: float, truth: TrueFilm
) -> None:
    for seed in range(5):
        film = commit(truth, kind, strength, np.random.default_rng(seed))
        (fault,) = film.faults
        assert fault.kind is kind
        assert fault.first_frame <= fault.reached <= fault.last_frame < truth.frames
        off = differs(truth, film)
        for extra in film.extras:
            off[:, truth.names.index(extra.paint)] |= np.isfinite(extra.poses[:, 0, 0])
        wrong = np.flatnonzero(off.any(axis=1))
        assert (wrong.min(), wrong.max()) == (fault.first_frame, fault.last_frame)
        guilty = {truth.names[body] for body in np.flatnonzero(off.any(axis=0))}
        assert guilty <= set(fault.pieces) and fault.pieces[0] in guilty
        assert fault.magnitude == pytest.approx(strength, abs=0.26)
        again = commit(truth, kind, strength, np.random.default_rng(seed))
        assert again.faults == film.faults


@pytest.mark.parametrize("kind", EASED)
def test_an_eased_fault_is_no_leap(kind: FaultKind, truth: TrueFilm) -> None:
    for strength in strengths(kind):
        film = commit(truth, kind, strength, np.random.default_rng(3))
        body = truth.names.index(film.faults[0].pieces[0])
        own = truth.cells[truth.names[body]]
        way = film.poses[:, body, :3, :3] @ own.T + film.poses[:, body, :3, 3:]
        added = np.linalg.norm(np.diff(way, axis=0), axis=1).max()
        assert added <= 0.95


def test_a_piece_that_passes_through_is_in_those_that_are_named(truth: TrueFilm) -> None:
    for seed in range(8):
        film = commit(truth, FaultKind.PASS_THROUGH, 0.6, np.random.default_rng(seed))
        (fault,) = film.faults
        found = deepest_overlap(truth.cells, frames(film), 0.02)
        assert found is not None and set(found.names) <= set(fault.pieces)
        assert found.depth == pytest.approx(0.6, abs=1e-6)
        assert fault.first_frame <= found.frame <= fault.last_frame


def test_a_teleport_is_a_leap_and_enters_nothing(truth: TrueFilm) -> None:
    for seed in range(8):
        film = commit(truth, FaultKind.TELEPORT, 2.0, np.random.default_rng(seed))
        (fault,) = film.faults
        body = truth.names.index(fault.pieces[0])
        way = film.poses[:, body, :3, 3]
        leaps = np.linalg.norm(np.diff(way, axis=0), axis=1)
        assert leaps.argmax() + 1 == fault.first_frame == fault.reached
        assert leaps.max() > 1.2
        assert np.sort(leaps)[-2] <= 0.5
        assert fault.magnitude == pytest.approx(2.0, abs=0.25)


def test_there_is_no_place_for_a_fault_in_a_film_that_is_too_short(truth: TrueFilm) -> None:
    short = TrueFilm(truth.cells, truth.poses[:4], 24)
    for kind in FaultKind:
        with pytest.raises(FaultError, match=kind.value):
            commit(short, kind, strengths(kind)[-1], np.random.default_rng(0))
    with pytest.raises(FaultError, match="above 0"):
        commit(truth, FaultKind.SWAP, 0.0, np.random.default_rng(0))

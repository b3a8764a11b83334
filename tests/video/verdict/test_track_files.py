"""Files of tracks: what is written is read, in the names of this version and of the one before."""

from pathlib import Path

import numpy as np
import pytest

from bridge.video.verdict.reading import Deed
from bridge.video.verdict.tracks import (
    BY_PIECE,
    TRACKS_FORMAT,
    Tracks,
    TracksError,
    read_tracks,
    write_tracks,
)

VERSION_1 = {
    "visibility": "presence",
    "sigma_lateral": "across",
    "sigma_depth": "along",
    "view_ray": "sight",
    "inlier_ratio": "fit",
    "duplicate_area": "spare",
    "color_id": "wears",
    "split_gap": "apart",
    "background_change": "background",
    "executed_actions": "deeds",
}


@pytest.fixture
def tracks() -> Tracks:
    rng = np.random.default_rng(1)
    shape = (4, 2)
    return Tracks(
        names=("red", "blue"),
        fps=12.0,
        poses=np.tile(np.eye(4), (*shape, 1, 1)),
        presence=rng.integers(0, 3, shape).astype(np.uint8),
        across=rng.random(shape),
        along=rng.random(shape),
        sight=rng.random((*shape, 3)),
        fit=rng.random(shape),
        spare=rng.random(shape),
        background=rng.random(4),
        wears=rng.integers(-1, 2, shape),
        apart=rng.random(shape),
        deeds=(Deed("slide", {"piece": "red"}, 1, 3),),
    )


def assert_equal(one: Tracks, other: Tracks) -> None:
    assert (one.names, one.fps, one.deeds) == (other.names, other.fps, other.deeds)
    for name in (*BY_PIECE, "background"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_tracks_written_are_read_unchanged(tracks: Tracks, tmp_path: Path) -> None:
    write_tracks(tmp_path / "t.npz", tracks)
    assert_equal(read_tracks(tmp_path / "t.npz"), tracks)
    with np.load(tmp_path / "t.npz") as archive:
        assert set(archive.files) == {"format", "names", "fps", "poses", *VERSION_1}
        assert str(archive["format"]) == TRACKS_FORMAT


def test_tracks_of_version_1_are_read(tracks: Tracks, tmp_path: Path) -> None:
    write_tracks(tmp_path / "new.npz", tracks)
    with np.load(tmp_path / "new.npz") as archive:
        arrays = {VERSION_1.get(name, name): archive[name] for name in archive.files}
    del arrays["format"]
    arrays["deeds"] = np.array(str(arrays["deeds"]).replace("_frame", ""))
    np.savez(tmp_path / "old.npz", **arrays)
    assert_equal(read_tracks(tmp_path / "old.npz"), tracks)


def test_tracks_of_a_later_version_are_refused(tracks: Tracks, tmp_path: Path) -> None:
    write_tracks(tmp_path / "t.npz", tracks)
    with np.load(tmp_path / "t.npz") as archive:
        arrays = {**archive, "format": np.array("luban-tracks/3")}
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(TracksError, match=r"luban-tracks/3.*luban-tracks/2"):
        read_tracks(tmp_path / "t.npz")

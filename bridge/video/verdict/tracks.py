"""Tracks: where every piece is in every frame of a video, and how well that is known.

The file of ``luban score-video --tracks`` is what :func:`read_tracks` reads.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.arrays import ARRAYS_FILE, read_arrays
from bridge.video.thresholds import LIMITS
from bridge.video.verdict.reading import Deed
from pysim.errors import InputError
from pysim.untrusted import GIB, open_untrusted, parse_json

__all__ = [
    "BY_PIECE",
    "TRACKS_FORMAT",
    "Presence",
    "Tracks",
    "TracksError",
    "read_tracks",
    "true_tracks",
    "write_tracks",
]

MAX_FRAMES, MAX_PIECES = 100_000, 256
MOST_BYTES = GIB


class TracksError(InputError):
    """A file of tracks can't be used; the message names the file."""


class Presence(IntEnum):
    """Knowledge of a piece in a frame."""

    PRESENT = 0
    ABSENT = 1
    """Where it would be seen it is not, and nowhere else."""
    UNDECIDED = 2
    """Hidden, too small to be told, or lost: its pose is a guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Tracks:
    """F frames of P pieces. Lengths are units: edges of a cell.

    Attributes:
        names: of the pieces.
        fps: frames a second.
        poses: (F, P, 4, 4) from body to world coordinates; a guess where a piece is not PRESENT.
        presence: (F, P) uint8 of :class:`Presence`.
        across: (F, P) standard deviation of the position across the line of sight.
        along: (F, P) the same along it; more, since one camera hardly sees depth.
        sight: (F, P, 3) the line of sight, of length 1; zeros where positions are exact.
        fit: (F, P) share of the pixels in which a piece should be seen that look like it.
        spare: (F, P) area that looks like a piece where it is not, in faces of a cell.
        background: (F,) share of the background that has changed.
        wears: (F, P) the place among ``names`` of the piece whose colours a piece has: its own,
            unless pieces change colours; -1 for nobody's.
        apart: (F, P) units between the halves of a piece; 0 for one that is whole.
        deeds: what was done, in order, by who tracked it; None where poses alone tell.
    """

    names: tuple[str, ...]
    fps: float
    poses: NDArray[np.float64]
    presence: NDArray[np.uint8]
    across: NDArray[np.float64]
    along: NDArray[np.float64]
    sight: NDArray[np.float64]
    fit: NDArray[np.float64]
    spare: NDArray[np.float64]
    background: NDArray[np.float64]
    wears: NDArray[np.int64]
    apart: NDArray[np.float64]
    deeds: tuple[Deed, ...] | None = None

    def __len__(self) -> int:
        return len(self.poses)

    @property
    def decided(self) -> NDArray[np.bool_]:
        """(F, P): whether it is known where, or that, a piece is."""
        known: NDArray[np.bool_] = np.equal(self.presence, Presence.PRESENT)
        return known

    @property
    def unseen_share(self) -> float:
        """Share of all pieces in all frames that are hidden, or of which nothing is known."""
        return float((self.presence == Presence.UNDECIDED).mean()) if self.presence.size else 0.0

    @property
    def undecided_frames(self) -> NDArray[np.bool_]:
        """(F,): whether more than half of the pieces are undecided."""
        share = np.mean(self.presence == Presence.UNDECIDED, axis=1)
        return np.asarray(share > LIMITS.most_undecided)

    def cut(self, frames: int) -> "Tracks":
        """Return the first frames."""
        columns = {key: getattr(self, key)[:frames] for key in (*BY_PIECE, "background")}
        return replace(self, **columns)

    def of(self, names: Sequence[str]) -> "Tracks":
        """The tracks of some pieces, in another order perhaps.

        Raises:
            TracksError: there are none of one.
        """
        if missing := [name for name in names if name not in self.names]:
            raise TracksError(f"there are no tracks of {', '.join(missing)}")
        pick = [self.names.index(name) for name in names]
        columns = {key: getattr(self, key)[:, pick] for key in BY_PIECE}
        # By the new places; -1, which is also the last one, for who has none there.
        places = np.full(len(self.names) + 1, -1)
        places[pick] = np.arange(len(pick))
        columns["wears"] = places[columns["wears"]]
        return Tracks(
            tuple(names), self.fps, background=self.background, deeds=self.deeds, **columns
        )


BY_PIECE = ("poses", "presence", "across", "along", "sight", "fit", "spare", "wears", "apart")
"""The arrays of tracks that are by piece."""


def true_tracks(names: Sequence[str], poses: NDArray[np.float64], fps: float) -> Tracks:
    """Tracks of (F, P, 4, 4) poses that are known exactly."""
    frames, pieces = poses.shape[:2]
    zeros = np.zeros((frames, pieces))
    return Tracks(
        tuple(names),
        fps,
        np.asarray(poses, np.float64),
        np.zeros((frames, pieces), np.uint8),
        zeros,
        zeros,
        np.zeros((frames, pieces, 3)),
        np.ones((frames, pieces)),
        zeros,
        np.zeros(frames),
        np.tile(np.arange(pieces), (frames, 1)),
        zeros,
    )


TRACKS_FORMAT = "luban-tracks/2"
_STORED = {
    "poses": "poses",
    "presence": "visibility",
    "across": "sigma_lateral",
    "along": "sigma_depth",
    "sight": "view_ray",
    "fit": "inlier_ratio",
    "spare": "duplicate_area",
    "wears": "color_id",
    "apart": "split_gap",
    "background": "background_change",
    "deeds": "executed_actions",
}
"""Attribute of :class:`Tracks` -> array of the file. Files of version 1 have the attribute."""


def write_tracks(path: Path, tracks: Tracks) -> None:
    """Write the file that :func:`read_tracks` reads."""
    arrays = {_STORED[key]: getattr(tracks, key) for key in (*BY_PIECE, "background")}
    if tracks.deeds is not None:
        rows = [
            {"tool": d.tool, "arguments": d.arguments, "first_frame": d.first, "last_frame": d.last}
            for d in tracks.deeds
        ]
        arrays[_STORED["deeds"]] = np.array(json.dumps(rows))
    names = np.array(tracks.names)
    with path.open("wb") as file:
        np.savez_compressed(file, format=TRACKS_FORMAT, names=names, fps=tracks.fps, **arrays)


def read_tracks(path: Path) -> Tracks:
    """Read a NumPy archive, ``.npz``.

    ``docs/video-scores.md`` lists the arrays. ``names``, ``fps`` and ``poses`` are required, the
    others default to values that are known exactly. A pose that is not finite is UNDECIDED.
    Arrays may have the names of version 1.

    Raises:
        TracksError: it is no such file.
    """
    try:
        with open_untrusted(path, ARRAYS_FILE) as file:
            return _tracks(_by_attribute(read_arrays(file, MOST_BYTES)))
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise TracksError(f"{path} has no tracks: {reason}") from error


def _by_attribute(stored: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file by attribute of :class:`Tracks`.

    Raises:
        ValueError: the file has a format that this version doesn't read.
    """
    found = str(stored.get("format", TRACKS_FORMAT))
    if found != TRACKS_FORMAT:
        raise ValueError(f"its format is {found!r}; this version reads {TRACKS_FORMAT!r}")
    arrays = dict(stored)
    for attribute, name in _STORED.items():
        if name in stored:
            arrays[attribute] = stored[name]
    return arrays


def _tracks(found: Mapping[str, NDArray[Any]]) -> Tracks:
    names, poses = tuple(map(str, found["names"])), np.asarray(found["poses"], np.float64)
    fps = float(found["fps"])
    if poses.ndim != 4 or poses.shape[1:] != (len(names), 4, 4):
        raise ValueError(f"poses are (frames, {len(names)}, 4, 4), not {poses.shape}")
    if not (0 < len(poses) <= MAX_FRAMES and 0 < len(names) <= MAX_PIECES):
        raise ValueError(f"{len(poses)} frames of {len(names)} pieces are too few or too many")
    if len(set(names)) != len(names) or not 0 < fps <= 1000:
        raise ValueError("two pieces share a name, or fps is not above 0 and at most 1000")
    base = true_tracks(names, poses, fps)
    columns = {key: _column(found, key, getattr(base, key)) for key in BY_PIECE[1:]}
    if (columns["presence"] > max(Presence)).any():
        raise ValueError(f"{_STORED['presence']} is 0, 1 or 2")
    lost: NDArray[np.bool_] = np.logical_not(np.isfinite(poses).all(axis=(2, 3)))
    columns["presence"] = np.where(lost, Presence.UNDECIDED, columns["presence"]).astype(np.uint8)
    poses = np.where(lost[..., None, None], np.eye(4), poses)
    background = _column(found, "background", base.background)
    if (columns["wears"] < -1).any() or (columns["wears"] >= len(names)).any():
        raise ValueError(f"color_id is a place among {len(names)} pieces, or -1")
    return Tracks(names, fps, poses, background=background, deeds=_deeds(found), **columns)


def _deeds(found: Mapping[str, NDArray[Any]]) -> tuple[Deed, ...] | None:
    if "deeds" not in found:
        return None
    rows = parse_json(str(found["deeds"]))
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("executed_actions is a list of objects")
    return tuple(
        Deed(str(row["tool"]), dict(row["arguments"]), _frame(row, "first"), _frame(row, "last"))
        for row in rows
    )


def _frame(row: Mapping[str, Any], end: str) -> int:
    """Return the first or last frame of an action; version 1 left ``_frame`` out of the key."""
    return int(row[f"{end}_frame"] if f"{end}_frame" in row else row[end])


def _column(found: Mapping[str, NDArray[Any]], key: str, usual: NDArray[Any]) -> NDArray[Any]:
    if key not in found:
        return usual
    given = found[key]
    numbers = given.dtype.kind in "buif" and np.isfinite(given).all()
    if not numbers or given.shape != usual.shape:
        raise ValueError(f"{_STORED[key]} is {usual.shape} finite numbers, not {given.shape}")
    if usual.dtype.kind in "iu" and (np.abs(given.astype(np.float64)) > MAX_PIECES).any():
        raise ValueError(f"{_STORED[key]} is a small number for each piece and frame")
    return given.astype(usual.dtype)

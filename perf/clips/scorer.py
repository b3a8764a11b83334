"""The scorer that is tried: the one place that imports it. All else is read from its formats."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from numpy.typing import NDArray

from bridge.recording.fields import Fields, json_object
from bridge.video.reference.bundle import Bundle
from bridge.video.report.leaderboard import ClipResult
from bridge.video.report.leaderboard import rank_models as rank_clips
from bridge.video.report.scores import score_video
from pysim.errors import LubanError

__all__ = ["JUDGES", "Scored", "Seen", "UnscorableClip", "rank_models", "score_clip"]

JUDGES = ("bridge/video",)
"""Folders of the code of which outcomes are a measurement."""


class UnscorableClip(LubanError):
    """A clip can't be scored; the message says why."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A violation that the scorer found: kind, first and last frame, pieces."""

    kind: str
    first: int
    last: int
    pieces: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind} {self.first}-{self.last} {', '.join(self.pieces)}"


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """All that the bench reads of a score.

    Attributes:
        document: as in ``score.json``.
        violations: in its order.
        undecided: share of pieces and frames.
        moves: tool and arguments of each move of the plan that was read.
        names, poses: (F, P, 4, 4) of the pieces; NaN where one is undecided or gone.
        seconds: of a core.
        memory: MiB that the process has at most meanwhile; 0 if the system doesn't tell.
    """

    document: Mapping[str, object]
    violations: tuple[Seen, ...]
    frames: int
    undecided: float
    moves: tuple[tuple[str, dict[str, object]], ...]
    names: tuple[str, ...]
    poses: NDArray[np.float64]
    seconds: float
    memory: float = 0.0


def score_clip(bundle: Bundle, video: Path) -> Scored:
    """Score a video.

    Raises:
        UnscorableClip: the message says why.
    """
    with TemporaryDirectory() as folder:
        tracks = Path(folder, "tracks.npz")
        _reset_peak()
        begin = process_time()
        try:
            score, _ = score_video(bundle, video, keep=tracks)
        except LubanError as error:
            raise UnscorableClip(str(error)) from error
        seconds = process_time() - begin
        names, poses = _read_tracks(tracks)
    document = json_object(json.dumps(score.document()).encode())
    fields = Fields(document)
    return Scored(
        document,
        tuple(map(_read_violation, _list_rows(fields, "violations"))),
        fields.whole("frames", 0),
        fields.number("undecided_ratio"),
        tuple(map(_read_move, _list_rows(fields.inner("plan"), "moves"))),
        names,
        poses,
        seconds,
        _read_peak(),
    )


def _reset_peak() -> None:
    """Let Linux count the most memory that this process has from now on."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _read_peak() -> float:
    with suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024.0
    return 0.0


def _list_rows(fields: Fields, key: str) -> Iterator[Fields]:
    rows = fields.value(key)
    assert isinstance(rows, list)
    return map(Fields, rows)


def _read_violation(row: Fields) -> Seen:
    first, last = row.whole("first_frame", 0), row.whole("last_frame", 0)
    return Seen(row.text("kind"), first, last, tuple(row.texts("pieces")))


def _read_move(row: Fields) -> tuple[str, dict[str, object]]:
    return row.text("tool"), dict(row.mapping("arguments"))


def _read_tracks(path: Path) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    with np.load(path) as stored:
        poses = stored["poses"].astype(np.float64)
        if "visibility" in stored.files:
            poses[stored["visibility"] != 0] = np.nan
        return tuple(map(str, stored["names"])), poses


def rank_models(documents: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the models of some scores of a bundle, the best first."""
    return [row.model for row in rank_clips([ClipResult.of(one) for one in documents])]

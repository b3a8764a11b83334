"""Judgement of a video by its pictures: ruling and tracks in one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.recording.movers import movers_of
from bridge.video.reference.bundle import Bundle
from bridge.video.reference.film import TrueFilm, read_true_film
from bridge.video.reference.look import Look, learn_look
from bridge.video.reference.pictures import Recent
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.changes import ChangeKind
from bridge.video.tracking.explaining import ExplainedVideo, explain_video
from bridge.video.tracking.footage import Footage
from bridge.video.tracking.preparation import prepare_video
from bridge.video.verdict.evidence import Evidence
from bridge.video.verdict.judging import judge_video
from bridge.video.verdict.plan import read_plan
from bridge.video.verdict.ruling import Ruling
from bridge.video.verdict.tracks import Presence, Tracks, true_tracks
from pysim.machine import release_memory

__all__ = ["JudgedFootage", "judge_footage"]

_Array = NDArray[np.float64]

_LEARNED = Recent[Bundle, tuple[TrueFilm, Look]](1)
"""Films and looks of bundles: many videos of one are scored."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedFootage:
    """A video that was judged.

    Attributes:
        explained: how it was explained.
        ruling: what it breaks, and its plan.
        undecided: (F,) frames that nothing explains, and that break nothing that can be named.
        tracks: where its pieces are.
    """

    explained: ExplainedVideo
    ruling: Ruling
    undecided: NDArray[np.bool_]
    tracks: Tracks


def judge_footage(
    bundle: Bundle,
    footage: Footage,
    progress: Callable[[int, int], None] | None = None,
) -> JudgedFootage:
    """Judge a video of a bundle's film.

    Args:
        progress: is told of frames done and of all.

    Raises:
        FootageError: the video breaks off.
    """
    # What an earlier video took is still this process's, and would count towards its peak.
    release_memory(thoroughly=False)
    film, look = _LEARNED.get(bundle, _learn_reference)

    def read() -> Iterator[NDArray[np.uint8]]:
        for number, picture in enumerate(footage.pictures(*film.size)):
            yield picture
            if progress is not None:
                progress(number + 1, footage.frames)

    unit = bundle.manifest.pixels_per_unit * footage.crop[2] / bundle.camera.width
    explained = explain_video(prepare_video(film, look, read, footage.fps, unit))
    evidence = Evidence.of_pictures(explained)
    judgement = judge_video(evidence)
    tracks = _make_tracks(explained, movers_of(bundle.level, evidence.course.scene))
    reading = read_plan(evidence.course, evidence.aligned, explained.unlike)
    ruling = Ruling(judgement.violations, reading, len(explained.prepared), tracks.unseen_share)
    return JudgedFootage(explained, ruling, judgement.undecided, tracks)


def _learn_reference(bundle: Bundle) -> tuple[TrueFilm, Look]:
    """Return the film of a bundle, and its look."""
    film = read_true_film(bundle)
    look = learn_look(film)
    # What was learned from took several times as much as what was learned.
    release_memory(thoroughly=False)
    return film, look


def _make_tracks(explained: ExplainedVideo, names: tuple[str, ...]) -> Tracks:
    prepared, film = explained.prepared, explained.prepared.film
    pick = [film.bundle.names.index(name) for name in names]
    shown = film.find_poses(prepared.aligned.positions)
    poses, there = np.nan_to_num(shown), np.isfinite(shown).all(axis=(2, 3))
    hidden = explained.area[:, 1:] < LIMITS.hidden_pixels
    unknown = explained.left[:, 1:] | hidden | ~there | prepared.is_blind[:, None]
    presence = np.where(unknown, Presence.UNDECIDED, Presence.PRESENT).astype(np.uint8)
    spare = np.zeros(presence.shape)
    unit = film.bundle.manifest.pixels_per_unit * film.size[0] / film.bundle.camera.width
    for frame, changes in enumerate(explained.changes):
        for change in changes:
            if change.kind is ChangeKind.DOUBLED:
                spare[frame, change.body] = change.gain / unit**2
                continue
            poses[frame, change.body] = change.pose
            absent = change.kind is ChangeKind.ABSENT
            presence[frame, change.body] = Presence.ABSENT if absent else Presence.PRESENT
    tracks = true_tracks(names, poses[:, pick], prepared.fps)
    camera = np.linalg.inv(film.bundle.camera.extrinsics)[:3, 3]
    sight = tracks.poses[:, :, :3, 3] - camera
    sight /= np.maximum(np.linalg.norm(sight, axis=2, keepdims=True), 1e-9)
    unlike = np.clip(explained.unexplained / np.maximum(explained.area, 1.0), 0.0, 1.0)
    unlike[prepared.is_blind] = 1.0
    return Tracks(
        names,
        prepared.fps,
        tracks.poses,
        presence[:, pick],
        np.full(presence[:, pick].shape, LIMITS.track_errors[0]),
        np.full(presence[:, pick].shape, LIMITS.track_errors[1]),
        sight,
        1.0 - unlike[:, 1:][:, pick],
        spare[:, pick],
        unlike[:, 0],
        tracks.wears,
        tracks.apart,
    )

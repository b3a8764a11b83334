"""Explanation of tracks: by a lawful course, and where that fails by changes of single pieces."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.video.thresholds import LIMITS
from bridge.video.tracking.alignment import AlignedFrames
from bridge.video.tracking.changes import BodyChange, ChangeKind
from bridge.video.tracking.course import Course, measure_poses, measure_turns
from bridge.video.tracking.pose_alignment import PoseAligner
from bridge.video.verdict.evidence import Evidence
from bridge.video.verdict.tracks import Presence, Tracks

__all__ = ["PosedVideo", "follow_course", "gather_evidence"]

_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PosedVideo:
    """Tracks, aligned with a course.

    Attributes:
        tracks: of the pieces.
        course: what is lawful, with poses between those of its frames.
        aligned: where in it each frame is.
        bodies: (K,) the pieces of the tracks among the course's bodies.
        poses: (F, K, 4, 4) where they are, rigid, and as near to the course as their tracks allow.
        scales: (F, K, 3) by how much they are larger along their own axes; below 0 if mirrored.
        off: (F, K) units by which they are off the course; 0 where that is not known.
    """

    tracks: Tracks
    course: Course
    aligned: AlignedFrames
    bodies: NDArray[np.int64]
    poses: _Array
    scales: _Array
    off: _Array

    @property
    def is_off(self) -> NDArray[np.bool_]:
        """(F, K) whether pieces are clearly off the course."""
        return self.off > LIMITS.track_off


def follow_course(course: Course, tracks: Tracks) -> PosedVideo:
    """Align tracks with a course."""
    aligner = PoseAligner.of(course, [course.names.index(name) for name in tracks.names])
    fine, bodies = aligner.course, aligner.bodies
    rigid, scales = _split_scales(tracks.poses)
    doubt = LIMITS.sure * np.hypot(tracks.across, tracks.along)
    free = np.where(tracks.decided, doubt, np.inf)
    aligned = aligner.align(rigid, free, tracks.fps)
    lawful = fine.poses[aligned.positions][:, bodies]
    poses = _draw_near(rigid, lawful, fine.boxes[bodies], tracks)
    off = measure_poses(poses, lawful, fine.boxes[bodies])
    off = np.where(tracks.decided & np.isfinite(off), off, 0.0)
    return PosedVideo(tracks, fine, aligned, bodies, poses, scales, off)


def gather_evidence(posed: PosedVideo) -> Evidence:
    """Return the evidence of tracks."""
    tracks, course, ground = posed.tracks, posed.course, posed.tracks.background
    changes = _list_changes(posed)
    flagged = np.zeros((len(tracks), len(course.names) + 1), bool)
    flagged[:, 0] = ground > LIMITS.track_shares[2]
    for frame, found in enumerate(changes):
        flagged[frame, [1 + change.body for change in found]] = True
    wears = np.tile(np.arange(len(course.names)), (len(tracks), 1))
    wears[:, posed.bodies] = np.append(posed.bodies, -1)[tracks.wears]
    bodies = (course.scene.find_body(name) for name in course.names)
    return Evidence(
        course=course,
        aligned=posed.aligned,
        fps=tracks.fps,
        pieces=posed.bodies,
        solid=np.flatnonzero([not body.translucent for body in bodies]),
        changes=changes,
        flagged=flagged,
        relief=np.ones(len(tracks)),
        unclear=tracks.undecided_frames,
        is_otherwise=flagged[:, 0],
        ground=np.where(flagged[:, 0], ground, 0.0),
        regions=np.zeros(len(tracks)),
        strange=np.zeros(len(tracks)),
        limits=_find_limits(posed),
        spare=LIMITS.track_off,
        zooms=np.ones(len(tracks)),
        rolls=np.zeros(len(tracks)),
        measure_unit=lambda _: 1.0,
        wears=wears,
        is_exact=True,
    )


def _find_limits(posed: PosedVideo) -> _Array:
    """Return how far (F, B) each body may go from the frame before, by its own speed there."""
    limits = np.full(
        (len(posed.tracks), len(posed.course.names)), LIMITS.track_speed[0] / posed.tracks.fps
    )
    lawful = np.nan_to_num(posed.course.poses[posed.aligned.positions])
    far = measure_poses(lawful[1:], lawful[:-1], posed.course.boxes)
    far[posed.aligned.leaps[1:]] = 0.0
    reach = max(1, round(LIMITS.track_speed[1] * posed.tracks.fps))
    for shift in range(-reach, reach + 1):
        here = slice(max(0, shift), len(limits) - 1 + min(0, shift))
        there = slice(max(0, -shift), len(limits) - 1 + min(0, -shift))
        limits[1:][here] = np.maximum(limits[1:][here], far[there])
    return LIMITS.haste * limits


def _split_scales(poses: _Array) -> tuple[_Array, _Array]:
    """Return rigid poses (F, K, 4, 4), and by how much (F, K, 3) their axes are longer."""
    turns, rigid = poses[..., :3, :3], poses.copy()
    scales = np.ones(poses.shape[:-2] + (3,))
    odd = np.abs(np.swapaxes(turns, -1, -2) @ turns - np.eye(3)).max(axis=(-2, -1)) > 1e-6
    odd |= np.linalg.det(turns) < 0.0
    if odd.any():
        left, sizes, right = np.linalg.svd(turns[odd])
        mirrored = np.linalg.det(left @ right) < 0.0
        sizes[mirrored, 2] *= -1.0
        left[mirrored, :, 2] *= -1.0
        scales[odd] = sizes
        rigid[odd, :3, :3] = left @ right
    return rigid, scales


def _draw_near(poses: _Array, lawful: _Array, boxes: _Array, tracks: Tracks) -> _Array:
    """Return poses as near to lawful ones as is not excluded by how well they are known."""
    if not (tracks.across.any() or tracks.along.any()):
        return poses
    away = ((poses - lawful) @ boxes)[..., :3, 3]
    along = (away * tracks.sight).sum(axis=-1)
    across = away - along[..., None] * tracks.sight
    far = np.linalg.norm(across, axis=-1)
    share = np.maximum(0.0, 1.0 - LIMITS.sure * tracks.across / np.maximum(far, 1e-9))
    left = np.sign(along) * np.maximum(0.0, np.abs(along) - LIMITS.sure * tracks.along)
    near = poses.copy()
    near[..., :3, 3] += share[..., None] * across + left[..., None] * tracks.sight - away
    return near


def _list_changes(posed: PosedVideo) -> tuple[tuple[BodyChange, ...], ...]:
    """Return what is wrong with pieces in each frame, the first thing of each."""
    tracks, course = posed.tracks, posed.course
    lawful = course.poses[posed.aligned.positions][:, posed.bodies]
    there = np.isfinite(lawful).all(axis=(2, 3))
    whole = there & tracks.decided & (tracks.apart < LIMITS.split)
    turns = measure_turns(posed.poses[..., :3, :3], np.nan_to_num(lawful)[..., :3, :3])
    masks = {
        ChangeKind.ABSENT: there & (tracks.presence == Presence.ABSENT),
        ChangeKind.RESIZED: whole & (np.abs(posed.scales - 1.0).max(axis=2) > LIMITS.scale),
        ChangeKind.RECOLORED: whole
        & ((tracks.wears != np.arange(len(posed.bodies))) | (tracks.fit < LIMITS.track_shares[0])),
        ChangeKind.MOVED: whole & ((posed.off > LIMITS.track_off) | (turns > LIMITS.track_turn)),
        ChangeKind.DOUBLED: whole & (tracks.spare > LIMITS.track_shares[1]),
    }
    return _make_changes(posed, masks)


def _make_changes(
    posed: PosedVideo, masks: Mapping[ChangeKind, NDArray[np.bool_]]
) -> tuple[tuple[BodyChange, ...], ...]:
    spare = posed.tracks.spare
    found: list[dict[int, BodyChange]] = [{} for _ in range(len(spare))]
    for kind, mask in masks.items():
        for frame, place in np.argwhere(mask).tolist():
            body = int(posed.bodies[place])
            gain = float(spare[frame, place]) if kind is ChangeKind.DOUBLED else 1.0
            scale = posed.scales[frame, place]
            change = BodyChange(kind, body, posed.poses[frame, place], gain, scale)
            found[frame].setdefault(body, change)
    return tuple(tuple(changes.values()) for changes in found)

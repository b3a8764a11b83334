"""Tracking a whole video."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.subject import has_surroundings
from bridge.video.verdict.tracks import BY_PIECE, Tracks
from bridge.compare.roaming.tracker import RoamingTracker
from bridge.compare.tracking.trackable import (
    TrackError,
    first_scene,
    is_painted,
    why_untrackable,
)
from bridge.compare.tracking.tracker import Sighting, Tracker
from bridge.compare.turning.tracker import TurningTracker
from bridge.video.reference.bundle import Bundle
from bridge.video.tracking.footage import Footage

__all__ = ["AnyTracker", "track", "tracker_of"]

AnyTracker = Tracker | TurningTracker | RoamingTracker
"""What follows pieces, each in its way."""

_NO_LABELS = np.zeros((0, 0), np.int16)


def tracker_of(bundle: Bundle, density: float) -> AnyTracker:
    """What follows the pieces of a bundle, by their colours or by what sticks on them.

    In surroundings that do not move it is by colours, and by what the rules allow.

    Args:
        density: pixels to a unit that the video has.

    Raises:
        TrackError: they can't be told apart.
    """
    if reason := why_untrackable(bundle):
        raise TrackError(f"{bundle.path}: pieces can't be tracked: {reason}")
    scene = first_scene(bundle)
    if has_surroundings(scene):
        return RoamingTracker(bundle, density)
    painted = is_painted(scene)
    return TurningTracker(bundle, density) if painted else Tracker(bundle, density)


def track(
    bundle: Bundle,
    footage: Footage,
    *,
    progress: Callable[[int, int], None] | None = None,
    listener: Callable[[int, Sighting, NDArray[np.float32]], None] | None = None,
) -> Tracks:
    """Track the pieces of a bundle through a video, which is read once and not kept.

    Args:
        progress: is told of frames done and of all.
        listener: is told of each frame's number, of what was found, and of the picture as it came.

    Raises:
        TrackError: the pieces can't be told apart.
        FootageError: the video breaks off.
    """
    density = bundle.manifest.pixels_per_unit * footage.crop[2] / bundle.camera.width
    tracker, found = tracker_of(bundle, density), []
    for number, picture in enumerate(footage.pictures(*tracker.size)):
        seen = tracker.look(picture)
        if listener is not None:
            listener(number, seen, picture)
        found.append(replace(seen, labels=_NO_LABELS))
        if progress is not None:
            progress(number + 1, footage.frames)
    tracks = _tracks(tracker.names, footage.fps, found)
    return replace(tracks, deeds=tracker.deeds) if isinstance(tracker, RoamingTracker) else tracks


def _tracks(names: tuple[str, ...], fps: float, found: list[Sighting]) -> Tracks:
    arrays: dict[str, NDArray[Any]] = {
        name: np.stack([getattr(seen, name) for seen in found]) for name in BY_PIECE
    }
    background = np.array([seen.background for seen in found])
    return Tracks(names, fps, background=background, deeds=None, **arrays)

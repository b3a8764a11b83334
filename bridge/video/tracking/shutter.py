"""Open shutters: films as a camera sees them whose frames take their time."""

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import BLUR, TrueFilm
from bridge.video.reference.look import Look
from bridge.video.reference.pictures import PackedPictures
from bridge.video.thresholds import LIMITS

__all__ = ["Shutter", "open_shutter"]

_Picture = NDArray[np.uint8]


class Shutter(NamedTuple):
    """Time in which a shutter is open.

    Attributes:
        opens, closes: when, from the time of a frame, in frames.
        moments: in it whose mean is shown: 2 for frames that are mixed with the next ones.
        fading: share of each moment's weight that the one before has: 1 for a shutter.
    """

    opens: float
    closes: float
    moments: int = LIMITS.shutter_moments
    fading: float = 1.0

    def scale(self, ratio: float) -> "Shutter":
        """Return it in other frames, of which each of its own has so many."""
        return self._replace(opens=ratio * self.opens, closes=ratio * self.closes)


def open_shutter(
    film: TrueFilm, look: Look, shutter: Shutter, places: NDArray[np.int64]
) -> TrueFilm:
    """Return a film in which all that moves is smeared.

    Args:
        shutter: in frames of the film.
        places: the pictures that are changed.
    """
    changed = {*places.tolist()}
    pictures = PackedPictures(
        _smear(film, look, shutter, place) if place in changed else picture
        for place, picture in enumerate(film.pictures)
    )
    return replace(film, pictures=pictures)


def _smear(film: TrueFilm, look: Look, shutter: Shutter, place: int) -> _Picture:
    frame = int(film.frames[place])
    still = _draw(film, look, float(frame)).astype(np.float32)
    moments = frame + np.linspace(shutter.opens, shutter.closes, shutter.moments)
    weights = shutter.fading ** np.arange(shutter.moments)[::-1]
    mean = np.average([_draw(film, look, m) for m in moments.tolist()], axis=0, weights=weights)
    smeared = film.pictures[place] + cv2.GaussianBlur(mean - still, (0, 0), BLUR)
    return np.asarray(np.clip(smeared + 0.5, 0.0, 255.0), np.uint8)


def _draw(film: TrueFilm, look: Look, moment: float) -> _Picture:
    """Draw all bodies at a moment, in frames, that may be between two."""
    poses = film.bundle.poses
    moment = min(max(moment, 0.0), len(poses) - 1.0)
    low = int(moment)
    later = moment - low
    both = (1.0 - later) * poses[low] + later * poses[min(low + 1, len(poses) - 1)]
    there = np.flatnonzero(look.drawn & np.isfinite(both).all(axis=(1, 2)))
    picture = look.background.bright.astype(np.uint8)
    look.light(look.draw(there, both[there]), picture)
    return picture

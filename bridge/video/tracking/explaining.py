"""Explanation of a video: by a lawful film, and where that fails by changes of single bodies."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.reference.look import Look
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.changes import BodyChange, ChangeFinder, ChangeKind
from bridge.video.tracking.course import find_departure
from bridge.video.tracking.following import FollowedVideo, follow_film
from bridge.video.tracking.forks import follow_rules
from bridge.video.tracking.preparation import PreparedVideo

__all__ = ["ExplainedVideo", "explain_video"]

_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedVideo:
    """A video, explained frame by frame.

    Attributes:
        prepared: the video, aligned with the film.
        flagged: (F, B + 1) whether the film leaves clearly more of the background, and of each
            body, unexplained than is usual.
        changes: of each frame.
        left: (F, B + 1) the same as ``flagged`` after these changes.
        unexplained, area: (F, B + 1) pixels of the background and of each body that the film leaves
            unexplained, and all that show them.
        relief: (F,) share of the unexplained pixels that these changes explain.
        regions: (F,) pixels of the largest part of the background, or of bodies that never move,
            that the film does not explain, where changes leave it flagged and it looks as in the
            film.
        strange: (F,) how many of them have a colour of no body, and are no shadow.
        lost: frame from which on no changes are looked for, as hardly anything is known of bodies;
            None for none.
    """

    prepared: PreparedVideo
    flagged: NDArray[np.bool_]
    changes: tuple[tuple[BodyChange, ...], ...]
    left: NDArray[np.bool_]
    unexplained: _Array
    area: _Array
    relief: _Array
    regions: _Array
    strange: _Array
    lost: int | None

    @property
    def look(self) -> Look:
        """The look of bodies in it."""
        return self.prepared.look

    @property
    def unclear(self) -> NDArray[np.bool_]:
        """(F,) frames that the film does not explain, or in which nothing is seen."""
        return np.asarray(self.flagged.any(axis=1) | self.prepared.is_blind)

    @property
    def unlike(self) -> NDArray[np.bool_]:
        """(F,) the same, but for other colours of bodies where the look is not the film's.

        Sides that were hidden at first may be lighter or darker than thought.
        """
        if self.prepared.caution == 1.0:
            return self.unclear
        recolored = [
            bool(found) and all(one.kind is ChangeKind.RECOLORED for one in found)
            for found in self.changes
        ]
        return self.unclear & ~(np.array(recolored) & ~self.left.any(axis=1))


def explain_video(prepared: PreparedVideo) -> ExplainedVideo:
    """Explain a video as well as can be done."""
    followed = _follow(prepared)
    # The look of what the film never shows may be otherwise than thought.
    is_branch = followed.prepared is not prepared
    caution = max(prepared.caution, LIMITS.caution) if is_branch else prepared.caution
    prepared, flagged, left = followed.prepared, followed.flagged, followed.left
    area = followed.area
    changes: list[tuple[BodyChange, ...]] = [()] * len(prepared)
    still, (relief, regions, strange) = flagged.copy(), np.zeros((3, len(prepared)))
    fixed = [0, *(1 + prepared.look.fixtures)]
    wrong = set(_bridge(np.asarray(flagged.any(axis=1))))
    finder = ChangeFinder(followed.composer, caution)
    before: tuple[BodyChange, ...] = ()
    lost: int | None = None
    for k, (picture, _) in enumerate(prepared.read_pictures() if wrong else ()):
        if k not in wrong:
            before = ()
            continue
        position = int(prepared.aligned.positions[k])
        if _is_unknown(prepared.film, position, area[k]):
            lost = k
            break
        found = finder.find(picture, position, before, partial(followed.is_explained, k))
        changes[k] = before = found.changes
        still[k] = followed.flag_frame(k, found.left)
        relief[k] = 1.0 - found.left.sum() / max(1.0, left[k].sum())
        # In another look or light the ground may look otherwise, too.
        if still[k, fixed].any() and caution == 1.0:
            regions[k], strange[k] = finder.measure_region(position)
    return ExplainedVideo(
        prepared, flagged, tuple(changes), still, left, area, relief, regions, strange, lost
    )


def _follow(prepared: PreparedVideo) -> FollowedVideo:
    """Return a video, followed as far as the film explains it, and then as the rules allow.

    Where nearly all that is seen moves, it looks as if the camera did. So a steady one is tried
    where a moved one does not explain all, and believed if a lawful branch explains more then.
    """
    followed = follow_rules(follow_film(prepared))
    if prepared.steady is None or not followed.flagged.any():
        return followed
    branch = follow_rules(follow_film(prepared.steady))
    is_later = find_departure(branch.flagged) > find_departure(followed.flagged)
    is_branch = branch.prepared is not prepared.steady
    is_less = branch.left.sum() < followed.left.sum()
    return branch if is_branch and is_later and is_less else followed


def _is_unknown(film: TrueFilm, position: int, area: _Array) -> bool:
    """Return whether hardly anything is known of the look of bodies at a position.

    They may seem to be anywhere then, and may be elsewhere from then on.

    Args:
        area: (B + 1,) pixels that show the background and each body.
    """
    bodies = float(area[1:].sum())
    return bodies - film.count_unknown(position) < LIMITS.least_known * bodies


def _bridge(wrong: NDArray[np.bool_]) -> Iterator[int]:
    """Yield the frames that are wrong, and those few between them that are not."""
    last = -LIMITS.bridged_frames - 2
    for k in np.flatnonzero(wrong).tolist():
        yield from range(last + 1 if k - last <= LIMITS.bridged_frames + 1 else k, k + 1)
        last = k

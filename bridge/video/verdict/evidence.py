"""Evidence by which a video is judged, whether it is of pictures or of tracks."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.video.thresholds import LIMITS
from bridge.video.tracking.alignment import AlignedFrames
from bridge.video.tracking.changes import BodyChange
from bridge.video.tracking.course import Course
from bridge.video.tracking.explaining import ExplainedVideo

__all__ = ["Evidence"]

_Array = NDArray[np.float64]
_Index = NDArray[np.int64]
_Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """A video as it was explained: by a lawful course, and by changes of single bodies.

    Attributes:
        course: what is lawful.
        aligned: where in it each frame is.
        fps: frames a second.
        pieces: bodies that may change.
        solid: bodies in which no other one may be.
        changes: of each frame.
        flagged: (F, B + 1) whether the course leaves the ground, and each body, unexplained.
        relief: (F,) share of what is unexplained that the changes explain.
        unclear: (F,) frames that can't be judged, unless something in them is broken.
        is_otherwise: (F,) whether so much is unexplained as another scene would leave.
        ground: (F,) share of the picture that nothing explains, where the ground has changed.
        regions: (F,) pixels of the largest part of the ground, in one piece, that no piece
            explains; 0 where the ground may look otherwise.
        strange: (F,) how many of them have a colour of no piece, and are no shadow.
        limits: (F, B) units that a body may go from the frame before.
        spare: units by which the poses of changes may be off.
        zooms: (F,) how much larger all is.
        rolls: (F,) radians by which all is turned.
        measure_unit: returns the length of a unit at a place, in edges of the squares that gains
            are counted in.
        unexplained: (F, B + 1) pixels of the ground, and of each body, that the course leaves
            unexplained; None where there are no pictures.
        wears: (F, B) the body whose colours each has; None where the colours of changes tell.
        is_exact: whether changes of one body say nothing of those of others.
        is_large: whether its pictures are large enough to be judged.
        is_relit: whether the look or the light of the video is not the film's.
        lost: frame from which on hardly anything is known of bodies; None for none.
    """

    course: Course
    aligned: AlignedFrames
    fps: float
    pieces: _Index
    solid: _Index
    changes: tuple[tuple[BodyChange, ...], ...]
    flagged: _Mask
    relief: _Array
    unclear: _Mask
    is_otherwise: _Mask
    ground: _Array
    regions: _Array
    strange: _Array
    limits: _Array
    spare: float
    zooms: _Array
    rolls: _Array
    measure_unit: Callable[[_Array], float]
    unexplained: _Array | None = None
    wears: _Index | None = None
    is_exact: bool = False
    is_large: bool = True
    is_relit: bool = False
    lost: int | None = None

    def __len__(self) -> int:
        return len(self.aligned.positions)

    @staticmethod
    def of_pictures(explained: ExplainedVideo) -> "Evidence":
        """Return that of a video that was explained by its pictures."""
        prepared, look = explained.prepared, explained.look
        film = prepared.film
        first = np.nan_to_num(film.find_poses(int(prepared.aligned.positions[0])))
        drawing = look.draw(look.pieces, first[look.pieces])
        share = prepared.unexplained / float(np.prod(look.size))
        least = LIMITS.ground_share * prepared.caution
        top = film.top_speed * film.bundle.manifest.fps / prepared.fps
        return Evidence(
            course=Course.of_film(film),
            aligned=prepared.aligned,
            fps=prepared.fps,
            pieces=look.pieces,
            solid=np.flatnonzero(look.drawn),
            changes=explained.changes,
            flagged=explained.flagged,
            relief=explained.relief,
            unclear=explained.unclear,
            is_otherwise=prepared.unexplained > 0.5 * float((drawing.depth > 0.0).sum()),
            ground=np.where(explained.left[:, 0] & (share > least), share, 0.0),
            regions=explained.regions,
            strange=explained.strange,
            limits=np.full(
                (len(prepared), len(look.names)), LIMITS.pose_error + LIMITS.haste * top
            ),
            spare=LIMITS.pose_error,
            zooms=prepared.zooms,
            rolls=prepared.rolls,
            measure_unit=look.lens.measure_unit,
            unexplained=explained.unexplained,
            is_large=prepared.is_large,
            is_relit=prepared.caution > 1.0,
            lost=explained.lost,
        )

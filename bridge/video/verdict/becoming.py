"""Pieces that become others: by their colours, or as one is gone and there is more of another one.

Where a piece keeps its place and shape, a tracker says whose colours it has. Elsewhere it says that
a piece is gone, or looks like no piece, and that there is too much of another; the two together
are one thing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.tracks import Tracks
from bridge.video.verdict.violations import Thresholds, Violation, ViolationKind, stretches

__all__ = ["as_one", "exchanged", "repainted"]

_GONE = (ViolationKind.PERMANENCE, ViolationKind.RIGIDITY, ViolationKind.SPLIT)
_MORE = (ViolationKind.EXTRA, ViolationKind.SPLIT)
_SAME_TIME = 3
"""Frames within which it has to begin."""


def repainted(tracks: Tracks, least: Thresholds) -> list[Violation]:
    """Pieces with the colours of others."""
    found: list[Violation] = []
    for piece, colour in np.argwhere(_worn(tracks)).tolist():
        for first, last in stretches(tracks.wears[:, piece] == colour, least.frames):
            names = (tracks.names[piece], tracks.names[colour])
            way = np.subtract(*tracks.poses[first, [piece, colour], :3, 3])
            size = float(np.linalg.norm(way))
            found.append(Violation(ViolationKind.MERGE, first, last, names, size))
    return found


def exchanged(found: Sequence[Violation]) -> list[Violation]:
    """The violations, with a swap where each of two pieces becomes the other.

    Of one of them it may be its colours that tell, and of the other one that it is gone and there
    is more of the first.
    """
    left: list[Violation] = []
    for one in found:
        back = next((v for v in left if _is_back(v, one)), None)
        if back is None:
            left.append(one)
        else:
            size = max(back.magnitude, one.magnitude)
            left[left.index(back)] = replace(back, kind=ViolationKind.SWAP, magnitude=size)
    return left


def _is_back(one: Violation, other: Violation) -> bool:
    both = one.kind is other.kind is ViolationKind.MERGE
    return both and one.pieces == other.pieces[::-1] and _together(one, other)


def _worn(tracks: Tracks) -> NDArray[np.bool_]:
    """(P, P) whether a piece ever has the colours of another one."""
    pieces = np.arange(len(tracks.names))
    worn = (tracks.wears[..., None] == pieces).any(axis=0)
    others: NDArray[np.bool_] = worn & (pieces[:, None] != pieces)
    return others


def as_one(found: Sequence[Violation]) -> list[Violation]:
    """The violations, with swaps and merges in place of what they consist of."""
    left = list(found)
    made = [*_swaps(left)]
    made += _merges(left)
    return [*left, *made]


def _swaps(left: list[Violation]) -> Iterator[Violation]:
    """Two pieces, both gone from where they were, and both too much elsewhere."""
    for one in [v for v in left if v.kind in _GONE]:
        for other in [v for v in left if v.kind in _GONE]:
            if one.pieces >= other.pieces or not _together(one, other):
                continue
            parts = [one, other, *_more_of(left, one, one), *_more_of(left, other, one)]
            if {v.pieces[0] for v in parts if v.kind in _MORE} == {one.pieces[0], other.pieces[0]}:
                _take(left, parts)
                names = (one.pieces[0], other.pieces[0])
                yield replace(one, kind=ViolationKind.SWAP, pieces=names, magnitude=1.0)


def _merges(left: list[Violation]) -> Iterator[Violation]:
    """A piece that is gone, and one of which there is more from then on."""
    for gone in [v for v in left if v.kind in _GONE[:2]]:
        more = [
            v for v in left if v.kind in _MORE and v.pieces != gone.pieces and _together(v, gone)
        ]
        if more and gone in left:
            most = max(more, key=lambda v: v.magnitude)
            _take(left, [gone, most])
            names = (gone.pieces[0], most.pieces[0])
            yield replace(gone, kind=ViolationKind.MERGE, pieces=names, magnitude=most.magnitude)


def _more_of(left: Sequence[Violation], piece: Violation, when: Violation) -> list[Violation]:
    return [v for v in left if v.kind in _MORE and v.pieces == piece.pieces and _together(v, when)]


def _together(one: Violation, other: Violation) -> bool:
    return abs(one.first - other.first) <= _SAME_TIME


def _take(left: list[Violation], parts: Sequence[Violation]) -> None:
    for part in parts:
        if part in left:
            left.remove(part)

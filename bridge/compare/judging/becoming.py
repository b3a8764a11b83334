"""Pieces that become others: one is gone, and there is more of another one where it was.

What a tracker says of colours that change is that a piece is gone, or looks like no piece, and that
there is too much of another. The two together are one thing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bridge.compare.judging.violations import Violation, ViolationKind

__all__ = ["as_one"]

_GONE = (ViolationKind.PERMANENCE, ViolationKind.RIGIDITY, ViolationKind.SPLIT)
_MORE = (ViolationKind.EXTRA, ViolationKind.SPLIT)
_SAME_TIME = 3
"""Frames within which it has to begin."""


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

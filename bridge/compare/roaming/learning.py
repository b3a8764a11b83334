"""What a true film tells of how its pieces, and the place in which they are, look."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.compare.roaming.signs import SignReader
from bridge.compare.roaming.surroundings import Plates, StagedPieces
from bridge.compare.tracking.colours import learn_looks
from bridge.compare.turning.board import PaintedLooks
from bridge.video.reference.bundle import Bundle

__all__ = ["Learned", "learned_from"]

_Array = NDArray[np.float64]
_Picture = NDArray[np.float32]

_EVENLY = 24
"""Frames that are looked at, besides those in which steps are over."""
_TOLD = 6
"""Of these, as many tell what pieces look like."""
_FEWEST = 30
"""Pixels that tell how bright the sides along an axis are."""


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """How all looks.

    Attributes:
        looks: of the pieces.
        plates: of what is behind them.
        bright: (3,) how bright sides along each axis are, beside their paint.
        signs: what reads the signs on that.
    """

    looks: PaintedLooks
    plates: Plates
    bright: NDArray[np.float64]
    signs: SignReader


def learned_from(bundle: Bundle, board: StagedPieces, names: tuple[str, ...]) -> Learned:
    """Look through a bundle's film, which is read once."""
    pick = [bundle.names.index(name) for name in names]
    plates, taken = Plates(board.size), []
    wanted = _chosen(bundle)
    for number, picture in enumerate(bundle.frames()):
        if number in wanted:
            size = (board.size[1], board.size[0])
            small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
            poses = np.ascontiguousarray(bundle.poses[number, pick])
            there = np.isfinite(poses[:, 0, 0])
            labels = board.draw(np.nan_to_num(poses), there)[1]
            plates.learn(small, labels)
            taken.append((small, labels))
    plates.learned()
    pictures, labels = (np.concatenate(part) for part in zip(*taken[:: _every(taken)], strict=True))
    found = learn_looks(pictures, board.by_paint(labels), board.paints)
    looks = PaintedLooks(found.sides, np.maximum(found.spread, np.float32(20.0)), plates.usual)
    bright = _brightness(bundle, board, plates.usual)
    return Learned(looks, plates, bright, SignReader(board, bright))


def _every(taken: list[tuple[_Picture, NDArray[np.int16]]]) -> int:
    return max(1, len(taken) // _TOLD)


def _chosen(bundle: Bundle) -> set[int]:
    last = bundle.manifest.frames - 1
    even = np.linspace(0, last, min(_EVENLY, last + 1)).round().astype(int).tolist()
    return {*even, *(step.last_frame for step in bundle.manifest.steps)}


def _brightness(bundle: Bundle, board: StagedPieces, picture: _Picture) -> _Array:
    """(3,) how bright sides along each axis are, beside their paint."""
    terrain = board.terrain
    paints = np.array([bundle.manifest.palette[name] for name in terrain.solid], np.float64)
    bright = np.full(3, np.nan)
    for axis in range(3):
        there = terrain.labels == axis
        if there.sum() >= _FEWEST:
            own = paints[terrain.owners[there]].sum(axis=1)
            bright[axis] = np.median(picture[there].sum(axis=1) / np.maximum(own, 1.0))
    usual = np.nanmedian(bright) if np.isfinite(bright).any() else 1.0
    return np.where(np.isfinite(bright), bright, usual)

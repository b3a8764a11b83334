"""Where the camera of a video looks, and what its colours are, by what never moves."""

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.compare.roaming.learning import Learned
from bridge.compare.roaming.surroundings import StagedFrame, StagedPieces
from bridge.compare.tracking.alignment import Drift, aligned, inside, unwarped
from bridge.compare.tracking.colours import match_colours, recoloured

__all__ = ["CameraAim"]

_Array = NDArray[np.float64]
_Picture = NDArray[np.float32]

_SWUNG, _SWAYED = 1.3, 0.002
"""By how much worse what never moves has to look before the camera is looked after."""
_AROUND = np.ones((15, 15), np.uint8)
"""Around pieces nothing is known of what is behind them."""


class CameraAim:
    """Straightens pictures, one after the other.

    Args:
        board: the pieces, and what never moves.
        learned: how all looks.
    """

    def __init__(self, board: StagedPieces, learned: Learned) -> None:
        self._board, self._learned = board, learned
        self.drift = Drift.none()
        self._colours: _Array = np.vstack([np.eye(3), np.zeros(3)])
        self._last: _Array | None = None
        self._steady = 0.0
        self.straight: _Picture = np.zeros((*board.size, 3), np.float32)

    def frame(self, picture: _Picture, labels: NDArray[np.int16]) -> StagedFrame:
        """A picture as the true camera would have taken it, in true colours.

        Where the camera looks is looked after if what never moves looks worse than it did then.

        Args:
            labels: (H, W) where pieces were in the picture before.
        """
        far = cv2.dilate((labels >= 0).astype(np.uint8), _AROUND) == 0
        frame = self._frame(picture)
        first = self._last is None
        if first or self._off(frame, far) > _SWUNG * self._steady + _SWAYED:
            self._align(picture, labels, far, first)
            frame = self._frame(picture)
            self._steady = self._off(frame, far)
        return frame

    def _off(self, frame: StagedFrame, far: NDArray[np.bool_]) -> float:
        """What a pixel costs on the average, away from where pieces are."""
        return float(frame.empty[far].mean())

    def _frame(self, picture: _Picture) -> StagedFrame:
        board, learned = self._board, self._learned
        self.straight = recoloured(unwarped(picture, self.drift, board.lens), self._colours)
        shown = inside(board.size, self.drift, board.lens)
        looks, bright = learned.looks, learned.bright
        return StagedFrame(board, looks, learned.plates, bright, self.straight, shown)

    def _align(
        self,
        picture: _Picture,
        labels: NDArray[np.int16],
        known: NDArray[np.bool_],
        first: bool,
    ) -> None:
        board, learned = self._board, self._learned
        paints = learned.looks.expected(labels, np.arange(len(board.middles)))
        groups = self._groups(labels)
        for _ in range(2 if first else 1):
            straight = unwarped(picture, self.drift, board.lens)
            behind = learned.plates.likest(recoloured(straight, self._colours))
            expected = np.where(labels[..., None] >= 0, paints, behind).astype(np.float32)
            self._colours = match_colours(straight, expected, self._last)
            self._last = self._colours
            painted = recoloured(picture, self._colours)
            rounds = 12 if first else 3
            self.drift = aligned(
                painted, expected, known, groups, board.lens, self.drift, rounds=rounds
            )

    def _groups(self, labels: NDArray[np.int16]) -> NDArray[np.int16]:
        """(H, W) labels in which what never moves counts as pieces, too."""
        board, count = self._board, len(self._board.middles)
        behind = np.where(board.terrain.owners >= 0, 4 * (board.terrain.owners + count), -1)
        return np.where(labels >= 0, board.by_piece(labels), behind).astype(np.int16)

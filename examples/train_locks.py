"""A policy that takes locks apart, trained on 1,564 tasks and evaluated on 200 that it never saw.

Needs the extras ``gymnasium``, ``plots`` and ``solve``::

    python examples/train_locks.py --seeds 0 1 2 --out runs/locks

The policy gets what the features of a batch say, no pictures, and remembers what it saw and did in
its episode. See ``actor_critic.py`` for how it learns.
"""

import numpy as np
from actor_critic import Describer, Floats, Legal, Seen, Settings, main
from numpy.typing import NDArray

import luban

__all__ = ["LockDescriber"]

PIECES, PART, DISTANCES = 6, 6, 5
"""Most pieces, features of each, and lengths of pushes: 1 to 4 and out."""


class LockDescriber(Describer):
    """Pushes of locks in the size class ``six``."""

    family = "burr"
    size = 28

    def __init__(self, rows: int) -> None:
        self._sizes = luban.find_space("burr").actions.sizes
        self._homes = np.zeros((rows, PIECES, 3), np.int64)
        self._last = np.full((rows, 2), -1, np.int64)

    def begin(self, rows: NDArray[np.int64], seen: Seen) -> None:
        """See :class:`Describer`."""
        self._homes[rows] = split_pieces(seen)[:, :, 3:]

    def describe(self, seen: Seen, legal: Legal) -> Floats:
        """See :class:`Describer`."""
        pieces, (rows, numbers, counts) = split_pieces(seen), legal
        direction, piece, distance = np.unravel_index(numbers, tuple(self._sizes.values()))
        axis, sign = direction // 2, 1 - 2 * (direction % 2)
        held, bench = pieces[:, :, 0] == 1, pieces[:, :, 1]
        group = held[rows] & (bench[rows] == bench[rows, piece][:, None])
        corners = np.take_along_axis(pieces[rows, :, 3:], axis[:, None, None], axis=2)[:, :, 0]
        own = corners[np.arange(len(rows)), piece]
        middle = (corners * group).sum(axis=1) / np.maximum(group.sum(axis=1), 1)
        ahead = np.where(group, sign[:, None] * (corners - own[:, None]), -99).max(axis=1)
        moved = np.where(held[:, :, None], pieces[:, :, 3:] - self._homes, 0)
        along = sign * moved[rows, piece, axis]
        cells = np.unpackbits(seen[:, PIECES * PART + 4 :], axis=1).reshape(len(seen), PIECES, -1)
        weights = cells.sum(axis=2)
        keys = (piece, direction, direction * PIECES + piece)
        alike = [count_alike(legal, one) / counts[rows] for one in keys]
        columns = [
            *(distance == k for k in range(DISTANCES)),
            *(direction == k for k in range(6)),
            sign * (own - middle) / 4,
            ahead / 4,
            along / 4,
            along < 0,
            np.abs(moved[rows, piece]).sum(axis=1) / 8,
            (np.abs(moved).sum(axis=2) > 0).sum(axis=1)[rows] / PIECES,
            np.abs(moved).sum(axis=(1, 2))[rows] / 20,
            group.sum(axis=1) / PIECES,
            held.sum(axis=1)[rows] / PIECES,
            (pieces[:, :, 0] == 2).sum(axis=1)[rows] / PIECES,
            weights[rows, piece] / weights.sum(axis=1)[rows] * 3,
            seen[rows, PIECES * PART + 3],
            *alike,
            alike[0] == 1,
            moved[rows, piece].any(axis=1),
        ]
        return np.stack(columns, axis=1).astype(np.float32)


def split_pieces(seen: Seen) -> NDArray[np.int64]:
    """(n, pieces, 6) state, bench, rotation and corner of each piece."""
    return seen[:, : PIECES * PART].reshape(len(seen), PIECES, PART).astype(np.int64)


def count_alike(legal: Legal, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """(m,) how many legal actions of the same row have the same key, which is below 64."""
    both = legal.rows * 64 + keys
    found: NDArray[np.int64] = np.bincount(both)[both]
    return found


if __name__ == "__main__":
    main(LockDescriber, Settings(), "Locks taken apart")

"""Tables of the optimal search."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Tables"]


class Tables(NamedTuple):
    """Everything that the search reads.

    Attributes:
        costs: (18,) what each move costs.
        follows: (7,) the moves worth trying after a move of each face (6: at the start), as bits.
        changes: (3, 18) whether a move changes the inverse's distance along each axis.
        spared: (3, 3) the moves that need not be left out, as bits, if along an axis (columns) so
            much more may be spent than the inverse needs: nothing, 1, or more.
        flip, place, twist, permutation: (n, 18) coordinates after a move.
        place_slice: (n,) the slice of each place.
        axis_moves: (3, 18) each move as seen along each axis.
        seen_twist: (2187, 16) twists as seen through symmetries.
        seen_place: (n, 16) kinds of places as seen.
        corner_moves, edge_moves: (18, 24) where a move takes a cubie: a corner from and to the
            states ``3 * slot + twist``, an edge ``2 * slot + flip``.
        inverse_words: (20, 24, 3) what a cubie in a state adds to the words of the inverse, one for
            each axis: twist, flip, and what the ranks below take.
        edge_ranks, corner_ranks: the place, in two parts: see :class:`~.places.PlaceTables`.
        edges: packed distances.
        edge_where: their classes and symmetries, for each flip and slice.
        nearest: the small table's packed distances.
        corners, corner_where: the same of the corners.
        shift, low, bits, mask: how ``edges`` is packed: the logarithm of the entries in a byte and
            their number less 1, the logarithm of an entry's bits, and its mask.
        row: the entries in a row of it.
        near: up to which distance ``nearest`` is asked; -1 if it is not.
        codes: (16,) the distance that an entry stands for.
        enough: along how many axes a state must need all that is left to be farther: all three if
            the last move always leaves one of the subgroups, else more than there are.
    """

    costs: NDArray[np.int64]
    follows: NDArray[np.int64]
    changes: NDArray[np.bool_]
    spared: NDArray[np.int64]
    flip: NDArray[np.uint16]
    place: NDArray[np.uint16]
    place_slice: NDArray[np.uint16]
    twist: NDArray[np.uint16]
    permutation: NDArray[np.uint16]
    axis_moves: NDArray[np.int64]
    seen_twist: NDArray[np.uint16]
    seen_place: NDArray[np.uint8]
    corner_moves: NDArray[np.uint8]
    edge_moves: NDArray[np.uint8]
    inverse_words: NDArray[np.int64]
    edge_ranks: NDArray[np.int64]
    corner_ranks: NDArray[np.int64]
    edges: NDArray[np.uint8]
    edge_where: NDArray[np.uint32]
    nearest: NDArray[np.uint8]
    corners: NDArray[np.uint8]
    corner_where: NDArray[np.uint32]
    codes: NDArray[np.uint8]
    enough: int
    shift: int
    low: int
    bits: int
    mask: int
    row: int
    near: int

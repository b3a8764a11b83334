"""Lookup of distances by the optimal search in its :class:`~.tables.Tables`.

A number of flip and slice leads to a class of :mod:`.building` and a symmetry; the class's row
holds an entry for each kind of place and each twist, as seen through the symmetry. In the small
table an entry is a distance. In larger ones (:mod:`.table_builder`) it is cut off; where they don't
tell states near home apart, the small one is asked too.
"""

import numpy as np

from pysim.families.rubik.solver.coordinates import SLICES, TWISTS
from pysim.kernels import kernel

__all__ = ["look_up", "look_up_corners"]


@kernel(nogil=True)
def look_up(t, b, count):  # type: ignore[no-untyped-def]
    """Write to ``b.far`` how far the flips, places and twists there are; ``b.need`` may be spent.

    Short loops, so that many looks into memory overlap; unsigned numbers are quicker indices.
    """
    flips, kinds, twists, wheres, entries = b.flip, b.place, b.twist, b.where, b.entry
    edge_where, place_slice, seen_place = t.edge_where, t.place_slice, t.seen_place
    seen_twist, edges, codes, far, need = t.seen_twist, t.edges, t.codes, b.far, b.need
    shift, low, bits, mask = (
        np.uint64(t.shift),
        np.uint64(t.low),
        np.uint64(t.bits),
        np.uint64(t.mask),
    )
    size, row, near = np.uint64(TWISTS), np.uint64(t.row), t.near
    for k in range(count):
        where = edge_where[flips[k] * np.uint32(SLICES) + place_slice[kinds[k]]]
        seen = where & np.uint32(15)
        turned = np.uint64(seen_twist[twists[k], seen])
        kind = np.uint64(seen_place[kinds[k], seen])
        wheres[k] = where
        entries[k] = np.uint64(where >> np.uint32(4)) * row + kind * size + turned
    for k in range(count):
        entry = entries[k]
        far[k] = codes[np.uint64(edges[entry >> shift]) >> ((entry & low) << bits) & mask]
    if near < 0:
        return
    nearest = t.nearest
    for k in range(count):
        if far[k] == 0 and need[k] <= near:
            where = wheres[k]
            turned = np.uint64(seen_twist[twists[k], where & np.uint32(15)])
            entry = np.uint64(where >> np.uint32(4)) * size + turned
            byte = np.uint64(nearest[entry >> np.uint64(1)])
            far[k] = byte >> ((entry & np.uint64(1)) << np.uint64(2)) & np.uint64(15)


@kernel(nogil=True)
def look_up_corners(t, b, count):  # type: ignore[no-untyped-def]
    """Write the distances of the corners to ``b.far``, of their permutations (in ``b.flip``)."""
    corner_where, seen_twist, corners, far = t.corner_where, t.seen_twist, t.corners, b.far
    permutations, twists = b.flip, b.twist
    for k in range(count):
        where = corner_where[permutations[k]]
        turned = np.uint64(seen_twist[twists[k], where & np.uint32(15)])
        entry = np.uint64(where >> np.uint32(4)) * np.uint64(TWISTS) + turned
        byte = np.uint64(corners[entry >> np.uint64(1)])
        far[k] = byte >> ((entry & np.uint64(1)) << np.uint64(2)) & np.uint64(15)

"""Measures of the difficulty of a packing puzzle."""

from collections.abc import Sequence
from dataclasses import dataclass

from pysim.families.packing.assembly import find_linear_assembly
from pysim.families.packing.covers import choose_anchor, cover_of
from pysim.families.packing.symmetry import find_least_image, find_stabilizer, list_box_rotations
from pysim.geometry import Cell, Rotation, Voxels
from pysim.search.exact_cover import CoverSearch

__all__ = ["CAP", "MAX_NODES", "Figures", "PackingCount", "count_packings", "measure_figures"]

CAP = 1000
"""Packings that are counted at most."""
MAX_NODES = 1_000_000
"""Rows that a count tries at most: some seconds."""
_COVERS_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Figures:
    """Measured difficulty.

    Attributes:
        search_nodes: rows that the exact cover search tried to count the packings.
        nodes_per_solution: the same for each cover that it came across: what a solver may expect
            to try for one. A search that was cut off without a cover gives all its nodes.
        solutions: packings; those that differ by a turn of the box or by an exchange of equal
            pieces count once.
        complete: whether these are all; else the count ended at ``CAP``, or took too long.
        linear_solutions: how many of them come apart piece by piece, in straight moves towards any
            of the six sides, without regard to gravity.
    """

    search_nodes: int
    nodes_per_solution: int
    solutions: int
    complete: bool
    linear_solutions: int


@dataclass(frozen=True, slots=True)
class PackingCount:
    """Result of a count.

    Attributes:
        packings: the pieces' cells in each.
        covers: how often one was found, turned copies included.
        nodes: rows tried.
        complete: whether there are no more.
    """

    packings: tuple[tuple[int, ...], ...]
    covers: int
    nodes: int
    complete: bool


def measure_figures(size: Cell, shapes: Sequence[Voxels], cap: int = CAP) -> Figures:
    """Measure the puzzle of filling a box with some shapes; the same every time.

    Args:
        cap: most solutions that are counted.
    """
    count = count_packings(size, shapes, cap)
    linear = sum(find_linear_assembly(size, masks) is not None for masks in count.packings)
    share = round(count.nodes / max(1, count.covers))
    return Figures(count.nodes, share, len(count.packings), count.complete, linear)


def count_packings(
    size: Cell, shapes: Sequence[Voxels], cap: int = CAP, max_nodes: int = MAX_NODES
) -> PackingCount:
    """Packings that are unlike even when the box is turned, at most ``cap``."""
    anchor = choose_anchor(size, shapes)
    cover = cover_of(size, shapes, anchor=anchor)
    search = CoverSearch(cover.matrix)
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    covers = nodes = 0
    while not search.exhausted and nodes < max_nodes and len(found) < cap:
        result = search.run(
            max_covers=min(_COVERS_AT_ONCE, cap - len(found)), max_nodes=max_nodes - nodes
        )
        covers, nodes = covers + result.count, nodes + result.nodes
        for chosen in result:
            masks = cover.list_masks(chosen)
            found.setdefault(find_least_image(size, masks, _left(size, masks, anchor)), masks)
    return PackingCount(tuple(found.values()), covers, nodes, search.exhausted)


def _left(size: Cell, masks: tuple[int, ...], anchor: int | None) -> tuple[Rotation, ...]:
    """Return the turns of the box that the choice of the anchor's spots leaves."""
    return list_box_rotations(size) if anchor is None else find_stabilizer(size, masks[anchor])

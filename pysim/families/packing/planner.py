"""Plans: filling the box in an order in which every piece can be brought in and stays."""

from pysim.families.packing.actions import Place
from pysim.families.packing.assembly import Insertion, find_building_order, find_linear_assembly
from pysim.families.packing.box import Packing
from pysim.families.packing.covers import cover_of
from pysim.families.packing.grid import list_cells
from pysim.puzzle import Plan, Proof
from pysim.search.exact_cover import CoverSearch

__all__ = ["plan_of", "plan_packing"]

MAX_NODES = 20_000_000
"""Rows tried before the search for a plan gives up: half a minute."""
_COVERS_AT_ONCE = 64


def plan_packing(packing: Packing) -> Plan | None:
    """One placement for each piece; None if no packing can be built, or none is found in time.

    No plan can be shorter, since an action puts at most one piece into the box. Packings that only
    balance on edges are taken only if there is no other.
    """
    return _search(packing, spare=True) or (
        _search(packing, spare=False) if packing.gravity else None
    )


def plan_of(packing: Packing, masks: tuple[int, ...], order: tuple[Insertion, ...]) -> Plan:
    """Return the plan that brings every piece to its cells in an order."""
    actions = tuple(
        Place(
            packing.pieces[step.piece].colour,
            list_cells(packing.size, masks[step.piece]),
            step.direction,
        )
        for step in order
    )
    return Plan(actions, Proof.OPTIMAL, len(actions))


def _search(packing: Packing, spare: bool) -> Plan | None:
    cover = cover_of(packing.size, [piece.shape for piece in packing.pieces])
    search = CoverSearch(cover.matrix)
    nodes = 0
    while not search.exhausted and nodes < MAX_NODES:
        result = search.run(max_covers=_COVERS_AT_ONCE, max_nodes=MAX_NODES - nodes)
        nodes += result.nodes
        for chosen in result:
            masks = cover.list_masks(chosen)
            order = _order(packing, masks, spare)
            if order is not None:
                return plan_of(packing, masks, order)
    return None


def _order(packing: Packing, masks: tuple[int, ...], spare: bool) -> tuple[Insertion, ...] | None:
    order = find_linear_assembly(packing.size, masks, packing.exits)
    if order is None or not packing.gravity:
        return order
    return find_building_order(packing.size, masks, packing.exits, spare=spare)

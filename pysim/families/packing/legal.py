"""Listing legal actions."""

from collections.abc import Iterator

from pysim.families.packing.actions import PickUp, Place
from pysim.families.packing.box import Packing
from pysim.families.packing.grid import find_way_out, list_cells
from pysim.families.packing.moves import exit_of
from pysim.families.packing.state import PackingState
from pysim.families.packing.support import is_steady
from pysim.puzzle import Action

__all__ = ["list_actions"]


def list_actions(packing: Packing, state: PackingState) -> Iterator[Action]:
    """See :meth:`pysim.families.packing.rules.PackingRules.legal`."""
    for piece, place in enumerate(state.places):
        if place is None:
            yield from _placements(packing, state, piece)
    for piece in state.list_placed():
        spot = state.places[piece]
        assert spot is not None
        without = state.replace_place(piece, None)
        if exit_of(packing, state, spot) is not None and _stays(packing, without.list_masks()):
            yield PickUp(packing.pieces[piece].colour)


def _placements(packing: Packing, state: PackingState, piece: int) -> Iterator[Place]:
    filled, masks = state.filled, state.list_masks()
    for mask in packing.spots[piece]:
        if mask & filled:
            continue
        sides = [s for s in packing.exits if not find_way_out(packing.size, mask, s) & filled]
        if sides and _stays(packing, (*masks, mask)):
            for side in sides:
                yield Place(
                    packing.pieces[piece].colour,
                    list_cells(packing.size, mask),
                    side.opposite,
                )


def _stays(packing: Packing, masks: tuple[int, ...]) -> bool:
    return not packing.gravity or is_steady(packing.size, masks)

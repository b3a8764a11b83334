"""Linear assembly: in which order, and from where, packed pieces can be brought in one by one.

Algorithm 1 of CHAIN (appendix A.5) takes pieces out greedily, one straight move each, and reads the
order backwards. What counts as "can be taken out" is a predicate: the paper's looks one unit ahead
(``may_step``), ours all the way out of the box (``sweep``). With either, greedy removal finds a
sequence whenever there is one. Proof: what stands in a piece's way out of a set of pieces is a set
of cells that only shrinks when pieces are taken away, so whatever can leave a set can leave every
subset that it is in. Suppose that greedy removal gets stuck with a set R, and that there is a
sequence that empties the box. Take the first piece of that sequence that is in R. It left a set
that contains R, so it can leave R: greedy removal was not stuck.

With gravity that is not so, since taking a piece away may let others fall: ``building_order``
searches.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from pysim.families.packing.grid import find_way_out, step
from pysim.families.packing.support import find_falling, is_steady
from pysim.geometry import Cell, Direction

__all__ = [
    "Insertion",
    "Removable",
    "find_building_order",
    "find_linear_assembly",
    "may_step",
    "sweep",
]

Removable = Callable[[Cell, int, int, Direction], bool]
"""Whether cells can be moved out of a box of a size, past other cells, towards a side."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """A piece (its place in the list of pieces), and the direction in which it moves in."""

    piece: int
    direction: Direction


def may_step(size: Cell, mask: int, others: int, side: Direction) -> bool:
    """Return the paper's predicate: moved by one unit, the cells inside the box are free."""
    return not step(size, mask, side) & others


def sweep(size: Cell, mask: int, others: int, side: Direction) -> bool:
    """The whole way out of the box is free."""
    return not find_way_out(size, mask, side) & others


def find_linear_assembly(
    size: Cell,
    masks: Sequence[int],
    sides: Collection[Direction] = tuple(Direction),
    removable: Removable = sweep,
) -> tuple[Insertion, ...] | None:
    """Algorithm 1: an order of insertions without regard to gravity, or None if there is none.

    Args:
        masks: each piece's cells in the box.
        sides: where pieces may leave; the paper takes all six.
    """
    left = dict(enumerate(masks))
    filled = sum(masks)
    removed: list[Insertion] = []
    while left:
        found = next(
            (
                Insertion(i, side.opposite)
                for i, mask in left.items()
                for side in sides
                if removable(size, mask, filled & ~mask, side)
            ),
            None,
        )
        if found is None:
            return None
        removed.append(found)
        filled &= ~left.pop(found.piece)
    return tuple(reversed(removed))


def find_building_order(
    size: Cell, masks: Sequence[int], exits: Sequence[Direction], *, spare: bool = True
) -> tuple[Insertion, ...] | None:
    """Return an order in which every piece can be brought in and everything stays after each step.

    Depth first from the full box, over sets of pieces, none twice: at most 2^n of them.

    Args:
        masks: each piece's cells in the box.
        exits: the open sides.
        spare: whether pieces have to be ``steady``, or just supported.
    """
    stays = is_steady if spare else _supported
    dead: set[int] = set()

    def order_of(left: int) -> tuple[Insertion, ...] | None:
        """Return an order for the pieces whose bits are in ``left``, which stay as they are."""
        if not left:
            return ()
        if left in dead:
            return None
        dead.add(left)
        present = [i for i in range(len(masks)) if left >> i & 1]
        filled = sum(masks[i] for i in present)
        # Pieces that reach up highest first: what lies on others mostly has to go before them.
        for i in sorted(present, key=lambda i: masks[i], reverse=True):
            side = next((s for s in exits if sweep(size, masks[i], filled & ~masks[i], s)), None)
            if side is None or not stays(size, [masks[j] for j in present if j != i]):
                continue
            before = order_of(left & ~(1 << i))
            if before is not None:
                return (*before, Insertion(i, side.opposite))
        return None

    if not stays(size, masks):
        return None
    return order_of((1 << len(masks)) - 1)


def _supported(size: Cell, masks: Sequence[int]) -> bool:
    return not find_falling(size, masks)

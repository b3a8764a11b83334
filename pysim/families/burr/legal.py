"""Listing legal actions."""

from collections.abc import Iterator, Sequence
from itertools import starmap
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.actions import Bring, Slide
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.moves import apply_slide, measure_distances
from pysim.families.burr.state import Held, LockState, Loose
from pysim.field_types import OUT, Steps
from pysim.geometry import Bounds, Direction, Pose, Voxels, list_rotations, subtract
from pysim.puzzle import Action, IllegalMove

if TYPE_CHECKING:
    from pysim.families.burr.solver.exploration import Translation

__all__ = ["find_reached", "find_shaded", "list_actions"]


def list_actions(lock: Lock, state: LockState) -> Iterator[Action]:
    """See :meth:`pysim.families.burr.rules.BurrRules.legal`."""
    for bench in state.list_benches():
        yield from _slides(lock, state, bench)
    if lock.goal is Goal.ASSEMBLE:
        behind = find_shaded(lock, state, lock.bounds)
        for piece, place in enumerate(state.places):
            if isinstance(place, Loose):
                yield from _brings(lock, piece, behind)


# -- slides ---------------------------------------------------------------------------------------


def _slides(lock: Lock, state: LockState, bench: int) -> Iterator[Slide]:
    group = state.group(bench)
    if len(group) == 1:
        yield Slide((lock.pieces[group[0]].colour,), Direction.PLUS_X, OUT)
        return
    seen: set[Slide] = set()
    held = [(i, p.pose) for i in group if isinstance(p := state.places[i], Held)]
    blocks = list(starmap(lock.workspace.measure_piece, held))
    for move, separates in _minimal(lock, held):
        slides = _slides_of(lock, group, move, separates)
        # None of them is allowed if it would leave the workspace; moves of several distances that
        # separate are the same slide out.
        slide = next((s for s in slides if _allowed(lock, state, s, blocks, move)), None)
        if slide is not None and slide not in seen:
            seen.add(slide)
            yield slide


def _minimal(lock: Lock, held: Sequence[tuple[int, Pose]]) -> Iterator[tuple["Translation", bool]]:
    """Yield the least moves of pieces in these poses, and whether each separates them."""
    # Not above: it takes half a second, and most who need the rules need no list of legal actions.
    from pysim.families.burr.solver.exploration import Exploration, index_cells

    cells = [index_cells(pose.place(lock.pieces[i].shape).cells) for i, pose in held]
    yield from Exploration(cells, np.zeros((len(held), 3), np.int32)).list_minimal()


def _slides_of(
    lock: Lock, group: Sequence[int], move: "Translation", separates: bool
) -> Iterator[Slide]:
    """A move as a slide: out if it separates, else or if that is not allowed as far as it goes."""
    colours = tuple(lock.pieces[group[i]].colour for i in sorted(move.moving))
    if separates:
        yield Slide(colours, move.direction, OUT)
    yield Slide(colours, move.direction, Steps(move.units))


def _allowed(
    lock: Lock, state: LockState, slide: Slide, blocks: Sequence[Bounds], move: "Translation"
) -> bool:
    """Return whether a slide is legal that begins with a move which meets nothing.

    Args:
        blocks: around each piece of the group.
    """
    mine = Bounds.cover(block for i, block in enumerate(blocks) if i in move.moving)
    others = Bounds.cover(block for i, block in enumerate(blocks) if i not in move.moving)
    distance, limit = measure_distances(lock, slide, mine, others, len(blocks) - len(move.moving))
    return distance <= limit and (distance <= move.units or _accepted(lock, state, slide))


def _accepted(lock: Lock, state: LockState, slide: Slide) -> bool:
    """Return whether a slide is legal, found by making it; that takes long in a large room."""
    try:
        apply_slide(lock, state, slide)
    except IllegalMove:
        return False
    return True


# -- pieces that are brought in -------------------------------------------------------------------

_DIRECTIONS = tuple(Direction)


def find_shaded(lock: Lock, state: LockState, block: Bounds) -> NDArray[np.bool_]:
    """(X, Y, Z, 6): which cells of a block a cell that comes in does not reach.

    By the direction in which it comes; a held piece on bench 0 is there or on the way.
    """
    held = [
        place.pose.place(piece.shape)
        for piece, place in zip(lock.pieces, state.places, strict=True)
        if isinstance(place, Held) and place.bench == 0
    ]
    whole = Bounds.cover([block, *(shape.bounds for shape in held)])
    filled = np.zeros(whole.size, np.bool_)
    for shape in held:
        filled[tuple((np.array(shape.cells) - whole.low).T)] = True
    low = subtract(block.low, whole.low)
    window = tuple(slice(a, a + n) for a, n in zip(low, block.size, strict=True))
    return np.stack([_shaded(filled, way)[window] for way in _DIRECTIONS], axis=-1)


def _shaded(filled: NDArray[np.bool_], direction: Direction) -> NDArray[np.bool_]:
    """Return the filled cells, and all that lies behind them along ``direction``."""
    axis = direction.axis.number
    if direction.sign > 0:
        return np.logical_or.accumulate(filled, axis)
    return np.flip(np.logical_or.accumulate(np.flip(filled, axis), axis), axis)


def _brings(lock: Lock, piece: int, behind: NDArray[np.bool_]) -> Iterator[Bring]:
    """Yield ways to bring a piece into the block of the target, each shape of it once."""
    colour, low = lock.pieces[piece].colour, lock.bounds.low
    seen: set[Voxels] = set()
    for rotation in list_rotations():
        turned = lock.pieces[piece].shape.rotate(rotation).move_to_origin()
        if turned in seen:
            continue
        seen.add(turned)
        for x, y, z, way in np.argwhere(find_reached(turned, behind)).tolist():
            corner = (low[0] + x, low[1] + y, low[2] + z)
            yield Bring(colour, rotation, corner, _DIRECTIONS[way])


def find_reached(turned: Voxels, behind: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(A, B, C, 6): to which corners in a block a shape can be brought, and how."""
    places = [max(0, n - m + 1) for n, m in zip(behind.shape[:3], turned.bounds.size, strict=True)]
    met = np.zeros((*places, 6), np.bool_)
    if behind.any():
        for cell in turned.cells:
            met |= behind[tuple(slice(a, a + n) for a, n in zip(cell, places, strict=True))]
    return ~met

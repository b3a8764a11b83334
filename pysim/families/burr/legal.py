"""Listing legal actions."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from pysim.families.burr.actions import Bring, Slide
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.moves import apply_bring, apply_slide
from pysim.families.burr.state import Held, LockState, Loose
from pysim.geometry import Cell, Direction, Voxels, all_rotations
from pysim.kinds import OUT, Distance, Steps
from pysim.puzzle import Action, IllegalMove

__all__ = ["legal_actions"]


def legal_actions(lock: Lock, state: LockState) -> Iterator[Action]:
    """See :meth:`pysim.families.burr.rules.BurrRules.legal`."""
    for bench in state.benches():
        yield from _slides(lock, state, bench)
    if lock.goal is Goal.ASSEMBLE:
        for piece, place in enumerate(state.places):
            if isinstance(place, Loose):
                yield from _brings(lock, state, piece)


def _slides(lock: Lock, state: LockState, bench: int) -> Iterator[Slide]:
    group = state.group(bench)
    if len(group) == 1:
        yield Slide((lock.pieces[group[0]].colour,), Direction.PLUS_X, OUT)
        return
    seen: set[Slide] = set()
    held = [(lock.pieces[i].shape, p.pose) for i in group if isinstance(p := state.places[i], Held)]
    # Not above: it takes half a second, and most who need the rules need no list of legal actions.
    from pysim.families.burr.solver.exploring import Exploration, cell_array

    cells = [cell_array(pose.place(shape).cells) for shape, pose in held]
    for move, separates in Exploration(cells, np.zeros((len(group), 3), np.int32)).minimal():
        colours = tuple(lock.pieces[group[i]].colour for i in sorted(move.moving))
        units: Distance = Steps(move.units)
        distances = (OUT, units) if separates else (units,)
        slides = (Slide(colours, move.direction, distance) for distance in distances)
        # None of them is allowed if it would leave the workspace; moves of several distances that
        # separate are the same slide out.
        slide = next((slide for slide in slides if _allowed(lock, state, slide)), None)
        if slide is not None and slide not in seen:
            seen.add(slide)
            yield slide


def _brings(lock: Lock, state: LockState, piece: int) -> Iterator[Bring]:
    """Ways to bring a piece into the block of the target, each shape of it once."""
    shape, space = lock.pieces[piece].shape, lock.workspace
    held = {i: p.pose for i, p in enumerate(state.places) if isinstance(p, Held) and p.bench == 0}
    taken = space.group(held)[0] if held else 0
    seen: set[Voxels] = set()
    for rotation in all_rotations():
        turned = shape.rotated(rotation).at_origin()
        if turned in seen:
            continue
        seen.add(turned)
        for corner in _corners(lock, turned):
            if space.mask(piece, space.corner_pose(piece, rotation, corner)) & taken:
                continue
            for direction in Direction:
                bring = Bring(lock.pieces[piece].colour, rotation, corner, direction)
                if _allowed(lock, state, bring):
                    yield bring


def _allowed(lock: Lock, state: LockState, action: Slide | Bring) -> bool:
    try:
        if isinstance(action, Slide):
            apply_slide(lock, state, action)
        else:
            apply_bring(lock, state, action)
    except IllegalMove:
        return False
    return True


def _corners(lock: Lock, turned: Voxels) -> Iterator[Cell]:
    """Low corners at which the turned shape lies inside the block of the target."""
    low, size = lock.bounds.low, turned.bounds.size
    spans = [range(low[a], lock.bounds.high[a] - size[a] + 2) for a in range(3)]
    yield from product(*spans)

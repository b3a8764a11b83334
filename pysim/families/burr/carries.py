"""Carries of pieces from place to place: past all others, groups as one."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial

from pysim.carrying import find_path
from pysim.families.burr.lock import Lock
from pysim.families.burr.state import Held, LockState, Loose, Whereabouts
from pysim.geometry import Bounds, Pose
from pysim.motion import Carry
from pysim.path import Path, Segment

__all__ = ["carry", "find_world_pose"]


def find_world_pose(lock: Lock, piece: int, place: Whereabouts) -> Pose:
    """Return the world pose of a piece in ``place``."""
    if isinstance(place, Held):
        return place.pose.translate(lock.workspace.get_bench_offset(place.bench))
    return lock.workspace.find_table_pose(piece, place.rotation)


def carry(lock: Lock, state: LockState, goals: Mapping[int, Whereabouts]) -> Carry:
    """Bring pieces to other places, as one: several of them must all move alike.

    There is always a way. A group that was slid apart from the others has left the block around
    them behind, benches and the table are apart from each other, and above a place there is nothing
    but, at most, what the pieces were slid out of. So they can be brought aside to where nothing
    is above them, the side away from the table in any case, up above everything, and down again.
    """
    colours = frozenset(lock.pieces[i].colour for i in goals)
    loose = any(isinstance(place, Loose) for place in goals.values())
    return Carry(colours, Path(partial(_way, lock, state, goals)), loose)


def _way(lock: Lock, state: LockState, goals: Mapping[int, Whereabouts]) -> tuple[Segment, ...]:
    there = {i: find_world_pose(lock, i, place) for i, place in goals.items()}
    here = {i: find_world_pose(lock, i, state.places[i]) for i in goals}
    first = next(iter(goals))
    load = _block(lock, here)
    return find_path(
        (load,),
        _block(lock, there).low,
        tuple(_around(lock, state, goals)),
        # A tall group that was slid out downwards may hang below the surface of the table.
        floor=min(lock.workspace.table.low[2], load.low[2]),
        rotation=there[first].rotation.compose(here[first].rotation.inverse),
    )


def _around(lock: Lock, state: LockState, moving: Collection[int]) -> Iterator[Bounds]:
    """Yield a block around each loose piece and each group, without those that move."""
    space = lock.workspace
    for i, place in enumerate(state.places):
        if isinstance(place, Loose) and i not in moving:
            yield space.find_table_block(i, place.rotation)
    staying = [
        (bench, [(i, pose) for i, pose in poses.items() if i not in moving])
        for bench, poses in state.benches.items()
    ]
    groups = [(bench, poses) for bench, poses in staying if poses]
    for bench, poses in sorted(groups, key=lambda group: group[1][0][0]):
        yield space.measure_group(poses).translate(space.get_bench_offset(bench))


def _block(lock: Lock, poses: Mapping[int, Pose]) -> Bounds:
    return Bounds.cover(lock.workspace.measure_piece(i, pose) for i, pose in poses.items())

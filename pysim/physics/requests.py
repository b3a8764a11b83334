"""Checks of requests that every world makes before anything moves."""

from collections.abc import Collection, Sequence

from pysim.geometry import IDENTITY, Bounds, Cell, Pose, Voxels
from pysim.motion import Carry, Motion, Sweep, Turn
from pysim.path import Segment, Shift, Spin
from pysim.scene import Scene

__all__ = ["check_leg", "check_motions", "check_scene", "make_overlap_error"]


def check_scene(scene: Scene) -> None:
    """Refuse a scene that can't be built.

    Raises:
        ValueError: two bodies share a cell, or a loose body has no table under it.
    """
    owners: dict[Cell, str] = {}
    for body in scene.bodies:
        cells = body.place().cells
        culprits = {owners[cell] for cell in cells if cell in owners}
        if culprits:
            raise make_overlap_error(body.name, culprits)
        owners.update(dict.fromkeys(cells, body.name))
        if body.loose:
            _check_on_table(scene.table, body.name, body.shape, body.pose)


def check_motions(scene: Scene, shapes: dict[str, Voxels], motions: Sequence[Motion]) -> None:
    """Refuse motions that make no sense in ``scene``; ``shapes`` are its bodies' by name.

    Raises:
        KeyError: a motion names a body that is not in the scene.
        ValueError: more than one sweep, a sweep of nothing or of less than one unit, a turn of
            nothing or not by 1 to 3 quarters, a carry of nothing, with a leg that goes less than
            one unit or turns nothing, or a body let go where there is no table.
    """
    swept = False
    for motion in motions:
        if isinstance(motion, Sweep):
            _check_sweep(shapes, motion)
            if swept:
                raise ValueError("a step may hold one sweep, not more")
            swept = True
        elif isinstance(motion, Turn):
            _check_turn(shapes, motion)
        else:
            _check_carry(scene, shapes, motion)


def check_leg(scene: Scene, block: Bounds, leg: Segment) -> Bounds:
    """Return the block around what is carried after a leg, ``block`` before it.

    Raises:
        ValueError: it would go down through the table, or has no room to turn so near to it. What
            was swept below it may go on there.
    """
    there = leg.apply_to_block(block)
    lowest = there if isinstance(leg, Shift) else leg.sweep_block(block)
    if scene.table is not None and lowest.low[2] < min(scene.table.low[2], block.low[2]):
        raise ValueError("a body would be carried through the table")
    return there


def make_overlap_error(name: str, culprits: Collection[str]) -> ValueError:
    """Return the error that says which bodies ``name`` would share space with."""
    return ValueError(f"{name} would overlap {', '.join(sorted(culprits))}")


def _check_bodies(shapes: dict[str, Voxels], bodies: Collection[str], kind: str) -> None:
    for name in bodies:
        if name not in shapes:
            raise KeyError(name)
    if not bodies:
        raise ValueError(f"a {kind} needs at least one body")


def _check_sweep(shapes: dict[str, Voxels], sweep: Sweep) -> None:
    _check_bodies(shapes, sweep.bodies, "sweep")
    if sweep.distance < 1:
        raise ValueError(f"a sweep goes at least one unit, not {sweep.distance}")


def _check_turn(shapes: dict[str, Voxels], turn: Turn) -> None:
    _check_bodies(shapes, turn.bodies, "turn")
    if turn.quarters not in (1, 2, 3):
        raise ValueError(f"a turn goes by 1, 2 or 3 quarters, not {turn.quarters}")


def _check_carry(scene: Scene, shapes: dict[str, Voxels], carry: Carry) -> None:
    _check_bodies(shapes, carry.bodies, "carry")
    for leg in carry.path:
        if isinstance(leg, Shift) and leg.distance < 1:
            raise ValueError(f"a leg goes at least one unit, not {leg.distance}")
        if isinstance(leg, Spin) and leg.rotation == IDENTITY:
            raise ValueError("a leg that turns bodies has to turn them")
    if carry.loose and scene.table is None:
        names = ", ".join(sorted(carry.bodies))
        raise ValueError(f"{names} can't lie loose: the scene has no table")


def _check_on_table(table: Bounds | None, name: str, shape: Voxels, pose: Pose) -> None:
    if table is None:
        raise ValueError(f"{name} can't lie loose: the scene has no table")
    if pose.find_corner(shape)[2] < table.low[2]:
        raise ValueError(f"{name} would lie below the surface of the table")

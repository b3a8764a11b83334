"""Locks in words: the task and the state, for agents."""

from pysim.families.burr.carries import find_world_pose
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.state import Held, LockState, Whereabouts
from pysim.geometry import Bounds, merge_boxes

__all__ = ["describe_state", "write_instruction"]

_TASKS = {
    Goal.DISASSEMBLE: "Take the lock apart completely: every piece has to be separated.",
    Goal.KEY: "Find the way to free any one piece of the lock.",
    Goal.ASSEMBLE: "Put the lock together from the pieces on the table, so that together they fill "
    "exactly the shape of the assembled lock. It may stand anywhere and be turned as a whole, and "
    "pieces of equal shape may change places.",
}


def write_instruction(lock: Lock) -> str:
    """Return the task in words."""
    colours = ", ".join(piece.colour for piece in lock.pieces)
    first = "" if lock.goal is Goal.ASSEMBLE else f"; at first they fill {_spans(lock.bounds)}"
    return (
        f"This is an interlocking puzzle of {len(lock.pieces)} rigid wooden pieces made of unit "
        f"cubes: {colours}. {_TASKS[lock.goal]}{_companions(lock)} "
        f"Pieces can't pass through one another. Directions are named along x, y and z (up); one "
        f"unit is the edge of a small cube. "
        f"Held pieces stay in the air where they are; they must stay within "
        f"{_spans(lock.workspace.room)}{first}. Separated pieces are put on the table."
    )


def _spans(block: Bounds) -> str:
    """Return the coordinates of a block, axis by axis."""
    spans = zip("xyz", block.low, block.high, strict=True)
    return ", ".join(f"{axis} {low}..{high}" for axis, low, high in spans)


def _companions(lock: Lock) -> str:
    """Describe the pieces that may stay together, where that matters."""
    if lock.goal is not Goal.DISASSEMBLE:
        return ""
    return "".join(
        " Of " + " and ".join(_members(lock, m, most) for m, most in group.members) + " need not be"
        " separated from each other."
        for group in lock.companions
    )


def _members(lock: Lock, pieces: frozenset[int], most: int) -> str:
    colours = ", ".join(lock.pieces[i].colour for i in sorted(pieces))
    return f"({colours}) up to {most}"


def describe_state(lock: Lock, state: LockState) -> str:
    """Return one line per piece: where it is, and its cells as blocks of whole cells."""
    return "\n".join(
        f"{piece.colour}: {_whereabouts(place)}, cells {_cells(lock, i, place)}"
        for i, (piece, place) in enumerate(zip(lock.pieces, state.places, strict=True))
    )


def _whereabouts(place: Whereabouts) -> str:
    if isinstance(place, Held):
        where = "held" if place.bench == 0 else f"held, put aside on bench {place.bench}"
        return f"{where}, rotation {place.pose.rotation.name}"
    return f"free on the table, rotation {place.rotation.name}"


def _cells(lock: Lock, piece: int, place: Whereabouts) -> str:
    placed = find_world_pose(lock, piece, place).place(lock.pieces[piece].shape)
    return " ".join(_block(block) for block in merge_boxes(placed))


def _block(block: Bounds) -> str:
    spans = (
        str(low) if low == high else f"{low}..{high}"
        for low, high in zip(block.low, block.high, strict=True)
    )
    return f"({','.join(spans)})"

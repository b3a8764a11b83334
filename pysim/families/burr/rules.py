"""The rules of locks: exact integer geometry behind the protocol that all families share."""

from collections.abc import Iterator

from pysim.families.burr.actions import Bring, Rotate, Slide
from pysim.families.burr.carries import find_world_pose
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.moves import apply_bring, apply_rotate, apply_slide
from pysim.families.burr.state import Held, LockState, Loose, make_initial_state
from pysim.families.burr.text import describe_state, write_instruction
from pysim.geometry import Cell, Voxels, list_rotations
from pysim.puzzle import Action, InvalidAction, Level, Outcome, Plan, Reason, Transition
from pysim.scene import Body, Bounds, Scene

__all__ = ["BurrRules"]


class BurrRules:
    """See :class:`pysim.puzzle.Rules`."""

    def initial(self, level: Level[Lock]) -> LockState:
        """Assembled on bench 0, or for the goal ``assemble`` every piece on the table."""
        return make_initial_state(level.puzzle)

    def legal(self, level: Level[Lock], state: LockState) -> Iterator[Action]:
        """Minimal slides of each group; for the goal ``assemble`` also ways to bring pieces in.

        Slides of several independent sets at once, bringing a piece to a place outside the
        target's size, and turning pieces on the table are legal too, but never needed.
        """
        # Compiled code takes longer to load than many a command takes to run without it.
        from pysim.families.burr.legal import list_actions

        return list_actions(level.puzzle, state)

    def apply(self, level: Level[Lock], state: LockState, action: Action) -> Transition[LockState]:
        """See the actions in :mod:`pysim.families.burr.actions`."""
        match action:
            case Slide():
                return apply_slide(level.puzzle, state, action)
            case Bring():
                return apply_bring(level.puzzle, state, action)
            case Rotate():
                return apply_rotate(level.puzzle, state, action)
        raise InvalidAction(Reason.UNKNOWN_ACTION, f"a lock has no action {type(action).__name__}")

    def outcome(self, level: Level[Lock], state: LockState) -> Outcome | None:
        """SOLVED when the lock's goal is met."""
        match level.puzzle.goal:
            case Goal.DISASSEMBLE:
                solved = all(map(level.puzzle.may_stay, state.list_groups()))
            case Goal.KEY:
                solved = _some_lies(state)
            case Goal.ASSEMBLE:
                solved = not _some_lies(state) and _matches(level.puzzle, state)
        return Outcome.SOLVED if solved else None

    def scene(self, level: Level[Lock], state: LockState) -> Scene:
        """Return one body per piece, named after its colour."""
        lock = level.puzzle
        bodies = tuple(
            Body(
                name=piece.colour,
                shape=piece.shape,
                pose=find_world_pose(lock, i, place),
                colour=piece.colour,
                loose=isinstance(place, Loose),
            )
            for i, (piece, place) in enumerate(zip(lock.pieces, state.places, strict=True))
        )
        held = (
            lock.workspace.measure_piece(i, body.pose)
            for i, body in enumerate(bodies)
            if not body.loose
        )
        return Scene(
            bodies,
            Bounds.cover([lock.bounds, *held]),
            lock.workspace.table,
            frames_loose=lock.goal is Goal.ASSEMBLE,
        )

    def goal_scene(self, level: Level[Lock]) -> Scene | None:
        """Return the assembled lock, for the goal ``assemble``."""
        lock = level.puzzle
        if lock.goal is not Goal.ASSEMBLE:
            return None
        bodies = tuple(Body(p.colour, p.shape, p.home, p.colour) for p in lock.pieces)
        return Scene(bodies, lock.bounds)

    def plan(self, level: Level[Lock]) -> Plan | None:
        """Return the shortest plan found, see :mod:`pysim.families.burr.planner`."""
        from pysim.families.burr.planner import plan_lock

        return plan_lock(level.puzzle)

    def instruction(self, level: Level[Lock]) -> str:
        """Return the task in words."""
        return write_instruction(level.puzzle)

    def describe(self, level: Level[Lock], state: LockState) -> str:
        """Return one line per piece."""
        return describe_state(level.puzzle, state)

    def encode(self, state: LockState) -> str:
        """Return one word per piece."""
        return state.encode()


def _some_lies(state: LockState) -> bool:
    """Return whether a piece is on the table."""
    return any(isinstance(place, Loose) for place in state.places)


def _matches(lock: Lock, state: LockState) -> bool:
    """Return whether the held pieces are the target, up to a rotation of the whole.

    Compared as sets of pieces, each a set of cells, so that congruent pieces may be swapped.
    """
    if len(state.list_benches()) != 1:
        return False
    built = [
        place.pose.place(piece.shape)
        for piece, place in zip(lock.pieces, state.places, strict=True)
        if isinstance(place, Held)
    ]
    target = _at_origin([Voxels(tuple(cells)) for cells in lock.target])
    return any(
        _at_origin([shape.rotate(rotation) for shape in built]) == target
        for rotation in list_rotations()
    )


def _at_origin(shapes: list[Voxels]) -> frozenset[frozenset[Cell]]:
    """The shapes' cells, moved together so that the low corner of the whole is the origin."""
    low = Bounds.cover(shape.bounds for shape in shapes).low
    back = (-low[0], -low[1], -low[2])
    return frozenset(shape.translate(back).cell_set for shape in shapes)

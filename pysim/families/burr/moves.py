"""Effect of each action on a state, and reasons to refuse it."""

from collections.abc import Mapping, Sequence

from pysim.families.burr.actions import Bring, Rotate, Slide
from pysim.families.burr.carries import carry
from pysim.families.burr.lock import Lock
from pysim.families.burr.state import Held, LockState, Loose, Whereabouts
from pysim.field_types import MAX_NAMED, Colours, Out
from pysim.geometry import Bounds, Cell, Direction, Pose, make_quarter_turn, scale
from pysim.geometry.resting import find_stable_rotation, is_stable
from pysim.motion import Motion, Sweep
from pysim.puzzle import IllegalMove, InvalidAction, Reason, Transition
from pysim.scene import Colour

__all__ = ["apply_bring", "apply_rotate", "apply_slide", "measure_distances", "measure_separation"]


def measure_separation(moving: Bounds, staying: Bounds, direction: Direction) -> int:
    """Units (at least 1) that ``moving`` goes along ``direction`` to leave ``staying`` behind."""
    axis = direction.axis.number
    if direction.sign > 0:
        return max(1, staying.high[axis] - moving.low[axis] + 1)
    return max(1, moving.high[axis] - staying.low[axis] + 1)


def apply_slide(lock: Lock, state: LockState, action: Slide) -> Transition[LockState]:
    """See :class:`~pysim.families.burr.actions.Slide`."""
    moving = _pieces(lock, action.pieces)
    bench = _common_bench(lock, state, moving)
    mine, rest = _parted(state, bench, moving)
    if isinstance(action.distance, Out) and not rest:
        return _take_away(lock, state, moving)
    space = lock.workspace
    mask, bounds = space.group(mine)
    obstacles, others = space.group(rest) if rest else (0, None)
    distance, limit = measure_distances(lock, action, bounds, others, len(rest))
    travel, hit = space.sweep(mask, obstacles, action.direction, min(distance, limit))
    blockers = _owners(lock, rest, hit)
    sweep = Sweep(frozenset(action.pieces), action.direction, distance)
    if blockers:
        raise _blocked(lock, _list(action.pieces), action.direction, travel, blockers, (sweep,))
    if distance > limit:
        raise _leaving(action, limit)
    step = scale(action.direction.vector, distance)
    after = state.replace_places({i: Held(bench, pose.translate(step)) for i, pose in mine.items()})
    if others is None or bounds.translate(step).is_overlapping(others):
        return Transition(after, (sweep,), distance)
    settled, carries = _settle(lock, after, moving, tuple(rest))
    return Transition(settled, (sweep, *carries), distance)


def apply_bring(lock: Lock, state: LockState, action: Bring) -> Transition[LockState]:
    """See :class:`~pysim.families.burr.actions.Bring`."""
    (piece,) = _pieces(lock, (action.piece,))
    _loose(lock, state, piece)
    goal = lock.workspace.find_corner_pose(piece, action.rotation, action.cell)
    bounds = lock.workspace.measure_piece(piece, goal)
    room = lock.workspace.room
    if not room.has_block(bounds):
        raise IllegalMove(
            Reason.OUT_OF_BOUNDS,
            f"{action.piece} would cover {bounds.low} to {bounds.high}, but the workspace is "
            f"{room.low} to {room.high}",
            culprits=(action.piece,),
        )
    _, held = _parted(state, 0, ())
    obstacles, distance = 0, 1
    if held:
        obstacles, others = lock.workspace.group(held)
        distance = measure_separation(bounds, others, action.direction.opposite)
    start = goal.translate(scale(action.direction.vector, -distance))
    mask = lock.workspace.mask(piece, start)
    travel, hit = lock.workspace.sweep(mask, obstacles, action.direction, distance)
    blockers = _owners(lock, held, hit)
    motions: tuple[Motion, ...] = (
        carry(lock, state, {piece: Held(0, start)}),
        Sweep(frozenset([action.piece]), action.direction, distance),
    )
    if blockers:
        raise _blocked(lock, action.piece, action.direction, travel, blockers, motions)
    return Transition(state.replace_places({piece: Held(0, goal)}), motions, distance)


def apply_rotate(lock: Lock, state: LockState, action: Rotate) -> Transition[LockState]:
    """See :class:`~pysim.families.burr.actions.Rotate`."""
    (piece,) = _pieces(lock, (action.piece,))
    place = _loose(lock, state, piece)
    rotation = make_quarter_turn(action.axis, action.quarter_turns).compose(place.rotation)
    if not is_stable(lock.pieces[piece].shape, rotation):
        raise IllegalMove(
            Reason.UNSTABLE,
            f"{action.piece} would tip over if it were set down that way",
            culprits=(action.piece,),
        )
    places: dict[int, Whereabouts] = {piece: Loose(rotation)}
    return Transition(state.replace_places(places), (carry(lock, state, places),), None)


def _pieces(lock: Lock, colours: Colours) -> tuple[int, ...]:
    """Indices of the pieces with these colours."""
    index = lock.index
    unknown = tuple([c for c in colours if c not in index])[:MAX_NAMED]
    if unknown:
        raise InvalidAction(
            Reason.UNKNOWN_COLOUR,
            f"there is no piece called {_list(unknown)}; the pieces are {_list(tuple(lock.index))}",
            culprits=unknown,
        )
    return tuple([index[c] for c in colours])


def _common_bench(lock: Lock, state: LockState, moving: Sequence[int]) -> int:
    """Return the bench on which all of ``moving`` are held."""
    places = state.places
    free = tuple([lock.pieces[i].colour for i in moving if isinstance(places[i], Loose)])
    if free:
        raise IllegalMove(
            Reason.ALREADY_FREE,
            f"{_list(free)} already lies free on the table; a free piece is moved with 'bring'",
            culprits=free,
        )
    benches = {_held(state, i).bench for i in moving}
    if len(benches) > 1:
        raise IllegalMove(
            Reason.NOT_TOGETHER,
            "these pieces belong to groups that have been separated; move one group at a time",
            culprits=tuple(lock.pieces[i].colour for i in moving),
        )
    return benches.pop()


def _loose(lock: Lock, state: LockState, piece: int) -> Loose:
    place = state.places[piece]
    if isinstance(place, Loose):
        return place
    colour = lock.pieces[piece].colour
    raise IllegalMove(
        Reason.NOT_FREE,
        f"{colour} is not free; take it out with 'slide' first",
        culprits=(colour,),
    )


def _held(state: LockState, piece: int) -> Held:
    place = state.places[piece]
    assert isinstance(place, Held)
    return place


def _parted(
    state: LockState, bench: int, moving: Sequence[int]
) -> tuple[dict[int, Pose], dict[int, Pose]]:
    """Return the pieces on a bench with their poses: those that move, and the others."""
    poses = state.benches.get(bench, {})
    mine = {i: poses[i] for i in moving if i in poses}
    return dict(sorted(mine.items())), {i: pose for i, pose in poses.items() if i not in mine}


def measure_distances(
    lock: Lock, action: Slide, mine: Bounds, others: Bounds | None, staying: int
) -> tuple[int, int]:
    """Measure the distance of the slide, and the distance at which the pieces leave the room.

    What comes to the table or to a bench of its own may leave the room on the way out. Several
    pieces that leave a single one behind do neither: they stay where they end.
    """
    axis, room = action.direction.axis.number, lock.workspace.room
    limit = room.high[axis] - mine.high[axis]
    if action.direction.sign < 0:
        limit = mine.low[axis] - room.low[axis]
    if not isinstance(action.distance, Out):
        return action.distance, limit
    assert others is not None
    out = measure_separation(mine, others, action.direction)
    return out, out if len(action.pieces) == 1 or staying > 1 else limit


def _leaving(action: Slide, limit: int) -> IllegalMove:
    hint = "to separate pieces use the distance 'out'"
    if isinstance(action.distance, Out):
        hint = "slide the piece that stays behind, the other way"
    return IllegalMove(
        Reason.OUT_OF_BOUNDS,
        f"{_list(action.pieces)} would leave the workspace after {limit} units towards "
        f"{action.direction}; {hint}",
        culprits=action.pieces,
        travel=limit,
    )


def _owners(lock: Lock, pieces: Mapping[int, Pose], bits: int) -> tuple[Colour, ...]:
    """Return the colours of the pieces to which some bits belong."""
    if not bits:
        return ()
    space = lock.workspace
    return tuple(lock.pieces[i].colour for i, p in pieces.items() if space.mask(i, p) & bits)


def _blocked(
    lock: Lock,
    pieces: str,
    direction: Direction,
    travel: int,
    blockers: tuple[Colour, ...],
    attempt: tuple[Motion, ...],
) -> IllegalMove:
    far = f"could go {travel} unit{'s' if travel != 1 else ''}" if travel else "can't move"
    return IllegalMove(
        Reason.BLOCKED,
        f"{pieces} {far} towards {direction} before {_list(blockers)} is in the way; nothing moved",
        culprits=blockers,
        travel=travel,
        attempt=attempt,
    )


def _take_away(lock: Lock, state: LockState, moving: Sequence[int]) -> Transition[LockState]:
    """A whole group is asked to go out: fine for a single piece, without effect for several."""
    if len(moving) > 1:
        colours = tuple(lock.pieces[i].colour for i in moving)
        raise IllegalMove(
            Reason.NO_EFFECT,
            f"{_list(colours)} are the whole group; moving all of it separates nothing",
            culprits=colours,
        )
    places = _put_down(lock, state, moving[0])
    return Transition(state.replace_places(places), (carry(lock, state, places),), None)


def _settle(
    lock: Lock, state: LockState, moving: Sequence[int], staying: Sequence[int]
) -> tuple[LockState, tuple[Motion, ...]]:
    """Place the pieces that the move separated: single ones on the table, several on a bench."""
    carries = []
    if len(moving) > 1 and len(staying) > 1:
        places = _put_aside(lock, state, moving)
        carries.append(carry(lock, state, places))
        state = state.replace_places(places)
    for part in (moving, staying):
        if len(part) == 1:
            places = _put_down(lock, state, part[0])
            carries.append(carry(lock, state, places))
            state = state.replace_places(places)
    return state, tuple(carries)


def _put_down(lock: Lock, state: LockState, piece: int) -> dict[int, Whereabouts]:
    """A single piece goes to the table, turned only if it would tip over otherwise."""
    shape = lock.pieces[piece].shape
    return {piece: Loose(find_stable_rotation(shape, _held(state, piece).pose.rotation))}


def _put_aside(lock: Lock, state: LockState, pieces: Sequence[int]) -> dict[int, Whereabouts]:
    """Several pieces go together to a bench of their own.

    There they stand as on their old bench, except that what left the room comes back into it.
    """
    bench = state.free_bench()
    poses = {i: _held(state, i).pose for i in pieces}
    back = _into(lock.workspace.room, lock.workspace.measure_group(poses.items()))
    return {i: Held(bench, pose.translate(back)) for i, pose in poses.items()}


def _into(room: Bounds, bounds: Bounds) -> Cell:
    """Return the shortest translation that brings ``bounds`` into ``room``."""
    shift = tuple(
        max(0, room.low[i] - bounds.low[i]) - max(0, bounds.high[i] - room.high[i])
        for i in range(3)
    )
    return (shift[0], shift[1], shift[2])


def _list(colours: Sequence[str]) -> str:
    return ", ".join(colours)

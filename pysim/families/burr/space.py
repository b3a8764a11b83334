"""Spaces of locks: pushes of held pieces, and pieces that are brought in.

A push has a direction (+x -x +y -y +z -z), the slot of a piece and a distance: 1 unit, 2 units and
so on, and last ``out``. It moves the smallest set that can go, see
:mod:`pysim.families.burr.pushing`. Slides of several sets at once are several pushes. A piece is
brought to a cell of the block around the assembled lock, or to one near it. Pieces are never turned
on the table: to bring them in turns them as well.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.burr.actions import Bring, Slide
from pysim.families.burr.legal import find_reached, find_shaded
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.pushing import Pushes, PushLister
from pysim.families.burr.rules import BurrRules
from pysim.families.burr.state import LockState, Loose
from pysim.field_types import OUT, Distance, Out, Steps
from pysim.geometry import Bounds, Cell, Direction, Voxels, add, list_rotations, subtract
from pysim.learning.spaces import (
    ActionNumbers,
    ArraySpec,
    FamilySpace,
    check_bounds,
    draw_shapes,
    name_slot,
    specify_shapes,
)
from pysim.puzzle import Action, IllegalMove, Level

__all__ = ["LockSpace", "create_spaces"]

_DIRECTIONS = tuple(Direction)
_GOALS = tuple(Goal)
_MOST_LOCKS = 64
"""Locks of which something is remembered: as many as are often played in turns."""
_MARGIN = 2
"""Cells below the low corner of an assembled lock, along each axis, to which pieces are brought."""
_TARGET = "x, y, z: slot + 1 of the piece that is to be in a cell, if it is to be assembled"
_RULES = BurrRules()


@dataclass(frozen=True, slots=True)
class _KnownPushes:
    """Pushes in one state of a lock, by bench, as far as they have been asked for."""

    lock: Lock
    lister: PushLister
    state: LockState
    pushes: dict[int, tuple[tuple[int, ...], Pushes]]

    def update(self, state: LockState) -> "_KnownPushes":
        """Return what is known of another state: groups whose pieces are where they were."""
        before, after = self.state.places, state.places
        moved = {i for i, place in enumerate(after) if place is not before[i]}
        kept = {
            bench: one
            for bench, one in self.pushes.items()
            if moved.isdisjoint(one[0]) and state.group(bench) == one[0]
        }
        return _KnownPushes(self.lock, self.lister, state, kept)


class LockSpace(FamilySpace[Lock, LockState]):
    """A size class of locks.

    Args:
        name: of the class.
        pieces: most pieces.
        room: longest edge of the room, in cells.
        length: longest edge of a piece.
        distance: longest push in units, besides those out.
        block: longest edge of an assembled lock to which pieces are brought; 0 for locks that are
            only taken apart.
    """

    def __init__(
        self, name: str, *, pieces: int, room: int, length: int, distance: int, block: int = 0
    ) -> None:
        self.name, self._block = name, block
        self.bounds = {
            "pieces": pieces,
            "edge of the room": room,
            "edge of a piece": length,
            "distance": distance,
        }
        sizes = {"direction": 6, "piece": pieces, "distance": distance + 1}
        tools: dict[str, tuple[str, ...]] = {"push": ("direction", "piece", "distance")}
        if block:
            self.bounds["edge of the lock"] = block
            cells = block + _MARGIN
            sizes |= {"rotation": 24, "x": cells, "y": cells, "z": cells}
            tools["bring"] = ("piece", "rotation", "x", "y", "z", "direction")
        self.actions = ActionNumbers(sizes, tools)
        self._pieces, self._most = pieces, distance
        self._known: dict[int, _KnownPushes] = {}
        self.arrays = _specify_arrays(pieces, room, length)
        if block:
            self.arrays["target"] = ArraySpec((room,) * 3, np.uint8, pieces, _TARGET)

    def check(self, level: Level[Lock]) -> None:
        """See :meth:`pysim.learning.spaces.FamilySpace.check`."""
        lock = level.puzzle
        bounds = {
            "pieces": (len(lock.pieces), self._pieces),
            "cells along an edge of its room": (max(lock.workspace.room.size), self._edge),
            "cells along a piece": (lock.workspace.extent, self.bounds["edge of a piece"]),
        }
        if lock.goal is Goal.ASSEMBLE and not self._block:
            raise InputError(
                f"{level.id} doesn't fit the size class {self.name}: it is to be assembled: "
                "choose the class assembly"
            )
        if self._block:
            bounds["cells along an edge"] = (max(lock.bounds.size), self._block)
        if lock.companions:
            raise InputError(f"{level.id} fits no size class: some of its pieces may stay together")
        check_bounds(level, self.name, bounds)

    def list_legal(self, level: Level[Lock], state: LockState) -> NDArray[np.int64]:
        """See :meth:`pysim.learning.spaces.FamilySpace.list_legal`."""
        lock = level.puzzle
        found = [self._list_pushes(lock, state, bench) for bench in state.list_benches()]
        if self._block:
            found += self._list_brings(lock, state)
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def make_action(self, level: Level[Lock], state: LockState, number: int) -> Action:
        """See :meth:`pysim.learning.spaces.FamilySpace.make_action`."""
        lock = level.puzzle
        tool, values = self.actions.decode(number)
        if tool == "push":
            return self._make_slide(level, state, *values)
        slot, rotation, x, y, z, direction = values
        return Bring(
            name_slot(level, slot),
            list_rotations()[rotation],
            add(_find_first_cell(lock), (x, y, z)),
            _DIRECTIONS[direction],
        )

    def find_numbers(self, level: Level[Lock], state: LockState, action: Action) -> Sequence[int]:
        """See :meth:`pysim.learning.spaces.FamilySpace.find_numbers`."""
        lock = level.puzzle
        if isinstance(action, Slide):
            return list(self._split_slide(level, state, action))
        if isinstance(action, Bring) and self._block:
            return [
                self.actions.encode(
                    "bring",
                    lock.index[action.piece],
                    action.rotation.index,
                    *subtract(action.cell, _find_first_cell(lock)),
                    _DIRECTIONS.index(action.direction),
                )
            ]
        raise InputError(f"the size class {self.name} has no {action.tool}")

    def observe(self, level: Level[Lock], state: LockState) -> dict[str, NDArray[Any]]:
        """See :meth:`pysim.learning.spaces.FamilySpace.observe`."""
        lock = level.puzzle
        low = lock.workspace.room.low
        seen = {name: spec.make_zeros() for name, spec in self.arrays.items()}
        for i, (piece, where) in enumerate(zip(lock.pieces, state.places, strict=True)):
            if isinstance(where, Loose):
                seen["pieces"][i, :3] = 2, 0, where.rotation.index
                continue
            bench = where.bench  # New benches get the lowest free number; all but one hold pairs.
            corner = subtract(where.pose.find_corner(piece.shape), low)
            seen["pieces"][i] = 1, bench, where.pose.rotation.index, *corner
            _paint(seen["occupancy"][bench], where.pose.place(piece.shape), low, i + 1)
        seen["shapes"] = draw_shapes(self.arrays["shapes"], lock.workspace.shapes)
        seen["room"][:] = lock.workspace.room.size
        seen["goal"][0] = _GOALS.index(lock.goal)
        if lock.goal is Goal.ASSEMBLE:
            for i, piece in enumerate(lock.pieces):
                _paint(seen["target"], piece.home.place(piece.shape), low, i + 1)
        return seen

    @property
    def _edge(self) -> int:
        return self.bounds["edge of the room"]

    def _find_pushes(
        self, lock: Lock, state: LockState, bench: int
    ) -> tuple[tuple[int, ...], Pushes]:
        """Return the group of a bench and its pushes, which are kept until its pieces move."""
        known = self._known.get(id(lock))
        if known is None:
            if len(self._known) >= _MOST_LOCKS:
                self._known.clear()
            known = _KnownPushes(lock, PushLister(lock.workspace, self._most), state, {})
        elif known.state is not state:
            known = known.update(state)
        self._known[id(lock)] = known  # Whole at once: other threads may step other episodes.
        if bench not in known.pushes:
            pushes = known.lister.list_pushes(state.benches[bench])
            known.pushes[bench] = state.group(bench), pushes
        return known.pushes[bench]

    def _list_pushes(self, lock: Lock, state: LockState, bench: int) -> NDArray[np.int64]:
        if len(group := state.group(bench)) == 1:
            found = [self.actions.encode("push", d, group[0], self._most) for d in range(6)]
            return np.array(found, np.int64)
        group, pushes = self._find_pushes(lock, state, bench)
        directions, members, distances = pushes.legal.nonzero()
        slots = np.array(group, np.int64)[members]
        numbers: NDArray[np.int64] = (
            directions * self._pieces + slots
        ) * (self._most + 1) + distances + self.actions.starts["push"]  # fmt: skip
        return numbers

    def _make_slide(
        self, level: Level[Lock], state: LockState, direction: int, slot: int, distance: int
    ) -> Slide:
        """Return the slide of a push: of its piece alone where there is no set that can go.

        That piece is not held, or it meets others, so that the rules refuse the slide.
        """
        lock, moving = level.puzzle, [slot]
        bench = state.find_bench(slot) if slot < len(lock.pieces) else None
        if bench is not None:
            group, pushes = self._find_pushes(lock, state, bench)
            if bits := int(pushes.sets[direction, group.index(slot), distance]):
                moving = [i for k, i in enumerate(group) if bits >> k & 1]
        return Slide(
            tuple(name_slot(level, i) for i in moving),
            _DIRECTIONS[direction],
            OUT if distance == self._most else Steps(distance + 1),
        )

    def _split_slide(self, level: Level[Lock], state: LockState, slide: Slide) -> Iterator[int]:
        """Yield the pushes of a slide: of a piece that has not moved yet, again and again."""
        index = level.puzzle.index
        goal = _RULES.apply(level, state, slide).state
        for distance in self._split_distance(slide.distance):
            waiting = {index[colour] for colour in slide.pieces}
            while waiting:
                number, moving, state = self._push_one(level, state, waiting, slide, distance)
                waiting -= moving
                yield number
        if state != goal:
            raise InputError("no few pushes lead where these pieces slide together")

    def _split_distance(self, distance: Distance) -> list[int]:
        """Return the distances of pushes that together go as far."""
        if isinstance(distance, Out):
            return [self._most]
        whole, rest = divmod(distance, self._most)
        return [self._most - 1] * whole + ([rest - 1] if rest else [])

    def _push_one(
        self, level: Level[Lock], state: LockState, waiting: set[int], slide: Slide, distance: int
    ) -> tuple[int, set[int], LockState]:
        """Return the push of most pieces that wait, which pieces it moves, and its effect."""
        index = level.puzzle.index
        pushes = []
        for slot in sorted(waiting):
            number = self.actions.encode("push", _DIRECTIONS.index(slide.direction), slot, distance)
            push = self._make_slide(level, state, *self.actions.decode(number)[1])
            moving = {index[colour] for colour in push.pieces}
            if moving <= waiting:
                pushes.append((number, moving, push))
        for number, moving, push in sorted(pushes, key=lambda one: -len(one[1])):
            with suppress(IllegalMove):
                return number, moving, _RULES.apply(level, state, push).state
        raise InputError("no few pushes lead where these pieces slide together")

    def _list_brings(self, lock: Lock, state: LockState) -> Iterator[NDArray[np.int64]]:
        """Yield the numbers of the ways to bring each loose piece in, for each rotation."""
        room, first = lock.workspace.room, _find_first_cell(lock)
        x0, y0, z0 = (max(0, low - cell) for low, cell in zip(room.low, first, strict=True))
        shaded = find_shaded(lock, state, Bounds(add(first, (x0, y0, z0)), room.high))
        edge = self.actions.sizes["x"]
        for slot, place in enumerate(state.places):
            if not isinstance(place, Loose):
                continue
            for number, rotation in enumerate(list_rotations()):
                turned = lock.pieces[slot].shape.rotate(rotation).move_to_origin()
                reached = find_reached(turned, shaded)[: edge - x0, : edge - y0, : edge - z0]
                x, y, z, direction = reached.nonzero()
                start = self.actions.encode("bring", slot, number, x0, y0, z0, 0)
                yield start + ((x * edge + y) * edge + z) * 6 + direction


def _specify_arrays(pieces: int, room: int, length: int) -> dict[str, ArraySpec]:
    return {
        "occupancy": ArraySpec(
            (pieces // 2, room, room, room), np.uint8, pieces,
            "bench, x, y, z: slot + 1 of the held piece in a cell of the room of a bench",
        ),
        "shapes": specify_shapes(pieces, length),
        "pieces": ArraySpec(
            (pieces, 6), np.uint8, max(23, room),
            "slot: 0 no piece, 1 held, 2 loose; bench; rotation; low corner in the room",
        ),
        "room": ArraySpec((3,), np.uint8, room, "edges of the room, from its low corner"),
        "goal": ArraySpec((1,), np.uint8, 2, "0 take apart, 1 free one piece, 2 assemble"),
    }  # fmt: skip


def _find_first_cell(lock: Lock) -> Cell:
    """Return the least cell to which pieces are brought."""
    return subtract(lock.bounds.low, (_MARGIN, _MARGIN, _MARGIN))


def _paint(canvas: NDArray[np.uint8], shape: Voxels, low: Cell, value: int) -> None:
    canvas[tuple((np.array(shape.cells) - low).T)] = value


def create_spaces() -> tuple[LockSpace, ...]:
    """Return the spaces of all size classes."""
    return (
        LockSpace("six", pieces=6, room=14, length=6, distance=4),
        LockSpace("long", pieces=6, room=45, length=22, distance=4),
        LockSpace("large", pieces=34, room=28, length=12, distance=4),
        LockSpace("assembly", pieces=6, room=14, length=6, distance=4, block=6),
    )

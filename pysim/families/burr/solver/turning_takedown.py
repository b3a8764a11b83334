"""Taking a lock apart with quarter turns where slides alone do not do it.

Designers count slides only; a lock that needs a turn while it is interlocked is no solution by
their count, and here it is told apart from one that stays together. Between two slides a set of
pieces may make a quarter turn, all of it as one, about an axis through the middle or a corner of
cells, while all others stand still (see :mod:`pysim.families.burr.solver.quarter_turns`). A
configuration is where and how each piece lies relative to the first one, which stands still: moving
some pieces is the same as moving the others back.

Parts are taken apart by slides where these suffice; what they leave stuck is searched with turns,
fewest moves first and among these fewest turns. What is found is exact. What is not found need not
be impossible: turns by other angles than 90 degrees, about other axes, of several sets in different
ways at once, or while sliding are not tried, nor are centres outside the block around the pieces.
"""

import heapq
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.files.design import Problem
from pysim.families.burr.solver.exploration import Exploration, Translation
from pysim.families.burr.solver.quarter_turns import QuarterTurn, find_quarter_turns
from pysim.families.burr.solver.solutions import Limits, SlideStep
from pysim.families.burr.solver.solve import Assembly, may_stay_together
from pysim.geometry import HOME, Bounds, Cell, Pose, Voxels, list_rotations, scale, subtract

__all__ = ["TURN_LIMITS", "TurnStep", "Turning", "TurningTally", "find_takedown_with_turns"]

TURN_LIMITS = Limits(configurations=3_000)
"""Seconds rather than minutes for a lock of usual size."""
_MAX_SLID = 1_000_000
"""Configurations of a group that are looked at for slides alone."""


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A quarter turn of some pieces of a group, as :class:`SlideStep` is a slide of some.

    Attributes:
        group: the pieces that are together before it.
        moving: those that turn.
        turn: the turn, where the lock stands.
        separates: whether ``moving`` is separated from the others by it.
    """

    group: tuple[int, ...]
    moving: frozenset[int]
    turn: QuarterTurn
    separates: bool


@dataclass(frozen=True, slots=True)
class Turning:
    """Result of a search with turns.

    Attributes:
        moves: slides and turns that take everything apart, in one frame: the first piece of each
            group stands still. None if there is no such sequence or the search was cut off.
        cut_off: whether it was cut off before it could tell.
    """

    moves: tuple[SlideStep | TurnStep, ...] | None
    cut_off: bool = False

    @property
    def turns(self) -> int:
        """Number of moves that are turns."""
        return sum(isinstance(move, TurnStep) for move in self.moves or ())

    @property
    def first(self) -> tuple[int, int]:
        """Moves up to the first separation, it included, and how many of them are turns.

        Unlike in a level each move is one of a smallest set that can make it.
        """
        turns = 0
        for number, move in enumerate(self.moves or (), 1):
            turns += isinstance(move, TurnStep)
            if move.separates:
                return number, turns
        return 0, 0


@dataclass
class TurningTally:
    """Counts the assemblies that come apart only with turns.

    Attributes:
        found: (moves, turns) up to the first separation -> how many assemblies.
        cut_off: assemblies of which the search could not tell.
    """

    found: Counter[tuple[int, int]] = field(default_factory=Counter)
    cut_off: int = 0

    def add(self, problem: Problem, assembly: Assembly, limits: Limits = TURN_LIMITS) -> None:
        """Search one more; one that comes apart by slides is not."""
        if assembly.level is not None:
            return
        parts = [part for part, _ in assembly.pieces]
        found = find_takedown_with_turns(
            [cells for _, cells in assembly.pieces],
            lambda pieces: may_stay_together(problem, [parts[i] for i in pieces]),
            limits,
        )
        self.cut_off += found.cut_off
        if found.moves is not None:
            self.found[found.first] += 1


def find_takedown_with_turns(
    pieces: Sequence[Sequence[Cell]],
    may_stay: Callable[[Collection[int]], bool],
    limits: Limits = TURN_LIMITS,
) -> Turning:
    """Return a way to take assembled pieces apart with slides, and with quarter turns where needed.

    Args:
        pieces: each piece's cells in the assembled state.
        may_stay: whether some pieces need not be separated any more.
        limits: ``configurations`` whose turns are looked at, in all.

    Raises:
        InputError: there are more pieces, or larger ones, than can be explored.
    """
    search = _Search(pieces, may_stay, limits)
    try:
        return Turning(tuple(search.take(search.whole)))
    except _StuckError:
        return Turning(None)
    except _CutOffError:
        return Turning(None, cut_off=True)


class _CutOffError(Exception):
    """The search was cut off."""


class _StuckError(Exception):
    """A group stays together."""


class _Piece:
    """The cells of a piece in every pose; HOME is where it is when assembled."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        shape = Voxels.from_cells(cells)
        turned = [shape.rotate(rotation) for rotation in list_rotations()]
        self._cells = [np.array(there.cells, np.int32) for there in turned]
        self._bounds = [there.bounds for there in turned]
        looks = [there.move_to_origin() for there in turned]
        self._least = [looks.index(look) for look in looks]

    def place(self, pose: Pose) -> NDArray[np.int32]:
        """(m, 3), the cells in a pose."""
        return self._cells[pose.rotation.index] + np.array(pose.offset, np.int32)

    def measure_bounds(self, pose: Pose) -> Bounds:
        """Return the block around it in a pose."""
        return self._bounds[pose.rotation.index].translate(pose.offset)

    def normalize(self, pose: Pose) -> Pose:
        """Of the poses in which it covers the same cells, always the same one."""
        now = pose.rotation.index
        least = self._least[now]
        shift = subtract(self._bounds[now].low, self._bounds[least].low)
        return Pose(list_rotations()[least], pose.offset).translate(shift)


Poses = tuple[Pose, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """Pieces that are together, and their poses."""

    pieces: tuple[int, ...]
    poses: Poses

    def select(self, pieces: Collection[int]) -> "_Group":
        """Return some of the pieces."""
        kept = [(i, pose) for i, pose in zip(self.pieces, self.poses, strict=True) if i in pieces]
        return _Group(tuple(i for i, _ in kept), tuple(pose for _, pose in kept))


@dataclass(frozen=True, slots=True)
class _Way:
    """Moves that separate a group, and the parts, as they lie afterwards."""

    moves: tuple[SlideStep | TurnStep, ...]
    parts: tuple[_Group, _Group]


class _Search:
    def __init__(
        self,
        pieces: Sequence[Sequence[Cell]],
        may_stay: Callable[[Collection[int]], bool],
        limits: Limits,
    ) -> None:
        self._pieces = [_Piece(cells) for cells in pieces]
        self._may_stay = may_stay
        self._limits = limits
        self._began = time.monotonic()
        self._visited = 0

    @property
    def whole(self) -> _Group:
        """All pieces, assembled."""
        return _Group(tuple(range(len(self._pieces))), (HOME,) * len(self._pieces))

    def take(self, group: _Group) -> Iterator[SlideStep | TurnStep]:
        """Yield moves that take a group apart.

        Any separation will do: what comes apart does so from wherever it can be brought to, and so
        do its parts, for moves can be undone and fewer pieces are less in the way.

        Raises:
            _StuckError: it stays together.
            _CutOffError: the search was cut off.
        """
        if len(group.pieces) == 1 or self._may_stay(group.pieces):
            return
        way = self._slide_apart(group) or self._turn_apart(group)
        yield from way.moves
        for part in way.parts:
            yield from self.take(part)

    def _cells(self, group: _Group) -> list[NDArray[np.int32]]:
        return [
            self._pieces[i].place(pose) for i, pose in zip(group.pieces, group.poses, strict=True)
        ]

    def _exploration(self, group: _Group) -> Exploration:
        return Exploration(self._cells(group), np.zeros((len(group.pieces), 3), np.int32))

    def _slide_apart(self, group: _Group) -> _Way | None:
        """Return a shortest way by slides alone; None if none is found."""
        exploration = self._exploration(group)
        while exploration.get_layer(exploration.depth):
            for chunk in exploration.list_separations(exploration.depth):
                if chunk:
                    path = exploration.find_path(chunk[0].node)
                    steps = [_step(group, move, False) for move in path]
                    return self._way(group, (*steps, _step(group, chunk[0].move, True)))
                self._check_time()
            for known in exploration.expand():
                self._check_time()
                if known > _MAX_SLID:
                    return None
        return None

    def _turn_apart(self, group: _Group) -> _Way:
        """Return a way of the fewest moves, and of the fewest turns among these."""
        order = count(1)
        costs: dict[Poses, tuple[int, int]] = {group.poses: (0, 0)}
        origins: dict[Poses, tuple[Poses, SlideStep | TurnStep]] = {}
        queue: list[tuple[int, int, int, Poses]] = [(0, 0, 0, group.poses)]
        lasts: dict[int, SlideStep | TurnStep] = {}
        while queue:
            moves, turns, number, poses = heapq.heappop(queue)
            if number in lasts:
                return self._way(group, (*_path(origins, poses), lasts[number]))
            if costs[poses] < (moves, turns):
                continue
            self._visit()
            for move, after in self._moves(_Group(group.pieces, poses)):
                cost = (moves + 1, turns + isinstance(move, TurnStep))
                if move.separates:
                    number = next(order)
                    lasts[number] = move
                    heapq.heappush(queue, (*cost, number, poses))
                elif after not in costs or cost < costs[after]:
                    costs[after] = cost
                    origins[after] = (poses, move)
                    heapq.heappush(queue, (*cost, next(order), after))
        raise _StuckError

    def _visit(self) -> None:
        self._visited += 1
        if self._visited > self._limits.configurations:
            raise _CutOffError
        self._check_time()

    def _check_time(self) -> None:
        seconds = self._limits.seconds
        if seconds is not None and time.monotonic() - self._began > seconds:
            raise _CutOffError

    def _moves(self, group: _Group) -> Iterator[tuple[SlideStep | TurnStep, Poses]]:
        """Slides and turns of the smallest sets, and the configurations that they lead to."""
        for move, parted in self._exploration(group).list_minimal():
            step = _step(group, move, parted)
            yield step, self._after(group, step).poses
        for places, turn in find_quarter_turns(self._cells(group)):
            moving, reversed_ = _standing_first(group, places)
            made = TurnStep(group.pieces, moving, turn.back if reversed_ else turn, False)
            after = self._after(group, made)
            yield replace(made, separates=self._is_parted(after, moving)), after.poses

    def _is_parted(self, group: _Group, moving: Collection[int]) -> bool:
        """Return whether the blocks around some pieces and around the others do not overlap."""
        blocks = {
            i: self._pieces[i].measure_bounds(pose)
            for i, pose in zip(group.pieces, group.poses, strict=True)
        }
        taken = Bounds.cover(block for i, block in blocks.items() if i in moving)
        rest = Bounds.cover(block for i, block in blocks.items() if i not in moving)
        return not taken.is_overlapping(rest)

    def _after(self, group: _Group, move: SlideStep | TurnStep) -> _Group:
        """Return a group as it lies after a move."""
        poses = (
            self._pieces[i].normalize(_moved(pose, move)) if i in move.moving else pose
            for i, pose in zip(group.pieces, group.poses, strict=True)
        )
        return _Group(group.pieces, tuple(poses))

    def _way(self, group: _Group, moves: tuple[SlideStep | TurnStep, ...]) -> _Way:
        for move in moves:
            group = self._after(group, move)
        moving = moves[-1].moving
        staying = set(group.pieces) - moving
        return _Way(moves, (group.select(staying), group.select(moving)))


def _moved(pose: Pose, move: SlideStep | TurnStep) -> Pose:
    if isinstance(move, TurnStep):
        return move.turn.carry(pose)
    return pose.translate(scale(move.direction.vector, move.units))


def _standing_first(group: _Group, places: frozenset[int]) -> tuple[frozenset[int], bool]:
    """The pieces at some places, or the others if the first is among them; and whether so."""
    reversed_ = 0 in places
    moving = (i for place, i in enumerate(group.pieces) if (place in places) != reversed_)
    return frozenset(moving), reversed_


def _step(group: _Group, move: Translation, separates: bool) -> SlideStep:
    moving, reversed_ = _standing_first(group, move.moving)
    direction = move.direction.opposite if reversed_ else move.direction
    return SlideStep(group.pieces, moving, direction, move.units, separates)


def _path(
    origins: dict[Poses, tuple[Poses, SlideStep | TurnStep]], poses: Poses
) -> Iterator[SlideStep | TurnStep]:
    """Return the moves that lead to a configuration, first to last."""
    moves = []
    while poses in origins:
        poses, move = origins[poses]
        moves.append(move)
    return reversed(moves)

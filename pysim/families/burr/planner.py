"""Shortest plans for locks, by breadth-first search.

Taking a group apart costs the moves up to a separation plus the cost of the two parts, which
can't get in each other's way afterwards. So the search for a group goes breadth first through its
configurations, looks up the cost of the parts at each separation (recursively, remembered), and
stops when no deeper separation can be cheaper: a part of m pieces costs at least m - 1 moves. The
result is therefore proven shortest, unless the search was cut off at ``MAX_CONFIGURATIONS``.
"""

from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise, product

from pysim.families.burr.actions import Bring, Slide
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.moves import apply_slide
from pysim.families.burr.state import Held, LockState, Loose
from pysim.families.burr.taking_apart import Configuration, GroupMove, Mobility
from pysim.geometry import Cell
from pysim.puzzle import Action, IllegalMove, Plan, Proof

__all__ = ["plan_lock"]

MAX_CONFIGURATIONS = 200_000
"""Configurations that one search may visit in all."""


@dataclass(frozen=True, slots=True)
class _Solution:
    """The cheapest way found to take a group apart: moves to a separation, then its parts."""

    cost: int
    moves: tuple[GroupMove, ...] = ()
    parts: tuple[Configuration, ...] = ()


@dataclass
class _Search:
    """One search; ``key`` stops at the first single piece, ``linear`` allows only those."""

    mobility: Mobility
    key: bool
    linear: bool
    solved: dict[Configuration, _Solution | None] = field(default_factory=dict)
    visited: int = 0
    complete: bool = True

    def solve(self, start: Configuration) -> _Solution | None:
        """The cheapest solution for a group, or None if there is none."""
        if len(start.pieces) == 1:
            return _Solution(0)
        if start not in self.solved:
            self.solved[start] = self._explore(start)
        return self.solved[start]

    def _explore(self, start: Configuration) -> _Solution | None:
        best: _Solution | None = None
        least_after = 0 if self.key else len(start.pieces) - 2
        came_from: dict[Configuration, tuple[Configuration, GroupMove] | None] = {start: None}
        queue = deque([(start, 0)])
        while queue:
            current, depth = queue.popleft()
            if best is not None and depth + 1 + least_after >= best.cost:
                break
            if self.visited >= MAX_CONFIGURATIONS:
                self.complete = False
                break
            self.visited += 1
            for move in self.mobility.moves(current):
                if not move.separates:
                    (after,) = move.parts
                    if after not in came_from:
                        came_from[after] = (current, move)
                        queue.append((after, depth + 1))
                    continue
                cost = self._cost_after(move)
                if cost is not None and (best is None or depth + 1 + cost < best.cost):
                    path = (*_path(came_from, current), move)
                    best = _Solution(depth + 1 + cost, path, move.parts)
        return best

    def _cost_after(self, move: GroupMove) -> int | None:
        """Moves needed once ``move`` has separated a group in two."""
        single = any(len(part.pieces) == 1 for part in move.parts)
        if self.linear and not single:
            return None
        if self.key and single:
            return 0
        costs = [s.cost for part in move.parts if (s := self.solve(part)) is not None]
        if self.key:
            return min(costs, default=None)
        return sum(costs) if len(costs) == 2 else None


def _path(
    came_from: dict[Configuration, tuple[Configuration, GroupMove] | None], end: Configuration
) -> list[GroupMove]:
    moves = []
    step = came_from[end]
    while step is not None:
        moves.append(step[1])
        step = came_from[step[0]]
    return moves[::-1]


def plan_lock(lock: Lock) -> Plan | None:
    """The shortest plan for the lock's goal that was found, with its proof; None if there is none.

    ``assemble`` plans take the pieces in one by one: they are the reverse of the shortest way to
    take the lock apart piece by piece, with one more step for the first piece. They are proven
    shortest when no way of taking it apart in groups is shorter.
    """
    home = Configuration.of(dict.fromkeys(range(len(lock.pieces)), (0, 0, 0)))
    assembled = LockState(tuple(Held(0, p.home) for p in lock.pieces))
    search = _Search(Mobility(lock), key=lock.goal is Goal.KEY, linear=False)
    solution = search.solve(home)
    if solution is None:
        return None
    if lock.goal is not Goal.ASSEMBLE:
        realised = _realise(lock, assembled, _sequence(search, solution))
        return _plan(realised[0], search.complete)
    linear = _Search(search.mobility, key=False, linear=True)
    one_by_one = linear.solve(home)
    if one_by_one is None:
        return None
    actions, states = _realise(lock, assembled, _sequence(linear, one_by_one))
    shortest = search.complete and one_by_one.cost == solution.cost
    return _plan(_reversed(lock, actions, states), shortest)


def _plan(actions: list[Action], proven: bool) -> Plan:
    return Plan(
        tuple(actions),
        Proof.OPTIMAL if proven else Proof.UPPER_BOUND,
        len(actions) if proven else 0,
    )


def _sequence(search: _Search, solution: _Solution) -> list[GroupMove]:
    """The moves of a solution and, after it, of its parts."""
    moves = list(solution.moves)
    parts = [(part, search.solve(part)) for part in solution.parts]
    if search.key:
        if any(len(part.pieces) == 1 for part, _ in parts):
            return moves
        ready = [s for _, s in parts if s is not None]
        return moves + _sequence(search, min(ready, key=lambda s: s.cost))
    for _, after in parts:
        assert after is not None
        moves += _sequence(search, after)
    return moves


def _realise(
    lock: Lock, state: LockState, moves: list[GroupMove]
) -> tuple[list[Action], list[LockState]]:
    """The moves as actions from ``state``, and the states on the way, the first included."""
    actions: list[Action] = []
    states = [state]
    for move in moves:
        action, state = _realise_move(lock, state, move)
        actions.append(action)
        states.append(state)
    return actions, states


def _realise_move(lock: Lock, state: LockState, move: GroupMove) -> tuple[Slide, LockState]:
    """Move one side or the other: fewer pieces if possible, and never out of the workspace."""
    bench = state.bench_of(min(move.moving))
    assert bench is not None
    rest = frozenset(state.group(bench)) - move.moving
    sides = [(move.moving, move.direction), (rest, move.direction.opposite)]
    refusal: IllegalMove | None = None
    sides.sort(key=lambda side: len(side[0]))
    for distance, (moving, direction) in product(move.distances, sides):
        colours = tuple(lock.pieces[i].colour for i in sorted(moving))
        action = Slide(colours, direction, distance)
        try:
            return action, apply_slide(lock, state, action).state
        except IllegalMove as error:
            refusal = error
    assert refusal is not None
    raise refusal


def _reversed(lock: Lock, actions: list[Action], states: list[LockState]) -> list[Action]:
    """Actions that undo a way of taking the lock apart piece by piece, last one first."""
    undone: list[Action] = []
    for (before, after), action in reversed(list(zip(pairwise(states), actions, strict=True))):
        assert isinstance(action, Slide)
        back = action.direction.opposite
        freed = [
            i
            for i, place in enumerate(after.places)
            if isinstance(place, Loose) and isinstance(before.places[i], Held)
        ]
        moving = {lock.index[c] for c in action.pieces}
        # The piece that stood still comes in first: it is what the other one moves into.
        for i in sorted(freed, key=lambda i: i in moving):
            place = before.places[i]
            assert isinstance(place, Held)
            corner: Cell = place.pose.corner(lock.pieces[i].shape)
            undone.append(Bring(lock.pieces[i].colour, place.pose.rotation, corner, back))
        if not freed:
            undone.append(Slide(action.pieces, back, action.distance))
    return undone

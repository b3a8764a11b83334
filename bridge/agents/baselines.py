"""Agents that need no model, because they know the level: baselines with known answers.

They keep their own copy of the state, which stays true because they make legal moves only.
"""

import copy
import hashlib
import heapq
import random
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Self

from bridge.agents.protocol import GaveUp
from bridge.episode.observation import Observation
from bridge.episode.tools import ToolCall
from pysim.catalog import find_family
from pysim.errors import InputError
from pysim.puzzle import Action, Level
from pysim.scene import Scene

__all__ = [
    "FirstLegalAgent",
    "GreedyAgent",
    "NoisyOracleAgent",
    "OracleAgent",
    "RandomAgent",
    "read_noise",
]


class _Baseline:
    """An agent that knows the level and its state."""

    def __init__(self, level: Level[Any]) -> None:
        self._level = level
        self._rules = find_family(level).rules
        self._state = self._rules.initial(level)

    def fork(self, branch: int) -> Self:
        """A copy; where there are several good actions, or chance, it takes another one next."""
        twin = copy.copy(self)
        twin._vary(branch)
        return twin

    def _vary(self, branch: int) -> None:
        """Make a fresh copy go its own way."""

    def act(self, observation: Observation) -> ToolCall:
        """Return the next action; none of these agents needs to look."""
        action = self._choose()
        if action is None:
            raise GaveUp("there is no legal move")
        self._state = self._after(action)
        return ToolCall.of(action)

    def plan(self, observation: Observation) -> Sequence[ToolCall]:
        """Return the steps that it would make one by one, as far as the budget goes."""
        return tuple(self._calls(observation))

    def _calls(self, observation: Observation) -> Iterator[ToolCall]:
        for _ in range(observation.budget_left):
            if self._rules.outcome(self._level, self._state) is not None:
                return
            try:
                yield self.act(observation)
            except GaveUp:
                return

    def _choose(self) -> Action | None:
        raise NotImplementedError

    def _legal(self) -> Iterator[Action]:
        return self._rules.legal(self._level, self._state)

    def _after(self, action: Action) -> Any:
        return self._rules.apply(self._level, self._state, action).state

    def _key(self, state: object) -> str:
        return self._rules.encode(state)


class OracleAgent(_Baseline):
    """Plays the level's certified plan."""

    def __init__(self, level: Level[Any]) -> None:
        """Search for a plan if the level has none.

        Raises:
            InputError: the level has no plan and none is found.
        """
        super().__init__(level)
        self._left = _plan_of(level)

    def _choose(self) -> Action:
        if not self._left:
            raise GaveUp("the plan has come to its end")
        action, *left = self._left
        self._left = tuple(left)
        return action


class RandomAgent(_Baseline):
    """Draws evenly among the legal actions."""

    def __init__(self, level: Level[Any], seed: int) -> None:
        super().__init__(level)
        self._random = random.Random(seed)

    def _vary(self, branch: int) -> None:
        self._random = _branched(self._random, branch)

    def _choose(self) -> Action | None:
        legal = list(self._legal())
        return self._random.choice(legal) if legal else None


class FirstLegalAgent(_Baseline):
    """Takes the first legal action, always; a copy once the one that many places further."""

    _place = 0

    def _vary(self, branch: int) -> None:
        self._place = branch

    def _choose(self) -> Action | None:
        place, self._place = self._place, 0
        legal = list(islice(self._legal(), place + 1))
        return legal[-1] if legal else None


class GreedyAgent(_Baseline):
    """Takes what looks like progress, and rather goes where it has not been.

    Progress is a count of pieces: those taken out of the work where all pieces start in it, else
    those brought into it. Each step weighs up to ``WIDTH`` legal actions, evenly spread, by: solves
    the level, goes where it has been least often, most progress, comes first. A copy once takes
    the one that many places behind the best.
    """

    WIDTH = 64
    _place = 0

    def __init__(self, level: Level[Any]) -> None:
        super().__init__(level)
        scene = self._rules.scene(level, self._state)
        self._apart = _pieces_at_work(scene) == len(scene.bodies)
        self._visits = Counter([self._key(self._state)])

    def _vary(self, branch: int) -> None:
        self._place, self._visits = branch, self._visits.copy()

    def _choose(self) -> Action | None:
        place, self._place = self._place, 0
        legal = list(self._legal())
        if not legal:
            return None
        weighed = legal[:: -(-len(legal) // self.WIDTH)]
        best = heapq.nlargest(place + 1, weighed, key=self._value)
        action = best[-1]
        self._visits[self._key(self._after(action))] += 1
        return action

    def _value(self, action: Action) -> tuple[bool, int, int]:
        state = self._after(action)
        solved = self._rules.outcome(self._level, state) is not None
        inside = _pieces_at_work(self._rules.scene(self._level, state))
        return solved, -self._visits[self._key(state)], -inside if self._apart else inside


def read_noise(text: str) -> float:
    """Return the share of a noisy agent's answers that are random.

    Raises:
        InputError: the text is no number from 0 to 1.
    """
    try:
        noise = float(text)
    except ValueError:
        raise InputError(f"the noise is a number, not {text[:40]!r}") from None
    _check_noise(noise)
    return noise


def _check_noise(noise: float) -> None:
    if not 0 <= noise <= 1:
        raise InputError(f"the noise is a share from 0 to 1, not {noise}")


class NoisyOracleAgent(_Baseline):
    """Plays the plan, but now and then a random legal action instead, and finds its way back.

    The way back to the nearest state of the plan is a shortest one of up to ``DEPTH`` legal
    actions, searched among ``NODES`` states; where there is none, it draws on.

    Args:
        p: how often, from 0 (the oracle) to 1 (chance).

    Raises:
        InputError: ``p`` is out of range, or there is no plan.
    """

    DEPTH, NODES = 3, 2000

    def __init__(self, level: Level[Any], p: float, seed: int) -> None:
        super().__init__(level)
        _check_noise(p)
        self._p = p
        self._random = random.Random(seed)
        self._plan = _plan_of(level)
        self._place = {self._key(state): i for i, state in enumerate(self._states())}
        self._way: deque[Action] = deque(self._plan)

    def _vary(self, branch: int) -> None:
        self._random, self._way = _branched(self._random, branch), self._way.copy()

    def _states(self) -> Iterator[object]:
        state = self._state
        yield state
        for action in self._plan:
            state = self._rules.apply(self._level, state, action).state
            yield state

    def _choose(self) -> Action | None:
        if self._random.random() >= self._p:
            if not self._way:
                self._way.extend(self._way_back())
            if self._way:
                return self._way.popleft()
        self._way.clear()
        legal = list(self._legal())
        return self._random.choice(legal) if legal else None

    def _way_back(self) -> Sequence[Action]:
        """To the furthest of the nearest states of the plan, and on along the plan; or nothing."""
        reached = self._place.get(self._key(self._state))
        if reached is not None:
            return self._plan[reached:]
        seen = {self._key(self._state)}
        layer: list[tuple[Any, tuple[Action, ...]]] = [(self._state, ())]
        for _ in range(self.DEPTH):
            layer = list(islice(self._beyond(layer, seen), self.NODES))
            found = [
                (self._place[k], way) for s, way in layer if (k := self._key(s)) in self._place
            ]
            if found:
                place, way = max(found, key=lambda item: item[0])
                return (*way, *self._plan[place:])
        return ()

    def _beyond(
        self, layer: Sequence[tuple[Any, tuple[Action, ...]]], seen: set[str]
    ) -> Iterator[tuple[Any, tuple[Action, ...]]]:
        """Yield the new states one action further."""
        for state, way in layer:
            for action in self._rules.legal(self._level, state):
                after = self._rules.apply(self._level, state, action).state
                key = self._key(after)
                if key not in seen:
                    seen.add(key)
                    yield after, (*way, action)


def _branched(source: random.Random, branch: int) -> random.Random:
    """Return random numbers of a copy's own, that follow from those of its original."""
    text = f"{branch}/{source.getstate()}"
    return random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest()))


def _plan_of(level: Level[Any]) -> tuple[Action, ...]:
    plan = level.plan or find_family(level).rules.plan(level)
    if plan is None:
        raise InputError(f"{level.id} has no plan, and none was found")
    return plan.actions


def _pieces_at_work(scene: Scene) -> int:
    """Return the number of pieces that reach into the place of work."""
    low, high = scene.work.low, scene.work.high
    return sum(
        any(all(a <= x <= b for a, x, b in zip(low, cell, high, strict=True)) for cell in cells)
        for cells in (body.place().cells for body in scene.bodies)
    )

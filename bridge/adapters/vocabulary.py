"""A level's actions as numbers, for agents that choose among a fixed list.

Number i means the same action in every state and every episode of a level. The list holds

- every action that is legal in one of the first states of a breadth-first walk from the beginning,
  which ends after ``STATES`` states or ``ACTIONS`` actions, whichever comes first;
- and every action of the certified plan, with whatever else is legal along it as long as the list
  is shorter than ``ACTIONS``: so that the level can be solved.

It is sorted by the actions' text, so that the order tells nothing of the plan.
"""

from collections import deque
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.episode.tools import build_action_space
from pysim.catalog import find_family
from pysim.puzzle import Action, Level

__all__ = ["Vocabulary", "vocabulary_of"]

STATES, ACTIONS = 64, 1024


class Vocabulary:
    """The numbered actions of a level.

    Attributes:
        actions: by number.
    """

    def __init__(self, level: Level[Any]) -> None:
        self._level = level
        self._rules = find_family(level).rules
        found = self._walk()
        self._add_plan(found)
        space = build_action_space(level)
        self.actions: tuple[Action, ...] = tuple(sorted(found, key=space.line))
        self._numbers = {action: number for number, action in enumerate(self.actions)}

    def __len__(self) -> int:
        return len(self.actions)

    def number(self, action: Action) -> int | None:
        """Return the number of an action; None if it is not on the list."""
        return self._numbers.get(action)

    def mask(self, state: Any) -> NDArray[np.int8]:
        """(n,): 1 for each action that the rules list as legal in a state, else 0."""
        mask = np.zeros(len(self.actions), dtype=np.int8)
        for action in self._rules.legal(self._level, state):
            number = self._numbers.get(action)
            if number is not None:
                mask[number] = 1
        return mask

    def _walk(self) -> set[Action]:
        start = self._rules.initial(self._level)
        seen, queue, found = {self._rules.encode(start)}, deque([start]), set[Action]()
        visited = 0
        while queue and visited < STATES and len(found) < ACTIONS:
            state = queue.popleft()
            visited += 1
            for action in self._rules.legal(self._level, state):
                found.add(action)
                if len(seen) < STATES:
                    after = self._rules.apply(self._level, state, action).state
                    key = self._rules.encode(after)
                    if key not in seen:
                        seen.add(key)
                        queue.append(after)
        return found

    def _add_plan(self, found: set[Action]) -> None:
        state = self._rules.initial(self._level)
        for action in self._level.plan.actions if self._level.plan else ():
            found.add(action)
            if len(found) < ACTIONS:
                found.update(self._rules.legal(self._level, state))
            state = self._rules.apply(self._level, state, action).state


@lru_cache(maxsize=64)
def vocabulary_of(level: Level[Any]) -> Vocabulary:
    """Return the vocabulary of a level; the last ones are kept."""
    return Vocabulary(level)

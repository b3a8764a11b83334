"""Position of a person's game, followed by the rules so that legal actions can be listed."""

from itertools import islice

from bridge.episode.tools import ActionSpace
from pysim.catalog import AnyLevel, find_family

__all__ = ["Position"]


class Position:
    """A level as it is after the actions that were carried out."""

    def __init__(self, level: AnyLevel, actions: ActionSpace) -> None:
        self._level = level
        self._actions = actions
        self._rules = find_family(level).rules
        self._state = self._rules.initial(level)

    def follow(self, line: str) -> None:
        """Make an action that was carried out, as it is written."""
        action = self._actions.parse(self._actions.parse_line(line))
        self._state = self._rules.apply(self._level, self._state, action).state

    def list_legal(self, most: int) -> list[str]:
        """Return the first legal actions, as they are typed."""
        found = islice(self._rules.legal(self._level, self._state), most)
        return [self._actions.line(action) for action in found]

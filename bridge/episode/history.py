"""The history window: what an agent is told of its last turns."""

from collections import deque

__all__ = ["History"]


class History:
    """The last ``window`` turns as compact text, and how many there were before them."""

    def __init__(self, window: int) -> None:
        """``window``: turns to keep, 0 or more."""
        self._window = window
        self._turns: deque[tuple[int, str, str]] = deque(maxlen=window)
        self._count = 0

    def copy(self) -> "History":
        """An independent copy of the history."""
        twin = History(self._window)
        twin._count, twin._turns = self._count, self._turns.copy()
        return twin

    def add(self, action: str, result: str) -> None:
        """Note a turn: the action as a line of text, and what came of it."""
        self._count += 1
        self._turns.append((self._count, action, result))

    def text(self) -> str:
        """One line per turn, oldest first; empty if nothing was done yet."""
        lines = [f"{number}. {action} -> {result}" for number, action, result in self._turns]
        hidden = self._count - len(self._turns)
        if hidden and self._window:
            lines.insert(0, f"({hidden} earlier turns are not shown)")
        return "\n".join(lines)

"""The history window: what an agent is told of its last turns."""

from dataclasses import dataclass

__all__ = ["History"]


@dataclass(frozen=True, slots=True)
class History:
    """The last turns as compact text.

    Attributes:
        window: turns that are kept, 0 or more.
        count: turns that there were.
        turns: a line for each that is kept, oldest first.
    """

    window: int
    count: int = 0
    turns: tuple[str, ...] = ()

    def append(self, action: str, result: str) -> "History":
        """Return the history one turn later: the action as a line of text, and what came of it."""
        number = self.count + 1
        turns = (*self.turns, f"{number}. {action} -> {result}")
        return History(self.window, number, turns[max(0, len(turns) - self.window) :])

    def format(self) -> str:
        """Return one line per turn, oldest first; empty if nothing was done yet."""
        hidden = self.count - len(self.turns)
        notice = f"({hidden} earlier turns are not shown)"
        return "\n".join([notice, *self.turns] if hidden and self.window else self.turns)

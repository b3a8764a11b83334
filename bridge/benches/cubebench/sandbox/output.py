"""Captured output of code, as much of it as is shown."""

import io

__all__ = ["Output", "truncate"]


class Output(io.TextIOBase):
    """A text stream that keeps its first and its last characters, each half of ``limit``."""

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self._head = ""
        self._tail = ""
        self._count = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        """Take ``text``; returns its length."""
        self._count += len(text)
        room = self._half - len(self._head)
        self._head += text[:room]
        if len(text) > room:
            self._tail = (self._tail + text[room:][-self._half :])[-self._half :]
        return len(text)

    def get_text(self) -> str:
        """Return the captured text; where something is missing, it is marked with its length."""
        missing = self._count - len(self._head) - len(self._tail)
        gap = f"\n[... {missing:,} characters are left out ...]\n" if missing else ""
        return f"{self._head}{gap}{self._tail}"


def truncate(text: str, limit: int) -> str:
    """Return a text's beginning and end."""
    output = Output(limit)
    output.write(text)
    return output.get_text()

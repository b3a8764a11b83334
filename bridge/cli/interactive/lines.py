"""Lines that a person types."""

import sys
from io import TextIOWrapper

from pysim.limits import MAX_LINE

__all__ = ["read_line"]


def read_line() -> str:
    """Return the next line of the input, its end included, cut off where it is too long.

    Bytes that are no text are replaced, so that they are refused as any other odd answer.

    Raises:
        EOFError: there are no more lines.
    """
    if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="replace")
    try:
        line = rest = sys.stdin.readline(MAX_LINE + 1)
        while len(rest) > MAX_LINE and not rest.endswith("\n"):
            rest = sys.stdin.readline(MAX_LINE + 1)  # What is left of it is no line of its own.
    except OSError:  # The terminal is gone.
        raise EOFError from None
    if not line:
        raise EOFError
    return line

"""Limits of input, field by field; every reader of a field checks them first.

Nothing longer is looked at: not by a regular expression, not by a search for names that are alike,
and no message quotes it. docs/levels.md has the same figures as a table.
"""

import re
import reprlib
from typing import Final

__all__ = [
    "LEVEL_ID",
    "MAX_ACTION_NAME",
    "MAX_ANSWER",
    "MAX_ARGUMENTS",
    "MAX_FACTS",
    "MAX_LEVEL_BYTES",
    "MAX_LEVEL_ID",
    "MAX_LINE",
    "MAX_MESSAGE",
    "MAX_NOTED",
    "MAX_PATTERN",
    "MAX_QUOTED",
    "MAX_SELECTION",
    "MAX_TITLE",
    "clip_text",
    "quote",
]

MAX_LEVEL_ID: Final = 80
"""Characters of a level's id."""
LEVEL_ID: Final = re.compile(f"[a-z0-9][a-z0-9-]{{0,{MAX_LEVEL_ID - 1}}}")
"""What a level's id looks like."""
MAX_LEVEL_BYTES: Final = 16 * 2**20
"""Bytes of a level document."""
MAX_TITLE: Final = 1_000
"""Characters of a level's name, of each text of its source, of a fact and of a fact's name."""
MAX_FACTS: Final = 1_000
"""Facts of a level."""
MAX_SELECTION: Final = 64 * 1024
"""Characters of a text that names levels, with commas between them."""
MAX_PATTERN: Final = 200
"""Characters of one of them: a suite, a family, a pattern of ids."""
MAX_ACTION_NAME: Final = 64
"""Characters of an action's name, and of the name of one of its fields."""
MAX_ARGUMENTS: Final = 64 * 1024
"""Characters of an action's arguments as JSON."""
MAX_NOTED: Final = 2**20
"""Characters of arguments that can't be read of which a log tells length and hash."""
MAX_LINE: Final = 64 * 1024
"""Characters of a line that a person types."""
MAX_ANSWER: Final = 2**20
"""Characters of an answer to an item."""
MAX_QUOTED: Final = 40
"""Characters of a value from outside that a message quotes."""
MAX_MESSAGE: Final = 300
"""Characters of an error's message as it is shown."""


def clip_text(text: str, most: int = MAX_MESSAGE) -> str:
    """A text as it is, or of a longer one the beginning and the end: what to do stands there."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 5]} ... {text[-end:]}"


def quote(value: object, most: int = MAX_QUOTED) -> str:
    """Any value from outside as a short ASCII text, whatever its size, at no more cost than that.

    It is nested too deep, say, or a number of too many digits, or a text of many megabytes.
    """
    try:
        text = _QUOTING.repr(value)
    except (RecursionError, ValueError):
        text = f"a huge {type(value).__name__}"
    text = text.encode("ascii", "backslashreplace").decode("ascii")
    return text if len(text) <= most else text[: most - 3] + "..."


class _Quoting(reprlib.Repr):
    """Looks at no more of a value than is quoted."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = MAX_QUOTED
        self.maxstring = self.maxother = self.maxlong = 3 * MAX_QUOTED

    def repr_str(self, x: str, level: int) -> str:
        return repr(x[: self.maxstring])

    def repr_dict(self, x: dict[object, object], level: int) -> str:
        """In the order of the fields: sorting them would look at all."""
        first = dict(zip(range(MAX_QUOTED), x, strict=False)).values()
        inner = (f"{self.repr1(k, level - 1)}: {self.repr1(x[k], level - 1)}" for k in first)
        return "{" + ", ".join(inner) + "}" if level > 0 else "{...}"


_QUOTING = _Quoting()

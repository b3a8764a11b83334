"""Settings of conditions as text."""

import math
from enum import StrEnum

from pysim.errors import InputError
from pysim.items import parse_word

__all__ = ["format_setting", "read_setting", "read_whole"]


def read_setting(name: str, usual: object, text: str, words: type[StrEnum]) -> object:
    """Return the value of a setting that is written as text, of the type of the usual one.

    Raises:
        InputError: it is none.
    """
    if isinstance(usual, tuple):
        return tuple(parse_word(name, words, word) for word in text.split("+"))
    if isinstance(usual, StrEnum):
        return parse_word(name, type(usual), text)
    if isinstance(usual, int):
        return read_whole(name, text)
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"{name} is a number, not {text[:60]!r}") from None
    if not math.isfinite(value):
        raise InputError(f"{name} is a number, not {text!r}")
    return value


def read_whole(name: str, text: str) -> int:
    """Return a whole number that is written as text.

    Raises:
        InputError: it is none.
    """
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{name} is a number, not {text[:60]!r}") from None


def format_setting(value: object) -> str:
    """Return the value of a setting as text."""
    return "+".join(value) if isinstance(value, tuple) else str(value)

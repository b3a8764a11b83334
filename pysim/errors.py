"""The root of all errors that somebody can do something about, and why actions are refused."""

import re
import sys
from collections.abc import Sequence
from enum import StrEnum

from pysim.limits import clip_text

__all__ = [
    "InputError",
    "LubanError",
    "MissingPackage",
    "Reason",
    "describe_missing_pybullet",
    "format_reason",
    "parse_reason",
]

_INSTALL = "pip install 'luban[bullet]'"
_COMPILE = "pip install 'pybullet>=3.2.7,<4'"
_LAST_BUILT = (3, 11)
"""The newest Python for which PyBullet comes ready-made."""


class LubanError(Exception):
    """Error of input, or of something outside of Luban; no bug of Luban's.

    The message is for the person who is to act on it: it says what is wrong, where, and what to do.
    ``except LubanError`` catches all of these, and nothing that should keep its traceback. As text
    it is never long, whatever it quotes; ``args`` has the whole.
    """

    def __str__(self) -> str:
        return clip_text(super().__str__())


class InputError(LubanError, ValueError):
    """A value is wrong or out of range: an argument, an option, or what a file says."""


class MissingPackage(LubanError, ImportError):
    """A package that is only needed for this is not installed; the message says how to get it."""


def describe_missing_pybullet(python: tuple[int, int] = sys.version_info[:2]) -> str:
    """That PyBullet is missing and how to get it, as half a sentence.

    Args:
        python: for which Python.
    """
    if python <= _LAST_BUILT:
        return f"PyBullet is not installed: {_INSTALL}"
    return (
        f"PyBullet comes ready-made for Python 3.11, not for {python[0]}.{python[1]}: use that, or "
        f"compile it ({_COMPILE}, with a C++ compiler and ten minutes)"
    )


class Reason(StrEnum):
    """Why an action was refused; families may have a StrEnum of their own besides.

    The first group goes with InvalidAction; the last one is for agents alone, and in no log.
    """

    NO_CALL = "NO_CALL"
    MALFORMED = "MALFORMED"
    UNKNOWN_ACTION = "UNKNOWN_ACTION"
    MISSING_FIELD = "MISSING_FIELD"
    UNKNOWN_FIELD = "UNKNOWN_FIELD"
    BAD_VALUE = "BAD_VALUE"
    UNKNOWN_COLOUR = "UNKNOWN_COLOUR"
    DUPLICATE_COLOUR = "DUPLICATE_COLOUR"

    BLOCKED = "BLOCKED"
    OVERLAP = "OVERLAP"
    OUT_OF_BOUNDS = "OUT_OF_BOUNDS"
    UNREACHABLE = "UNREACHABLE"
    UNSTABLE = "UNSTABLE"
    NOT_FREE = "NOT_FREE"
    ALREADY_FREE = "ALREADY_FREE"
    NOT_TOGETHER = "NOT_TOGETHER"
    NO_EFFECT = "NO_EFFECT"

    REFUSED = "REFUSED"


def parse_reason(name: str) -> str:
    """A :class:`Reason`, or a family's own as a text; ValueError if no reason is called so."""
    if not re.fullmatch(r"[A-Z]{1,20}(_[A-Z]{1,20}){0,5}", name):
        raise ValueError(f"{name!r:.60} is no reason: they are words in capitals")
    return Reason(name) if name in Reason.__members__ else name


def format_reason(reason: str, culprits: Sequence[str]) -> str:
    """Return a reason, and who is to blame: ``BLOCKED by blue``."""
    return f"{reason} by {', '.join(culprits)}" if culprits else str(reason)

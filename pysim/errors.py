"""The root of all errors that somebody can do something about; what to do without PyBullet."""

import sys

from pysim.limits import clipped

__all__ = ["InputError", "LubanError", "MissingPackage", "without_pybullet"]

_INSTALL = "pip install 'pybullet>=3.2.7,<4'"
_LAST_BUILT = (3, 11)
"""The newest Python for which PyBullet comes ready-made."""


class LubanError(Exception):
    """What was given can't be used, or something outside of Luban failed; no bug of Luban's.

    The message is for the person who is to act on it: it says what is wrong, where, and what to do.
    ``except LubanError`` catches all of these, and nothing that should keep its traceback. As text
    it is never long, whatever it quotes; ``args`` has the whole.
    """

    def __str__(self) -> str:
        return clipped(super().__str__())


class InputError(LubanError, ValueError):
    """A value is wrong or out of range: an argument, an option, or what a file says."""


class MissingPackage(LubanError, ImportError):
    """A package that is only needed for this is not installed; the message says how to get it."""


def without_pybullet(python: tuple[int, int] = sys.version_info[:2]) -> str:
    """That PyBullet is missing and how to get it, as half a sentence.

    Args:
        python: for which Python.
    """
    if python <= _LAST_BUILT:
        return f"PyBullet is not installed: {_INSTALL}"
    return (
        f"PyBullet comes ready-made for Python 3.11, not for {python[0]}.{python[1]}: use that, or "
        f"compile it ({_INSTALL}, with a C++ compiler and ten minutes)"
    )

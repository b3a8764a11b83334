"""Engines that are not there on every machine, and what to do about it."""

import sys

__all__ = ["without_pybullet"]

_INSTALL = "pip install 'pybullet>=3.2.7,<4'"
_LAST_BUILT = (3, 11)
"""The newest Python for which PyBullet comes ready-made."""


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

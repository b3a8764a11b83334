"""Mechanisms that confine agents' code."""

from enum import StrEnum
from typing import NoReturn

from pysim.errors import InputError

__all__ = ["Strength"]


class Strength(StrEnum):
    """Mechanism that confines the code."""

    STRONG = "strong"
    """Resource limits, Landlock and a filter of system calls."""
    WEAK = "weak"
    """Resource limits only: for code that is trusted not to look for a way out."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"there is no sandbox {value!r}; there are {', '.join(cls)}")

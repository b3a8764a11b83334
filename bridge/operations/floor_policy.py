"""Policy of scoring floors; a module of its own, since commands load it for their options."""

from enum import StrEnum
from typing import NoReturn

from pysim.errors import InputError
from pysim.limits import quote

__all__ = ["FloorPolicy"]


class FloorPolicy(StrEnum):
    """Cases in which clips that any program can make are scored beside the videos of models."""

    AUTO = "auto"
    """If a model is a folder, or there are several bundles."""
    ALWAYS = "always"
    NEVER = "never"

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"floors are one of {', '.join(cls)}, not {quote(value)}")

"""Findings of ``luban doctor``."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Diagnosis", "Health"]


class Health(StrEnum):
    """Condition of a part."""

    OK = "ok"
    LIMITED = "limited"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Findings about one part.

    Attributes:
        part: its name.
        health: whether it can be used.
        found: what is there, or why it is not.
        advice: what to do; empty if there is nothing to do.
        required: whether Luban is of little use without it.
    """

    part: str
    health: Health
    found: str
    advice: str = ""
    required: bool = False

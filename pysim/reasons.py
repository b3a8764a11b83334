"""Why actions are refused."""

import re
from collections.abc import Sequence
from enum import StrEnum

__all__ = ["Reason", "blamed", "reason_called"]


class Reason(StrEnum):
    """Why an action was refused; families may have a StrEnum of their own besides.

    The first group goes with InvalidAction; the last one is for agents alone, and in no log.
    """

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


def reason_called(name: str) -> str:
    """A :class:`Reason`, or a family's own as a text; ValueError if no reason is called so."""
    if not re.fullmatch(r"[A-Z]{1,20}(_[A-Z]{1,20}){0,5}", name):
        raise ValueError(f"{name!r:.60} is no reason: they are words in capitals")
    return Reason(name) if name in Reason.__members__ else name


def blamed(reason: str, culprits: Sequence[str]) -> str:
    """A reason, and who is to blame: ``BLOCKED by blue``."""
    return f"{reason} by {', '.join(culprits)}" if culprits else str(reason)

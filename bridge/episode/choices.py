"""Choices of an episode that options of commands are made of: observation, feedback and limits."""

from enum import StrEnum
from typing import NoReturn

from pysim.errors import InputError
from pysim.limits import quote

__all__ = ["MAX_BUDGET", "MAX_PICTURE", "MIN_PICTURE", "Feedback", "Obs"]

MAX_BUDGET = 1_000_000
MIN_PICTURE, MAX_PICTURE = 16, 2048


class Obs(StrEnum):
    """The part of a level that an agent sees: an arm of an evaluation.

    Where a level has no pictures, ``image`` and ``image+state`` show the state in words.
    """

    IMAGE = "image"
    """Pictures."""
    IMAGE_STATE = "image+state"
    """Pictures and the state in words."""
    STATE = "state"
    """The state in words."""
    NONE = "none"
    """Neither: instruction, tools, history and results only."""
    WRONG = "wrong"
    """Pictures of another level's initial state, the same in every step."""

    @classmethod
    def _missing_(cls, value: object) -> "Obs":
        """Read another spelling.

        Raises:
            InputError: it is none.
        """
        if isinstance(value, str) and value in _SPELLINGS:
            return cls(_SPELLINGS[value])
        raise InputError(f"the observation is one of {', '.join(cls)}, not {quote(value)}")

    @property
    def has_images(self) -> bool:
        """Whether pictures are part of it."""
        return self in (Obs.IMAGE, Obs.IMAGE_STATE, Obs.WRONG)

    @property
    def has_state(self) -> bool:
        """Whether the state in words is part of it."""
        return self in (Obs.IMAGE_STATE, Obs.STATE)

    @property
    def has_state_instead(self) -> bool:
        """Whether the state is told in words where a level has no pictures."""
        return self not in (Obs.NONE, Obs.WRONG)


_SPELLINGS = {
    "pictures": "image",
    "pictures+text": "image+state",
    "text": "state",
    "no-picture": "none",
    "wrong-picture": "wrong",
}
"""Words of benches that ask items, for the same arms."""


class Feedback(StrEnum):
    """Feedback after a step, besides the steps left and whether the episode has ended."""

    NONE = "none"
    """Nothing, not even whether the action was accepted."""
    LEGAL = "legal"
    """Whether it was accepted."""
    REASON = "reason"
    """Also which rule it broke, as a code."""
    FULL = "full"
    """Everything: how far it went, and what stood in the way."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"feedback is one of {', '.join(cls)}, not {value!r}")

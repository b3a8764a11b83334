"""What a user may say of M-Portal."""

from dataclasses import dataclass, field
from enum import StrEnum

from bridge.items.options import AskOptions

__all__ = ["ITEMS", "PortalOptions", "PortalShown"]

ITEMS = 512
"""Of 16 chambers, 32 each."""


class PortalShown(StrEnum):
    """What an agent is given of a chamber."""

    PICTURES = "pictures"
    """Pictures from two corners, from above by floors, and as the agent sees it."""
    HINT = "hint"
    """These, and some in which the surfaces are marked that it is about."""
    TEXT = "text"
    """A description of all cells, and no pictures."""


@dataclass(frozen=True, slots=True)
class PortalOptions(AskOptions):
    """What is asked of chambers, and how."""

    n: int = field(
        default=ITEMS,
        metadata={"help": "Number of items of each condition.", "least": 1, "most": ITEMS},
    )
    shown: str = field(
        default="pictures",
        metadata={
            "help": f"What is shown of a chamber: {', '.join(PortalShown)}; or all, to compare.",
            "metavar": "WORD",
        },
    )
    blanks: int = field(
        default=5,
        metadata={"help": "How many steps portal-blanks masks.", "least": 1, "most": 5},
    )

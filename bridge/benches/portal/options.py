"""The options of M-Portal."""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from bridge.items.options import AskOptions, parse_whole_numbers

__all__ = ["ITEMS", "MOST_BLANKS", "PortalOptions", "PortalShown"]

ITEMS = 512
"""Of each suite: of 16 chambers 32 each, or of generated ones as many questions."""
MOST_BLANKS = 5


class PortalShown(StrEnum):
    """Views of a chamber that an agent is given."""

    PICTURES = "pictures"
    """Pictures from two corners, from above by floors, and as the agent sees it."""
    HINT = "hint"
    """These, and some in which the surfaces are marked that it is about."""
    TEXT = "text"
    """A description of all cells, and no pictures."""


@dataclass(frozen=True, slots=True)
class PortalOptions(AskOptions):
    """Tasks on chambers, and their presentation."""

    n: int = field(
        default=ITEMS,
        metadata={"help": "Number of items of each condition.", "least": 1, "most": ITEMS},
    )
    observation: str = field(
        default="pictures",
        metadata={
            "help": f"What is shown of a chamber: {', '.join(PortalShown)}; or all, to compare.",
            "metavar": "WORD",
        },
    )
    blanks: tuple[int, ...] = field(
        default=(MOST_BLANKS,),
        metadata={
            "help": "Steps that the suites of blanks mask: 1 to 5, or several such as 1,3,5, to "
            "compare; 5 by default.",
            "read": partial(parse_whole_numbers, least=1, most=MOST_BLANKS),
            "metavar": "N,...",
        },
    )
    unique: bool = field(
        default=False,
        metadata={
            "help": "Of blanks, ask each question once, not in each order of its options.",
            "option": "--unique",
        },
    )

    def list_blank_counts(self) -> tuple[int, ...]:
        """Return how many steps are masked, each number once.

        Raises:
            InputError: a number is out of range.
        """
        return parse_whole_numbers(self.blanks, least=1, most=MOST_BLANKS, name="--blanks")

"""The form of answers: True or False."""

import re
from dataclasses import dataclass
from random import Random

__all__ = ["TruthForm"]

_NAMED = re.compile(r"\bAnswer:[\s*]*(True|False)\b(?!\s*(?:/|or\b))", re.IGNORECASE | re.ASCII)
_BARE = re.compile(r"[\s*\"'.]*(True|False)[\s*\"'.]*", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class TruthForm:
    """``Answer: True`` anywhere in a text, or nothing but the word; two that differ are none.

    Attributes:
        bare: whether answers are written without ``Answer:``; either is read.
    """

    bare: bool = False

    def parse(self, text: str) -> bool | None:
        """Parse the answer."""
        alone = _BARE.fullmatch(text)
        words = [alone[1]] if alone else _NAMED.findall(text)
        found = {word.lower() == "true" for word in words}
        return found.pop() if len(found) == 1 else None

    def format(self, answer: bool) -> str:
        """As the system prompt asks for it."""
        return str(answer) if self.bare else f"Answer: {answer}"

    def draw(self, random: Random) -> bool:
        """Return a coin."""
        return random.random() < 0.5

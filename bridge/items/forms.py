"""Forms of answers that several benches ask for."""

import re
from dataclasses import dataclass
from functools import cache
from random import Random

__all__ = ["BinaryForm"]


@dataclass(frozen=True, slots=True)
class BinaryForm:
    """``Answer: WORD`` anywhere in a text, or nothing but the word; two that differ are none.

    Attributes:
        yes, no: the two words; letter case does not matter.
        bare: whether answers are written without ``Answer:``; either is read.
    """

    yes: str
    no: str
    bare: bool = False

    def parse(self, text: str) -> bool | None:
        """Parse the answer; None if there is none, or two that differ."""
        named, whole = _compile(self.yes, self.no)
        alone = whole.fullmatch(text)
        words = [alone[1]] if alone else named.findall(text)
        found = {word.lower() == self.yes.lower() for word in words}
        return found.pop() if len(found) == 1 else None

    def format(self, answer: bool) -> str:
        """As the system prompt asks for it."""
        word = self.yes if answer else self.no
        return word if self.bare else f"Answer: {word}"

    def draw(self, random: Random) -> bool:
        """Return a coin."""
        return random.random() < 0.5


@cache
def _compile(yes: str, no: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of a named answer, and of a text that is nothing but a word."""
    flags = re.IGNORECASE | re.ASCII
    return (
        re.compile(rf"\bAnswer:[\s*]*({yes}|{no})\b(?!\s*(?:/|or\b))", flags),
        re.compile(rf"[\s*\"'.]*({yes}|{no})[\s*\"'.]*", flags),
    )

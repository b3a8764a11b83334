"""The form of answers that are letters in order."""

import re
from dataclasses import dataclass
from random import Random

__all__ = ["LETTERS", "LettersForm"]

LETTERS = "ABCDEFGHIJ"
_LINE = re.compile(r"\bAnswer:[\s*]*([A-J](?:[\s,;*]+[A-J])*)(?![A-Za-z])")
_LETTERS = re.compile(r"[\s*]*([A-J](?:[\s,;]+[A-J])*)[\s*.]*")


@dataclass(frozen=True, slots=True)
class LettersForm:
    """``Answer: C, A, F``: an option for each blank, none twice; the last such line counts.

    Attributes:
        blanks: how many there are.
    """

    blanks: int

    def parse(self, text: str) -> tuple[int, ...] | None:
        """Return the numbers of the options, from 0."""
        alone = _LETTERS.fullmatch(text)
        found = [alone[1]] if alone else _LINE.findall(text)
        if not found:
            return None
        numbers = tuple(LETTERS.index(letter) for letter in re.findall("[A-J]", found[-1]))
        right = len(numbers) == len(set(numbers)) == self.blanks
        return numbers if right else None

    def format(self, answer: tuple[int, ...]) -> str:
        """As the system prompt asks for it."""
        return f"Answer: {', '.join(LETTERS[number] for number in answer)}"

    def draw(self, random: Random) -> tuple[int, ...]:
        """Different options in random order."""
        return tuple(random.sample(range(len(LETTERS)), self.blanks))

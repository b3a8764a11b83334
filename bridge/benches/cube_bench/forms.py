"""The forms of answers, and their parsers: exactly what the paper accepts, and nothing else.

A text with two answers that differ has none. Every parser takes any text. How else answers are read
is in :mod:`.readings`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Flag, StrEnum, auto
from random import Random

from bridge.benches.cube_bench.wording import CLOSING
from pysim.families.rubik.faces import Face

__all__ = [
    "Accepts",
    "ChoiceForm",
    "Effect",
    "Effects",
    "EffectsForm",
    "Grid",
    "GridForm",
    "OptionLetter",
    "ProseForm",
    "YesNoForm",
    "find_letters",
]


class OptionLetter(StrEnum):
    """One of four options, or that one does not know."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    IDK = "IDK"


OPTIONS = (OptionLetter.A, OptionLetter.B, OptionLetter.C, OptionLetter.D)


class Accepts(Flag):
    """Ways to write the letter of an option.

    - ``TAG``: ``<ANSWER>X</ANSWER>``; ``COLON``: a line that ends in ``ANSWER: X``; ``BRACKET``:
      ``<X>``; ``BARE``: X and nothing else;
    - ``STRICT``: the tag and nothing else, in capitals (B.3);
    - ``IDK``: that one does not know: ``<ANSWER>IDK</ANSWER>``, ``ANSWER: IDK`` or ``ANSWER: E``,
      or the words "I don't know" where no letter is given (A.6).
    """

    TAG = auto()
    COLON = auto()
    BRACKET = auto()
    BARE = auto()
    STRICT = auto()
    IDK = auto()


_TAG = re.compile(r"<ANSWER>\s*([A-D]|IDK)\s*</ANSWER>", re.IGNORECASE | re.ASCII)
_COLON = re.compile(
    # Blanks can be read in one way only: in two, a million of them would take hours.
    r"\bANSWER:[^\S\n]*([A-D]|IDK/E|IDK|E)[^\S\n]*(?:[.*]+[^\S\n]*)?$",
    re.I | re.M | re.A,
)
_BRACKET = re.compile(r"<([A-D])>", re.IGNORECASE | re.ASCII)
_BARE = re.compile(r"\s*([A-D])\s*", re.IGNORECASE | re.ASCII)
_STRICT = re.compile(r"\s*<ANSWER>\s*([ABCD])\s*</ANSWER>\s*")
_UNKNOWING = re.compile(r"\bI\s+don['\u2019]t\s+know\b", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class ChoiceForm:
    """The letter of an option.

    Attributes:
        accepts: the ways to write it.
    """

    accepts: Accepts

    def parse(self, text: str) -> OptionLetter | None:
        """Return the one option that is named."""
        if Accepts.STRICT in self.accepts:
            strict = _STRICT.fullmatch(text)
            return OptionLetter(strict[1]) if strict else None
        found = set(find_letters(self.accepts, text))
        if not found and Accepts.IDK in self.accepts and _UNKNOWING.search(text):
            return OptionLetter.IDK
        choice = found.pop() if len(found) == 1 else None
        return None if choice is OptionLetter.IDK and Accepts.IDK not in self.accepts else choice

    def format(self, answer: OptionLetter) -> str:
        """In a tag."""
        return f"<ANSWER> {answer} </ANSWER>"

    def draw(self, random: Random) -> OptionLetter:
        """Return one of the four options; never IDK."""
        return random.choice(OPTIONS)


def find_letters(accepts: Accepts, text: str) -> Iterator[OptionLetter]:
    """Yield the options that a text names in some of the ways."""
    if Accepts.TAG in accepts:
        yield from map(_choice, _TAG.findall(text))
    if Accepts.COLON in accepts:
        yield from map(_choice, _COLON.findall(text))
    if Accepts.BRACKET in accepts:
        yield from map(_choice, _BRACKET.findall(text))
    if Accepts.BARE in accepts and (bare := _BARE.fullmatch(text)):
        yield _choice(bare[1])


def _choice(word: str) -> OptionLetter:
    upper = word.upper()
    return OptionLetter(upper) if upper in "ABCD" else OptionLetter.IDK


@dataclass(frozen=True, slots=True)
class YesNoForm:
    """``Answer: Yes`` or ``Answer: No``; other text is ignored (4.3.2)."""

    def parse(self, text: str) -> bool | None:
        """True for yes."""
        found = {word.lower() for word in _YES_NO.findall(text)}
        return found.pop() == "yes" if len(found) == 1 else None

    def format(self, answer: bool) -> str:
        """As the paper writes it."""
        return f"Answer: {'Yes' if answer else 'No'}"

    def draw(self, random: Random) -> bool:
        """Return a coin."""
        return random.random() < 0.5


_YES_NO = re.compile(r"\bAnswer:[^\S\n]*(Yes|No)\b(?![^\S\n]*[/|])", re.IGNORECASE | re.ASCII)

Grid = tuple[str, ...]
"""(9,) the colour letters of a face, row by row."""

_COLOURS = {face.letter: face.letter for face in Face} | {
    face.colour.upper(): face.letter for face in Face
}
_FACES = {face.value: face.letter for face in Face}
_LABEL = re.compile(r"^\W*row\s*([0-9]+)\s*[:.)=-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GridForm:
    """Three rows of three tokens (4.3.1).

    Tokens are colours, as letters W Y G B O R or as words, or face letters U D F B L R, all of one
    kind, in capitals or not. A row is a line: tokens, between brackets or not, behind ``Row n:`` or
    not; what is neither letter nor digit only parts tokens. Other text is ignored. Of several
    matrices, set apart by other text, the last one counts, even if it is none that can be read.

    Attributes:
        closing: last line of an answer that is written out; answers are read without it.
    """

    closing: str = CLOSING

    def parse(self, text: str) -> Grid | None:
        """Return the colour letters of the last matrix."""
        rows: list[_Row] = []
        last: list[_Row] = []
        for line in text.splitlines():
            row = _row(line)
            if row is not None:
                rows.append(row)
                last = rows
            elif re.search(r"\w", line):
                rows = []
        return _grid(last)

    def format(self, answer: Grid) -> str:
        """As B.1 wants it, in words."""
        words = {face.letter: face.colour.capitalize() for face in Face}
        rows = [", ".join(words[letter] for letter in answer[k : k + 3]) for k in (0, 3, 6)]
        lines = [f"Row {number}: [{row}]" for number, row in enumerate(rows, 1)]
        return "\n".join(["ANSWER:", *lines, self.closing])

    def draw(self, random: Random) -> Grid:
        """Nine colours."""
        return tuple(random.choice(list(Face)).letter for _ in range(9))


@dataclass(frozen=True, slots=True)
class _Row:
    """A line that is a row: the number in front of it, and its tokens."""

    number: int | None
    tokens: tuple[str, ...]


def _row(line: str) -> _Row | None:
    """Return the row of a line; None if it is other text."""
    label = _LABEL.match(line)
    body = line[label.end() :] if label else line
    words = re.findall(r"[^\W_]+", body)
    tokens = tuple(word.upper() if word.isascii() else word for word in words)
    bracketed = body.strip().startswith("[") and "]" in body
    known = len(tokens) > 1 and all(t in _COLOURS or t in _FACES for t in tokens)
    if not (label or bracketed or known):
        return None
    return _Row(int(label[1][:9]) if label else None, tokens)


def _grid(rows: list[_Row]) -> Grid | None:
    numbers = [row.number for row in rows]
    if len(rows) != 3 or any(len(row.tokens) != 3 for row in rows):
        return None
    if numbers not in ([None] * 3, [1, 2, 3]):
        return None
    tokens = [token for row in rows for token in row.tokens]
    for vocabulary in (_COLOURS, _FACES):
        if all(token in vocabulary for token in tokens):
            return tuple(vocabulary[token] for token in tokens)
    return None


class Effect(StrEnum):
    """Change of the distance from home by a move."""

    DECREASE = "DECREASE"
    NO_CHANGE = "NO_CHANGE"
    INCREASE = "INCREASE"


Effects = tuple[Effect | None, ...]
"""(4,) of the options A to D; None where none is given (MISSING)."""


@dataclass(frozen=True, slots=True)
class EffectsForm:
    """A label for each option: ``<A>DECREASE</A>``, or a line ``A: DECREASE`` (4.3.6).

    Labels are taken in capitals or not, NO_CHANGE also with a blank or a hyphen. A letter without a
    label, or with two that differ, is MISSING.
    """

    def parse(self, text: str) -> Effects:
        """Parse the label of each letter; never None, for each letter counts by itself."""
        return tuple(self._labelled(letter, text) for letter in OPTIONS)

    def format(self, answer: Effects) -> str:
        """Return four lines of tags; a letter without a label gets none."""
        pairs = zip(OPTIONS, answer, strict=True)
        return "\n".join(f"<{k}> {effect} </{k}>" for k, effect in pairs if effect is not None)

    def draw(self, random: Random) -> Effects:
        """Return a label for each."""
        return tuple(random.choice(list(Effect)) for _ in OPTIONS)

    def _labelled(self, letter: OptionLetter, text: str) -> Effect | None:
        words = [a or b for a, b in _LABELS[letter].findall(text)]
        found = {Effect(re.sub(r"[ -]", "_", word.upper())) for word in words}
        return found.pop() if len(found) == 1 else None


_WORDS = r"(DECREASE|NO[_ -]CHANGE|INCREASE)"
_LABELS = {
    letter: re.compile(
        rf"<{letter}>\s*{_WORDS}\s*</{letter}>|^[^\w\n]*{letter}\s*:\s*{_WORDS}[^\w\n|/]*$",
        re.IGNORECASE | re.MULTILINE | re.ASCII,
    )
    for letter in OPTIONS
}


@dataclass(frozen=True, slots=True)
class ProseForm:
    """Any text at all, as it is."""

    def parse(self, text: str) -> str:
        """Return the text."""
        return text

    def format(self, answer: str) -> str:
        """Return the text."""
        return answer

    def draw(self, random: Random) -> str:
        """Return nothing."""
        return ""

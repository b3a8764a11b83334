"""Answers as the authors' program of Cube Bench reads them, and whatever else is plain.

These take every text that the authors' program takes, as the same answer; a test with a checkout of
it says so. Where it finds none they take more: bold and quoted answers, and the forms of
:mod:`.forms`. Each takes any text.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bridge.benches.cube_bench.condition import Condition, Reading
from bridge.benches.cube_bench.forms import (
    OPTIONS,
    Accepts,
    ChoiceForm,
    Effect,
    Effects,
    EffectsForm,
    Grid,
    GridForm,
    OptionLetter,
    YesNoForm,
    find_letters,
)
from bridge.benches.cube_bench.wording import CLOSING, apply_wording
from pysim.families.rubik.moves import Move

__all__ = [
    "FirstChoice",
    "FirstEffects",
    "FirstGrid",
    "FirstYesNo",
    "LastLetter",
    "make_choice_form",
    "make_effects_form",
    "make_grid_form",
    "make_yes_no_form",
]

_OPEN, _CLOSE = r"<\s*answer\s*>", r"<\s*/\s*answer\s*>"
_DECOR = r"[\s*_\"'`(\[]*"
_CHOICES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_OPEN}\s*([a-d])\s*{_CLOSE}",
        r"\banswer\s*[:=]\s*([a-d])\b",
        r"<([a-d])>",
    )
)
"""Ways to name a letter, the one that counts most first: tag, colon, bracket."""
_PLAIN = (
    re.compile(rf"{_OPEN}{_DECOR}([a-d])[\s*_\"'`)\].]*{_CLOSE}", re.IGNORECASE),
    re.compile(rf"\banswer{_DECOR}[:=]{_DECOR}([a-d])\b(?!['\u2019]\w)", re.IGNORECASE),
)
"""The same, bold, quoted or between brackets."""
_TURN = re.compile(rf"{_OPEN}\s*([urfdlb][2']?)\s*{_CLOSE}", re.IGNORECASE)
_UNKNOWING = re.compile(
    rf"{_OPEN}\s*idk\s*{_CLOSE}|\banswer\s*[:=]\s*(?:idk|e)\b|i\s*don['\u2019]?t\s*know",
    re.IGNORECASE,
)
_NOTHING: Mapping[OptionLetter, Move] = {}


@dataclass(frozen=True, slots=True)
class FirstChoice(ChoiceForm):
    """The letter of an option: the first in a tag, else behind a colon, else between brackets.

    Attributes:
        options: the moves, where one of them may be named in the tag in place of its letter.
    """

    options: Mapping[OptionLetter, Move] = field(default_factory=lambda: _NOTHING, compare=False)

    def parse(self, text: str) -> OptionLetter | None:
        """Return the option that counts; IDK, where it is offered, before all others."""
        if Accepts.IDK in self.accepts and _UNKNOWING.search(text):
            return OptionLetter.IDK
        ways = _CHOICES if Accepts.BRACKET in self.accepts else _CHOICES[:2]
        letter = _first(ways, text)
        if letter is None and (turn := _TURN.search(text)):
            letter = next((k for k in OPTIONS if _is(self.options.get(k), turn[1])), None)
        if letter is None:
            letter = _first(_PLAIN, text)
        if letter is None and Accepts.BARE in self.accepts:
            letter = next(iter(find_letters(Accepts.BARE, text)), None)
        return letter


def _first(ways: Sequence[re.Pattern[str]], text: str) -> OptionLetter | None:
    found = next((match for way in ways if (match := way.search(text))), None)
    return OptionLetter(found[1].upper()) if found else None


def _is(move: Move | None, name: str) -> bool:
    return move is not None and str(move) == name.upper()


@dataclass(frozen=True, slots=True)
class LastLetter(ChoiceForm):
    """The answer after a reflection as the authors' program reads it: nearly any letter will do."""

    def parse(self, text: str) -> OptionLetter | None:
        """A letter behind the word answer or in its tag; else the last one that stands alone."""
        found = _first(_ANYWHERE, text)
        alone = _ALONE.findall(text.upper()) if found is None else []
        return OptionLetter(alone[-1]) if alone else found


_ANYWHERE = (re.compile(r"answer[:\s]*([a-d])\b", re.IGNORECASE), _CHOICES[0])
_ALONE = re.compile(r"\b([A-D])\b")


@dataclass(frozen=True, slots=True)
class FirstYesNo(YesNoForm):
    """The first ``Answer: Yes`` or ``Answer: No``."""

    def parse(self, text: str) -> bool | None:
        """True for yes."""
        found = _YES_NO.search(text) or _PLAIN_YES_NO.search(text)
        return None if found is None else found[1].lower() == "yes"


_YES_NO = re.compile(r"answer:\s*(yes|no)\b", re.IGNORECASE)
_PLAIN_YES_NO = re.compile(rf"\banswer{_DECOR}[:=]{_DECOR}(yes|no)\b", re.IGNORECASE)

_CELL = r"\s*['\"]?([a-z]+)['\"]?\s*"
_LIST = rf"\[{_CELL},{_CELL},{_CELL}\]"
_ROWS = tuple(rf"\W{{0,20}}row\s*{n}\W{{0,3}}:\W{{0,3}}{_LIST}" for n in (1, 2, 3))
_GRIDS = (
    re.compile(r"answer:" + "".join(rf"\s*row\s*{n}:\s*{_LIST}" for n in (1, 2, 3)), re.IGNORECASE),
    re.compile(rf"\[\s*{_LIST}\s*,\s*{_LIST}\s*,\s*{_LIST}\s*\]", re.IGNORECASE),
    re.compile("".join(_ROWS), re.IGNORECASE),
)
_INITIALS = frozenset("WYGBOR")


@dataclass(frozen=True, slots=True)
class FirstGrid(GridForm):
    """Three rows of three tokens, also in one line: behind ``Row n:``, or as a list of lists.

    A colour is known by its initial, so that ``grey`` is green.
    """

    def parse(self, text: str) -> Grid | None:
        """Return the colour letters of the first such grid, else what :class:`.GridForm` reads."""
        found = next((match for way in _GRIDS if (match := way.search(text))), None)
        if found is None:
            return GridForm.parse(self, text)
        exact = GridForm.parse(
            self, "\n".join(" ".join(found.groups()[k : k + 3]) for k in (0, 3, 6))
        )
        initials = tuple(word[0].upper() for word in found.groups())
        return initials if exact is None and _INITIALS.issuperset(initials) else exact


@dataclass(frozen=True, slots=True)
class FirstEffects(EffectsForm):
    """A label for each option: the last in its tag, else the first behind its letter and colon."""

    def parse(self, text: str) -> Effects:
        """Parse the label of each letter."""
        return tuple(_effect(letter, text) for letter in OPTIONS)


_EFFECT = r"\s*(decrease|no[_ -]?change|increase)"
_TAGGED = {k: re.compile(rf"<{k}>{_EFFECT}\s*</{k}>", re.IGNORECASE) for k in OPTIONS}
_LABELLED = {k: re.compile(rf"{k}\s*:{_EFFECT}", re.IGNORECASE) for k in OPTIONS}
_BOLD = {
    k: re.compile(rf"(?<!\w){k}\W{{0,4}}[:=]\W{{0,4}}{_EFFECT}", re.IGNORECASE) for k in OPTIONS
}


def _effect(letter: OptionLetter, text: str) -> Effect | None:
    tagged = _TAGGED[letter].findall(text)
    if not tagged:
        found = _LABELLED[letter].search(text) or _BOLD[letter].search(text)
        tagged = [found[1]] if found else []
    return Effect(re.sub("NO[_ -]?", "NO_", tagged[-1].upper())) if tagged else None


def make_choice_form(
    condition: Condition, accepts: Accepts, options: Mapping[OptionLetter, Move] = _NOTHING
) -> ChoiceForm:
    """Make the form of a choice; ``accepts`` are the paper's forms for the task."""
    if condition.answers is Reading.ONLY:
        return ChoiceForm(accepts)
    return FirstChoice(accepts, options)


def make_yes_no_form(condition: Condition) -> YesNoForm:
    """Make the form of a yes or no."""
    return YesNoForm() if condition.answers is Reading.ONLY else FirstYesNo()


def make_grid_form(condition: Condition) -> GridForm:
    """Make the form of a face."""
    closing = apply_wording(CLOSING, condition.edition)
    return GridForm(closing) if condition.answers is Reading.ONLY else FirstGrid(closing)


def make_effects_form(condition: Condition) -> EffectsForm:
    """Make the form of labels."""
    return EffectsForm() if condition.answers is Reading.ONLY else FirstEffects()

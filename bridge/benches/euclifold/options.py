"""Options of EucliFold."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

from bridge.benches.euclifold.condition import (
    MOST_PAIRS,
    EuclifoldCondition,
    EuclifoldTask,
    Evidence,
    Negatives,
    PictureLook,
    Prompting,
    SystemPrompt,
    Wording,
    list_settings,
)
from bridge.items.options import AskOptions, parse_words
from pysim.errors import InputError

__all__ = ["EuclifoldOptions", "Protocol"]

_PAIRS = 1200


class Protocol(StrEnum):
    """A protocol: which statements are asked."""

    PAIRS = "pairs"
    """Both of each pair."""
    PEOPLE = "people"
    """A few that are dealt to one person, no two of a pair (appendix G)."""


def _choice(what: str, kind: type[StrEnum]) -> dict[str, str]:
    help_text = f"{what}: {', '.join(kind)}; several separated by commas, or all, to compare them."
    return {"help": help_text, "metavar": "WORD,..."}


@dataclass(frozen=True, slots=True)
class EuclifoldOptions(AskOptions):
    """Tasks on cubes and nets, and their presentation."""

    n: int = field(
        default=_PAIRS,
        metadata={"help": "Number of pairs of each question.", "least": 1, "most": MOST_PAIRS},
    )
    item_seed: int = field(
        default=0, metadata={"help": "Which cubes are asked about: another seed, another test."}
    )
    wording: str = field(
        default="natural",
        metadata=_choice("How directions are told in orientation and operation", Wording),
    )
    prompting: str = field(
        default="step-by-step", metadata=_choice("Whether answers begin with reasons", Prompting)
    )
    system: str = field(
        default="full", metadata=_choice("How much the system prompt says", SystemPrompt)
    )
    negatives: str = field(default="proper", metadata=_choice("False cubes of folding", Negatives))
    observation: str = field(default="picture", metadata=_choice("What is shown", Evidence))
    look: str = field(default="luban", metadata=_choice("How pictures are drawn", PictureLook))
    protocol: Protocol = field(
        default=Protocol.PAIRS,
        metadata={"help": "Both statements of each pair, or 16 dealt to one --person."},
    )

    def list_conditions(self, tasks: tuple[str, ...]) -> Iterator[EuclifoldCondition]:
        """List the conditions of some tasks. A setting that a task lacks offers no choice.

        Raises:
            InputError: there is no such word.
            MissingPackage: matplotlib is to draw, and is not installed.
        """
        words = {name: self._words(name, kind) for name, kind in _KINDS.items()}
        if PictureLook.MATPLOTLIB in words["look"]:
            from bridge.benches.euclifold.plots import require_matplotlib

            require_matplotlib()
        # Only a full system prompt asks for direct answers: of several ways those that go together.
        ways = words["prompting"]
        usable = (Prompting.STEPS,) if Prompting.STEPS in ways else ways
        for task in map(EuclifoldTask, tasks):
            names = list_settings(task)
            for chosen in product(*(words[name] for name in names)):
                settings = dict(zip(names, chosen, strict=True))
                if settings["system"] == SystemPrompt.FULL or settings["prompting"] in usable:
                    yield EuclifoldCondition.from_texts(task, settings)

    @property
    def person_number(self) -> int | None:
        """The number of the person to whom statements are dealt; None if all pairs are asked.

        Raises:
            InputError: there is none, or pairs are counted besides.
        """
        if self.protocol is Protocol.PAIRS:
            return None
        if self.n != _PAIRS:
            raise InputError("--protocol people deals 4 statements of each question: leave out --n")
        if not re.fullmatch("[1-9][0-9]{0,5}", self.person, re.ASCII):
            raise InputError("--protocol people requires the number of the person: --person 1")
        return int(self.person)

    def _words(self, name: str, kind: type[StrEnum]) -> tuple[str, ...]:
        """Return the words of an option, in their canonical spelling.

        Raises:
            InputError: there is no such word.
        """
        return tuple(
            self._word(name, kind, word)
            for word in parse_words(getattr(self, _OPTIONS.get(name, name)), kind)
        )

    def _word(self, name: str, kind: type[StrEnum], word: str) -> str:
        try:
            return kind(word).value
        except ValueError:
            raise InputError(
                f"--{_OPTIONS.get(name, name)} is one of {', '.join(kind)}, all, not {word[:60]!r}"
            ) from None


_OPTIONS = {"shown": "observation"}
"""Names of options that differ from those of the settings that they make."""
_KINDS: dict[str, type[StrEnum]] = {
    "wording": Wording,
    "prompting": Prompting,
    "negatives": Negatives,
    "shown": Evidence,
    "look": PictureLook,
    "system": SystemPrompt,
}

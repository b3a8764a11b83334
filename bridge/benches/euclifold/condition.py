"""Condition of items: a task of EucliFold, and its presentation.

A condition is written as text, such as ``operation,wording=euclidean``: the task, then what is not
as usual, by name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum

from pysim.errors import InputError
from pysim.items import parse_word

__all__ = [
    "MOST_PAIRS",
    "EuclifoldCondition",
    "EuclifoldTask",
    "Evidence",
    "Negatives",
    "PictureLook",
    "Prompting",
    "SystemPrompt",
    "Wording",
    "list_settings",
]

MOST_PAIRS = 4800
"""Of 200 cubes; there are 32,768 views, and none is there twice."""


class EuclifoldTask(StrEnum):
    """The questions, in the paper's order (4.2)."""

    COLOUR = "colour"
    """Perception: what colour is the arrow on a face?"""
    ORIENTATION = "orientation"
    """Perception: where does the arrow on a face point?"""
    OPERATION = "operation"
    """Where does it point after the cube was turned?"""
    FOLDING = "folding"
    """Imagination: does a net fold into a cube?"""
    MATCHING = "matching"
    """Imagination: do two nets fold into the same cube?"""


class Wording(StrEnum):
    """Wording of directions: by the faces' names, or as axes of a space (appendix E)."""

    NATURAL = "natural"
    EUCLIDEAN = "euclidean"


class Prompting(StrEnum):
    """Whether an answer begins with its reasons (appendix D)."""

    STEPS = "step-by-step"
    DIRECT = "direct"


class SystemPrompt(StrEnum):
    """The length of the system prompt (appendix D); the question states the rest."""

    FULL = "full"
    """The task, and how to answer: with reasons, or directly."""
    SHORT = "short"
    """The task alone."""
    BASE = "base"
    """An assistant in general, nothing of the task."""


class Negatives(StrEnum):
    """False cubes: with colours that the net has, or one that it has not (5.1.2)."""

    PROPER = "proper"
    LEAKED = "leaked"


class Evidence(StrEnum):
    """Evidence of a question: pictures, text, nothing, or pictures of other cubes."""

    PICTURE = "picture"
    TEXT = "text"
    NOTHING = "nothing"
    WRONG = "wrong-picture"

    @classmethod
    def _missing_(cls, value: object) -> "Evidence | None":
        """Read the words for the same arms of levels; None for any other."""
        words = {"pictures": cls.PICTURE, "none": cls.NOTHING, "wrong": cls.WRONG}
        return words.get(str(value))


class PictureLook(StrEnum):
    """Style of pictures.

    As Luban's renderer draws them; as plain drawings in the manner of the paper's; or as plots by
    matplotlib, as the paper's are.
    """

    LUBAN = "luban"
    PAPER = "paper"
    MATPLOTLIB = "matplotlib"


@dataclass(frozen=True, slots=True)
class EuclifoldCondition:
    """A task and its settings.

    Attributes:
        task: which of the five.
        wording: of orientation and operation.
        prompting: how answers are wanted.
        negatives: of folding.
        shown: what stands beside the statement.
        look: of pictures.
        system: how much the system prompt says; only a full one can ask for direct answers.

    Raises:
        InputError: the task has no such setting, or two do not go together.
    """

    task: EuclifoldTask
    wording: Wording = Wording.NATURAL
    prompting: Prompting = Prompting.STEPS
    negatives: Negatives = Negatives.PROPER
    shown: Evidence = Evidence.PICTURE
    look: PictureLook = PictureLook.LUBAN
    system: SystemPrompt = SystemPrompt.FULL

    def __post_init__(self) -> None:
        if self.system is not SystemPrompt.FULL and self.prompting is not Prompting.STEPS:
            raise InputError(
                f"the system prompt {self.system} does not explain the form of answers: "
                "leave prompting out"
            )
        known = list_settings(self.task)
        for name in _NAMES:
            if name not in known and getattr(self, name) != _USUAL[name]:
                raise InputError(f"{self.task} has no setting {name!r}; it has {', '.join(known)}")

    @property
    def variant(self) -> str:
        """The task and what is not as usual; :meth:`parse` reads it."""
        unusual = (name for name in _NAMES if getattr(self, name) != _USUAL[name])
        return ",".join([self.task, *(f"{name}={getattr(self, name)}" for name in unusual)])

    @staticmethod
    def parse(variant: str) -> "EuclifoldCondition":
        """Return the inverse of :attr:`variant`.

        Raises:
            InputError: a task, a name or a value is unknown.
        """
        task, *named = variant.split(",")
        pairs = [part.partition("=")[::2] for part in named]
        return EuclifoldCondition.from_texts(parse_word("task", EuclifoldTask, task), dict(pairs))

    @staticmethod
    def from_texts(task: EuclifoldTask, settings: Mapping[str, str]) -> "EuclifoldCondition":
        """Return a task with some settings given as text.

        Raises:
            InputError: a name or a value is unknown.
        """
        if strange := [name for name in settings if name not in _NAMES]:
            raise InputError(f"there is no setting {strange[0][:60]!r}; known: {', '.join(_NAMES)}")
        read = {n: parse_word(n, type(_USUAL[n]), text) for n, text in settings.items()}
        return EuclifoldCondition(task, **read)  # type: ignore[arg-type]


def list_settings(task: EuclifoldTask) -> tuple[str, ...]:
    """Return the names of the settings that a task has."""
    own = {
        EuclifoldTask.ORIENTATION: ("wording",),
        EuclifoldTask.OPERATION: ("wording",),
        EuclifoldTask.FOLDING: ("negatives",),
    }
    return (*own.get(task, ()), "prompting", "shown", "look", "system")


_NAMES = tuple(field.name for field in fields(EuclifoldCondition) if field.name != "task")
_USUAL: Mapping[str, StrEnum] = {
    field.name: field.default
    for field in fields(EuclifoldCondition)
    if isinstance(field.default, StrEnum)
}

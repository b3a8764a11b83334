"""Conditions: everything that the items of a subset depend on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from bridge.benches.mcube.given import GivenCubes
from bridge.benches.mcube.presentation import Presentation, Style
from bridge.items.suites import Subset
from pysim.errors import InputError
from pysim.field_types import Json

__all__ = ["ROUNDS", "CubeCondition", "Presentation", "RoundFeedback", "Style", "Subtask"]

ROUNDS = 5
"""Answers of a trial with feedback (MARBLE, figure 8)."""


class Subtask(StrEnum):
    """The subtasks."""

    CUBE = "cube"
    EASY = "cube-easy"
    PERCEPTION = "perception"


class RoundFeedback(StrEnum):
    """Feedback on a wrong answer, if there is another round."""

    NONE = "none"
    BINARY = "binary"
    DETAILED = "detailed"


@dataclass(frozen=True, slots=True)
class CubeCondition:
    """A kind of trials.

    Attributes:
        task: the subtask.
        arm: how pieces are shown; never ``usual``.
        look: who draws the pictures.
        missing: pieces that are to be placed; 1 where a piece is to be read.
        flips: whether pieces are turned over at random.
        unique: whether only cubes with one solution are taken.
        feedback: what follows a wrong answer.
        items: the seed.
        given: the cubes, where a file has them; None where they are drawn.

    Raises:
        InputError: what can't be asked.
    """

    task: Subtask
    arm: Presentation
    look: Style
    missing: int
    flips: bool
    unique: bool
    feedback: RoundFeedback
    items: int
    given: GivenCubes | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.missing <= 6:
            raise InputError(f"1 to 6 pieces can be missing, not {self.missing}")
        if self.task is Subtask.PERCEPTION and self.arm is Presentation.TEXT:
            raise InputError("perception requires pictures: leave out --observation text")

    @property
    def pictured(self) -> bool:
        """Whether the question speaks of pictures."""
        return self.arm is not Presentation.TEXT

    @property
    def rounds(self) -> int:
        """Most answers of a trial."""
        return 1 if self.feedback is RoundFeedback.NONE else ROUNDS

    @property
    def puzzle(self) -> str:
        """Return the key of the random numbers: all presentations show the same cubes."""
        return f"{self.task} {self.missing} {self.flips} {self.unique} {self.items}"

    @property
    def variant(self) -> str:
        """Name the unusual settings without blanks: ``cube-easy,missing=3,flips``."""
        said = [self.task.value, *self._said()]
        return ",".join(said)

    def _said(self) -> list[str]:
        said = []
        if self.feedback is not RoundFeedback.NONE:
            said.append(self.feedback.value)
        if self.arm is not get_usual_presentation(self.task):
            said.append(self.arm.value)
        if self.look is not Style.LUBAN:
            said.append(f"look={self.look}")
        if self.task is Subtask.EASY and self.missing != 2:
            said.append(f"missing={self.missing}")
        if self.task is Subtask.EASY and self.flips:
            said.append("flips")
        said += ["unique"] if self.unique else []
        said += [f"items={self.items}"] if self.items else []
        return said + ([] if self.given is None else [f"given={self.given.name}"])

    def make_subset(self, count: int) -> Subset:
        """Return the subset of so many of its trials."""
        options: dict[str, Json] = {
            name: str(value) if isinstance(value, StrEnum) else value
            for name, value in asdict(replace(self, given=None)).items()
            if name != "given"
        }
        if self.given is not None:
            options["given"] = self.given.to_document()
        return Subset(self.variant, count, options)

    @staticmethod
    def of(options: Mapping[str, Json]) -> "CubeCondition":
        """Return the condition that the options of a subset name.

        Raises:
            InputError: they name none.
        """
        try:
            missing, items = options["missing"], options["items"]
            flips, unique = options["flips"], options["unique"]
            if not isinstance(missing, int) or not isinstance(items, int):
                raise ValueError("missing and items are numbers")
            return CubeCondition(
                Subtask(str(options["task"])),
                Presentation(str(options["arm"])),
                Style(str(options["look"])),
                missing,
                flips is True,
                unique is True,
                RoundFeedback(str(options["feedback"])),
                items,
                GivenCubes.from_document(options["given"]) if "given" in options else None,
            )
        except (KeyError, ValueError) as error:
            raise InputError(f"this is no condition of M-Cube: {error}") from None


def get_usual_presentation(task: Subtask) -> Presentation:
    """Return the presentation of pieces in the paper."""
    return Presentation.TEXT if task is Subtask.EASY else Presentation.PICTURES

"""Trials by condition and seed: one question, or rounds with what the validator says between."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bridge.benches.mcube.condition import CubeCondition, Subtask
from bridge.benches.mcube.cubes import AskedCube, asked_cube
from bridge.benches.mcube.feedback import feedback_on
from bridge.benches.mcube.forms import ArrayForm, Fits, Seated, SeatForm
from bridge.benches.mcube.pictures import pictures_for
from bridge.benches.mcube.prompts import (
    again,
    cube_system,
    cube_text,
    reading_system,
    reading_text,
)
from pysim.families.jigsaw.faces import ShellFace
from pysim.families.jigsaw.shell import PieceRows
from pysim.items import Item

__all__ = ["CubeTrial", "ReadingTrial", "trial_of"]

Said = tuple[str, ...]
"""The answers so far."""


@dataclass(frozen=True, slots=True)
class CubeTrial:
    """A cube to be put together, until it is, or there are no rounds left.

    Each round follows those before it; pictures are shown in the first one only.
    """

    condition: CubeCondition
    seed: int

    @property
    def id(self) -> str:
        """The condition's, with the seed."""
        return f"{self.condition.variant}/{self.seed}"

    @property
    def cube(self) -> AskedCube:
        """The cube that is asked about."""
        return asked_cube(self.condition, self.seed)

    @property
    def form(self) -> SeatForm:
        """Of the answer."""
        cube = self.cube
        taken = {place.face for place in cube.given.values()}
        faces = tuple(face for face in ShellFace if face not in taken)
        return SeatForm(cube.missing, faces, self.condition.flips)

    @property
    def key(self) -> Fits:
        """What is right."""
        return Fits(self.cube.pieces, self.given)

    @property
    def given(self) -> Seated:
        """The pieces that are in place."""
        return tuple(self.cube.given.items())

    def start(self) -> Said:
        """No answer."""
        return ()

    def ask(self, state: Sequence[str]) -> Item[Seated] | None:
        """The next round; None after a right answer, or the last one."""
        if len(state) == self.condition.rounds or self.solved_after(state) is not None:
            return None
        cube = self.cube
        first = not state
        return Item(
            self.id if self.condition.rounds == 1 else f"{self.id}/{len(state) + 1}",
            cube_system(self.condition, cube),
            cube_text(self.condition, cube) if first else again(self._feedback(state[-1])),
            pictures_for(self.condition, self.seed, tuple(range(6))) if first else (),
            self.form,
            tuple((i, cube.places[i]) for i in cube.missing),
            key=self.key,
            follows=not first,
        )

    def after(self, state: Sequence[str], text: str) -> Said:
        """One answer more."""
        return (*state, text)

    def solved_after(self, state: Sequence[str]) -> int | None:
        """How many answers it took; None if none was right."""
        return next((k for k, text in enumerate(state, 1) if self._right(text)), None)

    def _right(self, text: str) -> bool:
        answer = self.form.parse(text)
        return answer is not None and self.key.accepts(answer)

    def _feedback(self, text: str) -> str:
        return feedback_on(self.cube, self.form.parse(text), self.condition.feedback)


@dataclass(frozen=True, slots=True)
class ReadingTrial:
    """A piece to be read off a picture."""

    given: ClassVar[Seated] = ()

    condition: CubeCondition
    seed: int

    @property
    def id(self) -> str:
        """The condition's, with the seed."""
        return f"{self.condition.variant}/{self.seed}"

    @property
    def piece(self) -> PieceRows:
        """What is right."""
        return asked_cube(self.condition, self.seed).pieces[0]

    def start(self) -> Said:
        """No answer."""
        return ()

    def ask(self, state: Sequence[str]) -> Item[PieceRows] | None:
        """The item, once."""
        if state:
            return None
        return Item(
            self.id,
            reading_system(),
            reading_text(),
            pictures_for(self.condition, self.seed, (0,)),
            ArrayForm(),
            self.piece,
        )

    def after(self, state: Sequence[str], text: str) -> Said:
        """The answer."""
        return (text,)

    def answer(self, state: Sequence[str]) -> PieceRows | None:
        """What was read; None if that had not the form."""
        return ArrayForm().parse(state[0])


def trial_of(condition: CubeCondition, seed: int) -> CubeTrial | ReadingTrial:
    """The trial of a seed."""
    if condition.task is Subtask.PERCEPTION:
        return ReadingTrial(condition, seed)
    return CubeTrial(condition, seed)

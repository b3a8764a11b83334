"""Trials by condition and seed: one question, or rounds with what the validator says between."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bridge.benches.mcube.answer_formats import ArrayForm, Fits, PlacementForm, Placements
from bridge.benches.mcube.condition import CubeCondition, Subtask
from bridge.benches.mcube.cubes import AskedCube, find_cube
from bridge.benches.mcube.feedback import describe_feedback
from bridge.benches.mcube.pictures import make_pictures
from bridge.benches.mcube.prompts import (
    format_cube_system,
    format_cube_text,
    format_reading_system,
    format_reading_text,
    format_retry,
)
from pysim.families.jigsaw.faces import ShellFace
from pysim.families.jigsaw.shell import PieceRows
from pysim.items import Item

__all__ = ["CubeTrial", "ReadingTrial", "make_trial"]

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
        return find_cube(self.condition, self.seed)

    @property
    def form(self) -> PlacementForm:
        """Of the answer."""
        cube = self.cube
        taken = {place.face for place in cube.given.values()}
        faces = tuple(face for face in ShellFace if face not in taken)
        return PlacementForm(cube.missing, faces, self.condition.flips)

    @property
    def key(self) -> Fits:
        """The test that a right answer passes."""
        return Fits(self.cube.pieces, self.given)

    @property
    def given(self) -> Placements:
        """The pieces that are in place."""
        return tuple(self.cube.given.items())

    def start(self) -> Said:
        """No answer."""
        return ()

    def ask(self, state: Sequence[str]) -> Item[Placements] | None:
        """Return the next round; None after a right answer, or the last one."""
        if (
            len(state) == self.condition.rounds
            or self.count_answers_until_solved(state) is not None
        ):
            return None
        cube = self.cube
        first = not state
        return Item(
            self.id if self.condition.rounds == 1 else f"{self.id}/{len(state) + 1}",
            format_cube_system(self.condition, cube),
            format_cube_text(self.condition, cube)
            if first
            else format_retry(self._feedback(state[-1])),
            make_pictures(self.condition, self.seed, tuple(range(6))) if first else (),
            self.form,
            tuple((i, cube.places[i]) for i in cube.missing),
            key=self.key,
            follows=not first,
        )

    def after(self, state: Sequence[str], text: str) -> Said:
        """Return one answer more."""
        return (*state, text)

    def count_answers_until_solved(self, state: Sequence[str]) -> int | None:
        """Count the answers up to the first right one; None if none was right."""
        return next((k for k, text in enumerate(state, 1) if self._right(text)), None)

    def _right(self, text: str) -> bool:
        answer = self.form.parse(text)
        return answer is not None and self.key.accepts(answer)

    def _feedback(self, text: str) -> str:
        return describe_feedback(self.cube, self.form.parse(text), self.condition.feedback)


@dataclass(frozen=True, slots=True)
class ReadingTrial:
    """A piece to be read off a picture."""

    given: ClassVar[Placements] = ()

    condition: CubeCondition
    seed: int

    @property
    def id(self) -> str:
        """The condition's, with the seed."""
        return f"{self.condition.variant}/{self.seed}"

    @property
    def piece(self) -> PieceRows:
        """The piece in the picture, which is the right answer."""
        return find_cube(self.condition, self.seed).pieces[0]

    def start(self) -> Said:
        """No answer."""
        return ()

    def ask(self, state: Sequence[str]) -> Item[PieceRows] | None:
        """Return the item, once."""
        if state:
            return None
        return Item(
            self.id,
            format_reading_system(),
            format_reading_text(),
            make_pictures(self.condition, self.seed, (0,)),
            ArrayForm(),
            self.piece,
        )

    def after(self, state: Sequence[str], text: str) -> Said:
        """Return the answer."""
        return (text,)

    def answer(self, state: Sequence[str]) -> PieceRows | None:
        """Parse the answer; None if it has another form."""
        return ArrayForm().parse(state[0])


def make_trial(condition: CubeCondition, seed: int) -> CubeTrial | ReadingTrial:
    """Return the trial of a seed."""
    if condition.task is Subtask.PERCEPTION:
        return ReadingTrial(condition, seed)
    return CubeTrial(condition, seed)

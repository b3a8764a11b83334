"""The items of the tasks that ask once, and the question with four moves that others ask again."""

from collections.abc import Mapping
from dataclasses import dataclass

from pysim.families.rubik.cube import Cube, turn_of
from pysim.families.rubik.cube_bench.condition import Condition, Modality, PictureType
from pysim.families.rubik.cube_bench.effects import Balance, effect_of
from pysim.families.rubik.cube_bench.forms import (
    OPTIONS,
    Accepts,
    ChoiceForm,
    Effect,
    Effects,
    Grid,
    OptionLetter,
)
from pysim.families.rubik.cube_bench.hypotheses import Hypothesis, hypothesis
from pysim.families.rubik.cube_bench.options import labelled, letter_of, plain_options
from pysim.families.rubik.cube_bench.pictures import picture_of
from pysim.families.rubik.cube_bench.prompts import (
    EFFECT_SYSTEM,
    VERIFICATION_SYSTEM,
    effect_text,
    face_system,
    face_text,
    move_system,
    move_text,
)
from pysim.families.rubik.cube_bench.readings import (
    choice_form,
    effects_form,
    grid_form,
    yes_no_form,
)
from pysim.families.rubik.cube_bench.scrambling import start_of, stream
from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import Metric, Move
from pysim.families.rubik.solver.nearness import near
from pysim.items import Item, Picture, Single

__all__ = [
    "Claim",
    "MoveQuestion",
    "claim",
    "effect_target",
    "effects",
    "face",
    "front_of",
    "move_question",
    "pictures_of",
]


def front_of(cube: Cube) -> Grid:
    """The colour letters of the front face, row by row."""
    start = 9 * Face.F.number
    return tuple(face.letter for face in cube.colours()[start : start + 9])


def pictures_of(cube: Cube, condition: Condition, seed: int) -> tuple[Picture, ...]:
    """The picture of a state, or none where it is told in text alone."""
    return () if condition.mode is Modality.TEXT else (picture_of(cube, condition, seed),)


def face(condition: Condition, seed: int) -> Single[Grid]:
    """Face reconstruction (4.3.1)."""
    cube = start_of(condition, seed).cube
    return Single(
        Item(
            condition.item_id(seed),
            face_system(condition),
            face_text(),
            pictures_of(cube, condition, seed),
            grid_form(condition),
            front_of(cube),
        )
    )


@dataclass(frozen=True, slots=True)
class Claim(Single[bool]):
    """Cross-modal verification (4.3.2).

    Attributes:
        hypothesis: what is claimed.
    """

    hypothesis: Hypothesis


def claim(condition: Condition, seed: int) -> Claim:
    """A claim about the front face and a picture of the net."""
    assert condition.picture is PictureType.NET
    cube = start_of(condition, seed).cube
    said = hypothesis(front_of(cube), condition, seed, _turned_fronts(cube, condition.metric))
    item = Item(
        condition.item_id(seed),
        VERIFICATION_SYSTEM,
        f"Statement:\n{said.text}\n\nIs the statement true of the cube in the picture?",
        pictures_of(cube, condition, seed),
        yes_no_form(condition),
        said.truth,
        group=f"{condition.variant}/{condition.depth}/pair {seed // 2}",
    )
    return Claim(item, said)


def _turned_fronts(cube: Cube, metric: Metric) -> list[Grid]:
    """The front after each move that changes it."""
    front = front_of(cube)
    turned = (front_of(cube.then(turn_of(move))) for move in metric.moves)
    return [other for other in turned if other != front]


MOVE_LETTERS = Accepts.TAG | Accepts.COLON | Accepts.BRACKET
"""What the paper accepts in move prediction: all else is a parse violation (4.3.3)."""


@dataclass(frozen=True, slots=True)
class MoveQuestion:
    """A cube one move from solved and four moves, one of which solves it.

    Attributes:
        condition, seed: what it is made from.
        cube: the state.
        options: the moves.
        gold: the letter of the one that solves it.
    """

    condition: Condition
    seed: int
    cube: Cube
    options: Mapping[OptionLetter, Move]
    gold: OptionLetter

    @property
    def text(self) -> str:
        """The question."""
        return move_text(self.cube, self.options, self.condition)

    @property
    def form(self) -> ChoiceForm:
        """Of the answer."""
        return choice_form(self.condition, MOVE_LETTERS, self.options)

    def item(self) -> Item[OptionLetter]:
        """The question as move prediction asks it."""
        condition, seed = self.condition, self.seed
        return Item(
            condition.item_id(seed),
            move_system(condition),
            self.text,
            pictures_of(self.cube, condition, seed),
            self.form,
            self.gold,
            group=f"{condition.metric}/{seed}",
        )


def move_question(condition: Condition, seed: int) -> MoveQuestion:
    """The question of a seed: the same state and options in every mode and in reflection."""
    start = start_of(condition, seed)
    (right,) = start.teacher
    options = _given_options(condition, seed)
    if options is None:
        random = stream("move options", condition.metric, seed)
        options = plain_options(right, condition.metric, random)
    return MoveQuestion(condition, seed, start.cube, options, letter_of(options, right))


def _given_options(condition: Condition, seed: int) -> Mapping[OptionLetter, Move] | None:
    """Return the options of a given cube, if the file has them."""
    if condition.given is None:
        return None
    moves = condition.given.states[seed % len(condition.given.states)].options
    return labelled(moves) if moves else None


def effects(condition: Condition, seeds: range) -> list[Single[Effects]]:
    """The move-effect probe (4.3.6): what is asked depends on the seeds before, from 0 on."""
    balance = Balance()
    made = [_effect(condition, seed, balance) for seed in range(seeds.stop)]
    return [made[seed] for seed in seeds]


def effect_target(condition: Condition, count: int) -> dict[Effect, float]:
    """The mix of classes that the first ``count`` items of the move-effect probe aim at."""
    balance = Balance()
    for seed in range(count):
        _effect(condition, seed, balance)
    return balance.target()


def _effect(condition: Condition, seed: int, balance: Balance) -> Single[Effects]:
    cube = start_of(condition, seed).cube
    after = near(condition.metric).after_each(cube)
    random = stream("effect options", condition.metric, condition.depth, seed)
    options = balance.draw(after, condition.depth, random)
    gold = tuple(effect_of(after[options[letter]], condition.depth) for letter in OPTIONS)
    text = effect_text(cube, options, condition)
    return Single(
        Item(condition.item_id(seed), EFFECT_SYSTEM, text, (), effects_form(condition), gold)
    )

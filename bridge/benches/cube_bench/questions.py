"""The items of the tasks that ask once, and the question with four moves that others ask again."""

from collections.abc import Mapping
from dataclasses import dataclass

from bridge.benches.cube_bench.answer_options import draw_plain_options, find_letter, label_options
from bridge.benches.cube_bench.condition import Condition, Modality, PictureType
from bridge.benches.cube_bench.effects import Balance, classify_effect
from bridge.benches.cube_bench.forms import (
    OPTIONS,
    Accepts,
    ChoiceForm,
    Effect,
    Effects,
    Grid,
    OptionLetter,
)
from bridge.benches.cube_bench.hypotheses import Hypothesis, make_hypothesis
from bridge.benches.cube_bench.pictures import make_picture
from bridge.benches.cube_bench.prompts import (
    EFFECT_SYSTEM,
    VERIFICATION_SYSTEM,
    move_system,
    move_text,
    write_effect_question,
    write_face_question,
    write_face_system,
)
from bridge.benches.cube_bench.readings import (
    make_choice_form,
    make_effects_form,
    make_grid_form,
    make_yes_no_form,
)
from bridge.benches.cube_bench.scrambling import create_rng, start_of
from pysim.families.rubik.cube import Cube, turn_of
from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import Metric, Move
from pysim.families.rubik.solver import load_distance_table
from pysim.items import Item, Picture, Single

__all__ = [
    "Claim",
    "MoveQuestion",
    "compute_effect_target",
    "make_claim",
    "make_effect_trials",
    "make_face_trial",
    "make_pictures",
    "move_question",
    "read_front",
]


def read_front(cube: Cube) -> Grid:
    """Return the colour letters of the front face, row by row."""
    start = 9 * Face.F.number
    return tuple(face.letter for face in cube.list_colours()[start : start + 9])


def make_pictures(cube: Cube, condition: Condition, seed: int) -> tuple[Picture, ...]:
    """Return the picture of a state, or none where it is told in text alone."""
    return () if condition.mode is Modality.TEXT else (make_picture(cube, condition, seed),)


def make_face_trial(condition: Condition, seed: int) -> Single[Grid]:
    """Face reconstruction (4.3.1)."""
    cube = start_of(condition, seed).cube
    return Single(
        Item(
            condition.make_item_id(seed),
            write_face_system(condition),
            write_face_question(),
            make_pictures(cube, condition, seed),
            make_grid_form(condition),
            read_front(cube),
        )
    )


@dataclass(frozen=True, slots=True)
class Claim(Single[bool]):
    """Cross-modal verification (4.3.2).

    Attributes:
        hypothesis: what is claimed.
    """

    hypothesis: Hypothesis


def make_claim(condition: Condition, seed: int) -> Claim:
    """Return a claim about the front face and a picture of the net."""
    assert condition.picture is PictureType.NET
    cube = start_of(condition, seed).cube
    said = make_hypothesis(
        read_front(cube), condition, seed, _turned_fronts(cube, condition.metric)
    )
    item = Item(
        condition.make_item_id(seed),
        VERIFICATION_SYSTEM,
        f"Statement:\n{said.text}\n\nIs the statement true of the cube in the picture?",
        make_pictures(cube, condition, seed),
        make_yes_no_form(condition),
        said.truth,
        group=f"{condition.variant}/{condition.depth}/pair {seed // 2}",
    )
    return Claim(item, said)


def _turned_fronts(cube: Cube, metric: Metric) -> list[Grid]:
    """Return the front after each move that changes it."""
    front = read_front(cube)
    turned = (read_front(cube.compose(turn_of(move))) for move in metric.moves)
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
        return make_choice_form(self.condition, MOVE_LETTERS, self.options)

    def make_item(self) -> Item[OptionLetter]:
        """Return the question as move prediction asks it."""
        condition, seed = self.condition, self.seed
        return Item(
            condition.make_item_id(seed),
            move_system(condition),
            self.text,
            make_pictures(self.cube, condition, seed),
            self.form,
            self.gold,
            group=f"{condition.metric}/{seed}",
        )


def move_question(condition: Condition, seed: int) -> MoveQuestion:
    """Return the question of a seed: the same state and options in every mode and in reflection."""
    start = start_of(condition, seed)
    (right,) = start.teacher
    options = _given_options(condition, seed)
    if options is None:
        random = create_rng("move options", condition.metric, seed)
        options = draw_plain_options(right, condition.metric, random)
    return MoveQuestion(condition, seed, start.cube, options, find_letter(options, right))


def _given_options(condition: Condition, seed: int) -> Mapping[OptionLetter, Move] | None:
    """Return the options of a given cube, if the file has them."""
    if condition.given is None:
        return None
    moves = condition.given.pick(seed).options
    return label_options(moves) if moves else None


def make_effect_trials(condition: Condition, seeds: range) -> list[Single[Effects]]:
    """The move-effect probe (4.3.6): what is asked depends on the seeds before, from 0 on."""
    balance = Balance()
    made = [_effect(condition, seed, balance) for seed in range(seeds.stop)]
    return [made[seed] for seed in seeds]


def compute_effect_target(condition: Condition, count: int) -> dict[Effect, float]:
    """Return the mix of classes that the first ``count`` items of the move-effect probe aim at."""
    balance = Balance()
    for seed in range(count):
        _effect(condition, seed, balance)
    return balance.compute_target()


def _effect(condition: Condition, seed: int, balance: Balance) -> Single[Effects]:
    cube = start_of(condition, seed).cube
    after = load_distance_table(condition.metric).list_distances(cube)
    random = create_rng("effect options", condition.metric, condition.depth, seed)
    options = balance.draw(after, condition.depth, random)
    gold = tuple(classify_effect(after[options[letter]], condition.depth) for letter in OPTIONS)
    text = write_effect_question(cube, options, condition)
    return Single(
        Item(
            condition.make_item_id(seed),
            EFFECT_SYSTEM,
            text,
            (),
            make_effects_form(condition),
            gold,
        )
    )

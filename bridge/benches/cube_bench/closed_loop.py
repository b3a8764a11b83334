"""The closed loop, step by step: each choice is carried out (4.3.5, A.5, A.6)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bridge.benches.cube_bench.answer_options import (
    draw_loop_options,
    draw_plain_options,
    find_letter,
)
from bridge.benches.cube_bench.condition import (
    Abstention,
    Condition,
    Criterion,
    OptionSets,
)
from bridge.benches.cube_bench.forms import Accepts, ChoiceForm, OptionLetter
from bridge.benches.cube_bench.prompts import write_loop_question, write_loop_system
from bridge.benches.cube_bench.questions import make_pictures
from bridge.benches.cube_bench.readings import make_choice_form
from bridge.benches.cube_bench.scrambling import create_rng, start_of
from pysim.families.rubik.cube import Cube, turn_of
from pysim.families.rubik.moves import Move
from pysim.families.rubik.solver import load_distance_table
from pysim.items import Item

__all__ = ["Decision", "LoopState", "LoopTrial"]

LETTERS = Accepts.TAG | Accepts.COLON | Accepts.BRACKET | Accepts.BARE
"""What the paper accepts of a decision."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer.

    Attributes:
        choice: what was chosen; None if that can't be read.
        correct: whether it is a correct move by the condition's criterion.
    """

    choice: OptionLetter | None
    correct: bool


@dataclass(frozen=True, slots=True)
class LoopState:
    """A moment of the loop.

    Attributes:
        cube: the state.
        plan: the teacher's moves from here on.
        decisions: so far.
        halted: whether the episode ended early.
    """

    cube: Cube
    plan: tuple[Move, ...]
    decisions: tuple[Decision, ...] = ()
    halted: bool = False


@dataclass(frozen=True, slots=True)
class LoopTrial:
    """An episode: as many decisions as the scramble has moves, if it does not halt before.

    It halts on an answer that can't be read, on a move that does not lead nearer, and on IDK if the
    policy is ``skip-item``. After a move that leads nearer but is not the teacher's, the teacher
    plans anew: a shortest solution.
    """

    condition: Condition
    seed: int

    @property
    def id(self) -> str:
        """The condition's, with depth and seed."""
        return self.condition.make_item_id(self.seed)

    def start(self) -> LoopState:
        """Return the scrambled cube, and the inverse of the scramble."""
        begun = start_of(self.condition, self.seed)
        return LoopState(begun.cube, begun.teacher)

    def ask(self, state: LoopState) -> Item[OptionLetter] | None:
        """Return the next decision."""
        if state.halted or not state.plan:
            return None
        condition, options = self.condition, self.list_options(state)
        return Item(
            f"{self.id}/{len(state.decisions) + 1}",
            write_loop_system(condition),
            write_loop_question(state.cube, options, condition, len(state.plan)),
            make_pictures(state.cube, condition, self.seed),
            self._form(),
            find_letter(options, state.plan[0]),
        )

    def list_options(self, state: LoopState) -> Mapping[OptionLetter, Move]:
        """Return the moves to choose from."""
        condition = self.condition
        step = len(state.decisions) + 1
        random = create_rng("loop options", condition.metric, condition.depth, self.seed, step)
        uniform = condition.options is OptionSets.UNIFORM
        if condition.abstain is Abstention.NONE and uniform:
            return draw_plain_options(state.plan[0], condition.metric, random)
        after = load_distance_table(condition.metric).list_distances(state.cube)
        return draw_loop_options(state.plan[0], after, len(state.plan), random)

    def after(self, state: LoopState, text: str) -> LoopState:
        """Return the state after the answer."""
        choice = self._form().parse(text)
        if choice is None:
            return self._decided(state, Decision(None, False), None)
        if choice is OptionLetter.IDK:
            taught = self.condition.abstain is Abstention.TEACHER
            return self._decided(state, Decision(choice, False), state.plan[0] if taught else None)
        move = self.list_options(state)[choice]
        left = load_distance_table(self.condition.metric).list_distances(state.cube)[move]
        nearer = left < len(state.plan)
        taught = move == state.plan[0]
        correct = taught or (nearer and self.condition.criterion is Criterion.OPTIMAL)
        return self._decided(state, Decision(choice, correct), move if nearer else None)

    def _form(self) -> ChoiceForm:
        idk = self.condition.abstain is not Abstention.NONE
        return make_choice_form(self.condition, LETTERS | Accepts.IDK if idk else LETTERS)

    def _decided(self, state: LoopState, decision: Decision, move: Move | None) -> LoopState:
        """The state after a decision and, unless it halts the episode, a move that leads nearer."""
        decisions = (*state.decisions, decision)
        if move is None:
            return replace(state, decisions=decisions, halted=True)
        cube = state.cube.compose(turn_of(move))
        taught = move == state.plan[0]
        plan = state.plan[1:] if taught else load_distance_table(self.condition.metric).plan(cube)
        return LoopState(cube, plan, decisions)

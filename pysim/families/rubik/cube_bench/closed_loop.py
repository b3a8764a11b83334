"""The closed loop, step by step: each choice is carried out (4.3.5, A.5, A.6)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pysim.families.rubik.cube import Cube, turn_of
from pysim.families.rubik.cube_bench.condition import (
    Abstention,
    Condition,
    Criterion,
    OptionSets,
)
from pysim.families.rubik.cube_bench.forms import Accepts, ChoiceForm, OptionLetter
from pysim.families.rubik.cube_bench.options import letter_of, loop_options, plain_options
from pysim.families.rubik.cube_bench.prompts import loop_system, loop_text
from pysim.families.rubik.cube_bench.questions import pictures_of
from pysim.families.rubik.cube_bench.readings import choice_form
from pysim.families.rubik.cube_bench.scrambling import start_of, stream
from pysim.families.rubik.moves import Move
from pysim.families.rubik.solver.nearness import near
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
        return self.condition.item_id(self.seed)

    def start(self) -> LoopState:
        """The scrambled cube, and the inverse of the scramble."""
        begun = start_of(self.condition, self.seed)
        return LoopState(begun.cube, begun.teacher)

    def ask(self, state: LoopState) -> Item[OptionLetter] | None:
        """The next decision."""
        if state.halted or not state.plan:
            return None
        condition, options = self.condition, self.options(state)
        return Item(
            f"{self.id}/{len(state.decisions) + 1}",
            loop_system(condition),
            loop_text(state.cube, options, condition, len(state.plan)),
            pictures_of(state.cube, condition, self.seed),
            self._form(),
            letter_of(options, state.plan[0]),
        )

    def options(self, state: LoopState) -> Mapping[OptionLetter, Move]:
        """The moves to choose from."""
        condition = self.condition
        step = len(state.decisions) + 1
        random = stream("loop options", condition.metric, condition.depth, self.seed, step)
        uniform = condition.options is OptionSets.UNIFORM
        if condition.abstain is Abstention.NONE and uniform:
            return plain_options(state.plan[0], condition.metric, random)
        after = near(condition.metric).after_each(state.cube)
        return loop_options(state.plan[0], after, len(state.plan), random)

    def after(self, state: LoopState, text: str) -> LoopState:
        """What the answer leads to."""
        choice = self._form().parse(text)
        if choice is None:
            return self._decided(state, Decision(None, False), None)
        if choice is OptionLetter.IDK:
            taught = self.condition.abstain is Abstention.TEACHER
            return self._decided(state, Decision(choice, False), state.plan[0] if taught else None)
        move = self.options(state)[choice]
        left = near(self.condition.metric).after_each(state.cube)[move]
        nearer = left < len(state.plan)
        taught = move == state.plan[0]
        correct = taught or (nearer and self.condition.criterion is Criterion.OPTIMAL)
        return self._decided(state, Decision(choice, correct), move if nearer else None)

    def _form(self) -> ChoiceForm:
        idk = self.condition.abstain is not Abstention.NONE
        return choice_form(self.condition, LETTERS | Accepts.IDK if idk else LETTERS)

    def _decided(self, state: LoopState, decision: Decision, move: Move | None) -> LoopState:
        """The state after a decision and, unless it halts the episode, a move that leads nearer."""
        decisions = (*state.decisions, decision)
        if move is None:
            return replace(state, decisions=decisions, halted=True)
        cube = state.cube.then(turn_of(move))
        taught = move == state.plan[0]
        plan = state.plan[1:] if taught else near(self.condition.metric).plan(cube)
        return LoopState(cube, plan, decisions)

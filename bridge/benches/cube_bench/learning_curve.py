"""The learning curve: a closed loop in which errors can be mended (4.3.7, A.8)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bridge.benches.cube_bench.answer_options import choose_best, draw_progress_options
from bridge.benches.cube_bench.condition import Condition, Counting
from bridge.benches.cube_bench.forms import Accepts, OptionLetter
from bridge.benches.cube_bench.prompts import write_loop_question, write_loop_system
from bridge.benches.cube_bench.questions import make_pictures
from bridge.benches.cube_bench.readings import make_choice_form
from bridge.benches.cube_bench.scrambling import create_rng, start_of
from pysim.families.rubik.cube import Cube, turn_of
from pysim.families.rubik.moves import Move
from pysim.families.rubik.solver import load_distance_table
from pysim.items import Item

__all__ = ["CurveState", "CurveTrial"]

LETTERS = Accepts.TAG | Accepts.COLON
"""What the paper accepts of an attempt."""


@dataclass(frozen=True, slots=True)
class CurveState:
    """A moment of an episode.

    Attributes:
        cube: the state.
        plan: the teacher's moves from here on; they solve the cube, if not by a shortest way.
        attempts: answers that count so far, those that could not be read too.
        unread: how many of them could not be read.
        before: answers up to the first error, which do not count; 0 where all do.
        counting: whether the next answer counts.
    """

    cube: Cube
    plan: tuple[Move, ...]
    attempts: int = 0
    unread: int = 0
    before: int = 0
    counting: bool = True


@dataclass(frozen=True, slots=True)
class CurveTrial:
    """An episode: until the cube is solved, or the attempts are used up.

    The policy is accept-progress. The teacher's move advances its plan; another move that leads
    nearer is made, and the plan is made anew; one that does not is made as well, and its inverse is
    put in front of the plan; an answer that can't be read changes nothing.

    Counted from the first error, attempts are what follows the first answer that does not lead
    nearer or can't be read. Who solves the cube without one has made no attempt to recover.
    """

    condition: Condition
    seed: int

    @property
    def id(self) -> str:
        """The condition's, with depth and seed."""
        return self.condition.make_item_id(self.seed)

    def start(self) -> CurveState:
        """Return the scrambled cube, and the inverse of the scramble."""
        begun = start_of(self.condition, self.seed)
        counting = self.condition.counting is Counting.START
        return CurveState(begun.cube, begun.teacher, counting=counting)

    def ask(self, state: CurveState) -> Item[OptionLetter] | None:
        """Return the next attempt."""
        if state.cube.solved or state.attempts == self.condition.max_attempts:
            return None
        condition = self.condition
        after = load_distance_table(condition.metric).list_progress(state.cube)
        distance = min(after.values()) + 1
        options = self._options(state, after, distance)
        return Item(
            f"{self.id}/{state.before + state.attempts + 1}",
            write_loop_system(condition),
            write_loop_question(state.cube, options, condition, distance),
            make_pictures(state.cube, condition, self.seed),
            make_choice_form(condition, LETTERS, options),
            choose_best(options, after),
        )

    def after(self, state: CurveState, text: str) -> CurveState:
        """Return the state after the answer."""
        distances = load_distance_table(self.condition.metric)
        after = distances.list_progress(state.cube)
        distance = min(after.values()) + 1
        options = self._options(state, after, distance)
        choice = make_choice_form(self.condition, LETTERS, options).parse(text)
        if choice is None:
            return self._answered(state, nearer=False, read=False)
        move = options[choice]
        nearer = after[move] < distance
        cube = state.cube.compose(turn_of(move))
        if move == state.plan[0]:
            plan = state.plan[1:]
        elif nearer:
            plan = distances.plan(cube)
        else:
            plan = (move.inverse, *state.plan)
        return replace(self._answered(state, nearer=nearer, read=True), cube=cube, plan=plan)

    def _answered(self, state: CurveState, *, nearer: bool, read: bool) -> CurveState:
        """The counts after an answer."""
        if not state.counting:
            return replace(state, before=state.before + 1, counting=not nearer)
        return replace(state, attempts=state.attempts + 1, unread=state.unread + (not read))

    def has_erred(self, state: CurveState) -> bool:
        """Whether attempts were counted at all: from the start always, else from an error on."""
        return state.counting

    def count_attempts(self, state: CurveState) -> int | None:
        """T: the attempts used to solve the cube; None if it is not solved."""
        return state.attempts if state.cube.solved else None

    def _options(
        self, state: CurveState, after: Mapping[Move, int], distance: int
    ) -> Mapping[OptionLetter, Move]:
        condition = self.condition
        attempt = state.before + state.attempts + 1
        parts = (condition.metric, condition.depth, self.seed, attempt)
        return draw_progress_options(after, distance, create_rng("curve options", *parts))

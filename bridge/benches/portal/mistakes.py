"""Mistakes: minimally changed steps that are proven to make a plan fail, by carrying it out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import Any

from pysim.families.portal.actions import (
    Drop,
    Enter,
    FloorWay,
    Gate,
    Jump,
    PickUpBox,
    PlaceGate,
    WalkTo,
)
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.legal import try_action
from pysim.families.portal.state import ChamberState, start_of
from pysim.geometry import add
from pysim.puzzle import Action

__all__ = [
    "COUNT",
    "Mistake",
    "apply_mistakes",
    "choose",
    "enumerate_changes",
    "enumerate_fillings",
    "enumerate_subsets",
    "is_filled_one_way",
    "is_solution",
]

COUNT = 5
_Steps = Sequence[Action]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A step that is wrong.

    Attributes:
        step: which, from 0.
        action: what stands there in place of the right one.
    """

    step: int
    action: Action


def is_solution(chamber: Chamber, plan: _Steps) -> bool:
    """Return whether a plan, carried out step by step, ends in the exit; a refused step ends it."""
    state = start_of(chamber)
    for action in plan:
        after = _after(chamber, state, action)
        if after is None:
            return False
        state = after
    return state.agent == chamber.exit


@lru_cache(maxsize=200_000)
def _after(chamber: Chamber, state: ChamberState, action: Action) -> ChamberState | None:
    course = try_action(chamber, state, action)
    return None if course is None else course.state


def apply_mistakes(plan: _Steps, mistakes: Sequence[Mistake]) -> tuple[Action, ...]:
    """Return a plan with some steps wrong."""
    wrong = {mistake.step: mistake.action for mistake in mistakes}
    return tuple(wrong.get(number, action) for number, action in enumerate(plan))


def enumerate_changes(chamber: Chamber, action: Action) -> Iterator[Action]:
    """Yield the actions that differ from one in one value, by as little as it can."""
    match action:
        case WalkTo():
            cells = (add(action.cell, side) for side in _SIDES)
            yield from (WalkTo(cell) for cell in cells if cell in chamber.free)
        case PlaceGate():
            yield from (
                PlaceGate(action.gate, surface.cell, surface.side)
                for surface in chamber.surfaces
                if (surface.cell, surface.side) != (action.cell, action.side)
            )
            other = Gate.BLUE if action.gate is Gate.ORANGE else Gate.ORANGE
            yield PlaceGate(other, action.cell, action.side)
        case Enter():
            yield Enter(Gate.BLUE if action.gate is Gate.ORANGE else Gate.ORANGE)
        case Jump():
            yield from (Jump(way) for way in FloorWay if way is not action.way)
        case PickUpBox():
            names = (box.name for box in chamber.boxes)
            yield from (PickUpBox(name) for name in names if name != action.box)
        case Drop():
            cells = (add(action.cell, side) for side in _SIDES)
            yield from (Drop(cell) for cell in cells if cell in chamber.free)


_SIDES = tuple(way.direction.vector for way in FloorWay)


def choose(chamber: Chamber, plan: _Steps, seed: int) -> tuple[Mistake, ...] | None:
    """Five mistakes in five steps; None if these steps can be filled in more ways than one.

    Each makes the plan fail, and so does any selection of them: none repairs another one.
    """
    random = Random(f"mistakes {seed}")
    steps = sorted(random.sample(range(len(plan)), COUNT))
    chosen = []
    for step in steps:
        wrong = [
            Mistake(step, action)
            for action in enumerate_changes(chamber, plan[step])
            if not is_solution(chamber, apply_mistakes(plan, [Mistake(step, action)]))
        ]
        if not wrong:
            return None
        chosen.append(random.choice(_plausible(chamber, plan, wrong)))
    mistakes = tuple(chosen)
    texts = {repr(m.action) for m in mistakes} | {repr(plan[m.step]) for m in mistakes}
    if len(texts) < 2 * COUNT or any(
        is_solution(chamber, apply_mistakes(plan, some)) for some in _selections(mistakes)
    ):
        return None
    options = (*(plan[m.step] for m in mistakes), *(m.action for m in mistakes))
    right = tuple(range(COUNT))
    found = enumerate_fillings(chamber, plan, steps, options)
    return mistakes if all(filling == right for filling in found) else None


def _plausible(chamber: Chamber, plan: _Steps, wrong: list[Mistake]) -> list[Mistake]:
    """Keep mistakes that are carried out without a refusal where they stand, if there are any."""
    state = start_of(chamber)
    for action in plan[: wrong[0].step]:
        after = _after(chamber, state, action)
        assert after is not None
        state = after
    return [m for m in wrong if _after(chamber, state, m.action) is not None] or wrong


def _selections(mistakes: Sequence[Mistake]) -> Iterator[tuple[Mistake, ...]]:
    """Yield all but none of them."""
    for count in range(1, len(mistakes) + 1):
        yield from combinations(mistakes, count)


def enumerate_fillings(
    chamber: Chamber, plan: _Steps, steps: Sequence[int], options: Sequence[Action]
) -> Iterator[tuple[int, ...]]:
    """Return every way to fill masked steps with options, none twice, that leads out.

    Args:
        steps: which are masked, ascending.
        options: what they may be filled with; told by numbers.
    """

    def go(state: ChamberState, number: int, used: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if number == len(plan):
            if state.agent == chamber.exit:
                yield used
            return
        masked = number in steps
        open_to: list[Any] = [None] if not masked else [k for k in _all(options) if k not in used]
        for k in open_to:
            after = _after(chamber, state, plan[number] if k is None else options[k])
            if after is not None:
                yield from go(after, number + 1, used if k is None else (*used, k))

    return go(start_of(chamber), 0, ())


def is_filled_one_way(chamber: Chamber, plan: _Steps, mistakes: Sequence[Mistake]) -> bool:
    """Return whether any selection of the five steps, masked, can be filled in one way only."""
    steps = [mistake.step for mistake in mistakes]
    options = (*(plan[step] for step in steps), *(m.action for m in mistakes))
    return all(
        list(enumerate_fillings(chamber, plan, [steps[k] for k in masked], options)) == [masked]
        for count in range(1, COUNT + 1)
        for masked in combinations(range(COUNT), count)
    )


def _all(options: Sequence[Action]) -> range:
    return range(len(options))


def enumerate_subsets() -> Iterator[tuple[bool, ...]]:
    """Enumerate the selections of five mistakes: 32, the empty one first."""
    return product((False, True), repeat=COUNT)

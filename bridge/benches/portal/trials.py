"""The questions: is a plan right, and which steps are missing."""

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from itertools import count
from random import Random

from bridge.benches.portal.answer_formats import LETTERS, LettersForm
from bridge.benches.portal.frozen_items import AskedChamber, load_chambers, load_generated_chambers
from bridge.benches.portal.mistakes import COUNT, Mistake, apply_mistakes, enumerate_subsets
from bridge.benches.portal.options import PortalShown
from bridge.benches.portal.pictures import make_hints, make_pictures
from bridge.benches.portal.steps import format_step
from bridge.items.forms import BinaryForm
from pysim.families.portal.text import RULES, describe_room, write_legend
from pysim.items import Item, Picture, Single
from pysim.puzzle import Action

__all__ = ["Pool", "find_first_numbers", "make_blanks_trial", "make_plan_trial"]

CANDIDATES = 2**COUNT
"""Of each chamber."""


class Pool(StrEnum):
    """A set of chambers to ask about; items of generated ones bear it in their names."""

    DRAWN = ""
    GENERATED = "-100"


def make_plan_trial(number: int, shown: PortalShown, pool: Pool = Pool.DRAWN) -> Single[bool]:
    """Return a candidate: chambers in turns, each 32 times, once with the right plan.

    Each set of mistakes of a generated chamber has one candidate; of each 32 in a row one is right.
    """
    one, draw = _chamber(number, pool)
    made = _generated_candidates()[number] if pool else _candidates(one.level.id)[draw]
    mistakes = _made(one, made)
    plan = apply_mistakes(one.plan, mistakes)
    text = (
        f"{_told(one, shown)}\n\nThis is a plan:\n{_numbered(plan)}\n\n"
        'Carried out step by step, does it lead to the exit? End with the line "Answer: yes" or '
        '"Answer: no".'
    )
    group = f"plans{pool}/{shown}/{one.level.id}"
    pictures, form = _pictures(one, shown), BinaryForm("yes", "no")
    return Single(Item(f"{group}/{draw}", _SYSTEM, text, pictures, form, not mistakes, group))


_Selection = tuple[bool, ...]
"""The mistakes that are made, of five."""


def _made(one: AskedChamber, made: _Selection) -> list[Mistake]:
    return [m for m, is_made in zip(one.mistakes, made, strict=True) if is_made]


def _candidates(which: str) -> list[_Selection]:
    """Return the 32 selections of mistakes, in random order."""
    return Random(f"candidates {which}").sample(list(enumerate_subsets()), CANDIDATES)


@cache
def _generated_candidates() -> tuple[_Selection, ...]:
    """Return a selection for each set of mistakes; no plan of a chamber comes twice."""
    every, known, found = load_generated_chambers(), set[tuple[str, tuple[Action, ...]]](), []
    for start in range(0, len(every), CANDIDATES):
        row = every[start : start + CANDIDATES]
        for draw in count():
            drawn = _candidates(f"{start} {draw}")
            plans = {
                (one.level.id, apply_mistakes(one.plan, _made(one, made)))
                for one, made in zip(row, drawn, strict=True)
            }
            if len(plans) == len(row) and not plans & known:
                break
        known |= plans
        found += drawn
    return tuple(found)


def make_blanks_trial(
    number: int, shown: PortalShown, blanks: int, pool: Pool = Pool.DRAWN
) -> Single[tuple[int, ...]]:
    """A plan with masked steps, and ten options: the five right ones and their mistaken twins.

    Items with the same steps masked ask the same question in other orders: they are a group.
    """
    one, draw = _chamber(number, pool)
    random, masked = _masked(one, draw, blanks)
    options = [*(one.plan[m.step] for m in one.mistakes), *(m.action for m in one.mistakes)]
    order = random.sample(range(2 * COUNT), 2 * COUNT)
    gold = tuple(order.index(k) for k in masked)
    steps = {one.mistakes[k].step for k in masked}
    offered = "\n".join(
        f"{LETTERS[place]}. {format_step(options[k])}" for place, k in enumerate(order)
    )
    text = (
        f"{_told(one, shown)}\n\nThis is a plan that leads to the exit; of some steps only the "
        f"number is left:\n{_numbered(one.plan, steps)}\n\nThese are options:\n{offered}\n\n"
        f"Which of them are the missing steps, in order? Name {blanks} different "
        f'option{"s" * (blanks > 1)}. End with a line like "{_example(blanks)}".'
    )
    where = f"blanks{pool}/{shown}/{blanks}/{one.level.id}"
    steps_masked = ",".join(str(step + 1) for step in sorted(steps))
    group = f"{where}/{one.number} {steps_masked}" if pool else f"{where}/{steps_masked}"
    form = LettersForm(blanks)
    return Single(Item(f"{where}/{draw}", _SYSTEM, text, _pictures(one, shown), form, gold, group))


@cache
def find_first_numbers(blanks: int, items: int, pool: Pool) -> tuple[int, ...]:
    """Return which of the first items ask a question that none before them asks."""
    first: dict[tuple[AskedChamber, tuple[int, ...]], int] = {}
    for number in range(items):
        one, draw = _chamber(number, pool)
        first.setdefault((one, tuple(_masked(one, draw, blanks)[1])), number)
    return tuple(first.values())


def _masked(one: AskedChamber, draw: int, blanks: int) -> tuple[Random, list[int]]:
    """Return which of the five steps are masked, and the rng that draws the order of options."""
    random = Random(f"blanks {one.level.id} {blanks} {draw}")
    return random, sorted(random.sample(range(COUNT), blanks))


_SYSTEM = "You are given a chamber, a puzzle, and are asked about plans to leave it."


def _chamber(number: int, pool: Pool) -> tuple[AskedChamber, int]:
    """Return the chamber of an item, and which of its items it is."""
    if pool is Pool.GENERATED:
        one = load_generated_chambers()[number]
        return one, one.number
    chambers = load_chambers()
    return chambers[number % len(chambers)], number // len(chambers)


def _example(blanks: int) -> str:
    return f"Answer: {', '.join('GBDAH'[:blanks])}"


def _numbered(plan: Sequence[Action], masked: set[int] | None = None) -> str:
    hidden = masked or set()
    lines = ("____" if k in hidden else format_step(action) for k, action in enumerate(plan))
    return "\n".join(f"{k}. {line}" for k, line in enumerate(lines, 1))


def _told(one: AskedChamber, shown: PortalShown) -> str:
    """Return the rules, and what is seen or told of the room."""
    chamber = one.level.puzzle
    x, y, z = chamber.size
    boxes = ", ".join(box.name for box in chamber.boxes) or "none"
    head = f"{RULES}\n\nYou are {chamber.agent}; boxes: {boxes}. The exit is over the green E."
    if shown is PortalShown.TEXT:
        return f"{head}\n\n{describe_room(chamber)}"
    return (
        f"{head} The room has {x} x {y} x {z} cells; (0,0,0) is the lowest one at the front left. "
        "The pictures show it without its ceiling and its nearer walls, then from above by floors, "
        "then as it is seen from the start and from each field, in all six directions.\n"
        f"{write_legend(chamber)}"
    )


def _pictures(one: AskedChamber, shown: PortalShown) -> tuple[Picture, ...]:
    if shown is PortalShown.TEXT:
        return ()
    hints = make_hints(one.level) if shown is PortalShown.HINT else ()
    return (*make_pictures(one.level), *hints)

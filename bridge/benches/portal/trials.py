"""The questions: is a plan right, and which steps are missing."""

from collections.abc import Sequence
from random import Random

from bridge.benches.portal.forms import LETTERS, LettersForm, VerdictForm
from bridge.benches.portal.mistakes import COUNT, subsets, with_mistakes
from bridge.benches.portal.options import PortalShown
from bridge.benches.portal.pictures import hints_of, pictures_of
from bridge.benches.portal.sealed import AskedChamber, asked
from bridge.benches.portal.steps import told_step
from pysim.families.portal.words import RULES, legend_of, told_room
from pysim.items import Item, Picture, Single
from pysim.puzzle import Action

__all__ = ["blanks_trial", "plans_trial"]

CANDIDATES = 2**COUNT
"""Of each chamber."""


def plans_trial(number: int, shown: PortalShown) -> Single[bool]:
    """A candidate: chambers in turns, each 32 times, once with the right plan."""
    one, candidate = _chamber(number)
    made = _candidates(one)[candidate]
    mistakes = [m for m, is_made in zip(one.mistakes, made, strict=True) if is_made]
    plan = with_mistakes(one.plan, mistakes)
    text = (
        f"{_told(one, shown)}\n\nThis is a plan:\n{_numbered(plan)}\n\n"
        'Carried out step by step, does it lead to the exit? End with the line "Answer: yes" or '
        '"Answer: no".'
    )
    name = f"plans/{shown}/{one.level.id}/{candidate}"
    item = Item(name, _SYSTEM, text, _pictures(one, shown), VerdictForm(), not mistakes)
    return Single(item)


def _candidates(one: AskedChamber) -> list[tuple[bool, ...]]:
    """The 32 selections of mistakes, in random order."""
    return Random(f"candidates {one.level.id}").sample(list(subsets()), CANDIDATES)


def blanks_trial(number: int, shown: PortalShown, blanks: int) -> Single[tuple[int, ...]]:
    """A plan with masked steps, and ten options: the five right ones and their mistaken twins."""
    one, draw = _chamber(number)
    random = Random(f"blanks {one.level.id} {blanks} {draw}")
    masked = sorted(random.sample(range(COUNT), blanks))
    options = [*(one.plan[m.step] for m in one.mistakes), *(m.action for m in one.mistakes)]
    order = random.sample(range(2 * COUNT), 2 * COUNT)
    gold = tuple(order.index(k) for k in masked)
    steps = {one.mistakes[k].step for k in masked}
    offered = "\n".join(
        f"{LETTERS[place]}. {told_step(options[k])}" for place, k in enumerate(order)
    )
    text = (
        f"{_told(one, shown)}\n\nThis is a plan that leads to the exit; of some steps only the "
        f"number is left:\n{_numbered(one.plan, steps)}\n\nThese are options:\n{offered}\n\n"
        f"Which of them are the missing steps, in order? Name {blanks} different "
        f'option{"s" * (blanks > 1)}. End with a line like "{_example(blanks)}".'
    )
    name = f"blanks/{shown}/{blanks}/{one.level.id}/{draw}"
    item = Item(name, _SYSTEM, text, _pictures(one, shown), LettersForm(blanks), gold)
    return Single(item)


_SYSTEM = "You are given a chamber, a puzzle, and are asked about plans to leave it."


def _chamber(number: int) -> tuple[AskedChamber, int]:
    """The chamber of an item, and which of its items it is."""
    chambers = asked()
    return chambers[number % len(chambers)], number // len(chambers)


def _example(blanks: int) -> str:
    return f"Answer: {', '.join('GBDAH'[:blanks])}"


def _numbered(plan: Sequence[Action], masked: set[int] | None = None) -> str:
    hidden = masked or set()
    lines = ("____" if k in hidden else told_step(action) for k, action in enumerate(plan))
    return "\n".join(f"{k}. {line}" for k, line in enumerate(lines, 1))


def _told(one: AskedChamber, shown: PortalShown) -> str:
    """The rules, and what is seen or told of the room."""
    chamber = one.level.puzzle
    x, y, z = chamber.size
    boxes = ", ".join(box.name for box in chamber.boxes) or "none"
    head = f"{RULES}\n\nYou are {chamber.agent}; boxes: {boxes}. The exit is over the green E."
    if shown is PortalShown.TEXT:
        return f"{head}\n\n{told_room(chamber)}"
    return (
        f"{head} The room has {x} x {y} x {z} cells; (0,0,0) is the lowest one at the front left. "
        "The pictures show it without its ceiling and its nearer walls, then from above by floors, "
        "then as it is seen from the start and from each field, in all six directions.\n"
        f"{legend_of(chamber)}"
    )


def _pictures(one: AskedChamber, shown: PortalShown) -> tuple[Picture, ...]:
    if shown is PortalShown.TEXT:
        return ()
    hints = hints_of(one.level) if shown is PortalShown.HINT else ()
    return (*pictures_of(one.level), *hints)

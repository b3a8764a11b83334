"""Statements about the front face, true or false, for cross-modal verification (4.3.2, A.2.2).

Seeds come in blocks of four that hold each pairing of true or false with plain or reversed wording
once, in an order drawn for the block, in each half of it one of which the answer is yes. So the
prior is 50 to 50 at each depth and for each template, and wording does not tell the answer.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from bridge.benches.cube_bench.condition import Condition, Mismatch, Template
from bridge.benches.cube_bench.forms import Grid
from bridge.benches.cube_bench.scrambling import create_rng
from bridge.benches.cube_bench.wording import LISTED, apply_wording
from pysim.families.rubik.faces import Face

__all__ = ["Hypothesis", "make_hypothesis"]

TEMPLATES = tuple(template for template in Template if template is not Template.ALL)
_WORDS = {face.letter: face.colour for face in Face}
_AROUND = (0, 1, 2, 3, 5, 6, 7, 8)
"""The places of a face but its centre."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A statement about the front face.

    Attributes:
        template: what it is about.
        reversed: whether it denies (is *not* green).
        text: the statement.
        truth: whether it holds.
    """

    template: Template
    reversed: bool
    text: str
    truth: bool


def make_hypothesis(
    front: Grid, condition: Condition, seed: int, turned: Sequence[Grid] = ()
) -> Hypothesis:
    """Return the statement of an item.

    Args:
        turned: what the front may be after one turn, for wrong grids by ``mismatch=move``.

    A false claim is made of what is elsewhere on the face, so that colours and numbers are as
    frequent in false claims as in true ones; on a face of one colour that can't be, and the paper
    asks at depth 5, where there is hardly any.
    """
    block, place = divmod(seed, 4)
    template = condition.template
    if template is Template.ALL:
        template = TEMPLATES[block % len(TEMPLATES)]
    truth, denies = _block(condition, block)[place]
    if template is Template.EQUALITY:
        denies = False
    random = create_rng("hypothesis", condition.depth, seed, template)
    shown = truth ^ denies
    if template in _GRIDS and not shown and condition.mismatch is Mismatch.MOVE:
        text = _GRIDS[template](random.choice(turned), True, denies, random)
    else:
        text = _MAKERS[template](front, shown, denies, random)
    return Hypothesis(template, denies, apply_wording(text, condition.edition), truth)


def _block(condition: Condition, block: int) -> list[tuple[bool, bool]]:
    """Truth and reversal of the four seeds of a block."""
    random = create_rng("prior", condition.depth, block)
    halves = []
    reversals = {truth: random.sample([False, True], 2) for truth in (True, False)}
    for half in (0, 1):
        pair = [(truth, reversals[truth][half]) for truth in (True, False)]
        random.shuffle(pair)
        halves += pair
    return halves


def _equality(front: Grid, holds: bool, denies: bool, random: Random) -> str:
    shown = front if holds else _exchanged(front, random)
    opening = random.choice(
        (
            "The front face, row by row:",
            LISTED,
            "Front face, from the top row to the bottom row:",
        )
    )
    return f"{opening}\n{_rows(shown)}"


def _matrix(front: Grid, holds: bool, denies: bool, random: Random) -> str:
    shown = front if holds else _exchanged(front, random)
    opening = (
        ("The front face reads", "The grid of the front face is")
        if not denies
        else ("The front face does not read", "The grid of the front face is not")
    )
    rows = "; ".join(_list(shown[k : k + 3]) for k in (0, 3, 6))
    return f"{random.choice(opening)} {rows}."


def _cell(front: Grid, holds: bool, denies: bool, random: Random) -> str:
    cell, other = _two_unlike(_AROUND, front.__getitem__, random)
    colour = front[cell] if holds else front[other]
    if not holds and colour == front[cell]:
        colour = random.choice([letter for letter in _WORDS if letter != front[cell]])
    place = f"in row {cell // 3 + 1}, column {cell % 3 + 1} of the front face"
    verb = "is not" if denies else "is"
    word = _WORDS[colour]
    return random.choice(
        (f"The sticker {place} {verb} {word}.", f"The colour {place} {verb} {word}.")
    )


def _row(front: Grid, holds: bool, denies: bool, random: Random) -> str:
    return _line("row", [front[k : k + 3] for k in (0, 3, 6)], holds, denies, random)


def _column(front: Grid, holds: bool, denies: bool, random: Random) -> str:
    return _line("column", [front[k::3] for k in (0, 1, 2)], holds, denies, random)


def _line(what: str, lines: list[Grid], holds: bool, denies: bool, random: Random) -> str:
    chosen, other = _two_unlike(range(3), lines.__getitem__, random)
    shown = lines[chosen] if holds else lines[other]
    if not holds and shown == lines[chosen]:
        shown = _changed(shown, random)
    ends = "from left to right" if what == "row" else "from top to bottom"
    verb = random.choice(("is not", "does not read") if denies else ("is", "reads"))
    return f"On the front face, {what} {chosen + 1}, {ends}, {verb} {_list(shown)}."


def _count(front: Grid, holds: bool, denies: bool, random: Random) -> str:
    chosen, other = _two_unlike(tuple(_WORDS), front.count, random)
    number = front.count(chosen if holds else other)
    noun = "sticker" if number == 1 else "stickers"
    verb = random.choice(
        ("does not have", "has not got") if denies else ("has exactly", "has got exactly")
    )
    exactly = "exactly " if denies else ""
    return f"The front face {verb} {exactly}{number} {_WORDS[chosen]} {noun}."


_MAKERS: dict[Template, Callable[[Grid, bool, bool, Random], str]] = {
    Template.EQUALITY: _equality,
    Template.MATRIX: _matrix,
    Template.CELL: _cell,
    Template.ROW: _row,
    Template.COLUMN: _column,
    Template.COUNT: _count,
}

_GRIDS = {kind: _MAKERS[kind] for kind in (Template.EQUALITY, Template.MATRIX)}
"""The claims that are a whole grid."""


def _two_unlike(things: Sequence[T], value: Callable[[T], object], random: Random) -> tuple[T, T]:
    """Return two of some things in random order, with unlike values if there are any.

    Each of two things comes first as often as the other one: so what a claim says does not tell
    whether it is made of the first or of the second.
    """
    drawn = random.sample(things, len(things))
    other = next((t for t in drawn if value(t) != value(drawn[0])), drawn[1])
    first, second = random.sample([drawn[0], other], 2)
    return first, second


def _exchanged(front: Grid, random: Random) -> Grid:
    """The face with one to three pairs of unlike stickers exchanged, the centre left alone."""
    result = list(front)
    for _ in range(random.randint(1, 3)):
        a, b = _two_unlike(_AROUND, result.__getitem__, random)
        result[a], result[b] = result[b], result[a]
    return tuple(result) if tuple(result) != front else _changed(front, random)


def _changed(line: Grid, random: Random) -> Grid:
    """Return some stickers with one of them, not a face's centre, of another colour."""
    place = random.choice(_AROUND if len(line) == 9 else range(len(line)))
    colour = random.choice([letter for letter in _WORDS if letter != line[place]])
    return (*line[:place], colour, *line[place + 1 :])


def _rows(front: Grid) -> str:
    return "\n".join(f"[{_list(front[k : k + 3])}]" for k in (0, 3, 6))


def _list(letters: Iterable[str]) -> str:
    return ", ".join(_WORDS[letter] for letter in letters)

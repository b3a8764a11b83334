"""Contrastive pairs: a true and a false item that differ in nothing but what makes it false.

Everything of a pair follows from seed, task and number; settings change how it is asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from bridge.benches.euclifold import wording
from bridge.benches.euclifold.condition import (
    MOST_PAIRS,
    EuclifoldCondition,
    EuclifoldTask,
    Evidence,
    Prompting,
)
from bridge.benches.euclifold.cubes import (
    TURNINGS,
    create_rng,
    draw_cube,
    draw_net,
    make_cube,
)
from bridge.benches.euclifold.mutation import change_cube, change_view, choose_another
from bridge.benches.euclifold.pictures import make_cube_picture, make_net_picture
from bridge.items.forms import BinaryForm
from pysim.errors import InputError
from pysim.families.nets.cube import ArrowColour, ArrowCube
from pysim.families.nets.faces import VISIBLE, CubeFace, Frame, rotate_face
from pysim.families.nets.folding import ArrowNet, FlatArrow, list_unfoldings, open_cube
from pysim.geometry import make_quarter_turn
from pysim.items import Item, Picture, Single

__all__ = ["PairSubject", "Statement", "make_pair", "make_trials"]


_Seen = ArrowCube | ArrowNet


@dataclass(frozen=True, slots=True)
class PairSubject:
    """Subject of a pair.

    Attributes:
        face: whose arrow is asked about; None of nets.
        straight: whether top, front and right lie in the net as they are seen, an L that needs no
            folding (appendix H); only of folding.
    """

    face: CubeFace | None = None
    straight: bool = False


@dataclass(frozen=True, slots=True)
class Statement(Single[bool]):
    """The trial of one statement."""

    asked: PairSubject


@dataclass(frozen=True, slots=True)
class _Side:
    """One item of a pair: what is said, and what it is said of."""

    text: str
    seen: tuple[_Seen, ...]


@dataclass(frozen=True, slots=True)
class _Pair:
    asked: PairSubject
    true: _Side
    false: _Side


def make_trials(condition: EuclifoldCondition, seed: int, count: int) -> list[Statement]:
    """Return the first trials of a seed; each two are a pair, in random order.

    Raises:
        InputError: there are not so many.
    """
    if count > 2 * MOST_PAIRS:
        raise InputError(f"there are at most {MOST_PAIRS} pairs, not {(count + 1) // 2}")
    pairs = (_trials(condition, seed, number) for number in range((count + 1) // 2))
    return [trial for pair in pairs for trial in pair][:count]


def make_pair(condition: EuclifoldCondition, seed: int, number: int) -> tuple[Statement, Statement]:
    """Return both trials of one pair, in the order in which they are asked.

    Raises:
        InputError: there is no pair of that number.
    """
    if not 0 <= number < MOST_PAIRS:
        raise InputError(f"pairs have numbers from 0 to {MOST_PAIRS - 1}, not {number}")
    first, second = _trials(condition, seed, number)
    return first, second


def _trials(condition: EuclifoldCondition, seed: int, number: int) -> Iterator[Statement]:
    """Yield both trials of a pair; which comes first says nothing about which is true."""
    pair = _MAKERS[condition.task](condition, seed, number)
    group = f"{condition.variant}/{seed}/{number}"
    first = create_rng("order", condition.task, seed, number).random() < 0.5
    for letter, gold in (("a", first), ("b", not first)):
        side, seen = (pair.true, pair.true.seen) if gold else (pair.false, pair.false.seen)
        if condition.shown is Evidence.WRONG:  # The same in both items.
            seen = _drawn_blindly(seen, create_rng("wrong", condition.task, seed, number))
        yield Statement(_item(condition, f"{group}{letter}", group, side, seen, gold), pair.asked)


def _item(
    condition: EuclifoldCondition,
    name: str,
    group: str,
    side: _Side,
    seen: tuple[_Seen, ...],
    gold: bool,
) -> Item[bool]:
    told = [
        wording.describe_net(one) if isinstance(one, ArrowNet) else wording.describe_cube(one)
        for one in seen
    ]
    shows = condition.shown in (Evidence.PICTURE, Evidence.WRONG)
    return Item(
        id=name,
        system=wording.write_system_prompt(condition, len(seen)),
        text=wording.write_question(condition, side.text, told),
        pictures=tuple(_pictures(condition, seen)) if shows else (),
        form=BinaryForm("True", "False", bare=condition.prompting is Prompting.DIRECT),
        gold=gold,
        group=group,
    )


def _pictures(condition: EuclifoldCondition, seen: tuple[_Seen, ...]) -> Iterator[Picture]:
    for number, one in enumerate(seen, start=1):
        name = "picture" if len(seen) == 1 else f"picture {number}"
        if isinstance(one, ArrowNet):
            yield make_net_picture(name, one, condition.look)
        else:
            yield make_cube_picture(name, one, condition.look)


def _drawn_blindly(seen: tuple[_Seen, ...], random: Random) -> tuple[_Seen, ...]:
    """Return other cubes and nets of the same kinds."""
    return tuple(
        draw_net(draw_cube(random), random) if isinstance(one, ArrowNet) else draw_cube(random)
        for one in seen
    )


def _colour(condition: EuclifoldCondition, seed: int, number: int) -> _Pair:
    """Wrong is the colour of another visible face, if one differs (5.1)."""
    random, cube = create_rng("colour", seed, number), make_cube(seed, number)
    face = random.choice(VISIBLE)
    right = cube.get_arrow(face).colour
    others = [c for c in (arrow.colour for arrow in cube.view) if c is not right]
    wrong = random.choice(others or [c for c in ArrowColour if c is not right])
    true, false = (_Side(wording.write_colour_statement(face, c), (cube,)) for c in (right, wrong))
    return _Pair(PairSubject(face), true, false)


def _orientation(condition: EuclifoldCondition, seed: int, number: int) -> _Pair:
    """Wrong is one of the three other directions in which an arrow on this face can point."""
    random, cube = create_rng("orientation", seed, number), make_cube(seed, number)
    face = random.choice(VISIBLE)
    right = cube.get_arrow(face).towards
    sides = (right, choose_another(face.beside, right, random))
    true, false = (
        _Side(wording.write_orientation_statement(condition.wording, face, side), (cube,))
        for side in sides
    )
    return _Pair(PairSubject(face), true, false)


def _operation(condition: EuclifoldCondition, seed: int, number: int) -> _Pair:
    """Wrong is one of the three other directions that an arrow can have on the face it gets to."""
    random, cube = create_rng("operation", seed, number), make_cube(seed, number)
    face, about, quarters = random.choice(VISIBLE), random.choice(VISIBLE), random.choice((1, 3))
    rotation = make_quarter_turn(about.side.axis, about.side.sign * quarters)
    right = rotate_face(cube.get_arrow(face).towards, rotation)
    sides = (right, choose_another(rotate_face(face, rotation).beside, right, random))
    true, false = (
        _Side(
            wording.write_operation_statement(condition.wording, about, quarters, face, side),
            (cube,),
        )
        for side in sides
    )
    return _Pair(PairSubject(face), true, false)


def _folding(condition: EuclifoldCondition, seed: int, number: int) -> _Pair:
    """Wrong is a cube of which one visible face was changed."""
    random, cube = create_rng("folding", seed, number), make_cube(seed, number)
    net = draw_net(cube, random)
    wrong = change_view(cube, condition.negatives, random)
    true, false = (_Side(wording.FOLDING, (net, seen)) for seen in (cube, wrong))
    return _Pair(PairSubject(straight=_is_straight(net, cube)), true, false)


def _matching(condition: EuclifoldCondition, seed: int, number: int) -> _Pair:
    """Return two of the nets of a cube; wrong is the second with one face changed.

    The first ones of a cube are 24 of its 264, none twice.
    """
    which, place = divmod(number, TURNINGS)
    cube = make_cube(seed, which * TURNINGS)
    chosen = create_rng("nets", seed, which).sample(list_unfoldings(), TURNINGS)[place]
    random = create_rng("matching", seed, number)
    other = random.choice([ways for ways in list_unfoldings() if ways != chosen])
    first = open_cube(cube, *chosen)
    true, false = (
        _Side(wording.MATCHING, (first, open_cube(one, *other)))
        for one in (cube, change_cube(cube, random))
    )
    return _Pair(PairSubject(), true, false)


def _is_straight(net: ArrowNet, cube: ArrowCube) -> bool:
    """Whether front, the top above it and the right beside it stand in the net as they are seen."""
    squares = dict(zip(net.shape, net.arrows, strict=True))
    top, front, right = (
        FlatArrow(arrow.colour, frame.find_heading(arrow.towards))
        for arrow, frame in zip(cube.view, _AS_SEEN, strict=True)
    )
    return any(
        squares[x, y] == front
        and squares.get((x, y + 1)) == top
        and squares.get((x + 1, y)) == right
        for x, y in squares
    )


_AS_SEEN = (
    Frame(CubeFace.TOP, CubeFace.BACK),
    Frame(CubeFace.FRONT, CubeFace.TOP),
    Frame(CubeFace.RIGHT, CubeFace.TOP),
)
"""How the visible faces lie, seen from the front."""


_MAKERS = {
    EuclifoldTask.COLOUR: _colour,
    EuclifoldTask.ORIENTATION: _orientation,
    EuclifoldTask.OPERATION: _operation,
    EuclifoldTask.FOLDING: _folding,
    EuclifoldTask.MATCHING: _matching,
}

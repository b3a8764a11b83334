"""Random play, and what a slide comes to according to sets of cells in the world."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from pysim.catalog import find_family, find_level
from pysim.families.burr.actions import Slide
from pysim.families.burr.lock import Goal
from pysim.families.burr.state import Held, LockState
from pysim.field_types import OUT, Steps
from pysim.geometry import Cell, Direction, add, scale
from pysim.puzzle import Action, ActionError, IllegalMove, Reason, Transition
from pysim.scene import Scene
from tests.families.burr.locks import LockLevel, level_of, random_lock, six_piece_lock
from tests.families.burr.oracle import box

__all__ = ["Play", "Verdict", "levels_to_play", "naive_slide", "random_slide", "verdict_of", "walk"]

SHIPPED = ("burr-chinese-cross", "burr-piston", "burr-six-way-set", "burr-loves-dozen")


@dataclass(frozen=True)
class Play:
    """An action that was tried: what it led to, or why it was refused."""

    level: LockLevel
    state: LockState
    action: Action
    transition: Transition[LockState] | None
    refusal: ActionError | None

    @property
    def scene(self) -> Scene:
        return find_family(self.level).rules.scene(self.level, self.state)


def levels_to_play() -> list[LockLevel]:
    """Locks that differ much: shipped ones, random ones, and one of longer sticks."""
    made = [
        random_lock(random.Random(seed), Goal.DISASSEMBLE, 4 + seed % 3, (4, 3, 3))
        for seed in range(4)
    ]
    made.append(six_piece_lock((1, 188, 824, 975, 1024, 1024), Goal.DISASSEMBLE, 8))
    return [*map(find_level, SHIPPED), *map(level_of, made)]


def random_slide(rng: random.Random, level: LockLevel, state: LockState) -> Slide:
    """Mostly some pieces of one group; sometimes any pieces."""
    benches = state.list_benches()
    pieces = list(range(len(level.colours)))
    if benches and rng.random() < 0.85:
        pieces = list(state.group(rng.choice(benches)))
    chosen = rng.sample(pieces, rng.randint(1, max(1, len(pieces) - 1)))
    distance = rng.choice([OUT, OUT, Steps(1), Steps(2), Steps(rng.randint(1, 20))])
    colours = tuple(level.colours[i] for i in chosen)
    return Slide(colours, rng.choice(list(Direction)), distance)


def walk(level: LockLevel, seed: int, steps: int) -> Iterator[Play]:
    """Random slides, and legal actions in between so that play gets somewhere."""
    rng = random.Random(f"{level.id} {level.hash} {seed}")
    rules = find_family(level).rules
    state: LockState = rules.initial(level)
    for _ in range(steps):
        action: Action = random_slide(rng, level, state)
        if rng.random() < 0.4:
            action = rng.choice([*rules.legal(level, state), action])
        try:
            transition = rules.apply(level, state, action)
        except ActionError as refusal:
            yield Play(level, state, action, None, refusal)
            continue
        yield Play(level, state, action, transition, None)
        state = transition.state


Verdict = tuple[Reason | None, int | None, frozenset[str]]
"""Reason of a refusal or None, units that it could go, who is in the way."""


def naive_slide(level: LockLevel, state: LockState, slide: Slide) -> Verdict:
    """What the slide comes to, from the cells of all bodies of the scene, unit by unit."""
    places = dict(zip(level.colours, state.places, strict=True))
    benches = {p.bench if isinstance(p := places[c], Held) else None for c in slide.pieces}
    if None in benches:
        return Reason.ALREADY_FREE, None, _loose(places, slide)
    if len(benches) > 1:
        return Reason.NOT_TOGETHER, None, frozenset(slide.pieces)
    (bench,) = benches
    cells = {
        body.name: body.place().cell_set
        for body in find_family(level).rules.scene(level, state).bodies
    }
    moving = frozenset().union(*(cells[colour] for colour in slide.pieces))
    staying = [
        colour
        for colour, place in places.items()
        if isinstance(place, Held) and place.bench == bench and colour not in slide.pieces
    ]
    if slide.distance is OUT and not staying:
        alone = len(slide.pieces) == 1
        return (None, None, frozenset()) if alone else (Reason.NO_EFFECT, None, _set(slide))
    out = slide.distance is OUT
    distance = slide.distance
    if out:
        around = frozenset().union(*(cells[colour] for colour in staying))
        distance = next(
            k for k in range(1, 200) if _is_past(around, _moved(moving, slide, k), slide)
        )
    limit = next(k for k in range(200) if not _in_room(level, bench, _moved(moving, slide, k + 1)))
    if out and (len(slide.pieces) == 1 or len(staying) > 1):
        limit = distance
    for travel in range(min(distance, limit)):
        there = _moved(moving, slide, travel + 1)
        hit = frozenset(c for c in cells if c not in slide.pieces and cells[c] & there)
        if hit:
            return Reason.BLOCKED, travel, hit
    if distance > limit:
        return Reason.OUT_OF_BOUNDS, limit, _set(slide)
    return None, distance, frozenset()


def verdict_of(play: Play) -> Verdict:
    """What the rules say."""
    if play.transition is not None:
        return None, play.transition.travel, frozenset()
    assert isinstance(play.refusal, IllegalMove)
    return play.refusal.reason, play.refusal.travel, frozenset(play.refusal.culprits)


def _loose(places: dict[str, object], slide: Slide) -> frozenset[str]:
    return frozenset(c for c in slide.pieces if not isinstance(places[c], Held))


def _set(slide: Slide) -> frozenset[str]:
    return frozenset(slide.pieces)


def _moved(cells: frozenset[Cell], slide: Slide, by: int) -> frozenset[Cell]:
    step = scale(slide.direction.vector, by)
    return frozenset(add(cell, step) for cell in cells)


def _is_past(staying: frozenset[Cell], moved: frozenset[Cell], slide: Slide) -> bool:
    """Whether every moved cell is farther along the slide's axis than every cell that stays."""
    axis, sign = slide.direction.axis.number, slide.direction.sign
    return min(sign * c[axis] for c in moved) > max(sign * c[axis] for c in staying)


def _in_room(level: LockLevel, bench: int, cells: frozenset[Cell]) -> bool:
    space = level.puzzle.workspace
    room = space.room.translate(space.get_bench_offset(bench))
    low, high = box(cells)
    return all(room.low[k] <= low[k] and high[k] <= room.high[k] for k in range(3))

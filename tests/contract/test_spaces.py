"""Every space of every family keeps what a space has to, held against the rules.

A new family's spaces are found by the catalog and tested here without a change to this file.
"""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from pysim.catalog import (
    AnyLevel,
    discover_families,
    find_family,
    find_level,
    list_shipped_levels,
)
from pysim.catalog.spaces import AnySpace, find_space, list_spaces
from pysim.errors import InputError
from pysim.puzzle import ActionError
from pysim.tasks.pool import find_pool
from tests.sampling import more

FAMILIES = [name for name in discover_families() if discover_families()[name].spaces]
SPACES = [(family, name) for family in FAMILIES for name in list_spaces(family)]
ALL_NUMBERS = 1000
"""A space with no more numbers has all of them tried in every state."""


@cache
def list_levels(family: str, count: int) -> list[AnyLevel]:
    """Return some tasks of a family's pool, and some of the levels that ship with it."""
    pool, shipped = find_pool(family), list_shipped_levels(family)
    assert pool is not None
    step = max(1, len(pool) // count)
    return [
        *(pool.read_task(k, f"{family}-{k}")[0] for k in range(0, len(pool), step)),
        *shipped[:: max(1, len(shipped) // count)],
    ]


def by_day(few: int, many: int) -> pytest.MarkDecorator:
    """Parametrize a test over numbers of levels: few, and slowly many."""
    return pytest.mark.parametrize("count", [few, pytest.param(many, marks=[pytest.mark.slow])])


def fits(space: AnySpace, level: AnyLevel) -> bool:
    try:
        space.check(level)
    except InputError:
        return False
    return True


def find_fitting(level: AnyLevel) -> AnySpace:
    return next(space for space in list_spaces(level.family).values() if fits(space, level))


def walk(space: AnySpace, level: AnyLevel, steps: int, rng: Random) -> Iterator[Any]:
    """Yield the states of a random walk by legal numbers."""
    rules = find_family(level).rules
    state = rules.initial(level)
    yield state
    for _ in range(steps):
        legal = sorted(space.list_legal(level, state).tolist())
        if not legal or rules.outcome(level, state) is not None:
            return
        action = space.make_action(level, state, rng.choice(legal))
        state = rules.apply(level, state, action).state
        yield state


def list_few(family: str, name: str) -> list[tuple[AnySpace, AnyLevel]]:
    """Return a few levels of a size class, the smallest first."""
    space = find_space(family, name)
    fitting = [level for level in list_levels(family, 12) if fits(space, level)]
    fitting += [level for level in list_shipped_levels(family) if find_fitting(level) is space]
    fitting.sort(key=lambda level: (len(level.colours), level.id))
    few = more(4, night=24)
    return [(space, level) for level in fitting[:: max(1, len(fitting) // few)]][:few]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_task_fits_the_default_class(family: str) -> None:
    pool = find_pool(family)
    assert pool is not None
    step = 7
    for k in range(0, len(pool), step):
        find_space(family).check(pool.read_task(k, f"{family}-{k}")[0])


@pytest.mark.parametrize("family", FAMILIES)
def test_every_shipped_level_fits_a_class(family: str) -> None:
    for level in list_shipped_levels(family):
        assert find_fitting(level)


@by_day(3, 10_000)
@pytest.mark.parametrize("family", FAMILIES)
def test_certified_plan_by_numbers_leads_to_the_same_states(family: str, count: int) -> None:
    for level in list_levels(family, count):
        assert level.plan is not None
        space, rules = find_fitting(level), find_family(level).rules
        state, steps = rules.initial(level), 0
        for action in level.plan.actions:
            planned = rules.apply(level, state, action).state
            for number in space.find_numbers(level, state, action):
                steps += 1
                assert space.mask(level, state)[number] == 1, (level.id, action, number)
                state = rules.apply(level, state, space.make_action(level, state, number)).state
            assert rules.encode(state) == rules.encode(planned), (level.id, action)
        assert rules.outcome(level, state) is not None and steps <= level.budget, level.id


@pytest.mark.by_day(4)
@pytest.mark.parametrize(("family", "name"), SPACES)
def test_mask_is_one_exactly_where_the_rules_accept(family: str, name: str) -> None:
    rng, accepted, refused = Random(f"{family} {name}"), 0, 0
    for space, level in list_few(family, name):
        rules = find_family(level).rules
        for state in walk(space, level, 6, rng):
            mask = space.mask(level, state)
            assert mask.shape == (space.actions.count,) and mask.dtype == np.int8
            for number in draw_numbers(mask, rng):
                try:
                    rules.apply(level, state, space.make_action(level, state, number))
                    legal = 1
                except ActionError:
                    legal = 0
                assert mask[number] == legal, (level.id, rules.encode(state), number)
                accepted, refused = accepted + legal, refused + 1 - legal
    assert min(accepted, refused) > 10


def draw_numbers(mask: Any, rng: Random) -> list[int]:
    """Return all numbers of a small space; of others some, as many legal ones as others."""
    if len(mask) <= ALL_NUMBERS:
        return list(range(len(mask)))
    legal = np.flatnonzero(mask).tolist()
    return rng.sample(legal, min(100, len(legal))) + rng.sample(range(len(mask)), 100)


@pytest.mark.by_day(4)
@pytest.mark.parametrize(("family", "name"), SPACES)
def test_legal_numbers_lead_where_they_are_found_from(family: str, name: str) -> None:
    rng = Random(f"{family} {name}")
    for space, level in list_few(family, name):
        rules = find_family(level).rules
        for state in walk(space, level, 5, rng):
            legal = space.list_legal(level, state).tolist()
            assert len(set(legal)) == len(legal)
            for number in rng.sample(legal, min(8, len(legal))):
                action = space.make_action(level, state, number)
                there = rules.apply(level, state, action).state
                again = state
                for one in space.find_numbers(level, state, action):
                    action = space.make_action(level, again, one)
                    again = rules.apply(level, again, action).state
                assert rules.encode(again) == rules.encode(there), (level.id, number)


@pytest.mark.by_day(6)
@pytest.mark.parametrize(("family", "name"), SPACES)
def test_observations_are_as_declared_and_tell_states_apart(family: str, name: str) -> None:
    rng = Random(f"{family} {name}")
    for space, level in list_few(family, name):
        rules, seen = find_family(level).rules, dict[bytes, str]()
        for state in walk(space, level, more(20), rng):
            arrays = space.observe(level, state)
            assert list(arrays) == list(space.arrays)
            for part, spec in space.arrays.items():
                found = arrays[part]
                assert (found.shape, found.dtype) == (spec.shape, np.dtype(spec.dtype)), part
                assert spec.low <= found.min() and found.max() <= spec.high, part
            if getattr(level.puzzle, "setting", "full").startswith("full"):
                key = b"".join(array.tobytes() for array in arrays.values())
                assert seen.setdefault(key, rules.encode(state)) == rules.encode(state)


@by_day(50, 1000)
@pytest.mark.parametrize("family", FAMILIES)
def test_numbers_mean_the_same_in_every_task(family: str, count: int) -> None:
    """Of a number whose piece, cell and so on are there, all tasks have the same action."""
    space, rng = find_space(family), Random(family)
    starts = space.actions.starts.values()
    numbers = sorted({*starts, *(rng.randrange(space.actions.count) for _ in range(200))})
    meanings = dict[int, tuple[Any, ...]]()
    told = 0
    for level in [one for one in list_levels(family, count) if fits(space, one)]:
        state = find_family(level).rules.initial(level)
        for number in numbers:
            meaning = MEANINGS[family](level, space.make_action(level, state, number))
            if meaning is not None:
                told += 1
                assert meanings.setdefault(number, meaning) == meaning, (level.id, number)
    assert told > 100 and len(set(meanings.values())) == len(meanings)


def test_parts_are_the_numbers() -> None:
    for family, name in SPACES:
        numbers = find_space(family, name).actions
        for number in Random(family).sample(range(numbers.count), min(numbers.count, 300)):
            parts = numbers.to_parts(number)
            assert len(parts) == len(numbers.shape) and (parts < numbers.shape).all()
            assert numbers.from_parts(parts) == number
            tool, values = numbers.decode(number)
            assert numbers.encode(tool, *values) == number
            own = [list(numbers.sizes).index(part) + 1 for part in numbers.tools[tool]]
            parts[[k for k in range(1, len(parts)) if k not in own]] = 0
            assert numbers.from_parts(parts) == number


def test_masks_of_parts_hold_all_legal_actions() -> None:
    for family in FAMILIES:
        space = find_space(family)
        level = [level for level in list_levels(family, 12) if fits(space, level)][-1]
        legal = space.list_legal(level, find_family(level).rules.initial(level))
        parts = np.array([space.actions.to_parts(one) for one in legal.tolist()])
        masks = space.actions.mask_parts(legal)
        assert tuple(map(len, masks)) == space.actions.shape
        for column, mask in zip(parts.T, masks, strict=True):
            assert set(np.flatnonzero(mask).tolist()) == set(column.tolist())


@pytest.mark.parametrize("number", [-1, 180])
def test_numbers_beyond_the_last_are_refused(number: int) -> None:
    with pytest.raises(InputError, match="from 0 to 179"):
        find_space("burr").actions.decode(number)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([0, 0, 0], "a tool, from 0 to 0, and direction, piece, distance"),
        ([1, 0, 0, 0], "a tool, from 0 to 0"),
        ([0, 6, 0, 0], "direction is from 0 to 5, not 6"),
        ([0, 0, -1, 0], "piece is from 0 to 5, not -1"),
    ],
)
def test_parts_out_of_range_are_refused(parts: list[int], words: str) -> None:
    with pytest.raises(InputError, match=words):
        find_space("burr").actions.from_parts(parts)


@pytest.mark.parametrize(
    ("level", "name", "words"),
    [
        ("burr-thirty-four-bars", "six", "34 pieces, and the class takes 6"),
        ("burr-chinese-cross-assemble", "six", "to be assembled"),
        ("burr-tusk-tenon", "six", "cells along an edge of its room"),
    ],
)
def test_level_beyond_the_bounds_is_refused(level: str, name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        find_space("burr", name).check(find_level(level))


def test_unknown_class_is_refused() -> None:
    with pytest.raises(InputError, match="no size class 'huge'; there are six"):
        find_space("burr", "huge")
    with pytest.raises(InputError, match="there is no family"):
        find_space("nothing")


def mean_lock(level: AnyLevel, action: Any) -> tuple[Any, ...] | None:
    """Tell a push by what it is besides the pieces that move along with the pushed one."""
    known = [level.colours.index(one) for one in action.pieces if one in level.colours]
    return (action.direction, action.distance, known[0]) if len(known) == 1 else None


def mean_box(level: AnyLevel, action: Any) -> tuple[Any, ...] | None:
    if action.piece not in level.colours:
        return None
    slot = level.colours.index(action.piece)
    if action.tool == "pick_up":
        return (slot,)
    return slot, action.rotation, action.cell, action.direction


def mean_cube(level: AnyLevel, action: Any) -> tuple[Any, ...] | None:
    return (action,)


def mean_net(level: AnyLevel, action: Any) -> tuple[Any, ...] | None:
    if action.face not in level.colours:
        return None
    rest = [getattr(action, name) for name in ("way", "axis", "quarters") if hasattr(action, name)]
    return action.tool, level.colours.index(action.face), *rest


def mean_jigsaw(level: AnyLevel, action: Any) -> tuple[Any, ...] | None:
    slot = level.colours.index(action.piece)
    if action.tool == "detach":
        return (slot,)
    return slot, action.face, action.left_edge, action.top_edge


def mean_chamber(level: AnyLevel, action: Any) -> tuple[Any, ...] | None:
    """Tell what is done to things by their places in the chamber's lists."""
    chamber, tool = level.puzzle, action.tool
    match tool:
        case "place_gate":
            places = [(one.cell, one.side) for one in chamber.surfaces]
            found = (action.cell, action.side)
            return (tool, action.gate, places.index(found)) if found in places else None
        case "pick_up":
            names = [one.name for one in chamber.boxes]
            return (tool, names.index(action.box)) if action.box in names else None
        case "press":
            cells = [one.cell for one in chamber.buttons]
            return (tool, cells.index(action.cell)) if action.cell in cells else None
        case "drop":
            return tool, tuple(np.subtract(action.cell, chamber.start).tolist())
    return (action,)


MEANINGS = {
    "burr": mean_lock,
    "packing": mean_box,
    "rubik": mean_cube,
    "nets": mean_net,
    "jigsaw": mean_jigsaw,
    "portal": mean_chamber,
}


@pytest.mark.parametrize(
    ("family", "name"), [one for one in SPACES if one[0] in ("burr", "packing", "jigsaw")]
)
def test_occupancy_is_the_scene_and_shapes_are_the_pieces(family: str, name: str) -> None:
    """Cells with a piece's number are those of its body, and its shape turned as it is said."""
    rng, compared = Random(f"{family} {name}"), 0
    for space, level in list_few(family, name):
        rules = find_family(level).rules
        for state in walk(space, level, 8, rng):
            seen = space.observe(level, state)
            shift = dict[tuple[int, ...], set[tuple[int, ...]]]()
            for slot, body in enumerate(rules.scene(level, state).bodies):
                cells = np.argwhere(seen["occupancy"] == slot + 1)
                assert bool(len(cells)) == (seen["pieces"][slot, 0] == 1)
                if not len(cells):
                    continue
                compared += 1
                bench, cells = tuple(cells[0, :-3].tolist()), cells[:, -3:]
                placed = sort_rows(np.array(body.place().cells))
                shift.setdefault(bench, set()).add(tuple((placed[0] - cells[0]).tolist()))
                assert (placed - placed[0] == cells - cells[0]).all()
                shape = np.argwhere(seen["shapes"][slot])
                turned = sort_rows(shape @ np.array(body.pose.rotation.matrix).T)
                assert (turned - turned[0] == cells - cells[0]).all()
                if family != "jigsaw":
                    rotation = seen["pieces"][slot, 2 if family == "burr" else 1]
                    assert rotation == body.pose.rotation.index
                    assert (seen["pieces"][slot, -3:] == cells.min(axis=0)).all()
            assert all(len(found) == 1 for found in shift.values()), "bodies keep their distances"
    assert compared > 20


def sort_rows(cells: Any) -> Any:
    return cells[np.lexsort(cells.T[::-1])]


def test_stickers_of_cubes_are_where_bodies_have_them() -> None:
    space, rng = find_space("rubik"), Random(3)
    for level in list_few_cubes():
        for state in walk(space, level, 5, rng):
            seen, shown = space.observe(level, state), 0
            colours = {name: 1 + "URFDLB".index(face) for name, face in CENTRES.items()}
            for body in find_family(level).rules.scene(level, state).bodies:
                for sticker in body.stickers:
                    x, y, z = np.add(
                        body.pose.offset, body.pose.rotation.apply(sticker.side.vector)
                    )
                    found = seen["occupancy"][x + 2, y + 2, z + 2]
                    assert found in (0, colours[sticker.colour])
                    shown += found > 0
            assert shown == {"full": 54, "face": 9, "vert": 27}[level.puzzle.setting[:4]]


CENTRES = {"white": "U", "red": "R", "green": "F", "yellow": "D", "orange": "L", "blue": "B"}


def list_few_cubes() -> list[AnyLevel]:
    names = ("full-symbolic", "full-visual", "face-view", "vertex-view")
    return [find_level(f"cubebench-d08-1-{name}") for name in names]


def test_middles_of_faces_are_those_of_the_scene() -> None:
    rng, space = Random(4), find_space("nets")
    for level in list_levels("nets", 4):
        for state in walk(space, level, 8, rng):
            seen, scene = space.observe(level, state), find_family(level).rules.scene(level, state)
            for slot, body in enumerate(scene.bodies):
                net, *place = np.argwhere(seen["occupancy"] == slot + 1)[0].tolist()
                held = np.array(scene.bodies[6 * net].pose.offset)
                assert (4 * (np.array(place) - 8) == body.pose.offset - held).all()
                assert seen["pieces"][slot, 2:6].tolist() == [body.pose.rotation.index, *place]


def test_agent_and_boxes_are_where_the_scene_has_them() -> None:
    rng, space = Random(5), find_space("portal")
    for level in list_levels("portal", 4):
        for state in walk(space, level, 6, rng):
            seen = space.observe(level, state)
            named = {one.name: one for one in find_family(level).rules.scene(level, state).bodies}
            for slot, name in enumerate(level.colours):
                place = seen["pieces"][slot, 1:4].tolist()
                held = seen["pieces"][slot, 0] == 2
                if not held:
                    assert place in [list(cell) for cell in named[name].place().cells]
                assert (seen["occupancy"][tuple(place)] == slot + 1) != held
            free = {tuple(cell) for cell in np.argwhere(seen["materials"] >= 2).tolist()}
            assert free == level.puzzle.free

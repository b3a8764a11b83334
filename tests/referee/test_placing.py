"""Random play: every action is judged alike by Luban's rules and by the referee."""

import random
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from bridge.episode.tools import ActionSpace, ToolCall
from bridge.referee.documents import PlanStep
from bridge.referee.packing.fillings import enumerate_spots
from bridge.referee.packing.judging import read_box, replay
from bridge.referee.packing.rules import Box, IllegalAction, Places, apply
from bridge.referee.polycubes import Cell, Shape, list_rotations, translate
from pysim.catalog import (
    AnyLevel,
    LevelError,
    complete_document,
    decode_level,
    encode_level,
    find_family,
    find_level,
)
from pysim.puzzle import ActionError
from tests.referee.partitions import SIDES, document_of, random_cut
from tests.sampling import more

SHIPPED = ("packing-soma", "packing-easy-03", "packing-medium-01", "packing-hard-04")


def played_alike(document: dict[str, object], rng: random.Random, steps: int) -> set[str]:
    """Play at random, and compare; the reasons of refusals, and ``""`` if something was allowed."""
    level, box = decode_level(document), read_box(document)
    rules, space = find_family(level).rules, ActionSpace(find_family(level).actions, level.colours)
    state, places, seen = rules.initial(level), dict[str, Shape](), set[str]()
    for _ in range(steps):
        step = chosen(level, state, box, places, rng)
        try:
            action = space.parse(ToolCall(step.name, dict(step.arguments)))
            state = rules.apply(level, state, action).state
            reason = ""
        except ActionError as error:
            reason = str(error.reason)
        try:
            places = dict(apply(box, places, step))
            judged = ""
        except IllegalAction as refusal:
            judged = refusal.reason
        assert judged == reason, (step, reason, judged)
        assert (rules.outcome(level, state) is not None) == (len(places) == len(box.pieces))
        seen.add(reason)
    return seen


def chosen(level: AnyLevel, state: Any, box: Box, places: Places, rng: random.Random) -> PlanStep:
    """An action: listed as legal, or at random, by cells or by rotation, or nonsense."""
    kind = rng.random()
    if kind < 0.3:
        legal = list(find_family(level).rules.legal(level, state))
        if legal:
            space = ActionSpace(find_family(level).actions, level.colours)
            call = space.call(rng.choice(legal))
            return PlanStep(call.name, call.arguments)  # type: ignore[arg-type]
    colour = rng.choice(list(box.pieces))
    if kind < 0.4:
        return PlanStep("pick_up", {"piece": colour})
    if kind < 0.6:
        cell = [rng.randint(-1, side - 1) for side in box.size]
        rotation = rng.choice(names())
        return PlanStep("place_at", {"piece": colour, "rotation": rotation, "cell": cell})
    cells = rng.choice(enumerate_spots(box, box.pieces[colour]))
    if rng.random() < 0.1:
        cells = translate(cells, rng.choice(((1, 0, 0), (0, -1, 0), (0, 0, 1))))
    listed = [list(cell) for cell in sorted(cells)]
    if rng.random() < 0.05:
        listed.pop()
    arguments: dict[str, object] = {"piece": colour, "cells": listed}
    if rng.random() < 0.5:
        arguments["direction"] = rng.choice(SIDES)
    if rng.random() < 0.03:
        arguments.pop(rng.choice(list(arguments)))
    if rng.random() < 0.03:
        arguments["piece"] = "nobody"
    return PlanStep("place", arguments)


def names() -> list[str]:
    letters = {1: "+", -1: "-"}
    return [
        "".join(
            letters[sum(axis)] + "XYZ"[[bool(part) for part in axis].index(True)] for axis in turn
        )
        for turn in list_rotations()
    ]


def test_shipped_levels_are_played_alike_and_every_refusal_comes_up() -> None:
    seen = set[str]()
    for name in SHIPPED:
        for seed in range(3):
            document = encode_level(find_level(name))
            seen |= played_alike(document, random.Random(seed), 60)
    refusals = "BAD_VALUE MISSING_FIELD UNKNOWN_COLOUR NOT_FREE ALREADY_FREE OVERLAP OUT_OF_BOUNDS"
    assert {"", "UNREACHABLE", "UNSTABLE", *refusals.split()} <= seen


def test_what_lies_under_others_is_blocked_for_both() -> None:
    document = encode_level(find_level("packing-soma"))
    assert any("BLOCKED" in played_alike(document, random.Random(seed), 90) for seed in range(8))


@pytest.mark.slow
@settings(max_examples=more(15, night=150))
@given(
    st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(2, 4)),
    st.integers(2, 6),
    st.booleans(),
    st.sets(st.sampled_from(SIDES), min_size=1),
    st.integers(0, 2**32),
)
def test_random_boxes_are_played_alike(
    size: Cell, count: int, gravity: bool, sides: set[str], seed: int
) -> None:
    rng = random.Random(seed)
    cells = size[0] * size[1] * size[2]
    if cells < 4:
        size, cells = (2, 2, 2), 8
    cut = random_cut(rng, size, min(count, cells))
    draft = document_of(size, cut, gravity=gravity, sides=tuple(sorted(sides)))
    try:
        sealed = complete_document(draft | {"plan": EMPTY})
    except LevelError as error:
        assert "tip over" in str(error)
        reject()  # A piece that can't lie still on a table.
    played_alike(sealed, rng, 40)


EMPTY = {"proof": "UPPER_BOUND", "lower_bound": 0, "actions": []}
"""Keeps a level from being solved when it is sealed."""


def test_a_replay_ends_at_the_first_refusal() -> None:
    document = encode_level(find_level("packing-easy-01"))
    steps = [
        PlanStep("place", {"piece": "blue", "cells": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}),
        PlanStep("pick_up", {"piece": "red"}),
        PlanStep("pick_up", {"piece": "blue"}),
    ]
    played = replay(document, steps)
    assert played.done == 1 and set(played.places) == {"blue"}
    assert played.refusal is not None and played.refusal.reason == "ALREADY_FREE"
    assert replay(document, [steps[0], steps[2]]).refusal is None

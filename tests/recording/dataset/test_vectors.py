"""States and actions as numbers."""

import itertools

import pytest

from bridge.episode.tools import ActionSpace, ToolCall
from bridge.recording.dataset.vectors import ActionVector, Sizes, state_names, state_vector
from pysim.catalog import discover_families, find_family, find_level
from pysim.scene import Scene

CROSS = find_level("burr-chinese-cross")
SOMA = find_level("packing-soma")
CUBE = find_level("checkerboard")
SIZES = Sizes(40, 8, 30)


def numbers(level, call: ToolCall, sizes: Sizes = SIZES) -> dict[str, float]:
    family = find_family(level)
    vector = ActionVector(family.actions, sizes)
    values = vector.numbers(ActionSpace(family.actions, level.colours), level.colours, call)
    return dict(zip(vector.names, values.tolist(), strict=True))


def used(found: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in found.items() if value}


def scene_of(level) -> Scene:
    rules = find_family(level).rules
    return rules.scene(level, rules.initial(level))


@pytest.mark.parametrize("name", sorted(discover_families()))
def test_every_action_of_every_family_has_numbers_of_its_own_names(name: str) -> None:
    vector = ActionVector(discover_families()[name].actions, SIZES)
    assert len(set(vector.names)) == len(vector.names) == len(vector)
    assert vector.words["tool"] == [action.tool for action in discover_families()[name].actions]


@pytest.mark.parametrize("level", [CROSS, SOMA, CUBE], ids=lambda level: level.id)
def test_different_actions_have_different_vectors(level) -> None:
    rules = find_family(level).rules
    actions = itertools.islice(rules.legal(level, rules.initial(level)), 300)
    found = [tuple(numbers(level, ToolCall.of(action)).values()) for action in actions]
    assert len(set(found)) == len(found) > 1


def test_a_slide_names_its_pieces_by_number() -> None:
    pieces = [CROSS.colours[0], CROSS.colours[3]]
    slide = ToolCall("slide", {"pieces": pieces, "direction": "-y", "distance": 7})
    assert used(numbers(CROSS, slide)) == {
        "pieces.0": 1,
        "pieces.3": 1,
        "direction": 3,
        "distance": 7,
    }
    out = ToolCall("slide", {"pieces": pieces, "direction": "-y", "distance": "out"})
    assert numbers(CROSS, out)["distance"] == 0


def test_a_piece_that_a_level_does_not_have_is_minus_one() -> None:
    bring = {"piece": "mauve", "rotation": "+X+Y+Z", "cell": [1, -2, 3], "direction": "+x"}
    assert used(numbers(CROSS, ToolCall("bring", bring))) == {
        "tool": 1,
        "piece": -1,
        "cell.x": 1,
        "cell.y": -2,
        "cell.z": 3,
    }


def test_cells_stand_in_order_and_those_without_room_are_counted() -> None:
    cells = [[2, 0, 0], [1, 0, 0], [3, 0, 0]]
    place = ToolCall("place", {"piece": SOMA.colours[1], "cells": cells, "direction": "-z"})
    found = numbers(SOMA, place, Sizes(40, 8, 2))
    assert [found[name] for name in ("cells.count", "cells.0.x", "cells.1.x")] == [3, 1, 2]
    assert "cells.2.x" not in found
    assert found["piece"] == 1


@pytest.mark.parametrize(
    "call", [ToolCall("fly", {}), ToolCall("slide", {}), ToolCall("slide", {"unreadable": "{"})]
)
def test_a_call_that_means_nothing_is_the_tool_minus_one(call: ToolCall) -> None:
    assert used(numbers(CROSS, call)) == {"tool": -1}


def test_a_state_says_where_each_body_is_and_pads_with_zeros() -> None:
    scene = scene_of(CROSS)
    sizes = Sizes.of(scene, 6) | Sizes(8, 1, 1)
    vector = state_vector(scene, sizes)
    found = dict(zip(state_names(sizes), vector.tolist(), strict=True))
    for i, body in enumerate(scene.bodies):
        place = tuple(found[f"body{i}.{axis}"] for axis in "xyz")
        assert place == body.pose.offset
        assert found[f"body{i}.rotation"] == body.pose.rotation.index
        assert found[f"body{i}.present"] == 1
    assert not vector[6 * len(scene.bodies) :].any()
    assert len(vector) == 6 * 8


def test_a_state_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="argument"):
        state_vector(scene_of(CROSS), Sizes(3, 6, 1))

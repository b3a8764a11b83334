"""Which ways a piece lies on the table without tipping over."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.spatial import ConvexHull

from pysim.errors import InputError
from pysim.geometry import IDENTITY, Cell, Rotation, Voxels, list_rotations
from pysim.geometry.resting import find_stable_rotation, is_stable
from tests.geometry.strategies import connected_shapes, rotations
from tests.sampling import more


def margin(shape: Voxels, rotation: Rotation) -> float:
    """Distance of the centre of mass from the edge of the base, in units; negative outside."""
    cells = np.array(shape.rotate(rotation).cells, float)
    base = cells[cells[:, 2] == cells[:, 2].min()][:, :2]
    corners = np.concatenate([base + d for d in itertools.product((-0.5, 0.5), repeat=2)])
    equations = ConvexHull(corners).equations
    return float(-(equations[:, :2] @ cells[:, :2].mean(axis=0) + equations[:, 2]).max())


@settings(max_examples=more(60))
@given(connected_shapes(), rotations)
def test_resting_agrees_with_floating_point_away_from_ties(
    shape: Voxels, rotation: Rotation
) -> None:
    room = margin(shape, rotation)
    if abs(room) > 1e-9:
        assert is_stable(shape, rotation) == (room > 0)
    else:
        assert not is_stable(shape, rotation), "on the edge of its base a piece does not rest"


def test_a_piece_whose_weight_is_just_above_the_edge_does_not_rest() -> None:
    # Foot of one cell at x = 0, centre of mass at exactly x = 1/2.
    tie = Voxels.from_cells([(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 2)])
    assert margin(tie, IDENTITY) == pytest.approx(0.0)
    assert not is_stable(tie, IDENTITY)
    assert is_stable(Voxels.from_cells([*tie.cells, (-1, 0, 1)]), IDENTITY)
    assert not is_stable(Voxels.from_cells([*tie.cells, (2, 0, 2)]), IDENTITY)


@given(connected_shapes(), rotations)
def test_the_preferred_rotation_is_taken_if_the_piece_rests_that_way(
    shape: Voxels, rotation: Rotation
) -> None:
    try:
        found = find_stable_rotation(shape, rotation)
    except InputError:
        assert not any(is_stable(shape, other) for other in list_rotations())
        return
    assert is_stable(shape, found)
    assert found == rotation or not is_stable(shape, rotation)


@given(connected_shapes(), rotations)
def test_turning_about_the_vertical_changes_nothing(shape: Voxels, rotation: Rotation) -> None:
    spun = Rotation.parse("+Y-X+Z").compose(rotation)
    assert is_stable(shape, spun) == is_stable(shape, rotation)


def tumbler() -> Voxels:
    """A connected shape that tips over whichever way it is laid.

    Six arms in a whirl, each ending in a foot far from the middle, under no weight.
    """
    arms: list[Cell] = [(0, 0, 0)]
    for rotation in list_rotations():
        if rotation.name in ("+X+Y+Z", "-X-Y+Z", "+Y+Z+X", "-Y-Z+X", "+Z+X+Y", "-Z-X+Y"):
            arms += [rotation.apply((k, 0, 0)) for k in range(4)]
            arms += [rotation.apply((3, k, 0)) for k in range(3)]
            arms.append(rotation.apply((4, 2, 0)))
    return Voxels.from_cells(arms)


def test_some_shapes_rest_in_no_way_at_all() -> None:
    shape = tumbler()
    assert shape.is_connected
    assert not any(is_stable(shape, rotation) for rotation in list_rotations())
    with pytest.raises(ValueError, match="can't be laid"):
        find_stable_rotation(shape, IDENTITY)

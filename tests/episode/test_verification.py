"""Holding what a world reports against what the rules say."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

from bridge.episode.records import compare_poses
from pysim.catalog import find_family, find_level
from pysim.geometry import Axis
from pysim.puzzle import Level

LEVEL: Level[Any] = find_level("burr-chinese-cross")


@pytest.mark.parametrize("axis", list(Axis))
@pytest.mark.parametrize(("degrees", "agrees"), [(0, True), (4, True), (8, False), (90, False)])
def test_a_body_that_is_turned_in_its_place_is_not_where_the_rules_have_it(
    axis: Axis, degrees: int, agrees: bool
) -> None:
    scene = find_family(LEVEL).rules.scene(LEVEL, find_family(LEVEL).rules.initial(LEVEL))
    transforms = {body.name: body.pose.transform() for body in scene.bodies}
    last = transforms[scene.bodies[-1].name]
    turn = np.zeros(3)
    turn[axis.number] = degrees
    last[:3, :3] = Turn.from_euler("xyz", turn, degrees=True).as_matrix() @ last[:3, :3]
    found = compare_poses(scene, transforms)
    assert (found is None) is agrees
    assert found is None or scene.bodies[-1].name in found.world

"""Every piece of every level can be seen well, or not at all."""

from collections.abc import Iterator

import pytest

from pysim.catalog import AnyLevel, find_family
from pysim.render.camera import make_camera_set, measure_bounds
from pysim.render.legibility import LEAST_PIXELS, measure_coverage, measure_observed_coverage
from pysim.render.renderer import Renderer
from tests.needs import usable_renderer
from tests.sampling import levels_by_day


@pytest.fixture(scope="module")
def egl() -> Iterator[Renderer]:
    with usable_renderer("egl") as made:
        yield made


@pytest.mark.by_day(12)
@pytest.mark.parametrize("level", levels_by_day())
def test_a_piece_that_is_not_fully_hidden_is_legible(egl: Renderer, level: AnyLevel) -> None:
    rules = find_family(level).rules
    scene = rules.scene(level, rules.initial(level))
    block = measure_bounds(scene)
    seen = measure_coverage(egl, scene, make_camera_set("iso4", block))
    for name, count in measure_observed_coverage(egl, scene).items() if scene.views else ():
        seen[name] = max(seen[name], count)
    anyhow = measure_coverage(
        egl, scene, (*make_camera_set("iso6", block), *make_camera_set("faces6", block)), 512
    )
    small = {name: seen[name] for name in seen if seen[name] < LEAST_PIXELS and anyhow[name]}
    assert not small

"""Every piece of every level can be seen well, or not at all."""

from collections.abc import Iterator

import pytest

from pysim.catalog import AnyLevel, family_of, levels
from pysim.render.camera import camera_set, whole
from pysim.render.egl import EglRenderer
from pysim.render.legibility import LEAST_PIXELS, coverage
from pysim.render.renderer import RendererUnavailable


@pytest.fixture(scope="module")
def egl() -> Iterator[EglRenderer]:
    try:
        renderer = EglRenderer()
    except RendererUnavailable as error:
        pytest.skip(f"NOT TESTED: {error}")
    yield renderer
    renderer.close()


EVERY_DAY = 6
"""Of this many levels one is looked at by every run of the tests, the others each night."""


def shown() -> Iterator[object]:
    """All levels; most are for the nightly."""
    for number, level in enumerate(levels()):
        marks = [pytest.mark.slow] if number % EVERY_DAY else []
        yield pytest.param(level, marks=marks, id=level.id)


@pytest.mark.parametrize("level", list(shown()))
def test_a_piece_that_is_not_fully_hidden_is_legible(egl: EglRenderer, level: AnyLevel) -> None:
    rules = family_of(level).rules
    scene = rules.scene(level, rules.initial(level))
    block = whole(scene)
    seen = coverage(egl, scene, camera_set("iso4", block))
    anyhow = coverage(egl, scene, (*camera_set("iso6", block), *camera_set("faces6", block)), 512)
    small = {name: seen[name] for name in seen if seen[name] < LEAST_PIXELS and anyhow[name]}
    assert not small

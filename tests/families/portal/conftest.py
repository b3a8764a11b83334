"""What the tests of chambers share."""

from collections.abc import Iterator

import pytest

from pysim.render.renderer import Renderer
from tests.needs import usable_renderer


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with usable_renderer("egl") as made:
        yield made

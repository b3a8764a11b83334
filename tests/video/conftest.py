"""What the tests of bundles and of scores share."""

from collections.abc import Iterator

import pytest

from pysim.render.renderer import Renderer
from tests.needs import usable_renderer


@pytest.fixture(scope="session")
def renderer() -> Iterator[Renderer]:
    with usable_renderer() as made:
        yield made

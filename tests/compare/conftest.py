"""What the tests of bundles and of scores share."""

from collections.abc import Iterator

import pytest

from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer, RendererUnavailable


@pytest.fixture(scope="session")
def renderer() -> Iterator[Renderer]:
    try:
        made, _ = create_renderer()
    except RendererUnavailable as error:
        pytest.skip(f"NOT TESTED: no renderer can be used here: {error}")
    yield made
    made.close()

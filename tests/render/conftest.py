"""One renderer of each kind for all tests of this folder."""

from collections.abc import Iterator

import pytest

from pysim.render.factory import create_renderer, list_renderers
from pysim.render.renderer import Renderer, RendererUnavailable


@pytest.fixture(scope="session")
def all_renderers() -> Iterator[dict[str, Renderer | RendererUnavailable]]:
    made: dict[str, Renderer | RendererUnavailable] = {}
    for name in list_renderers():
        try:
            made[name] = create_renderer(name)[0]
        except RendererUnavailable as error:
            made[name] = error
    yield made
    for renderer in made.values():
        if not isinstance(renderer, RendererUnavailable):
            renderer.close()


def _usable(name: str, made: dict[str, Renderer | RendererUnavailable]) -> Renderer:
    renderer = made[name]
    if isinstance(renderer, RendererUnavailable):
        pytest.skip(f"NOT TESTED: renderer {name} can't be used here: {renderer}")
    return renderer


@pytest.fixture(params=list_renderers())
def renderer(
    request: pytest.FixtureRequest, all_renderers: dict[str, Renderer | RendererUnavailable]
) -> Renderer:
    return _usable(request.param, all_renderers)


@pytest.fixture
def egl(all_renderers: dict[str, Renderer | RendererUnavailable]) -> Renderer:
    return _usable("egl", all_renderers)


@pytest.fixture
def tiny(all_renderers: dict[str, Renderer | RendererUnavailable]) -> Renderer:
    return _usable("tiny", all_renderers)

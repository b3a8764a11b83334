"""Recorded episodes that many tests read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer, RendererUnavailable
from tests.recording.plays import play_plan


@pytest.fixture(scope="session")
def cross(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of a short plan with refused actions in between."""
    path = tmp_path_factory.mktemp("cross") / "episode.jsonl"
    play_plan(path, "burr-chinese-cross", seed=1)
    return path.read_bytes()


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    return tmp_path / "episode.jsonl"


@pytest.fixture(scope="session")
def renderer() -> Iterator[Renderer]:
    try:
        renderer, _ = create_renderer()
    except RendererUnavailable as error:
        pytest.skip(f"NOT TESTED: no renderer can be used here: {error}")
    yield renderer
    renderer.close()

"""Recorded episodes that many tests read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pysim.render.renderer import Renderer
from tests.needs import usable_renderer
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
    with usable_renderer() as made:
        yield made

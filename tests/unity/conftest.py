"""A stand-in player as an executable, and players of it that tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.unity.link import Launch
from bridge.unity.pool import PlayerPool
from tests.unity.standins import write_player


@pytest.fixture(scope="session")
def player(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The executable."""
    return write_player(tmp_path_factory.mktemp("player"))


@pytest.fixture(scope="session")
def players(player: Path) -> Iterator[PlayerPool]:
    """Sound players."""
    with PlayerPool(Launch(player)) as pool:
        yield pool

"""Recorded episodes of several families, for datasets."""

import pytest

from bridge.episode.episode import Episode
from bridge.episode.tools import ToolCall
from bridge.recording.dataset.episodes import Recording
from bridge.recording.log import EpisodeLog
from pysim.catalog import find_level
from pysim.physics.factory import create_world
from tests.recording.plays import play_plan, start


@pytest.fixture(scope="session")
def locks(tmp_path_factory: pytest.TempPathFactory) -> list[Recording]:
    """Two locks of three and six pieces taken apart, the second with refused actions; and one
    that was given up at once."""
    folder = tmp_path_factory.mktemp("locks")
    play_plan(folder / "three.jsonl", "burr-three-bars")
    play_plan(folder / "cross.jsonl", "burr-chinese-cross", seed=2)
    start(folder / "nothing.jsonl", "burr-piston").give_up("no idea")
    return [Recording(name, folder / f"{name}.jsonl") for name in ("three", "cross", "nothing")]


@pytest.fixture(scope="session")
def others(tmp_path_factory: pytest.TempPathFactory) -> list[Recording]:
    """A box that was filled, and a cube that somebody stopped turning without an end."""
    folder = tmp_path_factory.mktemp("others")
    play_plan(folder / "box.jsonl", "packing-easy-01")
    with EpisodeLog(folder / "cube.jsonl") as log:
        cube = Episode(find_level("checkerboard"), create_world("lattice"), listener=log)
        for move in ("F", "U'"):
            cube.step(ToolCall("make_move", {"move": move}))
    return [Recording(name, folder / f"{name}.jsonl") for name in ("box", "cube")]

"""A signal that comes the moment a server says that it is there ends it, and its log."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.recording.log import read_log
from tests.commands import ROOT
from tests.rpc.playing import gave_up
from tests.sampling import these_by_day
from tests.waiting import PATIENCE

SERVE = """
import os, signal, sys
from pathlib import Path
from bridge.adapters import mcp
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.recording.log import EpisodeLog
from pysim.catalog import find_level

transport, number, log = sys.argv[1:]
ready = lambda: os.kill(os.getpid(), getattr(signal, number))
options = Options(obs=Obs.STATE)
with EpisodeLog(Path(log)) as listener:
    episode = Episode(find_level("burr-half-lap"), options=options, listener=listener)
    if transport == "http":
        mcp.serve_http(episode, mcp.listen(0), ready)
    else:
        mcp.serve_stdio(episode, ready)
"""


WAYS = [(t, n) for t in ("http", "stdio") for n in (signal.SIGTERM, signal.SIGINT)]


@pytest.mark.parametrize(
    "way", these_by_day([WAYS[3]], WAYS, name=lambda way: f"{way[0]}-{way[1].name}")
)
def test_no_signal_is_lost_once_a_server_has_said_its_address(
    way: tuple[str, signal.Signals], tmp_path: Path
) -> None:
    transport, number = way
    path = tmp_path / "episode.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", SERVE, transport, number.name, str(path)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL if transport == "http" else subprocess.PIPE,
        capture_output=transport == "http",
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert gave_up(read_log(path)) == "the server was stopped"

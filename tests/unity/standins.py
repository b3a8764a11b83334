"""Stand-in players, with and without faults."""

import atexit
import hashlib
import os
import sys
import tempfile
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from bridge.episode.engines import Engines
from bridge.unity.engines import open_unity_engines
from bridge.unity.link import Launch
from pysim.catalog import AnyLevel, discover_families, list_shipped_levels

__all__ = ["ROOT", "engines", "faulty", "some_levels", "write_player"]

ROOT = Path(__file__).resolve().parent.parent.parent


def write_player(folder: Path) -> Path:
    """An executable as Unity names those that it builds for Linux, with a stand-in behind it."""
    path = folder / "luban-player.x86_64"
    command = f'exec "{sys.executable}" -W error -m bridge.unity.reference_player "$@"'
    path.write_text(f'#!/bin/sh\nexport PYTHONPATH="{ROOT}"\n{command}\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def faulty(player: Path, fault: str, at: int = 1, **limits: float) -> Launch:
    """How to start a stand-in with a fault; ``limits``: the wait that is to be too long."""
    options = ("--fault", fault, "--fault-at", str(at))
    return Launch(player, options, **limits)


def some_levels(each: int) -> list[AnyLevel]:
    """As many levels of each family that there is, evenly chosen; fewer where there are no more."""
    found = []
    for family in discover_families():
        shipped = [level for level in list_shipped_levels() if level.family == family]
        found += shipped[:: -(-len(shipped) // each)]
    return found


@cache
def engines() -> Engines:
    """Those of pysim and those in stand-ins, which are started when needed and shared by all."""
    stack, own = ExitStack(), os.getpid()
    # Python 3.13 calls this in a process that multiprocessing has forked, too.
    atexit.register(lambda: stack.close() if os.getpid() == own else None)
    return stack.enter_context(open_unity_engines(Launch(_shared_player())))


def _shared_player() -> Path:
    """A stand-in at a place that is the same in each process of this checkout."""
    checkout = hashlib.sha256(f"{ROOT} {sys.executable}".encode()).hexdigest()[:12]
    place = Path(tempfile.gettempdir(), f"luban-player-{os.getuid()}-{checkout}")
    place.mkdir(mode=0o700, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place) as draft:
        return write_player(Path(draft)).replace(place / "luban-player.x86_64")

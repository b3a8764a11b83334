"""The headless player in C#, which Mono runs."""

import fcntl
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.unity.standins import ROOT
from tests.waiting import PATIENCE

__all__ = ["build_headless"]

BUILT = ROOT / "build" / "csharp"


@cache
def build_headless() -> Path:
    """Return the executable, compiled when it is first asked for; skip the test without Mono.

    One process compiles at a time, and no file is replaced that a player of another one runs.
    """
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        player = BUILT / "luban-headless.x86_64"
        missing = shutil.which("mono") is None or not player.exists()
        if missing or player.stat().st_mtime < _last_change():
            _build()
    return player


def _build() -> None:
    done = subprocess.run(
        ["tests/csharp/run.sh", "build"], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    if done.returncode == 3:
        pytest.skip(f"NOT TESTED: {done.stderr}")
    assert done.returncode == 0, done.stderr


def _last_change() -> float:
    """Return when a source of the player was last changed."""
    folders = ("unity_project/Assets/Luban/Core", "unity_project/Assets/Luban/Wire")
    sources = [ROOT / "tests" / "csharp" / "run.sh"]
    for folder in (*folders, "tests/csharp/headless"):
        sources += (ROOT / folder).glob("*.cs")
    return max(source.stat().st_mtime for source in sources)

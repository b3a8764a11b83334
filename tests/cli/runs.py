"""Runs as processes of their own, stopped in the middle; and what they leave behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.waiting import PATIENCE

__all__ = ["finished_logs", "logs", "start_and_stop"]


def logs(run: Path) -> dict[str, bytes]:
    """The logs of finished and unfinished episodes, not those that were set aside."""
    found = (run / "episodes").glob("*/*/episode.jsonl")
    return {
        str(path.relative_to(run)): path.read_bytes()
        for path in found
        if path.parent.name.isdecimal()
    }


def start_and_stop(
    command: list[str], folder: Path, number: signal.Signals, *, orphans: bool = False
) -> dict[str, bytes]:
    """Start a run as a process of its own, stop it when some episodes are finished; their logs.

    ``orphans``: whether processes of the run may live on for a while.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "bridge.cli", *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        until = time.monotonic() + PATIENCE
        while len(finished_logs(folder / "run")) < 2 or process.poll() is not None:
            if process.poll() is not None:
                raise RuntimeError(f"the run finished: {process.communicate()}")
            assert time.monotonic() < until
            time.sleep(0.01)
        if number is signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate()
    if number is signal.SIGINT:
        assert process.returncode == 130
        assert b"the same command" in err
        assert b"Traceback" not in err
    if not orphans:
        _wait_for_orphans(process.pid)
    return finished_logs(folder / "run")


def finished_logs(run: Path) -> dict[str, bytes]:
    if not (run / "episodes").is_dir():
        return {}
    return {name: log for name, log in logs(run).items() if b'{"type":"end"' in log}


def _wait_for_orphans(group: int) -> None:
    """Workers of a run that was killed end by themselves, and soon."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    raise AssertionError("workers live on without their run")

"""Running commands, and telling whether they crashed or hang."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tests.soak.budget import Verdict
from tests.soak.memory import processor_seconds
from tests.waiting import PATIENCE

__all__ = ["TIMED", "Ended", "Runner", "verdict_of"]

ROOT = Path(__file__).resolve().parents[2]
TIMED = ("about.jsonl", "times.jsonl", "timings.json")
"""Files of runs and batches that hold times, so that equal ones differ in them."""
GRACE = 20.0
"""Seconds that a command may take to end after Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a command.

    Attributes:
        status: its exit status; negative for a signal, None if it had to be killed.
        out, err: the end of what it printed.
        peak: most bytes that its process held.
        overdue: whether it took longer than it may.
    """

    status: int | None
    out: str = ""
    err: str = ""
    peak: int = 0
    overdue: bool = False

    @property
    def words(self) -> str:
        """What can be said of it in a line or two."""
        last = self.err.strip().splitlines()[-3:]
        return f"status {self.status}{', overdue' if self.overdue else ''}: {' | '.join(last)}"


REGULAR = frozenset({0, 1, 2, 3, 130})
"""Exit statuses that are documented: 3 is that of ``score-video`` if it could score none."""


def verdict_of(ended: Ended, *, patient: bool = False) -> Verdict | None:
    """What was wrong with a command that may fail, but has to say why in a line.

    Args:
        patient: whether it may take as long as it likes, as a search may, if it stops when told.
    """
    if ended.status is None or (ended.overdue and not patient):
        return "hung"
    if ended.status not in REGULAR or "Traceback (most recent" in ended.err:
        return "crashed"
    if ended.status == 1 and not (ended.err.strip() or ended.out.strip()):
        return "crashed"
    return None


class Runner:
    """Runs commands in a process that has loaded everything; a context manager."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self.restarts = 0

    def run(self, arguments: list[str], folder: Path, limit: float = 20.0) -> Ended:
        """Run a command in that process.

        Args:
            limit: seconds of processor time; then it is stopped as by Ctrl-C, and if that does not
                help killed.
        """
        self._send({"here": arguments, "cwd": str(folder)})
        assert self._process is not None
        spent, began = processor_seconds(self._process.pid), time.monotonic()
        overdue = False
        while not self._answered(0.2):
            late = processor_seconds(self._process.pid) - spent > limit
            if late or time.monotonic() - began > PATIENCE:
                overdue = True
                self._process.send_signal(signal.SIGINT)
                break
        if overdue and not self._answered(GRACE):
            self.close()
            return Ended(None, overdue=True)
        answer = self._receive()
        if answer is None:
            return Ended(self._lost(), overdue=overdue)
        return Ended(**answer, overdue=overdue)

    def start(self, arguments: list[str], folder: Path, hook: str = "") -> int:
        """Begin a command in a fork, which leads a process group; its number."""
        return self.begin(arguments, folder, hook)[0]

    def begin(self, arguments: list[str], folder: Path, hook: str = "") -> tuple[int, Path]:
        """As :meth:`start`, with the folder in which ``out`` and ``err`` are, what it prints."""
        self._send({"apart": arguments, "cwd": str(folder), "hook": hook})
        answer = self._receive()
        assert answer is not None, "the process that forks has died"
        return int(answer["pid"]), Path(answer["printed"])

    def wait(self, pid: int, patience: float = PATIENCE) -> Ended:
        """What came of a fork; it is killed if it does not end."""
        self._send({"reap": pid})
        overdue = not self._answered(patience)
        if overdue:
            self.kill(pid)
        answer = self._receive()
        assert answer is not None, "the process that forks has died"
        return Ended(**{**answer, "status": None if overdue else answer["status"]})

    def kill(self, pid: int) -> None:
        """Kill a fork, and all that it has started, as nobody can prevent."""
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, request: dict[str, Any]) -> None:
        if self._process is None:
            self._process = self._started()
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()

    def _started(self) -> subprocess.Popen[str]:
        self.restarts += 1
        quiet = {"GRPC_VERBOSITY": "NONE", "COLUMNS": "80", "OPENBLAS_NUM_THREADS": "1"}
        return subprocess.Popen(
            [sys.executable, "-m", "tests.soak.worker"],
            cwd=ROOT,
            env=os.environ | quiet,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def _answered(self, seconds: float) -> bool:
        assert self._process is not None and self._process.stdout is not None
        return bool(select.select([self._process.stdout], [], [], seconds)[0])

    def _receive(self) -> dict[str, Any] | None:
        """The next answer; None if the process has died."""
        assert self._process is not None and self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line else None

    def _lost(self) -> int:
        """How the process ended, which nobody wanted."""
        assert self._process is not None
        self._process.communicate()
        status = self._process.returncode
        self._process = None
        return status

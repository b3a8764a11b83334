"""Work for tests of executors, in a module that worker processes load without pytest."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Echo", "Environment", "Failing", "Squares", "Unsendable"]


@dataclass(frozen=True)
class Squares:
    """Squares numbers, notes which, and may fail, die or be interrupted at some of them.

    Attributes:
        folder: where it notes that it began a job, and that it was closed.
        deadly: jobs at which a process kills itself, as often as it says.
        wrong: the job that raises.
        interrupting: the job at which its parent hears Ctrl-C.
        endless: the job that ends only when its process is ended.
        can_pause: whether it looks at ``stopped``.
    """

    folder: Path
    deadly: tuple[tuple[int, int], ...] = ()
    wrong: int | None = None
    interrupting: int | None = None
    endless: int | None = None
    can_pause: bool = True

    def open(self, stopped: Callable[[], bool]) -> "Squarer":
        return Squarer(self, stopped)

    def report_lost(self, job: int, message: str) -> int:
        (self.folder / "lost").write_text(message)
        return -1


@dataclass
class Squarer:
    work: Squares
    stopped: Callable[[], bool]

    def perform(self, job: int) -> int | None:
        if self.stopped():
            return None
        note = self.work.folder / f"{job}"
        with note.open("a") as file:
            file.write("x")
        if note.stat().st_size <= dict(self.work.deadly).get(job, 0):
            os.kill(os.getpid(), signal.SIGKILL)
        if job == self.work.wrong:
            raise KeyError(f"job {job}")
        if job == self.work.interrupting:
            parent = multiprocessing.parent_process()
            pid = os.getpid() if parent is None else parent.pid
            assert pid is not None
            os.kill(pid, signal.SIGINT)
            while self.work.can_pause and not self.stopped():
                time.sleep(0.01)
        while job == self.work.endless:
            time.sleep(0.01)
        return job * job

    def close(self) -> None:
        (self.work.folder / "closed").touch()


@dataclass(frozen=True)
class Environment:
    """Reads variables of the environment that it was started with."""

    def open(self, stopped: Callable[[], bool]) -> "Environment":
        return self

    def report_lost(self, job: str, message: str) -> str:
        return message

    def perform(self, job: str) -> str:
        return os.environ.get(job, "")

    def close(self) -> None:
        """It holds nothing."""


@dataclass(frozen=True)
class Echo:
    can_pause: bool = True

    def open(self, stopped: Callable[[], bool]) -> "Echo":
        return self

    def perform(self, job: bytes) -> bytes:
        return job

    def close(self) -> None:
        pass

    def report_lost(self, job: bytes, message: str) -> bytes:
        return b""


class TwoArguments(Exception):
    """Pickles, but can't be unpickled."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


@dataclass(frozen=True)
class Failing(Echo):
    def perform(self, job: bytes) -> bytes:
        raise TwoArguments("salt", "pepper")


@dataclass(frozen=True)
class Unsendable(Echo):
    def perform(self, job: bytes) -> bytes:
        return threading.Lock()  # type: ignore[return-value]

"""Running something in a child process whose disk, memory or life fails at a chosen moment."""

import mmap
import os
import select
import signal
import socket
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType

from tests.soak.syscalls import Call, answer, filter_calls, receive

__all__ = ["Act", "DiskFault", "Ended", "run_child", "run_children", "short_of_memory"]

Act = Callable[[], int]
"""What a child does; its exit status."""
LIMIT = 120.0
"""Seconds of a child after which it hangs."""


@dataclass(frozen=True)
class DiskFault:
    """What goes wrong, and when.

    Attributes:
        kinds: of the calls that are counted, see :data:`tests.soak.syscalls.CALLS`.
        number: of the first one that goes wrong, from 1.
        error: with which it fails, 0 for none.
        half: whether a write is carried out in part, and the following fail.
        lasting: whether all after it fail, too.
        kill: whether the process is killed before the call is carried out.
    """

    kinds: frozenset[str]
    number: int
    error: int = 0
    half: bool = False
    lasting: bool = False
    kill: bool = False


@dataclass(frozen=True)
class Ended:
    """What became of a child.

    Attributes:
        status: as ``subprocess`` gives it; None if it hung and was killed.
        out, err: what it printed.
        reached: whether there was a moment for the fault.
    """

    status: int | None
    out: str
    err: str
    reached: bool


def run_child(act: Act, folder: Path, fault: DiskFault | None = None) -> Ended:
    """Run something in a child whose working folder is ``folder``; faults are of files in it."""
    pipes = _Output(folder)
    ours, its = socket.socketpair()
    child = os.fork()
    if child == 0:
        _become(act, folder, pipes, its if fault is not None else None)
    its.close()
    reached = False
    with ours:
        if fault is not None:
            listener = socket.recv_fds(ours, 1, 1)[1][0]
            reached = _Answers(listener, child, folder.resolve(), fault).until_ended()
            os.close(listener)
        status = _wait(child)
    return Ended(status, *pipes.read(), reached)


def run_children(acts: Sequence[Act], folder: Path) -> list[Ended]:
    """Run several at once in one folder."""
    started: list[tuple[int, _Output]] = []
    for number, act in enumerate(acts):
        pipes = _Output(folder, number)
        child = os.fork()
        if child == 0:
            _become(act, folder, pipes, None)
        started.append((child, pipes))
    return [Ended(_wait(child), *pipes.read(), True) for child, pipes in started]


class _Output:
    """Two files beside a folder for what a child prints."""

    def __init__(self, folder: Path, number: int = 0) -> None:
        self._paths = [folder.with_name(f"{folder.name}.{number}.{n}") for n in ("out", "err")]

    def take(self) -> None:
        """Have this process print there."""
        for descriptor, path in enumerate(self._paths, 1):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, descriptor)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)

    def read(self) -> tuple[str, str]:
        """What was printed."""
        out, err = (path.read_text(errors="replace") for path in self._paths)
        return out, err


def _become(act: Act, folder: Path, pipes: _Output, asking: socket.socket | None) -> None:
    """Be the child; never returns."""
    status = 70
    try:
        os.setsid()
        os.chdir(folder)
        pipes.take()
        if asking is not None:
            socket.send_fds(asking, [b"x"], [filter_calls()])
        status = act()
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)


class _Answers:
    """Answers the calls of a child and of the processes that it has started."""

    def __init__(self, listener: int, child: int, folder: Path, fault: DiskFault) -> None:
        self._listener = listener
        self._child = child
        self._folder = folder
        self._fault = fault
        self._count = 0

    def until_ended(self) -> bool:
        """Answer until there is nobody left to ask; whether the fault's moment came."""
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        until = time.monotonic() + LIMIT
        while time.monotonic() < until:
            for _, event in poll.poll(1000):
                if not event & select.POLLIN:
                    return self._count >= self._fault.number
                call = receive(self._listener)
                if call is not None:
                    self._answer(call)
        os.killpg(self._child, signal.SIGKILL)
        return True

    def _answer(self, call: Call) -> None:
        fault = self._fault
        if call.kind not in fault.kinds or call.path is None or not self._is_watched(call.path):
            answer(self._listener, call)
            return
        self._count += 1
        first, after = self._count == fault.number, self._count > fault.number
        if first and fault.kill:
            os.kill(self._child, signal.SIGKILL)
        elif first and fault.half:
            answer(self._listener, call, half=True)
        elif first or (after and fault.lasting):
            answer(self._listener, call, fault.error)
        else:
            answer(self._listener, call)

    def _is_watched(self, path: Path) -> bool:
        return path.is_relative_to(self._folder)


def _wait(child: int) -> int | None:
    until = time.monotonic() + LIMIT
    handle = os.pidfd_open(child)
    try:
        ended = select.select([handle], [], [], until - time.monotonic())[0]
        if not ended:
            os.killpg(child, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return status if ended else None
    finally:
        os.close(handle)


def short_of_memory(act: Act, folder: Path, number: int, watched: Sequence[str]) -> Ended:
    """Run something that finds no memory for the ``number``-th call of a watched function.

    Args:
        watched: beginnings of the paths of the code whose calls are counted.
    """
    shared = mmap.mmap(-1, 8)
    beginnings = tuple(watched)

    def starve() -> int:
        counted = _Starved(number, beginnings, shared)
        threading.setprofile(counted)
        sys.setprofile(counted)
        try:
            return act()
        finally:
            sys.setprofile(None)

    ended = run_child(starve, folder)
    (count,) = struct.unpack("q", shared[:8])
    return Ended(ended.status, ended.out, ended.err, count >= number)


class _Starved:
    """Counts calls of functions, and raises MemoryError at one of them."""

    def __init__(self, number: int, beginnings: tuple[str, ...], shared: mmap.mmap) -> None:
        self._number = number
        self._beginnings = beginnings
        self._shared = shared
        self._known: dict[CodeType, bool] = {}
        self._count = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event != "call" or not self._is_watched(frame.f_code):
            return
        self._count += 1
        self._shared[:8] = struct.pack("q", self._count)
        if self._count == self._number:
            raise MemoryError

    def _is_watched(self, code: CodeType) -> bool:
        if code not in self._known:
            self._known[code] = code.co_filename.startswith(self._beginnings)
        return self._known[code]

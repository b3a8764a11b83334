"""The process in which an interpreter runs, and the pipes to and from it.

The parent believes nothing that comes from it: frames of limited length, JSON, checked, and their
texts made harmless (:mod:`bridge.episode.sanitize`).
"""

import contextlib
import importlib.util
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import bridge
from bridge.benches.cubebench.sandbox.child import Orders
from bridge.benches.cubebench.sandbox.frames import MAX_FRAME, encode_frame
from bridge.benches.cubebench.sandbox.strength import Strength
from bridge.episode.sanitize import sanitize_json
from pysim.errors import LubanError

__all__ = [
    "STARTING",
    "InterpreterLost",
    "OutOfTime",
    "Process",
    "SandboxError",
    "SandboxLimits",
]

_MODULES = ("frames", "output", "lockdown", "child")
"""Of this package, that the child is made of, each after those that it imports."""
_START = """
import sys, types
def load(name, text):
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = "<sandbox>"
    exec(compile(text, "<sandbox>", "exec"), vars(module))
    return module
loaded = [load(name, text) for name, text in {modules!r}]
for module in loaded:
    del sys.modules[module.__name__]
child = loaded[-1]
child.main(child.Orders(**{orders!r}))
"""
"""What the child runs; it is written to its standard input."""
_PATIENCE = 0.2
"""Seconds after which somebody who wants to stop is heard at the latest."""
_PARTING = 5.0
"""Seconds that a child which has closed its pipe may take to end by itself."""
STARTING = 60.0
"""Seconds in which an interpreter has to be ready."""


class SandboxError(LubanError, RuntimeError):
    """No interpreter can be had; the message says why and what to do."""


class OutOfTime(Exception):
    """The code ran on past its deadline; the interpreter is gone."""


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Limits of the resources of an interpreter.

    Attributes:
        memory: bytes of address space.
        seconds: of processor time, over all that is run in it.
        output: characters that are kept of what one piece of code prints.
    """

    memory: int = 2 * 2**30
    seconds: int = 2 * 3600
    output: int = 10_000


class InterpreterLost(Exception):
    """The interpreter has gone, or is no good any more."""


class Process:
    """The child, and the pipes to and from it; the parent's ends never block."""

    def __init__(
        self, strength: Strength, limits: SandboxLimits, check: Callable[[], None]
    ) -> None:
        self._check = check
        self._rest = bytearray()
        self._folder = tempfile.TemporaryDirectory(prefix="luban-sandbox-")
        empty, site = Path(self._folder.name, "empty"), Path(self._folder.name, "lib")
        empty.mkdir()
        site.symlink_to(_site())  # So that the names of numpy's files don't tell where Luban is.
        theirs_in, self._write_end = os.pipe()
        self._read_end, theirs_out = os.pipe()
        os.set_blocking(self._write_end, False)
        os.set_blocking(self._read_end, False)
        root = Path(bridge.__file__).parents[1].resolve()
        orders = Orders(
            reader=theirs_in,
            writer=theirs_out,
            parent=os.getpid(),
            site=str(site),
            readable=[*map(str, _readable(site, root))],
            listable=[str(_LIBRARY), str(empty)],
            memory=limits.memory,
            seconds=limits.seconds,
            output=limits.output,
            strong=strength is Strength.STRONG,
        )
        # Not -I: it would ignore the hash seed. With an environment of our own -P -s isolates too.
        command = [_python(), "-B", "-P", "-S", "-s", "-"]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=empty,
                env={"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
                pass_fds=(theirs_in, theirs_out),
                start_new_session=True,  # An interrupt at the terminal is for the parent.
            )
        except OSError as error:
            self._close_pipes()
            self._folder.cleanup()
            raise SandboxError(f"no Python can be started for code: {error}") from None
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        self._hand_over(_program(root, orders))
        self._greet(strength)

    def _hand_over(self, program: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError), self._process.stdin as pipe:
            pipe.write(program.encode())

    def send(self, document: Mapping[str, object], deadline: float) -> None:
        """Write a frame.

        Raises:
            OutOfTime, InterpreterLost: it was not taken.
        """
        data = memoryview(encode_frame(document))
        while data:
            try:
                data = data[os.write(self._write_end, data) :]
            except BlockingIOError:
                self._wait(deadline, write=True)
            except OSError:
                raise InterpreterLost(self._obituary()) from None

    def receive(self, deadline: float) -> dict[str, Any]:
        """Return the next frame.

        Raises:
            OutOfTime, InterpreterLost: there is none.
        """
        start = 0
        while (end := self._rest.find(b"\n", start)) < 0:
            start = len(self._rest)
            if start > MAX_FRAME:
                raise InterpreterLost("the interpreter was ended: it wrote a line without an end")
            self._read(deadline)
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        self._check()
        if time.monotonic() >= deadline:
            raise OutOfTime
        try:
            frame = sanitize_json(json.loads(line))
        except (ValueError, RecursionError):
            frame = None
        if not isinstance(frame, dict):
            raise InterpreterLost("the interpreter was ended: it wrote what is no frame")
        return frame

    def close(self) -> None:
        """Kill the child, and take its folder away."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()
        self._folder.cleanup()

    def _greet(self, strength: Strength) -> None:
        try:
            frame = self.receive(time.monotonic() + STARTING)
            refusal = "" if frame.get("ready") is True else str(frame.get("refused"))[:300]
        except (InterpreterLost, OutOfTime) as error:
            refusal = str(error) or "it is not ready after a minute"
        except BaseException:
            self.close()
            raise
        if refusal:
            self.close()
            hint = "; with --sandbox weak code runs without these walls, if you trust it"
            raise SandboxError(
                f"no sandbox for code: {refusal}{hint if strength is Strength.STRONG else ''}"
            )

    def _read(self, deadline: float) -> None:
        try:
            data = os.read(self._read_end, 2**16)
        except BlockingIOError:
            self._wait(deadline, write=False)
            return
        if not data:
            raise InterpreterLost(self._obituary())
        self._rest += data

    def _wait(self, deadline: float, *, write: bool) -> None:
        """Until the pipe is ready, or a moment has gone by."""
        self._check()
        left = deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        poll = select.poll()
        end, event = (self._write_end, select.POLLOUT) if write else (self._read_end, select.POLLIN)
        poll.register(end, event)
        poll.poll(1000 * min(left, _PATIENCE))

    def _obituary(self) -> str:
        """Describe the end of the child; one that only closed its pipe is killed."""
        try:
            status = self._process.wait(_PARTING)
        except subprocess.TimeoutExpired:
            return "the interpreter was ended: it has closed its pipe"
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return f"the interpreter has ended ({how})"

    def _close_pipes(self) -> None:
        os.close(self._write_end)
        os.close(self._read_end)


_LIBRARY = Path(os.__file__).parent


def _python() -> str:
    """The interpreter itself, not a virtual environment's, whose place says where Luban is."""
    return str(getattr(sys, "_base_executable", "") or sys.executable)


def _program(root: Path, orders: Orders) -> str:
    """Return the program of the child, with its modules."""
    package = root / "bridge" / "benches" / "cubebench" / "sandbox"
    prefix = "bridge.benches.cubebench.sandbox"
    modules = [
        (f"{prefix}.{name}", (package / f"{name}.py").read_text("utf-8")) for name in _MODULES
    ]
    return _START.format(modules=modules, orders=asdict(orders))


def _readable(site: Path, root: Path) -> list[Path]:
    """Return the paths that code may read: Python's and numpy's, never Luban's.

    Shared libraries with which these are linked are among them.
    """
    installed = ("site-packages", "dist-packages")
    places = [
        site / "numpy",
        site / "numpy.libs",
        Path("/lib/x86_64-linux-gnu"),
        Path("/usr/lib/x86_64-linux-gnu"),
        Path("/lib64/ld-linux-x86-64.so.2"),
        Path("/etc/ld.so.cache"),
        *Path(sys.base_prefix, "lib").glob("*.so*"),
        *(place for place in _LIBRARY.iterdir() if place.name not in installed),
    ]
    return [place for place in places if not root.is_relative_to(place.resolve())]


def _site() -> str:
    spec = importlib.util.find_spec("numpy")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parents[1])

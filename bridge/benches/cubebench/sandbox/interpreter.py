"""A Python interpreter for code that nobody trusts: a child process, and functions it may call.

The code talks to its parent through the functions only. The child's memory, processor time and
output are limited, its environment is empty, its folder too; and with :attr:`Strength.STRONG` the
kernel keeps it from files, sockets and other processes, see the module ``lockdown``.
The parent believes nothing that comes from it: frames of limited length, JSON, checked, and their
texts made harmless (:mod:`bridge.episode.harmless`).
"""

import base64
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
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

import bridge
from bridge.benches.cubebench.sandbox.child import Orders
from bridge.benches.cubebench.sandbox.frames import MAX_FRAME, encode_frame
from bridge.benches.cubebench.sandbox.output import shortened
from bridge.episode.harmless import harmless_json
from pysim.errors import LubanError

__all__ = [
    "CallRefused",
    "Function",
    "Interpreter",
    "OutOfTime",
    "Ran",
    "SandboxError",
    "SandboxLimits",
    "Strength",
    "Value",
    "check_sandbox",
]

Value = str | int | float | list[str] | NDArray[np.uint8] | None
"""What a function may return; an array is a picture, (H, W, 3)."""
Function = Callable[..., Value]

_START = "import sys; sys.path.append(sys.argv[1]); "
_START += "from bridge.benches.cubebench.sandbox import child; child.main(sys.argv[2])"
_PATIENCE = 0.2
"""Seconds after which somebody who wants to stop is heard at the latest."""
_PARTING = 5.0
"""Seconds that a child which has closed its pipe may take to end by itself."""
_STARTING = 60.0
"""Seconds in which an interpreter has to be ready."""


class SandboxError(LubanError, RuntimeError):
    """No interpreter can be had; the message says why and what to do."""


class CallRefused(Exception):
    """Raised by a function: the code that called it gets a ValueError with this message."""


class OutOfTime(Exception):
    """The code ran on past its deadline; the interpreter is gone."""


class Strength(StrEnum):
    """What keeps the code in."""

    STRONG = "strong"
    """Resource limits, Landlock and a filter of system calls."""
    WEAK = "weak"
    """Resource limits only: for code that is trusted not to look for a way out."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise ValueError(f"there is no sandbox {value!r}; there are {', '.join(cls)}")


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """What an interpreter may use up.

    Attributes:
        memory: bytes of address space.
        seconds: of processor time, over all that is run in it.
        output: characters that are kept of what one piece of code prints.
    """

    memory: int = 2 * 2**30
    seconds: int = 2 * 3600
    output: int = 10_000


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a piece of code.

    Attributes:
        output: what it printed, the middle left out if that is long.
        error: a traceback, or what became of the interpreter; None if all went well.
    """

    output: str
    error: str | None


class Interpreter:
    """Runs pieces of code one after another; what one defines the next ones have.

    If the code ends its process, or breaks the protocol, the next piece gets a new interpreter. Not
    to be used by several threads; a context manager.

    Args:
        functions: name -> function; its docstring is the one that the code sees.
        strength: what keeps the code in.
        limits: what it may use up.
        seed: of the code's ``random``.
        check: called again and again while code runs; what it raises ends the interpreter.
    """

    def __init__(
        self,
        functions: Mapping[str, Function],
        strength: Strength = Strength.STRONG,
        limits: SandboxLimits | None = None,
        seed: int = 0,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._functions = dict(functions)
        self._strength = strength
        self._limits = limits or SandboxLimits()
        self._seed = seed
        self._check = check
        self._process: _Process | None = None

    def run(self, code: str, deadline: float) -> Ran:
        """Run a piece of code until its end, or until ``deadline`` on the monotonic clock.

        Raises:
            OutOfTime: the deadline has come.
            SandboxError: no interpreter can be had.
            Exception: whatever a function raises but :exc:`CallRefused`, and ``check`` raises. As
                after the others, the interpreter is gone.
        """
        try:
            return self._run(code, deadline)
        except _Lost as error:
            self.close()
            return Ran("", f"{error}; the next code runs in a new one, without your variables")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def __enter__(self) -> "Interpreter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, code: str, deadline: float) -> Ran:
        process = self._started()
        process.send({"code": code}, deadline)
        while True:
            frame = process.receive(deadline)
            if "call" in frame:
                process.send(self._answer(frame), deadline)
            else:
                return _ran(frame, self._limits.output)

    def _started(self) -> "_Process":
        if self._process is None:
            self._process = _Process(self._strength, self._limits, self._check)
            texts = {name: f.__doc__ or "" for name, f in self._functions.items()}
            deadline = time.monotonic() + _STARTING
            self._process.send({"functions": texts, "seed": self._seed}, deadline)
        return self._process

    def _answer(self, frame: Mapping[str, Any]) -> dict[str, object]:
        name, arguments, keywords = (frame.get(k) for k in ("call", "arguments", "keywords"))
        if not (
            isinstance(name, str) and isinstance(arguments, list) and isinstance(keywords, dict)
        ):
            raise _Lost("the interpreter was ended: it wrote what is no call")
        function = self._functions.get(name)
        if function is None:
            return {"error": f"there is no function {name[:60]!r}"}
        try:
            return {"value": _encoded(function(*_fitting(name, function, arguments, keywords)))}
        except CallRefused as error:
            return {"error": str(error)}


def check_sandbox(strength: Strength) -> None:
    """Start an interpreter and end it again.

    Raises:
        SandboxError: there is none of this strength here.
    """
    with Interpreter({}, strength) as interpreter:
        ran = interpreter.run("", time.monotonic() + _STARTING)
    if ran.error is not None:
        raise SandboxError(ran.error)


class _Lost(Exception):
    """The interpreter has gone, or is no good any more."""


class _Process:
    """The child, and the pipes to and from it; the parent's ends never block."""

    def __init__(
        self, strength: Strength, limits: SandboxLimits, check: Callable[[], None]
    ) -> None:
        self._check = check
        self._rest = bytearray()
        self._folder = tempfile.TemporaryDirectory(prefix="luban-sandbox-")
        theirs_in, self._write_end = os.pipe()
        self._read_end, theirs_out = os.pipe()
        os.set_blocking(self._write_end, False)
        os.set_blocking(self._read_end, False)
        root = str(Path(bridge.__file__).parents[1])
        orders = Orders(
            reader=theirs_in,
            writer=theirs_out,
            parent=os.getpid(),
            root=root,
            site=_site(),
            memory=limits.memory,
            seconds=limits.seconds,
            output=limits.output,
            strong=strength is Strength.STRONG,
        )
        # Not -I: it would ignore the hash seed. With an environment of our own -P -s isolates too.
        command = [sys.executable, "-B", "-P", "-S", "-s", "-c", _START]
        try:
            self._process = subprocess.Popen(
                [*command, root, json.dumps(asdict(orders))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=self._folder.name,
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
        self._greet(strength)

    def send(self, document: Mapping[str, object], deadline: float) -> None:
        """Write a frame.

        Raises:
            OutOfTime, _Lost: it was not taken.
        """
        data = memoryview(encode_frame(document))
        while data:
            try:
                data = data[os.write(self._write_end, data) :]
            except BlockingIOError:
                self._wait(deadline, write=True)
            except OSError:
                raise _Lost(self._obituary()) from None

    def receive(self, deadline: float) -> dict[str, Any]:
        """The next frame.

        Raises:
            OutOfTime, _Lost: there is none.
        """
        start = 0
        while (end := self._rest.find(b"\n", start)) < 0:
            start = len(self._rest)
            if start > MAX_FRAME:
                raise _Lost("the interpreter was ended: it wrote a line without an end")
            self._read(deadline)
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        self._check()
        if time.monotonic() >= deadline:
            raise OutOfTime
        try:
            frame = harmless_json(json.loads(line))
        except (ValueError, RecursionError):
            frame = None
        if not isinstance(frame, dict):
            raise _Lost("the interpreter was ended: it wrote what is no frame")
        return frame

    def close(self) -> None:
        """Kill the child, and take its folder away."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()
        self._folder.cleanup()

    def _greet(self, strength: Strength) -> None:
        try:
            frame = self.receive(time.monotonic() + _STARTING)
            refusal = "" if frame.get("ready") is True else str(frame.get("refused"))[:300]
        except (_Lost, OutOfTime) as error:
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
            raise _Lost(self._obituary())
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
        """What became of the child; one that closed its pipe only is killed."""
        try:
            status = self._process.wait(_PARTING)
        except subprocess.TimeoutExpired:
            return "the interpreter was ended: it has closed its pipe"
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return f"the interpreter has ended ({how})"

    def _close_pipes(self) -> None:
        os.close(self._write_end)
        os.close(self._read_end)


def _site() -> str:
    spec = importlib.util.find_spec("numpy")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parents[1])


def _ran(frame: Mapping[str, Any], limit: int) -> Ran:
    output, error = frame.get("output"), frame.get("error")
    if not (isinstance(output, str) and (error is None or isinstance(error, str))):
        raise _Lost("the interpreter was ended: it wrote what is no frame")
    # The child has cut both already, if it is the child that we know.
    return Ran(shortened(output, 2 * limit), None if error is None else shortened(error, limit))


def _fitting(
    name: str, function: Function, arguments: list[Any], keywords: dict[str, Any]
) -> list[Any]:
    """The arguments in order.

    Raises:
        CallRefused: the function takes others.
    """
    code = getattr(function, "__func__", function).__code__
    names = code.co_varnames[: code.co_argcount]
    names = names[1:] if hasattr(function, "__self__") else names
    values = dict(zip(names, arguments, strict=False)) | keywords
    if len(arguments) + len(keywords) != len(names) or set(values) != set(names):
        raise CallRefused(f"{name}({', '.join(names)}) takes exactly these arguments")
    return [values[name] for name in names]


def _encoded(value: Value) -> object:
    if isinstance(value, np.ndarray):
        data = base64.b64encode(value.tobytes()).decode("ascii")
        return {"shape": list(value.shape), "data": data}
    return value

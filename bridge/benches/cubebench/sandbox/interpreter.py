"""A Python interpreter for code that nobody trusts: a child process, and functions it may call.

The code talks to its parent through the functions only. The child's memory, processor time and
output are limited, its environment is empty, its folder too; and with :attr:`Strength.STRONG` the
kernel keeps it from files, sockets and other processes, see the module ``lockdown``.
"""

import base64
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.benches.cubebench.sandbox.output import truncate
from bridge.benches.cubebench.sandbox.process import (
    STARTING,
    InterpreterLost,
    OutOfTime,
    Process,
    SandboxError,
    SandboxLimits,
)
from bridge.benches.cubebench.sandbox.strength import Strength

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


class CallRefused(Exception):
    """Raised by a function: the code that called it gets a ValueError with this message."""


@dataclass(frozen=True, slots=True)
class Ran:
    """Result of a piece of code.

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
        seed: of the code's random numbers, ``random``'s and numpy's.
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
        self._process: Process | None = None

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
        except InterpreterLost as error:
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

    def _started(self) -> Process:
        if self._process is None:
            self._process = Process(self._strength, self._limits, self._check)
            texts = {name: f.__doc__ or "" for name, f in self._functions.items()}
            deadline = time.monotonic() + STARTING
            self._process.send({"functions": texts, "seed": self._seed}, deadline)
        return self._process

    def _answer(self, frame: Mapping[str, Any]) -> dict[str, object]:
        name, arguments, keywords = (frame.get(k) for k in ("call", "arguments", "keywords"))
        if not (
            isinstance(name, str) and isinstance(arguments, list) and isinstance(keywords, dict)
        ):
            raise InterpreterLost("the interpreter was ended: it wrote what is no call")
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
        ran = interpreter.run("", time.monotonic() + STARTING)
    if ran.error is not None:
        raise SandboxError(ran.error)


def _ran(frame: Mapping[str, Any], limit: int) -> Ran:
    output, error = frame.get("output"), frame.get("error")
    if not (isinstance(output, str) and (error is None or isinstance(error, str))):
        raise InterpreterLost("the interpreter was ended: it wrote what is no frame")
    # The child has cut both already, if it is the child that we know.
    return Ran(truncate(output, 2 * limit), None if error is None else truncate(error, limit))


def _fitting(
    name: str, function: Function, arguments: list[Any], keywords: dict[str, Any]
) -> list[Any]:
    """Return the arguments in order.

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

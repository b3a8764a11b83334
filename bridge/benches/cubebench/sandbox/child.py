"""The other side of a sandbox: runs code with the functions that its parent offers.

It gets the text of its modules from its parent, so that it knows of no place where Luban is. It
imports numpy, and with it most of the standard library, then gives up its rights, and says that it
is ready. What the code prints is kept in memory; standard output and error lead nowhere.
"""

import contextlib
import ctypes
import json
import linecache
import os
import random
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from bridge.benches.cubebench.sandbox.frames import MAX_ANSWER, MAX_FRAME, encode_frame
from bridge.benches.cubebench.sandbox.lockdown import (
    LockdownError,
    die_with_parent,
    limit_calls,
    limit_files,
    limit_resources,
    look_by_opening,
)
from bridge.benches.cubebench.sandbox.output import Output, truncate

__all__ = ["Orders", "main"]

ERROR_LIMIT = 4_000
"""Characters of an error's text."""


@dataclass(frozen=True, slots=True)
class Orders:
    """Orders for a child process when it is started.

    Attributes:
        reader, writer: the pipes, as file descriptors.
        parent: process id of the parent.
        site: the folder that numpy lies in.
        readable: files and folders that may be read.
        listable: folders in which names may be listed.
        memory: bytes of address space.
        seconds: of processor time.
        output: characters of what is printed that are kept.
        strong: whether files and system calls are restricted as well.
    """

    reader: int
    writer: int
    parent: int
    site: str
    readable: Sequence[str]
    listable: Sequence[str]
    memory: int
    seconds: int
    output: int
    strong: bool


def main(orders: Orders) -> None:
    """Run code until the parent hangs up."""
    die_with_parent(orders.parent)
    with os.fdopen(orders.reader, "rb", buffering=2**16) as reader:
        channel = _Channel(reader, orders.writer)
        try:
            _give_up_rights(orders)
        except (LockdownError, OSError) as error:
            channel.send({"refused": str(error)})
            return
        channel.send({"ready": True})
        _serve(channel, orders.output)


def _give_up_rights(orders: Orders) -> None:
    sys.path.append(orders.site)
    import numpy as np
    import numpy.random

    np.zeros(1)
    sys.path.remove(orders.site)
    _ = ctypes.pythonapi
    limit_resources(orders.memory, orders.seconds)
    if orders.strong:
        limit_files(map(Path, orders.readable), map(Path, orders.listable))
        look_by_opening()
        limit_calls()


class _Channel:
    """Frames to the parent and answers from it."""

    def __init__(self, reader: BinaryIO, writer: int) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, document: Mapping[str, object]) -> None:
        data = encode_frame(document)
        if len(data) > MAX_FRAME:
            raise ValueError("what is handed over is too long")
        while data:
            data = data[os.write(self._writer, data) :]

    def receive(self) -> dict[str, Any]:
        line = self._reader.readline(MAX_ANSWER)
        if not line.endswith(b"\n"):
            os._exit(0)  # The parent has hung up.
        return dict(json.loads(line))

    def call(self, name: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Return the result of a function of the parent.

        Raises:
            ValueError: the call was refused; the message says why.
            TypeError: an argument is no JSON.
        """
        self.send({"call": name, "arguments": list(arguments), "keywords": dict(keywords)})
        answer = self.receive()
        if "error" in answer:
            raise ValueError(answer["error"])
        value = answer["value"]
        return _picture(value) if isinstance(value, dict) else value


def _picture(value: Mapping[str, Any]) -> Any:
    """Return an array (H, W, 3) uint8."""
    import base64

    import numpy as np

    data = np.frombuffer(base64.b64decode(value["data"]), np.uint8)
    return data.reshape(value["shape"]).copy()


def _serve(channel: _Channel, limit: int) -> None:
    opening = channel.receive()
    _seed_random_numbers(opening["seed"])
    space: dict[str, Any] = {"__name__": "__main__"}
    for name, text in opening["functions"].items():
        space[name] = _function(channel, name, text)
    number = 0
    while True:
        number += 1
        code = channel.receive()["code"]
        output = Output(limit)
        error = _run(code, f"<step {number}>", space, output)
        channel.send({"output": output.get_text(), "error": error})


def _seed_random_numbers(seed: int) -> None:
    """Seed ``random`` and numpy, also numpy's generators that are made without a seed."""
    import numpy as np

    random.seed(seed)
    sequence = np.random.SeedSequence(abs(seed))
    np.random.seed(sequence.generate_state(1))
    make = np.random.default_rng

    def default_rng(seed: Any = None) -> np.random.Generator:
        return make(sequence.spawn(1)[0] if seed is None else seed)

    np.random.default_rng = default_rng


def _function(channel: _Channel, name: str, text: str) -> Callable[..., Any]:
    def function(*arguments: Any, **keywords: Any) -> Any:
        return channel.call(name, arguments, keywords)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


def _run(code: str, name: str, space: dict[str, Any], output: Output) -> str | None:
    """Run code; what went wrong as text, or None."""
    lines = code.splitlines(keepends=True)
    linecache.cache[name] = (len(code), None, lines, name)  # For the lines in tracebacks.
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            exec(compile(code, name, "exec"), space)
    except BaseException as error:
        return _told(error)
    return None


def _told(error: BaseException) -> str:
    """Return a traceback without the lines of this module."""
    try:
        told = traceback.TracebackException(type(error), error, error.__traceback__)
        own = [frame for frame in told.stack if frame.filename != __file__]
        told.stack = traceback.StackSummary.from_list(own)
        return truncate("".join(told.format()), ERROR_LIMIT)
    except BaseException:  # An exception whose text can't be made.
        return type(error).__name__

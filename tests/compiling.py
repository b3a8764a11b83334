"""What is compiled is compiled by one of the tests' processes; the others wait and load it.

In a new checkout nothing is compiled yet, and each process would do the same: the functions of
numba for a minute, and the modules, with all that pytest makes of asserts, for a quarter of one.
"""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["compile_once", "import_once"]

_compiling: set[object] = set()
"""What this process compiles, each for the sake of the one before."""


def compile_once() -> None:
    """Have this process wait for whoever compiles what it needs."""
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher

    compile_ = Dispatcher.compile

    def compile_alone(self: Any, signature: object) -> object:
        # The lock of this process first, as threads may want two functions in any order.
        with global_compiler_lock, _held(self):
            return compile_(self, signature)

    Dispatcher.compile = compile_alone


@contextmanager
def import_once(module: Path) -> Iterator[None]:
    """Wait for whoever imports the same module of tests, who compiles what it needs."""
    if sys.dont_write_bytecode or not os.access(module.parent, os.W_OK):
        yield  # Nothing is kept that others could load.
        return
    with _alone(module.parent / "__pycache__", f"{module.stem}.importing"):
        yield


@contextmanager
def _held(function: Any) -> Iterator[None]:
    """Be the only process that compiles a function, if what comes of it is kept."""
    place, name = function._cache.cache_path, function.py_func.__qualname__
    if place is None or function in _compiling:  # One that calls itself.
        yield
        return
    with _alone(Path(place), f"{function.py_func.__module__}.{name}.compiling"):
        _compiling.add(function)
        try:
            yield
        finally:
            _compiling.remove(function)


@contextmanager
def _alone(folder: Path, name: str) -> Iterator[None]:
    """Be the only process that does something which goes by a name."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)  # A fork may have the file as well.

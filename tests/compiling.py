"""Functions of numba are compiled by one of the tests' processes; the others wait and load them.

In a new checkout nothing is compiled yet, and each process would do the same, for a minute.
"""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

__all__ = ["compile_once"]

_compiling: set[object] = set()
"""What this process compiles, each for the sake of the one before."""


def compile_once(patch: Callable[[type, str, object], None]) -> None:
    """Have this process wait for whoever compiles what it needs.

    Args:
        patch: sets an attribute.
    """
    compile_ = Dispatcher.compile

    def compile_alone(self: Any, signature: object) -> object:
        # The lock of this process first, as threads may want two functions in any order.
        with global_compiler_lock, _held(self):
            return compile_(self, signature)

    patch(Dispatcher, "compile", compile_alone)


@contextmanager
def _held(function: Any) -> Iterator[None]:
    """Be the only process that compiles a function, if what comes of it is kept."""
    place, name = function._cache.cache_path, function.py_func.__qualname__
    if place is None or function in _compiling:  # One that calls itself.
        yield
        return
    Path(place).mkdir(parents=True, exist_ok=True)
    with Path(place, f"{function.py_func.__module__}.{name}.compiling").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _compiling.add(function)
        try:
            yield
        finally:
            _compiling.remove(function)
            fcntl.flock(file, fcntl.LOCK_UN)  # A fork may have the file as well.

"""Says that solvers are being compiled, which takes a minute or so once on each machine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bridge.cli.notices import print_notice

__all__ = ["note_compiling", "told_of_compiling"]


@contextmanager
def told_of_compiling(tell: Callable[[int], None]) -> Iterator[None]:
    """Have ``tell`` called with the number of functions so far, for each that is compiled.

    What is kept from before is not compiled and not counted; nor is what other processes compile.
    """
    from numba.core import event

    listener = _listener(event.Listener, tell)
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)


def note_compiling(count: int) -> None:
    """Say it once, for people without a terminal that shows how far it is."""
    if count == 1:
        print_notice("compiling the solvers; this takes a minute or so, once on each machine")


def _listener(base: Any, tell: Callable[[int], None]) -> Any:
    class Counter(base):  # type: ignore[misc]
        def __init__(self) -> None:
            self.count = 0

        def on_start(self, event: object) -> None:
            self.count += 1
            tell(self.count)

        def on_end(self, event: object) -> None:
            """The next one begins, or play does."""

    return Counter()

"""Progress of a referee, for people who wait for it.

A referee reports to whoever listens in its thread. Without a listener nothing happens, and a
referee of another package need not report.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["listen", "report"]

_listeners: ContextVar[tuple[Callable[[str], None], ...]] = ContextVar("listeners", default=())


@contextmanager
def listen(listener: Callable[[str], None]) -> Iterator[None]:
    """Call a function with each report that is made in this thread while the context lasts."""
    token = _listeners.set((*_listeners.get(), listener))
    try:
        yield
    finally:
        _listeners.reset(token)


def report(work: str) -> None:
    """Report the work that begins, or how far it is."""
    for listener in _listeners.get():
        listener(work)

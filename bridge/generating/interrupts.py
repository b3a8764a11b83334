"""Ctrl-C that waits until a piece of work is whole."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

__all__ = ["interrupt_later"]


@contextmanager
def interrupt_later() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end of the block, if Ctrl-C comes within it.

    Where Ctrl-C does something else, or in another thread than the main one, it is left alone.
    """
    if current_thread() is not main_thread() or (
        signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    caught: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if caught:
        raise KeyboardInterrupt

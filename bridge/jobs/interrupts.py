"""Ctrl-C among many processes, and in the middle of something that must be whole."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

__all__ = ["before_interrupts", "ignore_interrupts", "interrupt_later"]


@contextmanager
def before_interrupts() -> Iterator[None]:
    """Keep Ctrl-C from processes that are started in the block, until :func:`ignore_interrupts`.

    Ctrl-C reaches every process of a terminal, even one that is still importing modules. The
    process that starts them hears it after the block at the latest.
    """
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # Starting it lets interrupts through.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent of this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


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

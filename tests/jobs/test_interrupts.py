"""Ctrl-C that waits."""

import os
import signal

import pytest

from bridge.jobs.interrupts import interrupt_later


@pytest.fixture(autouse=True)
def usual_handler() -> None:
    """Shells start background jobs with Ctrl-C ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_an_interrupt_comes_when_the_work_is_done() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), interrupt_later():
        os.kill(os.getpid(), signal.SIGINT)
        done.append("whole")
    assert done == ["whole"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_an_interrupt_nothing_is_raised() -> None:
    with interrupt_later():
        pass


def test_an_error_goes_first() -> None:
    with pytest.raises(ValueError, match="broken"), interrupt_later():
        os.kill(os.getpid(), signal.SIGINT)
        raise ValueError("broken")


def test_ctrl_c_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interrupt_later():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    signal.signal(signal.SIGINT, signal.default_int_handler)

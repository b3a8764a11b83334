"""Doing something as another user of the machine."""

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

__all__ = ["as_nobody", "needs_root", "open_folder", "why_not_nobody", "without_rights"]

NOBODY = 65534

TRIES = 5
ROOT = Path(__file__).resolve().parents[1]


def _become_nobody() -> None:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


@cache
def why_not_nobody() -> str:
    """Return why this process can't act as a user without rights; empty if it can.

    Root of a container may have no other user, and in a chroot others may not see this code.
    """
    if os.getuid() != 0:
        return "only root can act as another user"
    child = os.fork()
    if child == 0:
        status = 1
        try:
            _become_nobody()
            needed = (ROOT, Path(sys.prefix), Path(tempfile.gettempdir()))
            status = 0 if all(os.access(place, os.R_OK | os.X_OK) for place in needed) else 2
        finally:
            os._exit(status)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    reasons = {0: "", 2: f"other users can't read {ROOT}, {sys.prefix} or the temporary folder"}
    return reasons.get(ended, "this root can't become another user")


needs_root = pytest.mark.skipif(bool(why_not_nobody()), reason=f"NOT TESTED: {why_not_nobody()}")


@contextmanager
def without_rights() -> Iterator[None]:
    """Act as a user who can't write to what is read-only; root may write anywhere.

    Skips the test where root can be nobody else.
    """
    if os.geteuid() != 0:
        yield
        return
    if why_not_nobody():
        pytest.skip(f"NOT TESTED: {why_not_nobody()}")
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A new folder that every user can look into; those of pytest are for one alone."""
    with tempfile.TemporaryDirectory(prefix="luban-test-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def as_nobody(work: Callable[[], Any]) -> Any:
    """What ``work`` gives, as JSON, done by a user without rights; or the name of its error.

    Where other tests have left threads of gRPC a copy of the process may die at once, so that
    another one is asked.
    """
    for _ in range(TRIES):
        told = _told_by_a_copy(work)
        if told:
            return json.loads(told)
    raise AssertionError(f"{TRIES} copies of this process died without a word")


def _told_by_a_copy(work: Callable[[], Any]) -> bytes:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _become_nobody()
            try:
                found = work()
            except Exception as error:
                found = type(error).__name__
            os.write(writer, json.dumps(found).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        told = file.read()
    os.waitpid(child, 0)
    return told
